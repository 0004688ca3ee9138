/** Recognises a photo by its first bytes: the type of a file is only what its name or the page says. */

/** The signatures of the formats that are encoded again, as text at an offset. Source: `mimesniff.spec.whatwg.org`, section 6.1. */
const SIGNATURES: readonly (readonly [offset: number, signature: RegExp, type: string])[] = [
  [0, /^\xff\xd8\xff/, 'image/jpeg'],
  [0, /^\x89PNG/, 'image/png'],
  [0, /^RIFF[^]{4}WEBP/, 'image/webp'],
  // ISO/IEC 23008-12, section 10, and the AVIF specification, section 6: the major brand.
  [4, /^ftypavi[fs]/, 'image/avif'],
  [4, /^ftyp(?:he[iv][cmsx]|mif1|msf1)/, 'image/heif'],
];

/** The type of a photo that may contain a location; undefined if it is none. */
export async function photoTypeOf(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  return SIGNATURES.find(([offset, signature]) => signature.test(head.slice(offset)))?.[2];
}
