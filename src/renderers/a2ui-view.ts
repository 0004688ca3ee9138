/** The parts of a surface as templates of the widget's own look. No type of the agent's becomes a tag, a class or a style. */
import { html, nothing, type TemplateResult } from 'lit';
import { markdown } from '../markdown/markdown.ts';
import { deceptiveHost, safeLink, withoutBidi } from '../safety/urls.ts';
import { surfaceIcon } from './a2ui-icons.ts';
import type { SurfaceHost } from './a2ui-host.ts';
import { inputViews } from './a2ui-inputs.ts';
import type { NodeOf, UiNode } from './a2ui-nodes.ts';
import { imageOf } from './image-of.ts';
import { jsonTree } from './json-tree.ts';
import { mediaView } from './media.ts';

type Views = { readonly [T in UiNode['type']]: (node: NodeOf<T>, host: SurfaceHost) => unknown };

const inside = (nodes: readonly UiNode[], host: SurfaceHost): unknown => nodes.map((node) => part(node, host));

const box = (kind: 'row' | 'column', { justify, align, children }: NodeOf<'Row' | 'Column'>, host: SurfaceHost) =>
  html`<div class="ui-${kind}" data-justify=${justify} data-align=${align}>${inside(children, host)}</div>`;

const views: Views = {
  ...inputViews,
  Text: text,
  Image: ({ url, alt, size }, { context }) =>
    html`<div class="ui-image" data-size=${size}>${url ? imageOf(url, alt, context.settings) : nothing}</div>`,
  Icon: ({ name, label }) => {
    const words = withoutBidi(label || name);
    const drawing = surfaceIcon(name);
    if (!drawing) return html`<span class="muted">${words}</span>`;
    return label ? html`<span role="img" aria-label=${words}>${drawing}</span>` : drawing;
  },
  Media: ({ kind, url, label, key }, { context }) =>
    mediaView({
      block: { type: kind, id: key, status: 'success', timestamp: 0, url, ...(label && { name: label }) },
      context,
    }),
  Row: (node, host) => box('row', node, host),
  Column: (node, host) => box('column', node, host),
  List: ({ horizontal, children }, host) =>
    html`<ul class=${horizontal ? 'ui-row' : 'ui-column'}>
      ${children.map((child) => html`<li>${part(child, host)}</li>`)}
    </ul>`,
  Card: ({ children }, host) => html`<div class="ui-card">${inside(children, host)}</div>`,
  Divider: ({ vertical }) => (vertical ? html`<span class="ui-rule" aria-hidden="true"></span>` : html`<hr />`),
  Tabs: tabs,
  // In its place, not over the chat: what lies over a page is the widget's to put there.
  Modal: ({ label, content }, host) =>
    html`<details class="ui-more">
      <summary class="button plain">${withoutBidi(label) || '…'}</summary>
      ${content ? part(content, host) : nothing}
    </details>`,
  Button: button,
  Unknown: ({ name, props, children }, host) =>
    html`<details class="ui-unknown">
        <summary class="muted">${host.context.settings.localize('ui.unknown', { name: withoutBidi(name) })}</summary>
        ${jsonTree(props, host.context)}
      </details>
      ${inside(children, host)}`,
};

/** One part of a surface. */
export function part(node: UiNode, host: SurfaceHost): unknown {
  // TypeScript cannot tie the key to the argument; the mapped type above is the proof.
  const shown = views[node.type](node as never, host);
  const share = Math.min(4, Math.max(0, Math.round(node.weight)));
  return share > 0 ? html`<div class="ui-share" data-share=${share}>${shown}</div>` : shown;
}

/** Headings are no headings of the page's outline: what they head is a part of an answer. */
function text({ text: source, style }: NodeOf<'Text'>, { view }: SurfaceHost): TemplateResult {
  if (style === 'body') return html`<div class="prose">${markdown(source, view)}</div>`;
  const words = withoutBidi(source.replace(/^#+\s+/, ''));
  return html`<p class="ui-text" data-style=${style} dir="auto">${words}</p>`;
}

function tabs(node: NodeOf<'Tabs'>, host: SurfaceHost): TemplateResult {
  const shown = Math.min(host.tab(node), node.tabs.length - 1);
  const content = node.tabs[shown]?.child;
  return html`<div class="ui-column">
    <div class="ui-tabs">
      ${node.tabs.map(
        ({ title }, index) =>
          html`<button
            type="button"
            class="button ghost"
            aria-pressed=${index === shown ? 'true' : 'false'}
            @click=${() => {
              host.openTab(node, index);
            }}
          >
            ${withoutBidi(title) || String(index + 1)}
          </button>`,
      )}
    </div>
    ${content ? part(content, host) : nothing}
  </div>`;
}

const STYLES = { default: 'plain', primary: 'primary', borderless: 'ghost' } as const;

function button(node: NodeOf<'Button'>, host: SurfaceHost): unknown {
  const { press, problem, style } = node;
  const label = withoutBidi(node.label) || '…';
  const content = html`${surfaceIcon(node.icon) ?? nothing}<span class="clip" dir="auto">${label}</span>`;
  if (press.kind === 'link') {
    const url = safeLink(press.url);
    const foreign = url && deceptiveHost(url, label);
    if (url) {
      return html`<a class="button ${STYLES[style]}" href=${url.href} target="_blank" rel="noopener noreferrer nofollow"
          >${content}</a
        >${foreign ? html` <span class="real-host">(${foreign})</span>` : nothing}`;
    }
  }
  return html`<button
      type="button"
      class="button ${STYLES[style]}"
      ?disabled=${press.kind !== 'event' || problem !== ''}
      @click=${() => {
        host.press(node);
      }}
    >
      ${content}</button
    >${problem.trim() ? html`<span class="ui-problem">${withoutBidi(problem)}</span>` : nothing}`;
}
