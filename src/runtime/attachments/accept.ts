/** Which files a page takes. Source: the contract, `attachments` and `limits.attachmentBytes`; the syntax is that of `<input accept>`. */
import type { Media } from '../../model/blocks.ts';

type NamedFile = Pick<File, 'name' | 'type'>;

/** Types that browsers leave empty, by the file's ending. */
const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['yaml', 'text/yaml'],
  ['yml', 'text/yaml'],
]);

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Its MIME type, also where the browser does not know the ending. Empty when nobody does. */
export const typeOf = ({ name, type }: NamedFile): string => (type || BY_ENDING.get(endingOf(name))) ?? '';

/** Whether a list such as `image/*,.pdf` takes a file. An empty list takes none, one with a bare star all. */
export function accepts(accept: string, file: NamedFile): boolean {
  const type = typeOf(file);
  return accept.split(',').some((item) => {
    const wanted = item.trim().toLowerCase();
    if (wanted === '*' || wanted === '*/*') return true;
    if (wanted.startsWith('.')) return file.name.toLowerCase().endsWith(wanted);
    if (wanted.endsWith('/*')) return type.startsWith(wanted.slice(0, -1));
    return wanted !== '' && wanted === type;
  });
}

/** The bound for a type: its own, else that of its family such as `image/*`, else that of `*`. */
export function maxBytes(limit: number | Readonly<Record<string, number>>, type: string): number {
  if (typeof limit === 'number') return limit;
  const family = `${type.split('/')[0] ?? ''}/*`;
  const key = [type, family, '*'].find((candidate) => Object.hasOwn(limit, candidate));
  return key === undefined ? Number.POSITIVE_INFINITY : (limit[key] ?? Number.POSITIVE_INFINITY);
}

/** What block it becomes. */
export function kindOf(type: string): Media['kind'] {
  const [family] = type.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
