/**
 * Renders the nodes of a surface in the widget's own style. No type from the agent becomes a tag, a class or a style.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { renderRealTarget } from '../../markdown/render/link.ts';
import { markdown } from '../../markdown/markdown-directive.ts';
import { icon } from '../../primitives/icon.ts';
import { deceptiveTarget } from '../../safety/link-text.ts';
import { safeLink, withoutBidi } from '../../safety/urls.ts';
import { surfaceIcon } from './icons.ts';
import type { SurfaceHost } from './surface-host.ts';
import { inputViews } from './input-views.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import { imageOf } from '../media/policy-image.ts';
import { jsonTree } from '../tools/json-tree.ts';
import { mediaView } from '../media/media.ts';

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
    const text = withoutBidi(label || name);
    const drawing = surfaceIcon(name);
    if (!drawing) return html`<span class="muted">${text}</span>`;
    return label ? html`<span role="img" aria-label=${text}>${drawing}</span>` : drawing;
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
  // Rendered inline instead of over the chat: overlays on the page belong to the widget.
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

/** Renders one node of a surface. */
export function part(node: UiNode, host: SurfaceHost): unknown {
  // TypeScript cannot relate the key to the argument; the mapped type above guarantees it.
  const view = views[node.type](node as never, host);
  const share = Math.min(4, Math.max(0, Math.round(node.weight)));
  return share > 0 ? html`<div class="ui-share" data-share=${share}>${view}</div>` : view;
}

/** Headings of a surface are not part of the page's heading outline, because they belong to an answer. */
function text({ text: source, style }: NodeOf<'Text'>, { view }: SurfaceHost): TemplateResult {
  if (style === 'body') return html`<div class="prose">${markdown(source, view)}</div>`;
  const text = withoutBidi(source.replace(/^#+\s+/, ''));
  return html`<p class="ui-text" data-style=${style} dir="auto">${text}</p>`;
}

function tabs(node: NodeOf<'Tabs'>, host: SurfaceHost): TemplateResult {
  const selected = Math.min(host.tab(node), node.tabs.length - 1);
  const content = node.tabs[selected]?.child;
  return html`<div class="ui-column">
    <div class="ui-tabs">
      ${node.tabs.map(
        ({ title }, index) =>
          html`<button
            type="button"
            class="button ghost"
            aria-pressed=${index === selected ? 'true' : 'false'}
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
    const target = url && deceptiveTarget(url, label);
    if (url) {
      return html`<a class="button ${STYLES[style]}" href=${url.href} target="_blank" rel="noopener noreferrer nofollow"
          >${content}</a
        >${target ? renderRealTarget(target) : nothing}`;
    }
  }
  // The button is never `disabled`: pressed, it shows which inputs are missing.
  const wrong = problem !== '' && host.touched(node);
  const message = withoutBidi(problem).trim() || host.context.settings.localize('ask.wrong.required');
  const note = `${host.idOf(node)}-note`;
  const isPressed = host.pressed(node);
  return html`<button
      type="button"
      class="button ${STYLES[style]}"
      ?disabled=${press.kind !== 'event'}
      aria-disabled=${isPressed ? 'true' : nothing}
      aria-describedby=${wrong ? note : nothing}
      @click=${() => {
        if (!isPressed) host.press(node);
      }}
    >
      ${isPressed ? icon('check', 'small') : nothing}${content}</button
    >${wrong ? html`<span class="ui-problem" role="alert" id=${note}>${message}</span>` : nothing}`;
}
