/** Decides which media may reach a decoder. Source: `docs/security.md`. */
import { documentBase, parseUrl } from '../parse-url.ts';
import type { HostList } from './hosts.ts';
import { isListed, isWeb } from './hosts.ts';
import { mediaLimits, type MediaLimits } from './media-limits.ts';

/** An image, audio or video of a stream: by `url`, or inline as base64. */
export interface MediaSource {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly url?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** Why media is refused: the locale key `media.<reason>`. */
export type MediaRefusal = 'type' | 'signature' | 'size' | 'pixels' | 'scheme' | 'empty';

const DATA_URL = /^data:([^,]*),/i;
export const isDataUrl = (url: string): boolean => DATA_URL.test(url);

/**
 * Returns why media is refused, whatever its host; undefined if it may be shown or offered.
 *
 * @param base - of relative URLs
 */
export function refuseMedia(
  media: MediaSource,
  limits: MediaLimits = mediaLimits,
  base = documentBase() ?? PAGES[0],
): MediaRefusal | undefined {
  if (media.data !== undefined)
    return media.kind === 'image'
      ? refuseInlineImage(media.data, media.mimeType, limits)
      : refuseInlineType(media.kind, media.mimeType);
  // A file may stay on its server: its name is shown, and nothing can be loaded.
  if (media.url === undefined) return media.kind === 'file' ? undefined : 'empty';
  const inline = DATA_URL.exec(media.url);
  if (inline) {
    const head = inline[1] ?? '';
    if (media.kind !== 'image') return refuseInlineType(media.kind, head.split(';')[0]);
    if (!/;base64$/i.test(head)) return 'type';
    return refuseInlineImage(media.url.slice(inline[0].length), head.split(';')[0], limits);
  }
  const { url } = media;
  // On a page that is a file, `//host/a.png` is a file of that host, and `a.png` one of the user.
  return [...PAGES, base].every((page) => isWeb(parseUrl(url, page))) ? undefined : 'scheme';
}

/** Audio and video must have their type. A file is only downloaded. */
const refuseInlineType = (kind: 'audio' | 'video' | 'file', mimeType = ''): MediaRefusal | undefined =>
  kind === 'file' || new RegExp(`^${kind}/[\\w.+-]+$`, 'i').test(mimeType.split(';')[0] ?? '') ? undefined : 'type';

/** `https:` alone is a valid URL on an `https` page and invalid on an `http` page. */
const PAGES = ['https://relative.invalid', 'http://relative.invalid'];

/** The registered name of an image type. Servers that derive it from the name of a file send `image/jpg`. */
export const imageTypeOf = (mimeType: string): string =>
  mimeType.toLowerCase().replace(/^image\/(?:jpg|pjpeg)$/, 'image/jpeg');

function refuseInlineImage(data: string, mimeType = '', limits: MediaLimits): MediaRefusal | undefined {
  const type = imageTypeOf(mimeType);
  if (!limits.imageTypes.some((allowed) => imageTypeOf(allowed) === type)) return 'type';
  if (decodedLength(data) > limits.imageBytes) return 'size';
  const head = decodeHead(data);
  // Data shorter than a signature is no image of any type and harmless: the decoder reports the error.
  if (head && head.length > 0 && head.length < SIGNATURE_LENGTH) return undefined;
  if (!head || typeOf(head) !== type) return 'signature';
  const pixels = pixelsOf(head);
  return pixels !== undefined && pixels > limits.imagePixels ? 'pixels' : undefined;
}

/** Length of the longest signature (PNG), in bytes. */
const SIGNATURE_LENGTH = 8;

/** Returns the decoded length of base64, in bytes. */
const decodedLength = (data: string): number => Math.floor((data.replace(/={1,2}\s*$/, '').length * 3) / 4);

/**
 * Number of base64 characters that contain the type and, if at a fixed offset in the header, the dimensions. The
 * decoder checks the rest.
 */
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

/** Detects the type by its signature. */
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

/** Returns width times height from the header; undefined if they are elsewhere. The renderer then asks the decoder. */
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

interface Page {
  /** The base URL for relative URLs. */
  readonly href: string | undefined;
  readonly origin: string;
}

/** Relative URLs are resolved as the browser loads them: a `<base>` of the page may point to another host. */
const thisPage = (): Page => ({ href: documentBase(), origin: location.origin });

/** How to show an image: immediately, or as a placeholder that names its host and loads on click. */
export type ImageLoading = { readonly now: true } | { readonly now: false; readonly host: string };

/** Nothing is loaded automatically from a host that the page has not listed, not even its own: a GET can be an action. */
export function imageLoading(src: string, hosts: HostList, page: Page = thisPage()): ImageLoading {
  if (isDataUrl(src) || src.startsWith('blob:')) return { now: true };
  // A page without its own URL, such as `srcdoc`, cannot resolve relative URLs.
  const url = parseUrl(src, page.href);
  return url && isListed(url, hosts, page.origin) ? { now: true } : { now: false, host: url?.host ?? '' };
}
