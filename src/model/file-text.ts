import type { BlockOf } from './blocks.ts';

/** A file's bytes as base64, or its text content. */
interface FileSource {
  readonly data?: string;
  readonly file?: BlockOf<'file'>['file'];
}

/**
 * Returns the text of an attached file; undefined if it is not text or not loaded. The bytes decide, because browsers
 * know no MIME type for most source code. A PDF can consist of text characters only, so its header is checked.
 */
export function readFileText({ data, file }: FileSource): string | undefined {
  if (data === undefined) return file?.content;
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return BINARY.test(text) || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A control character, which does not occur in text. */
const BINARY = /[^\P{Cc}\t\n\r]/u;

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
