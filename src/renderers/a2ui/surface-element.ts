import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { icon } from '../../primitives/icon.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import type { SurfaceHost } from './surface-host.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import { readSurfaces, type Surface } from './read-messages.ts';
import { buildTree } from './build-tree.ts';
import { part } from './component-views.ts';
import { describePress, secretNames } from './describe-action.ts';
import { SurfaceInput } from './surface-input.ts';
import { surfaceLives, type SurfaceLife } from './surface-lives.ts';
import { imageOf } from '../media/policy-image.ts';
import { jsonTree } from '../tools/json-tree.ts';
import type { RenderContext } from '../core/renderer.ts';
import { messageAuthor } from '../core/author-name.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

let count = 0;

/** The surfaces of each widget: a later one updates the earlier ones. */
const connected = new WeakMap<Node, Set<AgentChatSurface>>();
/** The widgets whose surfaces are about to be updated. */
const changed = new WeakSet<Node>();

/**
 * The A2UI surfaces that a block created, in a frame that names the agent, and links to those that it updates. User input
 * stays in the widget until the user presses a button of the surface.
 */
export class AgentChatSurface extends LightElement {
  static override properties = {
    messages: { attribute: false },
    blockId: { attribute: false },
    context: { attribute: false },
  };
  declare messages: readonly unknown[];
  declare blockId: string;
  declare context: RenderContext;
  readonly #input = new SurfaceInput();
  readonly #tabs = new Map<string, number>();
  readonly #filters = new Map<string, string>();
  #ids = new Map<string, string>();
  #view: MarkdownView | undefined;
  #root: Node | undefined;
  readonly #name = `ui-${String((count += 1))}`;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
    this.#root = this.getRootNode();
    const all = connected.get(this.#root) ?? new Set();
    connected.set(this.#root, all.add(this));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#root) connected.get(this.#root)?.delete(this);
    this.#updateOthers();
  }

  protected override willUpdate(): void {
    if (!this.hasUpdated) this.#input.restore(this.context.draft);
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('messages')) this.#updateOthers();
  }

  /** Once for all surfaces that change at the same time. */
  #updateOthers(): void {
    const root = this.#root;
    if (!root || changed.has(root)) return;
    changed.add(root);
    queueMicrotask(() => {
      changed.delete(root);
      for (const surface of connected.get(root) ?? []) surface.requestUpdate();
    });
  }

  /** The surfaces that this block contains messages about. */
  #lives(): readonly SurfaceLife[] {
    const { context, blockId, messages } = this;
    const conversation = context.conversation?.messages() ?? [];
    const isCurrent = conversation.some(({ blocks }) => blocks.some(({ id }) => id === blockId));
    const ui = { type: 'ui', id: blockId, status: 'success', timestamp: 0, ui: { kind: 'a2ui', messages } } as const;
    // A message that is on no branch, or that a page renders elsewhere, is a conversation of its own.
    const lives = surfaceLives(isCurrent ? conversation : [{ ...context.message, blocks: [ui] }]);
    return lives.filter(({ blocks }) => blocks.has(blockId));
  }

  protected override render(): TemplateResult {
    const lives = this.#lives();
    const own = lives.filter(({ blockId }) => blockId === this.blockId);
    const others = lives.filter(({ blockId }) => blockId !== this.blockId);
    this.#ids = new Map();
    if (own.length === 0 && others.length > 0) return html`${others.map((life) => this.#link(life))}`;
    const from = this.#from(own);
    return html`<section class="card surface" role="group" aria-label=${from}>
        <p class="surface-from">${from}</p>
        ${own.length > 0 ? own.map((life) => this.#life(life)) : jsonTree(this.messages, this.context)}
      </section>
      ${others.map((life) => this.#link(life))}`;
  }

  /** A surface may name the tool behind it, after the name of the agent. */
  #from(lives: readonly SurfaceLife[]): string {
    const name = messageAuthor(this.context);
    const [tool = ''] = lives.flatMap(({ messages }) => readSurfaces(messages)).map(({ agentName }) => agentName);
    const author = tool && tool !== name ? `${name} · ${withoutInvisible(tool)}` : name;
    return this.context.settings.localize('ui.from', { name: author });
  }

  /** Every surface is rendered once. Later changes of it render a link to it. */
  #link({ messageId, deleted }: SurfaceLife): TemplateResult {
    const { settings } = this.context;
    if (deleted) return html`<p class="muted">${settings.localize('ui.closed')}</p>`;
    return html`<button
      type="button"
      class="link surface-link"
      @click=${() => {
        // The surrounding widget, or another element of the page.
        const root = this.getRootNode();
        const host: (Element & { scrollToMessage?: (id: string) => void }) | undefined =
          root instanceof ShadowRoot ? root.host : undefined;
        host?.scrollToMessage?.(messageId);
      }}
    >
      ${icon('up', 'small')}${settings.localize('ui.updated')}
    </button>`;
  }

  #life({ messages }: SurfaceLife): unknown {
    const { localize } = this.context.settings;
    const [surface] = readSurfaces(messages, this.#input.edits);
    if (!surface) return nothing;
    if (surface.deleted) return html`<p class="muted surface-note">${localize('ui.closed')}</p>`;
    const tree = buildTree(surface, { locale: localize.locale, loose: this.#input.loose(surface) });
    if (!tree.root) return this.#rootless(messages);
    const { color } = surface;
    return html`<div class="surface-body" ?data-themed=${color !== ''} .style=${color && `--_theme: ${color}`}>
        ${part(tree.root, this.#host(surface, tree.root, messages.length))}
      </div>
      ${tree.cut ? html`<p class="muted surface-note">${localize('ui.cut')}</p>` : nothing}`;
  }

  /** The root component may still arrive; if the stream ends without it, the other components are shown. */
  #rootless(messages: readonly unknown[]): unknown {
    return this.context.message.status === 'streaming'
      ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
      : jsonTree(messages, this.context);
  }

  #host(surface: Surface, root: UiNode, after: number): SurfaceHost {
    const at = (node: UiNode): string => `${surface.id} ${node.key}`;
    const input = this.#input;
    return {
      context: this.context,
      view: this.#markdownView(),
      idOf: (node) => {
        const id = this.#ids.get(at(node)) ?? `${this.#name}-${String(this.#ids.size)}`;
        this.#ids.set(at(node), id);
        return id;
      },
      enter: (node, value) => {
        input.enter(surface, node, { value, after });
        input.store(this.context.draft);
        this.requestUpdate();
      },
      leave: (node) => {
        if (input.leave(surface, node)) this.requestUpdate();
      },
      touched: (node) => input.touched(surface, node),
      filter: (node) => this.#filters.get(at(node)) ?? '',
      setFilter: (node, text) => {
        this.#filters.set(at(node), text);
        this.requestUpdate();
      },
      press: (node) => {
        if (node.problem === '') this.#press(surface, node, { root, after });
        else this.#showProblems(surface);
      },
      pressed: (node) => input.pressed(surface, node, after),
      tab: (node) => this.#tabs.get(at(node)) ?? 0,
      openTab: (node, index) => {
        this.#tabs.set(at(node), index);
        this.requestUpdate();
      },
    };
  }

  /** The same object until the page changes a setting, because a new object would cause a full re-render. */
  #markdownView(): MarkdownView {
    const { settings } = this.context;
    if (this.#view?.localize !== settings.localize) {
      this.#view = {
        localize: settings.localize,
        image: (src, alt) => imageOf(src, alt, this.context.settings),
      };
    }
    return this.#view;
  }

  /** Shows all errors and moves the focus to the first. */
  #showProblems(surface: Surface): void {
    this.#input.check(surface);
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    });
  }

  #press(
    surface: Surface,
    node: NodeOf<'Button'>,
    { root, after }: { readonly root: UiNode; readonly after: number },
  ): void {
    const { press, id: sourceComponentId } = node;
    const { id, data, sendsData, version } = surface;
    if (press.kind !== 'event') return;
    const { name, context } = press;
    const secrets = secretNames(press, root);
    this.#input.press(surface, node, after);
    this.#input.store(this.context.draft);
    this.requestUpdate();
    this.context.act('ui-action', {
      surfaceId: id,
      name,
      context,
      sourceComponentId,
      ...(version !== '' && { version }),
      ...(sendsData && { dataModel: data }),
      ...(secrets.length > 0 && { secrets }),
      text: describePress(node, press, {
        root,
        localize: this.context.settings.localize,
        entered: new Map(
          this.#input.edits.flatMap(({ surface: at, path, value }) => (at === id ? [[path, value]] : [])),
        ),
      }),
    });
  }
}
