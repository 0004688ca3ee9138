/** The attachments of a draft: checked, prepared, and uploaded if the page has an upload function. */
import type { Attachment } from '../../model/attachment.ts';
import type { Limits } from '../limits.ts';
import { newId } from '../new-id.ts';
import {
  mediaKindOf,
  maxBytes,
  mimeTypeOf,
  refusalOf,
  type AttachmentRefusal,
  type AttachReason,
} from './accepted-files.ts';
import { photoTypeOf } from './photo-type.ts';
import { isReencoded, prepareImage, thumbnailOf } from './prepare-image.ts';

/** The page's upload function. `onProgress` takes a number from 0 to 1. A rejection is shown with a retry button. */
export type Upload = (
  file: File,
  options: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
) => Promise<Attachment>;

export interface AttachSettings {
  /** As in `<input accept>`: `image/*,.pdf`. */
  readonly accept: string;
  readonly upload?: Upload | undefined;
  readonly limits: Pick<Limits, 'attachments' | 'attachmentBytes' | 'photoEdge'>;
}

export interface DraftFile {
  readonly id: string;
  readonly name: string;
  /** Size in bytes, if known. */
  readonly size: number | undefined;
  /** The file to send. Undefined for an attachment restored from a message. */
  readonly file?: File;
  readonly status: 'preparing' | 'uploading' | 'ready' | 'failed';
  /** 0 to 1, if the upload reports it. */
  readonly progress?: number;
  /** Why it failed. The user can retry. */
  readonly problem?: Extract<AttachReason, 'upload' | 'unreadable'>;
  readonly thumbnail?: ImageBitmap;
  readonly attachment?: Attachment;
}

/** Called when a file that was accepted can't be sent. */
export interface AttachmentFailures {
  /** A file was refused: before it was read, or afterwards, and is no longer part of the draft. The user has not seen that yet. */
  refused?(): void;
  /** @param cause - the error of the page's upload function */
  uploadFailed?(cause: unknown): void;
}

export class Attachments {
  readonly #settings: () => AttachSettings;
  readonly #changed: () => void;
  readonly #failures: AttachmentFailures;
  /** Stops the preparation and the upload of a file, by its id. */
  readonly #running = new Map<string, AbortController>();
  #files: readonly DraftFile[] = [];
  #refused: readonly AttachmentRefusal[] = [];
  /** Number of calls of `clear()`. */
  #clears = 0;

  /**
   * @param settings - read for every file
   * @param changed - called after every change of `files`
   */
  constructor(settings: () => AttachSettings, changed: () => void, failures: AttachmentFailures = {}) {
    this.#settings = settings;
    this.#changed = changed;
    this.#failures = failures;
  }

  get files(): readonly DraftFile[] {
    return this.#files;
  }

  /** The files rejected since the last call of `add()`, `take()` or `clear()`. */
  get refused(): readonly AttachmentRefusal[] {
    return this.#refused;
  }

  /** Whether a file is being prepared or uploaded. */
  get busy(): boolean {
    return this.#files.some(({ status }) => status === 'preparing' || status === 'uploading');
  }

  /** Whether all files can be sent. */
  get ready(): boolean {
    return this.#files.every(({ status }) => status === 'ready');
  }

  /** Adds the files that are accepted. Resolves when all are settled, whatever the result. */
  async add(files: Iterable<File>): Promise<void> {
    const added: DraftFile[] = [];
    this.#refused = [];
    for (const file of files) {
      const refusal = refusalOf(file, this.#files.length + added.length, this.#settings());
      if (refusal) this.#refused = [...this.#refused, refusal];
      else added.push({ id: newId(), ...draftFields(file), status: 'preparing' });
    }
    if (this.#refused.length > 0) this.#failures.refused?.();
    this.#set([...this.#files, ...added]);
    await Promise.all(added.map(({ id }) => this.#prepare(id)));
  }

  /** Removes a file and aborts its upload. */
  remove(id: string): void {
    this.#running.get(id)?.abort();
    this.#files.find((file) => file.id === id)?.thumbnail?.close();
    this.#set(this.#files.filter((file) => file.id !== id));
  }

  /** Stops preparing and uploading. The files that are not ready fail, and can be retried. */
  abort(): void {
    const problem = this.#settings().upload ? 'upload' : 'unreadable';
    for (const [id, stop] of this.#running) {
      stop.abort();
      this.#change(id, { status: 'failed', problem });
    }
  }

  async retry(id: string): Promise<void> {
    this.#change(id, { status: 'preparing' });
    await this.#prepare(id);
  }

  /** Removes and returns the attachments to send. `restoreDraft` puts them back, unless the draft was cleared since. */
  take(): { readonly attachments: readonly Attachment[]; restoreDraft(): void } {
    const files = this.#files;
    const clears = this.#clears;
    this.#refused = [];
    this.#set([]);
    return {
      attachments: files.flatMap(({ attachment }) => attachment ?? []),
      restoreDraft: () => {
        // Another user may have signed in since.
        if (clears === this.#clears) this.#set([...files, ...this.#files]);
      },
    };
  }

  /** Adds the attachments of a message that returns to the draft. */
  restore(attachments: readonly Attachment[]): void {
    const files = attachments.map((attachment): DraftFile => {
      const { name, kind, size } = attachment;
      return { id: newId(), name: name ?? kind, size, status: 'ready', attachment };
    });
    this.#set([...this.#files, ...files]);
  }

  /** Removes all files and aborts their uploads. */
  clear(): void {
    this.#clears++;
    this.#refused = [];
    for (const { id } of this.#files) this.remove(id);
  }

  async #prepare(id: string): Promise<void> {
    const stop = new AbortController();
    this.#running.set(id, stop);
    await this.#process(id, stop.signal);
    // A retry may have begun meanwhile.
    if (this.#running.get(id) === stop) this.#running.delete(id);
  }

  /** Prepares a file, and uploads or reads it. */
  async #process(id: string, signal: AbortSignal): Promise<void> {
    const draft = this.#files.find((candidate) => candidate.id === id);
    if (!draft?.file) return;
    const { upload, limits } = this.#settings();
    let file = await withPhotoType(draft.file);
    const type = mimeTypeOf(file);
    const maxSize = maxBytes(limits.attachmentBytes, type);
    try {
      if (isReencoded(type)) {
        const prepared = await prepareImage(file, type, { edge: limits.photoEdge, maxSize });
        ({ file } = prepared);
        if (!this.#has(id)) prepared.thumbnail.close();
        this.#change(id, { ...draftFields(file), thumbnail: prepared.thumbnail });
      } else if (mediaKindOf(type) === 'image') {
        const thumbnail = await thumbnailOf(file);
        if (thumbnail) this.#change(id, { thumbnail });
      }
    } catch {
      if (!signal.aborted)
        this.#refuse(id, { reason: type === 'image/heic' || type === 'image/heif' ? 'photo' : 'unreadable' });
      return;
    }
    // The user may have removed it meanwhile.
    if (signal.aborted) return;
    if (file.size > maxSize) this.#refuse(id, { reason: 'size', limit: maxSize });
    else await this.#settle(id, file, { upload, signal });
  }

  /** Uploads the file, or reads it if the page has no upload function. */
  async #settle(
    id: string,
    file: File,
    { upload, signal }: { readonly upload: Upload | undefined; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      if (upload) this.#change(id, { status: 'uploading' });
      const onProgress = (fraction: number): void => {
        if (Number.isFinite(fraction) && !signal.aborted)
          this.#change(id, { progress: Math.min(1, Math.max(0, fraction)) });
      };
      const read = (): Promise<Attachment | undefined> =>
        upload ? upload(file, { signal, onProgress }) : inline(file);
      const attachment = await read();
      // The page's function may ignore the signal.
      if (signal.aborted) return;
      if (!attachment) throw new TypeError('It must return an attachment.');
      this.#change(id, { status: 'ready', attachment: { ...attachmentFields(file), ...attachment } });
    } catch (cause) {
      if (signal.aborted) return;
      this.#change(id, { status: 'failed', problem: upload ? 'upload' : 'unreadable' });
      if (upload) this.#failures.uploadFailed?.(cause);
    }
  }

  #refuse(id: string, refusal: Omit<AttachmentRefusal, 'name'>): void {
    const file = this.#files.find((candidate) => candidate.id === id);
    if (!file) return;
    this.#refused = [...this.#refused, { name: file.name, ...refusal }];
    this.#failures.refused?.();
    this.remove(id);
  }

  #has(id: string): boolean {
    return this.#files.some((file) => file.id === id);
  }

  #change(id: string, change: Partial<DraftFile>): void {
    if (!this.#has(id)) return;
    this.#set(
      this.#files.map((file) => {
        if (file.id !== id) return file;
        const { problem: _problem, progress: _progress, ...rest } = file;
        return { ...(change.status === undefined ? file : rest), ...change };
      }),
    );
  }

  #set(files: readonly DraftFile[]): void {
    this.#files = files;
    this.#changed();
  }
}

/** A photo with its type, by which some browsers decode it; any other file as it is. */
async function withPhotoType(file: File): Promise<File> {
  if (isReencoded(mimeTypeOf(file))) return file;
  // A file that can't be read is reported when it is uploaded or read.
  const type = await photoTypeOf(file).catch(() => undefined);
  return type ? new File([file], file.name, { type }) : file;
}

const draftFields = (file: File): Pick<DraftFile, 'name' | 'size' | 'file'> => ({
  name: file.name,
  size: file.size,
  file,
});

const attachmentFields = (file: File): Pick<Attachment, 'kind' | 'name' | 'size' | 'mimeType'> => {
  const mimeType = mimeTypeOf(file);
  return { kind: mediaKindOf(mimeType), name: file.name, size: file.size, ...(mimeType && { mimeType }) };
};

/** The attachment with its bytes inline, for protocols that carry them. */
async function inline(file: File): Promise<Attachment> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(typeof reader.result === 'string' ? reader.result : '');
    };
    reader.onerror = () => {
      reject(reader.error ?? new DOMException('The file could not be read.', 'NotReadableError'));
    };
    reader.readAsDataURL(file);
  });
  return { ...attachmentFields(file), data: url.slice(url.indexOf(',') + 1) };
}
