import type { BlockOf } from '../../model/blocks.ts';

/**
 * What stands in a file that the reader has attached, where it is a text; undefined for any other, and for one that is not here.
 * Its bytes decide: browsers know no type for most kinds of source code. A PDF may be written in letters alone.
 */
export function fileText({ data, file }: Pick<BlockOf<'file'>, 'data' | 'file'>): string | undefined {
  if (data === undefined) return file?.content;
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What a model is told of an attachment that it can't be sent. */
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
