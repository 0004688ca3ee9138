import { html, nothing, type TemplateResult } from 'lit';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import { own } from './data-model.ts';
import type { SurfaceHost } from './surface-host.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import { readSurfaces, type Edit, type Surface } from './read-messages.ts';
import { buildTree } from './build-tree.ts';
import { part } from './component-views.ts';
import { describePress } from './describe-action.ts';
import { imageOf } from '../media/policy-image.ts';
import { jsonTree } from '../tools/json-tree.ts';
import type { RenderContext } from '../core/renderer.ts';
import { messageAuthor } from '../core/author-name.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

let count = 0;

/** Maximum number of remembered button presses. */
const MAX_PRESSES = 20;

/**
 * An A2UI surface of an agent, in a frame that names the agent. User input stays in the widget until the user presses a
 * button of the surface.
 */
export class AgentChatSurface extends LightElement {
  static override properties = {
    messages: { attribute: false },
    context: { attribute: false },
  };
  declare messages: readonly unknown[];
  declare context: RenderContext;
  /** By surface and path; the last value wins. */
  #edits: ReadonlyMap<string, Edit> = new Map();
  /** Values of inputs that the agent bound to no path. */
  readonly #loose = new Map<string, ReadonlyMap<string, unknown>>();
  /** Surfaces whose button was pressed while required input was missing: they show all errors. */
  readonly #checked = new Set<string>();
  /**
   * Presses that were sent, with their values. They outlive the nodes: a form that was scrolled off-screen stays
   * submitted.
   */
  #pressed: readonly string[] = [];
  readonly #tabs = new Map<string, number>();
  #ids = new Map<string, string>();
  #view: MarkdownView | undefined;
  readonly #name = `ui-${String((count += 1))}`;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
  }

  protected override firstUpdated(): void {
    const stored = own(this.context.draft?.read(), 'pressed');
    if (!Array.isArray(stored)) return;
    this.#pressed = (stored as unknown[]).filter((sign) => typeof sign === 'string');
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { localize } = this.context.settings;
    const name = messageAuthor(this.context);
    const from = localize('ui.from', { name });
    const surfaces = readSurfaces(this.messages, [...this.#edits.values()]);
    this.#ids = new Map();
    return html`<section class="card surface" role="group" aria-label=${from}>
      <p class="surface-from">${from}</p>
      ${surfaces.length > 0 ? surfaces.map((surface) => this.#surface(surface)) : jsonTree(this.messages, this.context)}
    </section>`;
  }

  #surface(surface: Surface): unknown {
    const { localize } = this.context.settings;
    if (surface.deleted) return html`<p class="muted surface-note">${localize('ui.closed')}</p>`;
    const tree = buildTree(surface, { locale: localize.locale, loose: this.#loose.get(surface.id) ?? new Map() });
    if (!tree.root) return this.#rootless();
    return html`<div class="surface-body">${part(tree.root, this.#host(surface, tree.root))}</div>
      ${tree.cut ? html`<p class="muted surface-note">${localize('ui.cut')}</p>` : nothing}`;
  }

  /** The root component may still arrive; if the stream ends without it, the other components are shown. */
  #rootless(): unknown {
    return this.context.message.status === 'streaming'
      ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
      : jsonTree(this.messages, this.context);
  }

  #host(surface: Surface, root: UiNode): SurfaceHost {
    const at = (node: UiNode): string => `${surface.id} ${node.key}`;
    const placeOf = (node: UiNode): string => `${surface.id} ${'path' in node ? (node.path ?? '') : ''}`;
    return {
      context: this.context,
      view: this.#markdownView(),
      idOf: (node) => {
        const id = this.#ids.get(at(node)) ?? `${this.#name}-${String(this.#ids.size)}`;
        this.#ids.set(at(node), id);
        return id;
      },
      enter: (node, value) => {
        if (node.path === undefined) {
          this.#loose.set(surface.id, new Map(this.#loose.get(surface.id)).set(node.key, value));
        } else {
          const edit = { surface: surface.id, path: node.path, value, after: this.messages.length };
          this.#edits = new Map(this.#edits).set(placeOf(node), edit);
        }
        this.requestUpdate();
      },
      touched: (node) =>
        this.#checked.has(surface.id) ||
        this.#edits.has(placeOf(node)) ||
        this.#loose.get(surface.id)?.has(node.key) === true,
      press: (node) => {
        if (node.problem === '') this.#press(surface, node, root);
        else this.#showProblems(surface);
      },
      pressed: (node) => this.#pressed.includes(this.#signOf(surface, node)),
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

  /** Identifies a press by its button and values. An update of the surface by the agent allows it again. */
  #signOf({ id }: Surface, { key, press }: NodeOf<'Button'>): string {
    return JSON.stringify([id, key, this.messages.length, press]);
  }

  /** Shows all errors and moves the focus to the first. */
  #showProblems({ id }: Surface): void {
    this.#checked.add(id);
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    });
  }

  #press(surface: Surface, node: NodeOf<'Button'>, root: UiNode): void {
    const { press, label, id: sourceComponentId } = node;
    const { id, data, sendsData } = surface;
    if (press.kind !== 'event') return;
    const { name, context } = press;
    this.#pressed = [...this.#pressed, this.#signOf(surface, node)].slice(-MAX_PRESSES);
    this.context.draft?.write({ pressed: this.#pressed });
    this.requestUpdate();
    this.context.act('ui-action', {
      surfaceId: id,
      name,
      context,
      sourceComponentId,
      ...(sendsData && { dataModel: data }),
      text: describePress(label, press, { root, localize: this.context.settings.localize }),
    });
  }
}
