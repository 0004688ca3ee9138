import type { BlockOf } from '../blocks.ts';

/** A file's bytes as base64, or its text content. */
export interface FileSource {
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
