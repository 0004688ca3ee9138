/** What is let near a decoder. Source: `security/README.md`, rule 6; `seed-deepchat-events.md`, section 6.5. */
import type { HostList } from './hosts.ts';
import { isListed } from './hosts.ts';

export interface MediaLimits {
  /** Decoded bytes of an inline picture. */
  readonly imageBytes: number;
  /** Width times height. */
  readonly imagePixels: number;
  readonly imageTypes: readonly string[];
}

export const mediaLimits: MediaLimits = {
  imageBytes: 2 * 1024 * 1024,
  imagePixels: 40_000_000,
  imageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};

/** A picture or recording as a stream gives it: by `url`, or inline as base64. */
export interface MediaSource {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly url?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** Why something is not shown: a key `media.<reason>` of the catalogue. */
export type MediaRefusal = 'type' | 'signature' | 'size' | 'pixels' | 'scheme' | 'empty';

const DATA_URL = /^data:([^,]*),/i;

/** Why a picture or recording is refused whatever host it is on; undefined when it may be shown or offered. */
export function refuseMedia(media: MediaSource, limits: MediaLimits = mediaLimits): MediaRefusal | undefined {
  if (media.data !== undefined)
    return media.kind === 'image'
      ? refuseInlineImage(media.data, media.mimeType, limits)
      : refuseInlineType(media.kind, media.mimeType);
  // A file may stay with its server: its name is shown, and there is nothing to load.
  if (media.url === undefined) return media.kind === 'file' ? undefined : 'empty';
  const inline = DATA_URL.exec(media.url);
  if (inline) {
    const head = inline[1] ?? '';
    if (media.kind !== 'image') return refuseInlineType(media.kind, head.split(';')[0]);
    if (!/;base64$/i.test(head)) return 'type';
    return refuseInlineImage(media.url.slice(inline[0].length), head.split(';')[0], limits);
  }
  return PAGES.every((page) => isWeb(media.url ?? '', page)) ? undefined : 'scheme';
}

/** Sound and film say that they are. A file is only saved. */
const refuseInlineType = (kind: 'audio' | 'video' | 'file', mimeType = ''): MediaRefusal | undefined =>
  kind === 'file' || new RegExp(`^${kind}/[\\w.+-]+$`, 'i').test(mimeType.split(';')[0] ?? '') ? undefined : 'type';

/** `https:` alone is an address on a page of `https` and none on one of `http`. */
const PAGES = ['https://relative.invalid', 'http://relative.invalid'];

const isWeb = (url: string, page: string): boolean =>
  URL.canParse(url, page) && ['http:', 'https:'].includes(new URL(url, page).protocol);

function refuseInlineImage(data: string, mimeType: string | undefined, limits: MediaLimits): MediaRefusal | undefined {
  if (!limits.imageTypes.includes(mimeType?.toLowerCase() ?? '')) return 'type';
  if (decodedLength(data) > limits.imageBytes) return 'size';
  const head = decodeHead(data);
  // Less than a signature is no picture of any kind: there is nothing in it to be afraid of, and the decoder says so.
  if (head && head.length > 0 && head.length < SIGNATURE_LENGTH) return undefined;
  if (!head || typeOf(head) !== mimeType?.toLowerCase()) return 'signature';
  const pixels = pixelsOf(head);
  return pixels !== undefined && pixels > limits.imagePixels ? 'pixels' : undefined;
}

/** Bytes of the longest that can be told by one look, PNG's. */
const SIGNATURE_LENGTH = 8;

/** How many bytes base64 stands for. */
const decodedLength = (data: string): number => Math.floor((data.replace(/={1,2}\s*$/, '').length * 3) / 4);

/** Characters of base64 that show the type and, where the header has it at a fixed place, the size. The rest is the decoder's. */
const HEAD_LENGTH = 64;

function decodeHead(data: string): Uint8Array | undefined {
  const head = data.slice(0, 4096).replace(/\s+/g, '').slice(0, HEAD_LENGTH);
  try {
    const bytes = atob(head.slice(0, head.length - (head.length % 4)));
    return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The type by the bytes' own signature. */
function typeOf(bytes: Uint8Array): string | undefined {
  const starts = (...signature: number[]): boolean => signature.every((byte, index) => bytes[index] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (starts(0x52, 0x49, 0x46, 0x46) && ascii(bytes, 8, 4) === 'WEBP') return 'image/webp';
  return undefined;
}

const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));

/** Width times height as the header says; undefined where it stands elsewhere. The renderer asks the decoder then. */
function pixelsOf(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 26) return undefined;
  switch (typeOf(bytes)) {
    case 'image/png':
      return view.getUint32(16) * view.getUint32(20);
    case 'image/gif':
      return view.getUint16(6, true) * view.getUint16(8, true);
    default:
      return undefined;
  }
}

/** How a picture is to be shown: at once, or as a placeholder that names its host and loads on demand. */
export type ImageLoading = { readonly now: true } | { readonly now: false; readonly host: string };

/** Nothing is fetched on its own from a host that the page has not listed, the page's own included: a GET is an action. */
export function imageLoading(
  src: string,
  hosts: HostList,
  page: { readonly href: string; readonly origin: string },
): ImageLoading {
  if (DATA_URL.test(src) || src.startsWith('blob:')) return { now: true };
  // (A page without an address of its own, such as one of `srcdoc`, has none for a relative one.)
  if (!URL.canParse(src, page.href)) return { now: false, host: '' };
  const url = new URL(src, page.href);
  return isListed(url, hosts, page.origin) ? { now: true } : { now: false, host: url.host };
}
