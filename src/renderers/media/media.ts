import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { isBase64File } from '../../model/text/is-base64-file.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { downloadFile } from '../../primitives/download-file.ts';
import { AgentChatPlayer } from '../../primitives/media/player.ts';
import { imageLoading, isDataUrl, refuseMedia } from '../../safety/media-policy.ts';
import { deceptiveTarget } from '../../safety/link-text.ts';
import { closeGaps, safeLink, withoutInvisible } from '../../safety/urls.ts';
import { extraText } from '../core/block-extra.ts';
import type { RenderContext } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

defineOnce('agent-chat-player', AgentChatPlayer);

type MediaBlock = BlockOf<'audio'> | BlockOf<'video'> | BlockOf<'file'>;

/** Audio, video and files: a player or a row. Media of third-party hosts load only on request of the user. */
export function mediaView({
  block,
  context,
}: {
  readonly block: MediaBlock;
  readonly context: RenderContext;
}): TemplateResult {
  const reason = extraText(block, 'reason');
  if (block.type === 'file') return reason ? refused(block, reason, context) : fileRow(block, context);
  const { type: kind, url, data, mimeType } = block;
  const { report } = context.settings;
  const source = {
    kind,
    ...(url && { url }),
    ...(data !== undefined && { data }),
    ...(mimeType !== undefined && { mimeType }),
  };
  // Messages from the page or from storage have not passed the media policy yet.
  const refusal = reason || refuseMedia(source, context.settings.limits);
  const blockReason = refusal ?? (url && !imageLoading(url, context.settings.imageHosts).now ? 'host' : undefined);
  if (blockReason !== undefined) report?.({ sink: kind, ...(url && { url }), reason: blockReason });
  return refusal ? refused(block, refusal, context) : player(block, context);
}

function refused(block: MediaBlock, reason: string, { settings }: RenderContext): TemplateResult {
  const key = `media.refused.${reason}`;
  const label = settings.localize(settings.localize.has(key) ? key : 'image.broken');
  return row(block, nameOf(block, settings.localize('file.unnamed')), label, nothing);
}

const partOf = (block: MediaBlock): string => `block block-${block.type}`;

/** Browsers remove dots and spaces from the end of a name when they save a file: `x.exe.` would become `x.exe`. */
const END_OF_NAME = /(?<![\s.])[\s.]+$/;

const nameOf = ({ name, url }: MediaBlock, fallback: string): string =>
  closeGaps(shortText(name ?? url?.split(/[?#]/)[0]?.split('/').at(-1) ?? fallback)).replace(END_OF_NAME, '') ||
  fallback;

const row = (block: MediaBlock, name: string, meta: string, action: unknown): TemplateResult =>
  html`<div class="card object" part=${partOf(block)}>
    <span class="tile">${lazyIcon('file')}</span>
    <span class="grow"><b class="clip" dir="auto">${name}</b><span class="meta">${meta}</span></span>
    ${action}
  </div>`;

function player(block: BlockOf<'audio'> | BlockOf<'video'>, context: RenderContext): TemplateResult {
  const { localize, imageHosts } = context.settings;
  const src = block.data === undefined ? (block.url ?? '') : `data:${block.mimeType ?? ''};base64,${block.data}`;
  const loading = imageLoading(src, imageHosts);
  // The page's `media-src` policy cannot be queried, and a violation would be reported. So inline media, too, are
  // created only when the user presses the button.
  const host = isDataUrl(src) ? '' : loading.now ? undefined : loading.host;
  const label = block.name ?? localize(block.type === 'audio' ? 'media.audio' : 'media.video');
  return html`<agent-chat-player
    part=${partOf(block)}
    .kind=${block.type}
    .src=${src}
    .label=${withoutInvisible(label)}
    .host=${host}
    .localize=${localize}
  ></agent-chat-player>`;
}

/**
 * The file extension. A longer one could be text of the agent in the widget's own line; only Windows has such ones:
 * `x.search-ms`.
 */
const ENDING = /\.([\p{L}\p{N}]{1,8}|[a-z]{1,14}-ms)$/iu;
const endingOf = (name: string): string | undefined => ENDING.exec(name)?.[1]?.toUpperCase();
/** If the name has an extension, the type from the agent is not shown: the extension decides how the file is opened. */
const HAS_ENDING = /\.[^\s.]+$/;

/** A MIME type without parameters, and short for the same reason. */
const MIME_TYPE = /^[a-z]{1,12}\/[\w.+-]{1,80}(?=;|$)/i;

function fileRow(block: BlockOf<'file'>, { settings }: RenderContext): TemplateResult {
  const { localize } = settings;
  const name = nameOf(block, localize('file.unnamed'));
  const size = block.size ?? (block.file ? new Blob([contentOf(block.file)]).size : undefined);
  const inline = block.data !== undefined || block.file !== undefined;
  const link = inline ? undefined : fileLink(block.url);
  const ending = endingOf(name);
  // A file on a server is saved under the name of its address, unless the server gives it another one.
  const savedEnding = link && endingOf(link.pathname);
  const isOther = savedEnding !== undefined && savedEnding !== ending;
  const meta = [
    isOther ? undefined : HAS_ENDING.test(name) ? ending : MIME_TYPE.exec(block.mimeType ?? '')?.[0],
    size === undefined ? '' : localize.bytes(size),
  ];
  const target = link && (deceptiveTarget(link, name) ?? (isOther ? link.host : undefined));
  if (target !== undefined) meta.push(target);
  const action = inline
    ? html`<button
        type="button"
        class="icon-button"
        aria-label=${localize('file.download', { name })}
        @click=${() => {
          save(block, name);
        }}
      >
        ${lazyIcon('download')}
      </button>`
    : link
      ? remoteLink(link, localize('file.download', { name }))
      : nothing;
  return row(block, name, withoutInvisible(meta.filter(Boolean).join(' · ')), action);
}

/** A file on a server is a link for the user; the widget does not fetch it. */
function fileLink(href: string | undefined): URL | undefined {
  const url = safeLink(href ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

const remoteLink = ({ href }: URL, label: string): TemplateResult =>
  html`<a class="icon-button" href=${href} target="_blank" rel="noopener noreferrer nofollow" aria-label=${label}>
    ${lazyIcon('download')}
  </a>`;

function save({ data, mimeType = 'application/octet-stream', file }: BlockOf<'file'>, name: string): void {
  const bytes = data === undefined ? (file ? contentOf(file) : '') : decode(data);
  if (bytes !== undefined) downloadFile(bytes, name, mimeType);
}

/** The content of a response with a file: text, or the bytes of base64 if its type is not text. */
const contentOf = (file: NonNullable<BlockOf<'file'>['file']>): string | Uint8Array<ArrayBuffer> =>
  (isBase64File(file) ? decode(file.content) : undefined) ?? file.content;

/** Decodes base64; undefined if it is invalid. */
function decode(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
