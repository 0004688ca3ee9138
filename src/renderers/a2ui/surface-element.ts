import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { icon } from '../../primitives/icon.ts';
import { setPressRedaction } from '../../model/exchange/press-redaction.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { leaveFilledCard } from '../../primitives/leave-field.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import { buildTree } from './read/build-tree.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { readSurfaces, type Surface } from './read/read-messages.ts';
import { redactPress } from './redact-press.ts';
import { SurfaceChanges } from './surface-changes.ts';
import { keepFocus } from './surface-focus.ts';
import { SurfaceInput } from './surface-input.ts';
import { surfaceInstances, type SurfaceInstance } from './surface-instances.ts';
import { SurfacePasswords, type BuildSurface, type BuiltSurface } from './surface-passwords.ts';
import { inside } from './views/component-views.ts';
import type { SurfaceHost } from './views/surface-host.ts';
import { imageOf } from '../media/policy-image.ts';
import { jsonTree } from '../tools/json-tree.ts';
import type { RenderContext } from '../core/renderer.ts';
import { authorName, messageAuthor } from '../core/author-name.ts';
import { inSentence } from '../core/in-sentence.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

let elementCount = 0;

/** The surface elements of each widget. When one changes, all of them render again. */
const elementsByRoot = new WeakMap<Node, Set<AgentChatSurface>>();
/** The roots whose surface elements are about to render again. */
const rootsToUpdate = new WeakSet<Node>();

/**
 * Renders the A2UI surfaces (user interfaces that an agent describes as JSON) that a block created, in a frame with the name
 * of the agent, and a link to each earlier surface that the block updates. User input stays in the widget until the user presses a button of the surface.
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
  readonly #build: BuildSurface = (surface) => {
    const { locale } = this.context.settings.localize;
    return buildTree(surface, { locale, unboundValues: this.#input.unboundValues(surface) });
  };
  readonly #passwords = new SurfacePasswords(this.#input, this.#build);
  readonly #changes = new SurfaceChanges(this.#input, this.#build, (built, node) => this.#describe(built, node));
  readonly #tabs = new Map<string, number>();
  readonly #filters = new Map<string, string>();
  /** The unknown components whose data the user has opened. */
  readonly #opened = new Set<string>();
  /** The DOM ids of the nodes, by surface and node key, and those of the render before. */
  #ids = new Map<string, string>();
  #earlierIds = this.#ids;
  #idCount = 0;
  /** The surfaces that were rendered last. */
  #shown = new Set<string>();
  #isRendering = false;
  #view: MarkdownView | undefined;
  #root: Node | undefined;
  readonly #idPrefix = `ui-${String((elementCount += 1))}`;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
    this.#root = this.getRootNode();
    const all = elementsByRoot.get(this.#root) ?? new Set();
    elementsByRoot.set(this.#root, all.add(this));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#root) elementsByRoot.get(this.#root)?.delete(this);
    this.#updateAllSurfaces();
  }

  protected override willUpdate(): void {
    if (!this.hasUpdated) this.#input.restore(this.context.draft);
  }

  protected override update(changes: PropertyValues<this>): void {
    this.#shown = new Set();
    this.#isRendering = true;
    keepFocus(this, () => {
      super.update(changes);
    });
    this.#isRendering = false;
    this.#changes.forgetOthers(this.#shown);
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('messages')) this.#updateAllSurfaces();
  }

  /** Renders all surfaces of the widget again, once for all changes of the same task. */
  #updateAllSurfaces(): void {
    const root = this.#root;
    if (!root || rootsToUpdate.has(root)) return;
    rootsToUpdate.add(root);
    queueMicrotask(() => {
      rootsToUpdate.delete(root);
      for (const surface of elementsByRoot.get(root) ?? []) surface.requestUpdate();
    });
  }

  /** The surfaces to which the messages of this block refer. */
  #instances(): readonly SurfaceInstance[] {
    const { context, blockId, messages } = this;
    const conversation = context.conversation?.messages() ?? [];
    const isInConversation = conversation.some(({ blocks }) => blocks.some(({ id }) => id === blockId));
    const ui = { type: 'ui', id: blockId, status: 'success', timestamp: 0, ui: { kind: 'a2ui', messages } } as const;
    // A message outside the current branch, or one that a page renders elsewhere, is treated as a separate conversation.
    const instances = surfaceInstances(isInConversation ? conversation : [{ ...context.message, blocks: [ui] }]);
    return instances.filter(({ blocks }) => blocks.has(blockId));
  }

  protected override render(): TemplateResult {
    const instances = this.#instances();
    const own = instances.filter(({ blockId }) => blockId === this.blockId);
    const others = instances.filter(({ blockId }) => blockId !== this.blockId);
    this.#earlierIds = this.#ids;
    this.#ids = new Map();
    if (own.length === 0 && others.length > 0) return html`${others.map((instance) => this.#link(instance))}`;
    const heading = this.#heading(own);
    return html`<section class="card surface" role="group" aria-label=${heading} @keydown=${leaveFilledCard}>
        <p class="surface-from">${heading}</p>
        ${own.length > 0 ? repeat(own, instanceKey, (instance) => this.#renderInstance(instance)) : jsonTree(this.messages, this.context)}
      </section>
      ${others.map((instance) => this.#link(instance))}`;
  }

  /** The name of the agent, and the tool if the surface names one. */
  #heading(instances: readonly SurfaceInstance[]): string {
    const name = messageAuthor(this.context);
    const [tool = ''] = instances.flatMap(({ messages }) => readSurfaces(messages)).map(({ agentName }) => agentName);
    const { localize } = this.context.settings;
    const toolName = inSentence(authorName(tool, localize));
    const author = tool && toolName !== name ? `${name} · ${toolName}` : name;
    return localize('ui.from', { name: author });
  }

  /** Every surface is rendered once. A block that changes it later shows a link to it. */
  #link({ messageId, deleted }: SurfaceInstance): TemplateResult {
    const { settings } = this.context;
    if (deleted) return html`<p class="muted">${settings.localize('ui.closed')}</p>`;
    return html`<button
      type="button"
      class="link surface-link"
      @click=${() => {
        // The host is the widget, or an element of the page that renders this block itself.
        const root = this.getRootNode();
        const host: (Element & { scrollToMessage?: (id: string) => void }) | undefined =
          root instanceof ShadowRoot ? root.host : undefined;
        host?.scrollToMessage?.(messageId);
      }}
    >
      ${icon('up', 'small')}${settings.localize('ui.updated')}
    </button>`;
  }

  #renderInstance({ id, messages, predecessors }: SurfaceInstance): unknown {
    const { localize } = this.context.settings;
    this.#input.begin(id, predecessors);
    const [surface] = readSurfaces(messages, this.#input.edits);
    if (!surface) return nothing;
    if (surface.deleted) return html`<p class="muted surface-note">${localize('ui.closed')}</p>`;
    const tree = this.#build(surface);
    if (!tree.root) return this.#renderWithoutRoot(messages);
    this.#shown.add(surface.id);
    const built = { surface, root: tree.root };
    this.#changes.remember(built, { messages, predecessors });
    const { color } = surface;
    return html`<div class="surface-body" ?data-themed=${color !== ''} .style=${color && `--_theme: ${color}`}>
        ${inside([tree.root], this.#host(built, messages))}
      </div>
      ${tree.isTruncated ? html`<p class="muted surface-note">${localize('ui.cut')}</p>` : nothing}`;
  }

  /** The root component may still arrive; if the stream ends without it, the other components are shown. */
  #renderWithoutRoot(messages: readonly unknown[]): unknown {
    return this.context.message.status === 'streaming'
      ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
      : jsonTree(messages, this.context);
  }

  #host(built: BuiltSurface, messages: readonly unknown[]): SurfaceHost {
    const { surface } = built;
    const keyOf = (node: UiNode): string => `${surface.id} ${node.key}`;
    const input = this.#input;
    const messageCount = messages.length;
    return {
      context: this.context,
      view: this.#markdownView(),
      idOf: (node) => {
        const key = keyOf(node);
        // The same id as before: with each new name, a radio button would join the group that had it before.
        const id =
          this.#ids.get(key) ?? this.#earlierIds.get(key) ?? `${this.#idPrefix}-${String((this.#idCount += 1))}`;
        this.#ids.set(key, id);
        return id;
      },
      setValue: (node, value) => {
        input.setValue(surface, node, { value, messageCount, isSecret: this.#passwords.isSecret(built, node) });
        input.store(this.context.draft);
        this.requestUpdate();
      },
      blur: (node) => {
        // A browser also fires this event when the input is moved.
        if (!this.#isRendering && input.blur(surface, node)) this.requestUpdate();
      },
      touched: (node) => input.touched(surface, node),
      filter: (node) => this.#filters.get(keyOf(node)) ?? '',
      setFilter: (node, text) => {
        this.#filters.set(keyOf(node), text);
        this.requestUpdate();
      },
      press: (node, event) => {
        if (node.problem !== '') this.#showProblems(surface);
        else if (!this.#changes.hasJustChanged(built, node, event)) this.#press(built, node, messageCount);
      },
      pressed: (node) => input.pressed(surface, node, messageCount),
      inputIn: this.#passwords.findInput(built, messages),
      tab: (node) => this.#tabs.get(keyOf(node)) ?? 0,
      openTab: (node, index) => {
        this.#tabs.set(keyOf(node), index);
        this.requestUpdate();
      },
      opened: (node) => this.#opened.has(keyOf(node)),
      open: (node) => {
        // `toggle` is also fired when it closes: what has been opened keeps its elements.
        if (this.#opened.has(keyOf(node))) return;
        this.#opened.add(keyOf(node));
        this.requestUpdate();
      },
    };
  }

  /** Returns the same object until `localize` changes, because a new object would cause a full re-render. */
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

  #press(built: BuiltSurface, node: NodeOf<'Button'>, messageCount: number): void {
    const { press, id: sourceComponentId } = node;
    const { surface } = built;
    const { id, data, sendsData, version } = surface;
    if (press.kind !== 'event') return;
    const { name, context } = press;
    const secrets = this.#passwords.namesIn(built, node, press);
    const { localize } = this.context.settings;
    setPressRedaction(
      context,
      redactPress({ built, node, input: this.#input, build: this.#build, localize, messageCount }),
    );
    this.#input.press(surface, node, messageCount);
    this.#input.store(this.context.draft);
    this.requestUpdate();
    this.context.act('ui-action', {
      surfaceId: id,
      name,
      context,
      sourceComponentId,
      ...(version !== '' && { version }),
      ...(sendsData && { dataModel: data }),
      // The data of the surface have the passwords too.
      ...(secrets && (sendsData || secrets.length > 0) && { secrets }),
      text: this.#describe(built, node),
    });
  }

  #describe(built: BuiltSurface, node: NodeOf<'Button'>): string {
    const { press } = node;
    const messageCount = this.#changes.messageCount(built.surface.id);
    const { localize } = this.context.settings;
    return press.kind === 'event' ? this.#passwords.describe(built, { node, press }, { localize, messageCount }) : '';
  }
}

/** By position, the elements of a surface would be reused for another one in its place. */
const instanceKey = ({ id, predecessors }: SurfaceInstance): string => JSON.stringify([id, predecessors]);

export const surfaceView = ({
  messages,
  blockId,
  context,
}: Pick<AgentChatSurface, 'messages' | 'blockId' | 'context'>): TemplateResult => {
  defineOnce('agent-chat-surface', AgentChatSurface);
  return html`<agent-chat-surface .messages=${messages} .blockId=${blockId} .context=${context}></agent-chat-surface>`;
};
