/**
 * Which files may be attached, by type, size and number. The syntax of the types is that of `<input accept>`. Source: HTML standard, the
 * `accept` attribute.
 */
import type { Media } from '../../model/blocks.ts';
import { imageTypeOf } from '../../safety/media-policy.ts';
import type { Limits } from '../limits.ts';
import { isReencoded } from './prepare-image.ts';

/** Why a file can't be attached: a key `attach.<reason>` of the locale. */
export type AttachReason = 'type' | 'size' | 'count' | 'empty' | 'photo' | 'unreadable' | 'upload';

/** A file that is rejected, and would be again in a retry. */
export interface AttachmentRefusal {
  readonly name: string;
  readonly reason: AttachReason;
  /** The exceeded limit: bytes or number of files. */
  readonly limit?: number;
}

type NamedFile = Pick<File, 'name' | 'type'>;

/** MIME types that browsers leave empty, by file extension. */
const TYPE_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['yaml', 'text/yaml'],
  ['yml', 'text/yaml'],
]);

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The MIME type of a file, also for extensions that the browser does not know. Empty if unknown. */
export const mimeTypeOf = ({ name, type }: NamedFile): string =>
  imageTypeOf((type || TYPE_BY_EXTENSION.get(extensionOf(name))) ?? '');

/** Whether a list such as `image/*,.pdf` accepts a file. An empty list accepts none; `*` accepts all. */
export function accepts(accept: string, file: NamedFile): boolean {
  const type = mimeTypeOf(file);
  return accept.split(',').some((item) => {
    const pattern = item.trim().toLowerCase();
    if (pattern === '*' || pattern === '*/*') return true;
    if (pattern.startsWith('.')) return file.name.toLowerCase().endsWith(pattern);
    if (pattern.endsWith('/*')) return type.startsWith(pattern.slice(0, -1));
    return pattern !== '' && imageTypeOf(pattern) === type;
  });
}

/**
 * Maximum size in bytes of a file with this MIME type: the limit for the type, otherwise for its family such as `image/*`, otherwise
 * for `*`.
 */
export function maxBytes(limit: number | Readonly<Record<string, number>>, type: string): number {
  if (typeof limit === 'number') return limit;
  const family = `${type.split('/')[0] ?? ''}/*`;
  const key = [type, family, '*'].find((candidate) => Object.hasOwn(limit, candidate));
  return key === undefined ? Number.POSITIVE_INFINITY : (limit[key] ?? Number.POSITIVE_INFINITY);
}

/**
 * Checks a file before it is read.
 *
 * @param count - number of files before it
 */
export function refusalOf(
  file: File,
  count: number,
  { accept, limits }: { readonly accept: string; readonly limits: Pick<Limits, 'attachments' | 'attachmentBytes'> },
): AttachmentRefusal | undefined {
  const { name, size } = file;
  const type = mimeTypeOf(file);
  const maxSize = maxBytes(limits.attachmentBytes, type);
  if (!accepts(accept, file)) return { name, reason: 'type' };
  if (size === 0) return { name, reason: 'empty' };
  // A photo may become small enough when it is scaled down.
  if (size > maxSize && !isReencoded(type)) return { name, reason: 'size', limit: maxSize };
  if (count >= limits.attachments) return { name, reason: 'count', limit: limits.attachments };
  return undefined;
}

/** The block kind for a MIME type. */
export function mediaKindOf(type: string): Media['kind'] {
  const [family] = type.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
