import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Attachment } from '../../model/attachment.ts';
import { icon } from '../../primitives/icon.ts';
import type { AttachmentsHost, ComposerAttachments } from './attachments-chunk.ts';

export interface DraftAttachmentsHost extends AttachmentsHost {
  /** Called when the chunk fails to load. */
  failed(): void;
}

/** The attachments of the draft. The code that processes and renders them is loaded with the first file. */
export class DraftAttachments {
  readonly #host: DraftAttachmentsHost;
  #attachments: ComposerAttachments | undefined;
  /**
   * `loading` is the number of calls of `add()` and `restore()` that wait for the code to load. `clear()` replaces the object, so
   * that these calls add nothing to the next draft.
   */
  #draft = { loading: 0 };

  constructor(host: DraftAttachmentsHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#draft.loading === 0 && (this.#attachments?.files.length ?? 0) === 0;
  }

  /** Whether files are still being processed or uploaded, or wait for the code that does so. */
  get busy(): boolean {
    return this.#draft.loading > 0 || (this.#attachments?.busy ?? false);
  }

  /** Whether all attachments can be sent. */
  get ready(): boolean {
    return this.#attachments?.ready ?? true;
  }

  view(localize: Localize): unknown {
    return this.#attachments?.view(localize) ?? nothing;
  }

  async add(files: readonly File[]): Promise<void> {
    if (files.length > 0) await this.#whenLoaded((loaded) => loaded.add(files));
  }

  async restore(attachments: readonly Attachment[]): Promise<void> {
    if (attachments.length === 0) return;
    await this.#whenLoaded((loaded) => {
      loaded.restore(attachments);
    });
  }

  /** Removes all attachments and cancels uploads. */
  clear(): void {
    this.#draft = { loading: 0 };
    this.#attachments?.clear();
  }

  /** Returns the attachments to send and removes them from the draft. `restoreDraft` restores them. */
  take(): ReturnType<ComposerAttachments['take']> {
    return this.#attachments?.take() ?? { attachments: [], restoreDraft: () => undefined };
  }

  button(localize: Localize, disabled: boolean): TemplateResult {
    const label = localize('attach.add');
    return html`<button
        type="button"
        class="icon-button"
        part="attach-button"
        aria-label=${label}
        title=${label}
        ?disabled=${disabled}
        @click=${openFilePicker}
      >
        ${icon('plus')}</button
      ><input type="file" multiple hidden accept=${this.#host.attachSettings().accept} @change=${this.#onChange} />`;
  }

  readonly #onChange = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    void this.add([...(input.files ?? [])]);
    // Allow choosing the same file again.
    input.value = '';
  };

  /** Loads the code, then adds something. Meanwhile the draft is busy, so that it is not sent without the addition. */
  async #whenLoaded(add: (loaded: ComposerAttachments) => Promise<void> | void): Promise<void> {
    const { changed, cancelSend } = this.#host;
    const draft = this.#draft;
    draft.loading++;
    changed();
    const loaded = await this.#load();
    const adding = loaded && add(loaded);
    draft.loading--;
    if (draft !== this.#draft) return;
    if (loaded) changed();
    else cancelSend();
    await adding;
  }

  async #load(): Promise<ComposerAttachments | undefined> {
    const draft = this.#draft;
    try {
      const { ComposerAttachments } = await import('./attachments-chunk.ts');
      if (draft !== this.#draft) return undefined;
      return (this.#attachments ??= new ComposerAttachments(this.#host));
    } catch {
      this.#host.failed();
      return undefined;
    }
  }
}

function openFilePicker({ currentTarget }: Event): void {
  (currentTarget as Element).parentElement?.querySelector<HTMLInputElement>('input[type="file"]')?.click();
}
