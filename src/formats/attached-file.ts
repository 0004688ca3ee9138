/** How an attached file is described to a model. */
import type { BlockOf } from '../model/blocks.ts';
import { readFileText, type FileSource } from '../model/text/file-text.ts';

/** Placeholder text for an attachment that cannot be sent to a model. */
export const attachmentNote = ({
  name,
  mimeType,
  url,
}: {
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
}): string =>
  ['Attached file, which can’t be shown to you:', name ?? 'unnamed', mimeType && `(${mimeType})`, url]
    .filter(Boolean)
    .join(' ');

/** Returns a file's text for a model, with the file name; undefined if it is not a text file. */
export function namedFileText(block: FileSource & { readonly name?: string }): string | undefined {
  const text = readFileText(block);
  return text === undefined
    ? undefined
    : `Attached file ${block.name ?? block.file?.name ?? 'without a name'}:\n${text}`;
}

/** Whether a file is a PDF, by its MIME type, its name or its first bytes ("%PDF-" in base64). */
export const isPdf = ({
  mimeType = '',
  name = '',
  data = '',
}: Pick<BlockOf<'file'>, 'mimeType' | 'name' | 'data'>): boolean =>
  mimeType === 'application/pdf' || name.toLowerCase().endsWith('.pdf') || data.startsWith('JVBERi0');
