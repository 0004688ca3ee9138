/** Files that the user attached, for servers that receive files separately from the text. */
import { toAttachment } from '../../../model/attachment.ts';
import type { Media } from '../../../model/blocks.ts';
import type { Turn } from '../../core/adapter.ts';

/** The files of the new message; empty when only answers or tool results are sent. */
export function sentFiles({ text, messages }: Turn): readonly Media[] {
  const last = messages.findLast(({ role }) => role === 'user');
  // Later requests of a turn have no text, because the server already has its files.
  const isContinuation =
    text === '' && messages.at(-1)?.role === 'assistant' && (messages.at(-1)?.blocks.length ?? 0) > 0;
  return last && !isContinuation ? last.blocks.flatMap(toAttachment) : [];
}

/** A file with inline data. */
export type InlineFile = Media & { readonly data: string };
export const isInline = (file: Media): file is InlineFile => file.data !== undefined;

export const toDataUrl = ({ mimeType = 'application/octet-stream', data }: InlineFile): string =>
  `data:${mimeType};base64,${data}`;

/** The file's MIME type. One without a type gets a general one: AI SDK servers refuse files without a type. */
export const mediaTypeOf = ({ mimeType, kind }: Media): string =>
  mimeType || (kind === 'file' ? 'application/octet-stream' : `${kind}/*`);

/** The file's name, or a generated name: servers refuse form files without a name. */
export const fileName = ({ name, kind, mimeType = '' }: Media): string => {
  const [, ending] = /\/(?:x-)?([a-z0-9]+)/i.exec(mimeType) ?? [];
  return name ?? (ending === undefined ? kind : `${kind}.${ending}`);
};

/** Creates form data with files and other fields. */
export function toForm(fields: Readonly<Record<string, string>>, name: string, files: readonly InlineFile[]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const file of files) {
    const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
    form.append(name, new Blob([bytes], { type: file.mimeType ?? '' }), fileName(file));
  }
  return form;
}
