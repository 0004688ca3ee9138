import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { Localize } from '../../locales/localize.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { AttachmentRefusal } from '../../runtime/attachments/accepted-files.ts';
import type { DraftFile } from '../../runtime/attachments/attachments.ts';

export interface AttachmentListProps {
  readonly localize: Localize;
  readonly files: readonly DraftFile[];
  readonly refused: readonly AttachmentRefusal[];
  remove(id: string): void;
  retry(id: string): void;
}

/** The attachments of the draft, each with its state and a remove button, and the files that were refused. */
export function attachmentList(props: AttachmentListProps): TemplateResult {
  const { localize, files, refused } = props;
  return html`${
    files.length === 0
      ? nothing
      : html`<ul class="draft-files" aria-label=${localize('attach.list')}>
          ${files.map((file) => item(file, props))}
        </ul>`
  }${
    refused.length === 0
      ? nothing
      : html`<p class="draft-refused" role="alert" dir="auto">${refusalTexts(refused, localize).join(' ')}</p>`
  }`;
}

/** Maximum number of file names per reason. */
const MAX_NAMES = 3;

/** One text per reason: the names of the files, and why they are refused. */
function refusalTexts(refused: readonly AttachmentRefusal[], localize: Localize): readonly string[] {
  const byText = Map.groupBy(refused, ({ reason, limit = 0 }) =>
    reason === 'size'
      ? localize('attach.size', { size: localize.bytes(limit) })
      : localize(`attach.${reason}`, { count: limit }),
  );
  return [...byText].map(([text, files]) => {
    const names = files.slice(0, MAX_NAMES).map(({ name }) => withoutInvisible(name));
    return `${names.join(', ')}${files.length > MAX_NAMES ? ' …' : ''}: ${text}`;
  });
}

function item(file: DraftFile, { localize, remove, retry }: AttachmentListProps): TemplateResult {
  const { id, name, status, problem, thumbnail, progress } = file;
  const isThumbnailOnly = status === 'ready' && thumbnail !== undefined;
  return html`<li class="draft-file ${status} ${isThumbnailOnly ? 'picture' : ''}" title=${name}>
    ${thumbnail ? thumbnailCanvas(thumbnail) : lazyIcon(status === 'failed' ? 'alert' : 'file')}
    <span class=${isThumbnailOnly ? 'hidden-visually' : 'file-details'}>
      <b class="clip" dir="auto">${name}</b>
      <span class="tabular" role=${status === 'failed' ? 'alert' : nothing}>${statusText(file, localize)}</span>
    </span>
    ${status === 'uploading' && progress !== undefined ? html`<progress .value=${progress} aria-hidden="true"></progress>` : nothing}
    ${
      problem
        ? html`<button
            type="button"
            class="icon-button"
            aria-label=${localize('attach.retry', { name })}
            title=${localize('attach.retry', { name })}
            @click=${() => {
              retry(id);
            }}
          >
            ${lazyIcon('again', 'small')}
          </button>`
        : nothing
    }
    <button
      type="button"
      class="remove"
      aria-label=${localize('attach.remove', { name })}
      title=${localize('attach.remove', { name })}
      @click=${() => {
        remove(id);
      }}
    >
      ${lazyIcon('close', 'small')}
    </button>
  </li>`;
}

function statusText({ status, size, progress, problem }: DraftFile, localize: Localize): string {
  if (problem) return localize(`attach.${problem}`);
  if (status === 'uploading') {
    return progress === undefined
      ? localize('attach.uploading')
      : localize('attach.uploading-part', { percent: Math.round(progress * 100) });
  }
  return status === 'preparing' ? localize('attach.preparing') : size === undefined ? '' : localize.bytes(size);
}

/** A canvas instead of an image, because the Content Security Policy of the host page may not allow `blob:`. */
const thumbnailCanvas = (bitmap: ImageBitmap): TemplateResult =>
  html`<canvas
    aria-hidden="true"
    ${ref((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement) || bitmap.width === 0) return;
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    })}
  ></canvas>`;
