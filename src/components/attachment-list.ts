import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import type { DraftFile } from '../runtime/attachments/attachments.ts';

export interface AttachmentListProps {
  readonly localize: Localize;
  readonly files: readonly DraftFile[];
  remove(id: string): void;
  retry(id: string): void;
}

/** What will go out with the words, each with how it stands and a way to take it back. */
export function attachmentList(props: AttachmentListProps): TemplateResult | typeof nothing {
  const { localize, files } = props;
  if (files.length === 0) return nothing;
  return html`<ul class="draft-files" aria-label=${localize('attach.list')}>
    ${files.map((file) => item(file, props))}
  </ul>`;
}

function item(file: DraftFile, { localize, remove, retry }: AttachmentListProps): TemplateResult {
  const { id, name, status, problem, thumbnail, progress } = file;
  const plain = status === 'ready' && thumbnail !== undefined;
  return html`<li class="draft-file ${status} ${plain ? 'picture' : ''}" title=${name}>
    ${thumbnail ? picture(thumbnail) : icon(status === 'failed' ? 'alert' : 'file')}
    <span class=${plain ? 'hidden-visually' : 'facts'}>
      <b class="clip" dir="auto">${name}</b>
      <span class="tabular" role=${status === 'failed' ? 'alert' : nothing}>${wordsOf(file, localize)}</span>
    </span>
    ${status === 'uploading' && progress !== undefined ? html`<progress .value=${progress} aria-hidden="true"></progress>` : nothing}
    ${
      problem?.retryable
        ? html`<button
            type="button"
            class="icon-button"
            aria-label=${localize('attach.retry', { name })}
            title=${localize('attach.retry', { name })}
            @click=${() => {
              retry(id);
            }}
          >
            ${icon('again', 'small')}
          </button>`
        : nothing
    }
    <button
      type="button"
      class="take-out"
      aria-label=${localize('attach.remove', { name })}
      title=${localize('attach.remove', { name })}
      @click=${() => {
        remove(id);
      }}
    >
      ${icon('close', 'small')}
    </button>
  </li>`;
}

function wordsOf({ status, size, progress, problem }: DraftFile, localize: Localize): string {
  if (problem) {
    const { reason, limit } = problem;
    if (reason === 'size') return localize('attach.size', { size: localize.bytes(limit ?? 0) });
    return localize(`attach.${reason}`, { count: limit ?? 0 });
  }
  if (status === 'uploading') {
    return progress === undefined
      ? localize('attach.uploading')
      : localize('attach.uploading-part', { percent: Math.round(progress * 100) });
  }
  return status === 'preparing' ? localize('attach.preparing') : size === undefined ? '' : localize.bytes(size);
}

/** Drawn, not loaded: a page may allow no pictures of `blob:`. */
const picture = (bitmap: ImageBitmap): TemplateResult =>
  html`<canvas
    aria-hidden="true"
    ${ref((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement) || bitmap.width === 0) return;
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    })}
  ></canvas>`;
