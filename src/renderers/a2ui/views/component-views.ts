/**
 * Renders the nodes of a surface in the widget's own style. No type from the agent becomes a tag, a class or a style.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { renderRealTarget } from '../../../markdown/render/link-template.ts';
import { markdown } from '../../../markdown/markdown-directive.ts';
import { icon } from '../../../primitives/icon.ts';
import { settledPress } from '../../../primitives/press/settled-press.ts';
import { UNREADABLE_CONTENT } from '../../../safety/displayed-text.ts';
import { deceptiveTarget } from '../../../safety/link-text.ts';
import { inSentence } from '../../core/in-sentence.ts';
import { safeLink, withoutInvisible } from '../../../safety/urls.ts';
import { drawnIcon, surfaceIcon } from './icons.ts';
import { tabs } from './tabs-view.ts';
import { CARD_FRAME, MAX_LABEL, SURFACE_WIDTH, widthOf, wraps } from './surface-layout.ts';
import { problemText } from './input-parts.ts';
import { keyedNodes } from './keyed-nodes.ts';
import type { SurfaceHost } from './surface-host.ts';
import { inputViews } from './input-views.ts';
import type { NodeOf, UiNode } from '../read/node-types.ts';
import { imageOf } from '../../media/policy-image.ts';
import { jsonTree } from '../../tools/json-tree.ts';
import { mediaView } from '../../media/media.ts';
import type { RenderContext } from '../../core/renderer.ts';

type Views = { readonly [T in UiNode['type']]: (node: NodeOf<T>, host: SurfaceHost) => unknown };

/** Renders the nodes inside another one, or the root. */
export const inside = (nodes: readonly UiNode[], host: SurfaceHost): unknown =>
  keyedNodes(nodes, (node) => part(node, host));

/** Containers with an accessible name are groups. */
const group = ({ ariaName }: UiNode): unknown => (ariaName ? 'group' : nothing);
const groupName = ({ ariaName }: UiNode): unknown => withoutInvisible(ariaName) || nothing;

const box = (node: NodeOf<'Row' | 'Column'>, host: SurfaceHost) => {
  const isRow = node.type === 'Row';
  return html`<div
    class="ui-${isRow ? 'row' : 'column'}"
    data-justify=${node.justify}
    data-align=${node.align}
    ?data-wraps=${isRow && wraps(node.children)}
    ?data-fits=${isRow && widthOf(node) <= SURFACE_WIDTH - CARD_FRAME}
    role=${group(node)}
    aria-label=${groupName(node)}
  >
    ${isRow ? keyedNodes(node.children, (child) => share(child, host)) : inside(node.children, host)}
  </div>`;
};

const views: Views = {
  ...inputViews,
  Text: text,
  Image: (node, host) => {
    const { url, alt, size, fit } = node;
    const image = (): unknown =>
      host.inputIn(node) === 'password' ? withoutInvisible(alt) : imageOf(url, alt, mediaSettings(node, host));
    return html`<div class="ui-image" data-size=${size} data-fit=${fit}>${url ? image() : nothing}</div>`;
  },
  Icon: (node) => {
    const { name, label } = node;
    const text = withoutInvisible(label || name);
    const drawing = iconOf(node.name, node.drawing);
    if (!drawing) return html`<span class="muted">${text}</span>`;
    return label ? html`<span role="img" aria-label=${text}>${drawing}</span>` : drawing;
  },
  Media: (node, host) => {
    const { kind, url, poster, label, key } = node;
    const input = host.inputIn(node);
    if (input === 'password') return withoutInvisible(label);
    return mediaView({
      block: {
        type: kind,
        id: key,
        status: 'success',
        timestamp: 0,
        url,
        ...(label && { name: label }),
        ...(poster && !input && { extra: { poster } }),
      },
      context: { ...host.context, settings: mediaSettings(node, host) },
    });
  },
  Row: box,
  Column: box,
  // A list that scrolls needs the focus for the arrow keys.
  List: (node, host) =>
    html`<ul
      class=${node.horizontal ? 'ui-strip' : 'ui-column'}
      data-align=${node.align}
      tabindex=${node.horizontal ? '0' : nothing}
      aria-label=${groupName(node)}
    >
      ${keyedNodes(node.children, (child) => html`<li>${part(child, host)}</li>`)}
    </ul>`,
  Card: (node, host) =>
    html`<div class="ui-card" role=${group(node)} aria-label=${groupName(node)}>${inside(node.children, host)}</div>`,
  Divider: ({ vertical }) => (vertical ? html`<span class="ui-rule" aria-hidden="true"></span>` : html`<hr />`),
  Tabs: (node, host) => tabs(node, host, inside),
  // Rendered inline instead of over the chat: overlays on the page belong to the widget.
  Modal: (node, host) =>
    html`<details class="ui-more">
      ${trigger(node, host)}
      <div class="ui-modal">${node.content ? inside([node.content], host) : nothing}</div>
    </details>`,
  Button: button,
  // A list may repeat it hundreds of times, so its data become elements when the user opens it.
  Unknown: (node, host) =>
    html`<details
        class="ui-unknown"
        @toggle=${() => {
          host.open(node);
        }}
      >
        <summary class="muted">
          ${host.context.settings.localize('ui.unknown', { name: inSentence(withoutInvisible(node.name)) })}
        </summary>
        ${host.opened(node) ? jsonTree(node.props, host.context) : nothing}
      </details>
      ${inside(node.children, host)}`,
};

/** Renders one node of a surface. */
function part(node: UiNode, host: SurfaceHost): unknown {
  // TypeScript cannot relate the key to the argument; the mapped type above guarantees it.
  return views[node.type](node as never, host);
}

/** A child of a row; a weight gives it a share of the row's width. A column ignores weights, because it has no fixed height. */
function share(node: UiNode, host: SurfaceHost): unknown {
  const view = part(node, host);
  if (!(node.weight > 0)) return view;
  // A number within limits, as a custom property: nothing else of the agent becomes a style.
  const width = Math.min(MAX_SHARE, node.weight);
  return html`<div class="ui-share" .style=${`--_share: ${String(width)}`}>${view}</div>`;
}

const MAX_SHARE = 100;

/** What depends on typed text waits for a press, also from a listed host: otherwise the host would receive each key. */
const mediaSettings = (node: UiNode, { context: { settings }, inputIn }: SurfaceHost): RenderContext['settings'] =>
  inputIn(node) ? { ...settings, imageHosts: '' } : settings;

const iconOf = (name: string, drawing: string): unknown => (drawing ? drawnIcon(drawing) : surfaceIcon(name));

/**
 * Headings of a surface are not part of the page's heading outline, because they belong to an answer. They have inline
 * Markdown only.
 */
function text(node: NodeOf<'Text'>, { view, inputIn }: SurfaceHost): TemplateResult {
  const { text: source, style } = node;
  const input = inputIn(node);
  // A link or an image in it could send what the user has entered to another host.
  const isPlain = node.isPlain || input === 'password' || (input && /[\]<@]|:\/\/|www\./i.test(source));
  if (style === 'body') {
    const content = isPlain
      ? html`<p class="ui-plain" dir="auto">${withoutInvisible(source)}</p>`
      : markdown(source, view);
    return html`<div class="prose">${content}</div>`;
  }
  const content = isPlain ? withoutInvisible(source) : markdown(inlineOnly(source), view);
  return html`<div class="ui-text prose" data-style=${style} dir="auto">${content}</div>`;
}

/** Escapes what would begin a block: a list, a quote, a rule, a fence, HTML. */
const inlineOnly = (source: string): string =>
  withoutInvisible(source)
    .trim()
    .replace(/^#+\s+/, '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll('<', '\\<')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(?:[-+*#>~|=](?=\s|$)|(?:[-*_]\s*){3,}$|[`~]{3}|>)/, (start) => `\\${start}`);

/** The opener of a modal: its text or icon as a button, or a clickable image. */
function trigger({ trigger: opener, label }: NodeOf<'Modal'>, host: SurfaceHost): TemplateResult {
  const text = withoutInvisible(label) || '…';
  if (opener?.type === 'Button' && !opener.image) {
    return html`<summary class="button ${STYLES[opener.style]}" aria-label=${opener.label ? nothing : text}>
      ${buttonContent(opener, opener.label)}
    </summary>`;
  }
  const inner = opener?.type === 'Button' ? opener.image : opener;
  if (!inner || inner.type === 'Text') return html`<summary class="button plain">${text}</summary>`;
  // The summary itself is clickable, so its content is not.
  return html`<summary class="ui-trigger" aria-label=${text}><div inert>${part(inner, host)}</div></summary>`;
}

const STYLES = { default: 'plain', primary: 'primary', borderless: 'ghost' } as const;

function buttonContent({ icon: name, drawing }: NodeOf<'Button'>, label: string): unknown {
  return html`${iconOf(name, drawing) ?? nothing}${label ? html`<span class="clip" dir="auto">${label}</span>` : nothing}`;
}

function button(node: NodeOf<'Button'>, host: SurfaceHost): unknown {
  const { press, problem, style, image } = node;
  const name = withoutInvisible(node.ariaName);
  const label =
    withoutInvisible(node.label).slice(0, MAX_LABEL) || (image || iconOf(node.icon, node.drawing) ? '' : name || '…');
  const content = image ? html`<span inert>${part(image, host)}</span>` : buttonContent(node, label);
  const ariaLabel = label ? nothing : name || '…';
  const hint = withoutInvisible(node.ariaHint);
  const ariaHint = hint || nothing;
  if (press.kind === 'link') {
    const input = host.inputIn(node);
    const url = input === 'password' ? undefined : safeLink(press.url);
    const unreadable = image || node.drawing || input ? UNREADABLE_CONTENT : '';
    const target = url && deceptiveTarget(url, label, name, hint, unreadable);
    if (url) {
      return html`<a
          class="button settling ${STYLES[style]}"
          ${settledPress(`${label}\n${url.href}`)}
          href=${url.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label=${ariaLabel}
          aria-description=${ariaHint}
          >${content}</a
        >${target ? renderRealTarget(target) : nothing}`;
    }
  }
  // The button is never `disabled`: a press shows which inputs are missing.
  const isInvalid = problem !== '' && host.touched(node);
  const message = problemText(problem, false, host);
  const noteId = `${host.idOf(node)}-note`;
  const isPressed = host.pressed(node);
  return html`<button
      type="button"
      class="button settling ${STYLES[style]}"
      ?disabled=${press.kind !== 'event'}
      ${settledPress(`${label}\n${press.kind === 'event' ? press.name : ''}`)}
      aria-label=${ariaLabel}
      aria-description=${ariaHint}
      aria-disabled=${isPressed ? 'true' : nothing}
      aria-describedby=${isInvalid ? noteId : nothing}
      @click=${(event: MouseEvent) => {
        if (!isPressed) host.press(node, event);
      }}
    >
      ${isPressed ? icon('check', 'small') : nothing}${content}</button
    >${isInvalid ? html`<span class="ui-problem" role="alert" id=${noteId}>${message}</span>` : nothing}`;
}
