import { html, nothing, type TemplateResult } from 'lit';
import type { MarkdownView } from '../markdown/view.ts';
import { LightElement } from '../primitives/light-element.ts';
import { withoutBidi } from '../safety/urls.ts';
import { adoptSheet } from '../theme/sheet.ts';
import type { SurfaceHost } from './a2ui-host.ts';
import type { NodeOf, UiNode } from './a2ui-nodes.ts';
import { readSurfaces, type Edit, type Surface } from './a2ui-surface.ts';
import { buildTree } from './a2ui-tree.ts';
import { part } from './a2ui-view.ts';
import { imageOf } from './image-of.ts';
import { jsonTree } from './json-tree.ts';
import type { RenderContext } from './renderer.ts';
import { surfaceStyles } from './surface-styles.ts';

let count = 0;

/**
 * What an agent has made of A2UI's components, in a frame that says whose it is. What the reader enters is kept here until they
 * press a button of it.
 */
export class AgentChatSurface extends LightElement {
  static override properties = {
    messages: { attribute: false },
    context: { attribute: false },
  };
  declare messages: readonly unknown[];
  declare context: RenderContext;
  /** By surface and place: the last one counts. */
  #edits: ReadonlyMap<string, Edit> = new Map();
  /** What was entered where the agent has named no place. */
  readonly #loose = new Map<string, ReadonlyMap<string, unknown>>();
  readonly #tabs = new Map<string, number>();
  #ids = new Map<string, string>();
  #view: MarkdownView | undefined;
  readonly #name = `ui-${String((count += 1))}`;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptSheet(this, surfaceStyles);
  }

  protected override render(): TemplateResult {
    const { localize, agentName } = this.context.settings;
    const name = withoutBidi(this.context.message.name ?? agentName);
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
    return html`<div class="surface-body">${part(tree.root, this.#host(surface))}</div>
      ${tree.cut ? html`<p class="muted surface-note">${localize('ui.cut')}</p>` : nothing}`;
  }

  /** The topmost part may still come; when it has not, what came is shown as it is. */
  #rootless(): unknown {
    return this.context.message.status === 'streaming'
      ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
      : jsonTree(this.messages, this.context);
  }

  #host(surface: Surface): SurfaceHost {
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
      touched: (node) => this.#edits.has(placeOf(node)) || this.#loose.get(surface.id)?.has(node.key) === true,
      press: (node) => {
        this.#press(surface, node);
      },
      tab: (node) => this.#tabs.get(at(node)) ?? 0,
      openTab: (node, index) => {
        this.#tabs.set(at(node), index);
        this.requestUpdate();
      },
    };
  }

  /** The same object as long as the page changes no setting, or the words would be drawn anew. */
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

  #press({ id, data, sendsData }: Surface, { id: sourceComponentId, label, press }: NodeOf<'Button'>): void {
    if (press.kind !== 'event') return;
    const { name, context } = press;
    this.context.act('ui-action', {
      surfaceId: id,
      name,
      context,
      sourceComponentId,
      ...(sendsData && { dataModel: data }),
      text: inWords(withoutBidi(label), context),
    });
  }
}

const MAX_WORDS = 2000;

/** What a press says, for an agent that only reads: the button, and what went with it. */
function inWords(label: string, context: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(context).map(([name, value]) => {
    const words = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    return `${name}: ${words}`;
  });
  return [label, ...lines].join('\n').slice(0, MAX_WORDS);
}
