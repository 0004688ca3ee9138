/** The files of a draft: checked, made ready, and uploaded where the page has a place for them. */
import type { Attachment } from '../../model/attachment.ts';
import type { Limits } from '../limits.ts';
import { newId } from '../new-id.ts';
import { accepts, kindOf, maxBytes, typeOf } from './accept.ts';
import { isPhoto, prepareImage, thumbnailOf } from './prepare-image.ts';

/** The page's own storage. `onProgress` takes a number from 0 to 1. A rejection is shown with a way to try again. */
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

/** Why a file can't go out: a key `attach.<reason>` of the catalogue. */
export type AttachReason = 'type' | 'size' | 'count' | 'photo' | 'unreadable' | 'upload';

export interface DraftFile {
  readonly id: string;
  readonly name: string;
  /** Bytes, where they are known. */
  readonly size: number | undefined;
  /** As it goes out; one that comes back from a message has none. */
  readonly file?: File;
  readonly status: 'preparing' | 'uploading' | 'ready' | 'failed';
  /** 0 to 1, where the upload tells it. */
  readonly progress?: number;
  readonly problem?: { readonly reason: AttachReason; readonly retryable: boolean; readonly limit?: number };
  readonly thumbnail?: ImageBitmap;
  readonly attachment?: Attachment;
}

export class Attachments {
  readonly #settings: () => AttachSettings;
  readonly #changed: () => void;
  readonly #stops = new Map<string, AbortController>();
  #files: readonly DraftFile[] = [];

  /** `settings` are asked for anew for every file; `changed` is told of every change of `files`. */
  constructor(settings: () => AttachSettings, changed: () => void) {
    this.#settings = settings;
    this.#changed = changed;
  }

  get files(): readonly DraftFile[] {
    return this.#files;
  }

  /** Some are on their way still. */
  get busy(): boolean {
    return this.#files.some(({ status }) => status === 'preparing' || status === 'uploading');
  }

  /** All of them can go out. */
  get ready(): boolean {
    return this.#files.every(({ status }) => status === 'ready');
  }

  /** Resolves when the last of them is settled, however it is. */
  async add(files: Iterable<File>): Promise<void> {
    const added = [...files].map((file): DraftFile => ({ id: newId(), ...namesOf(file), status: 'preparing' }));
    this.#set([...this.#files, ...added]);
    await Promise.all(added.map(({ id }) => this.#prepare(id)));
  }

  /** Takes a file away, and ends its upload. */
  remove(id: string): void {
    this.#stops.get(id)?.abort();
    this.#files.find((file) => file.id === id)?.thumbnail?.close();
    this.#set(this.#files.filter((file) => file.id !== id));
  }

  async retry(id: string): Promise<void> {
    this.#change(id, { status: 'preparing' });
    await this.#prepare(id);
  }

  /** What goes out; the draft has none of them any more. `giveBack` puts them there again. */
  take(): { readonly attachments: readonly Attachment[]; giveBack(): void } {
    const taken = this.#files;
    this.#set([]);
    return {
      attachments: taken.flatMap(({ attachment }) => attachment ?? []),
      giveBack: () => {
        this.#set([...taken, ...this.#files]);
      },
    };
  }

  /** Files of a message that comes back to be written anew. */
  restore(attachments: readonly Attachment[]): void {
    const files = attachments.map((attachment): DraftFile => {
      const { name, kind, size } = attachment;
      return { id: newId(), name: name ?? kind, size, status: 'ready', attachment };
    });
    this.#set([...this.#files, ...files]);
  }

  /** Ends what is on its way. */
  clear(): void {
    for (const { id } of this.#files) this.remove(id);
  }

  async #prepare(id: string): Promise<void> {
    const draft = this.#files.find((file) => file.id === id);
    if (!draft?.file) return;
    const { accept, upload, limits } = this.#settings();
    const type = typeOf(draft.file);
    if (!accepts(accept, draft.file)) {
      this.#fail(id, 'type');
      return;
    }
    if (this.#files.findIndex((file) => file.id === id) >= limits.attachments) {
      this.#fail(id, 'count', { limit: limits.attachments });
      return;
    }
    const maxSize = maxBytes(limits.attachmentBytes, type);
    let file = draft.file;
    try {
      if (isPhoto(type)) {
        const prepared = await prepareImage(file, type, { edge: limits.photoEdge, maxSize });
        ({ file } = prepared);
        this.#change(id, { ...namesOf(file), thumbnail: prepared.thumbnail });
      } else if (kindOf(type) === 'image') {
        const thumbnail = await thumbnailOf(file);
        if (thumbnail) this.#change(id, { thumbnail });
      }
    } catch {
      this.#fail(id, type === 'image/heic' || type === 'image/heif' ? 'photo' : 'unreadable');
      return;
    }
    // A photo may have become light enough.
    if (file.size > maxSize) this.#fail(id, 'size', { limit: maxSize });
    else await this.#settle(id, file, upload);
  }

  async #settle(id: string, file: File, upload: Upload | undefined): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(id, stop);
    try {
      if (upload) this.#change(id, { status: 'uploading' });
      const onProgress = (fraction: number): void => {
        if (Number.isFinite(fraction)) this.#change(id, { progress: Math.min(1, Math.max(0, fraction)) });
      };
      const attachment = upload ? await upload(file, { signal: stop.signal, onProgress }) : await inline(file);
      this.#change(id, { status: 'ready', attachment: { ...factsOf(file), ...attachment } });
    } catch {
      if (!stop.signal.aborted) this.#fail(id, upload ? 'upload' : 'unreadable', { retryable: true });
    } finally {
      this.#stops.delete(id);
    }
  }

  #fail(
    id: string,
    reason: AttachReason,
    { limit, retryable = false }: { limit?: number; retryable?: boolean } = {},
  ): void {
    this.#change(id, { status: 'failed', problem: { reason, retryable, ...(limit !== undefined && { limit }) } });
  }

  #change(id: string, change: Partial<DraftFile>): void {
    if (!this.#files.some((file) => file.id === id)) return;
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

const namesOf = (file: File): Pick<DraftFile, 'name' | 'size' | 'file'> => ({ name: file.name, size: file.size, file });

const factsOf = (file: File): Pick<Attachment, 'kind' | 'name' | 'size' | 'mimeType'> => {
  const mimeType = typeOf(file);
  return { kind: kindOf(mimeType), name: file.name, size: file.size, ...(mimeType && { mimeType }) };
};

/** A file with its bytes in it, for protocols that carry them. */
async function inline(file: File): Promise<Attachment> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(typeof reader.result === 'string' ? reader.result : '');
    };
    reader.onerror = () => {
      reject(reader.error ?? new DOMException('The file can not be read.', 'NotReadableError'));
    };
    reader.readAsDataURL(file);
  });
  return { ...factsOf(file), data: url.slice(url.indexOf(',') + 1) };
}
