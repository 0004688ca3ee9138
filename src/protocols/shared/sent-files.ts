/** What the reader has attached, for servers that take files apart from the words. */
import { toAttachment } from '../../model/attachment.ts';
import type { Media } from '../../model/blocks.ts';
import type { Turn } from '../adapter.ts';

/** The files of the turn that is sent; none where only answers or results go out. */
export function sentFiles({ text, messages }: Turn): readonly Media[] {
  const last = messages.findLast(({ role }) => role === 'user');
  // Rounds behind the first one of a turn have no words: its files are there already.
  const again = text === '' && messages.at(-1)?.role === 'assistant' && (messages.at(-1)?.blocks.length ?? 0) > 0;
  return last && !again ? last.blocks.flatMap(toAttachment) : [];
}

/** A file that has its bytes with it. */
export type InlineFile = Media & { readonly data: string };
export const isInline = (file: Media): file is InlineFile => file.data !== undefined;

export const toDataUrl = ({ mimeType = 'application/octet-stream', data }: InlineFile): string =>
  `data:${mimeType};base64,${data}`;

/** What it is called, or a name of its kind: forms with a nameless file are refused. */
export const fileName = ({ name, kind, mimeType = '' }: Media): string => {
  const [, ending] = /\/(?:x-)?([a-z0-9]+)/i.exec(mimeType) ?? [];
  return name ?? (ending === undefined ? kind : `${kind}.${ending}`);
};

/** A form with files and other fields. */
export function toForm(fields: Readonly<Record<string, string>>, name: string, files: readonly InlineFile[]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const file of files) {
    const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
    form.append(name, new Blob([bytes], { type: file.mimeType ?? '' }), fileName(file));
  }
  return form;
}
