import type { BlockOf } from '../blocks.ts';

/** Whether the content of a file is the base64 of its bytes: its type is not text, and it is spelled like base64. */
export const isBase64File = ({ content, mimeType }: NonNullable<BlockOf<'file'>['file']>): boolean =>
  !TEXT.test(mimeType) && BASE64.test(content);
const TEXT = /^text\/|\b(?:json|xml|ya?ml|javascript|csv|sql)\b/i;
const BASE64 = /^[A-Za-z\d+/=\r\n]+$/;
