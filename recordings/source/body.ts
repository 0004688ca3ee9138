/** Response bodies in the forms in which test tools store them: text, base64, compressed, or a list of chunks. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { at, fieldsOf, isFields, listOf, textOf } from '../json.ts';

const encoder = new TextEncoder();

/** The bytes of a stored body. */
export function readBody(stored: unknown): Uint8Array {
  if (typeof stored === 'string') return encoder.encode(stored);
  if (stored instanceof Uint8Array) return stored;
  if (Array.isArray(stored)) return readChunks(stored);
  if (!isFields(stored)) return new Uint8Array();
  const { base64_string, string, text, encoding, chunks, value, kind } = fieldsOf(stored);
  if (typeof base64_string === 'string') return base64(base64_string);
  if (string !== undefined) return readBody(string);
  // HAR files say `base64` of text that is base64, and Polly.JS puts a list of base64 or hexadecimal texts into it.
  if (typeof text === 'string') return encoding === 'base64' ? readEncoded(text) : encoder.encode(text);
  if (Array.isArray(chunks)) return encoder.encode(chunks.map((chunk) => `${textOf(chunk)}\n\n`).join(''));
  if (kind === 'text') return encoder.encode(textOf(value));
  if (kind === 'base64') return base64(textOf(value));
  return encoder.encode(JSON.stringify(kind === undefined ? stored : value));
}

const base64 = (text: string): Uint8Array => Buffer.from(text, 'base64');

function readEncoded(text: string): Uint8Array {
  if (!text.startsWith('[')) return base64(text);
  const parts = listOf(JSON.parse(text));
  return Buffer.concat(parts.map((part) => base64(textOf(part))));
}

/** Nock stores compressed chunks as hexadecimal text, and JSON documents as values. */
function readChunks(chunks: readonly unknown[]): Uint8Array {
  const isHex = chunks.length > 0 && chunks.every((chunk) => typeof chunk === 'string' && /^[\da-f]+$/.test(chunk));
  return isHex
    ? Buffer.concat(chunks.map((chunk) => Buffer.from(textOf(chunk), 'hex')))
    : encoder.encode(JSON.stringify(chunks));
}

/** The body without its compression. Many tools store the decompressed body and keep the header. */
export function decompress(body: Uint8Array, contentEncoding: string): Uint8Array {
  try {
    if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body);
    if (contentEncoding === 'br' && !isText(body)) return brotliDecompressSync(body);
    if (contentEncoding === 'deflate' && !isText(body)) return inflateSync(body);
  } catch {
    // An incomplete or changed body stays as it is, and is skipped as binary.
  }
  return body;
}

export function isText(body: Uint8Array): boolean {
  try {
    // A stream may be cut inside a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return !text.includes('\0');
  } catch {
    return false;
  }
}

/** Headers as an object, an object of lists, or a list of names and values; names in lower case. */
export function readHeaders(stored: unknown): ReadonlyMap<string, string> {
  const pairs = Array.isArray(stored)
    ? stored.map((pair): readonly [string, unknown] => [textOf(at(pair, 'name')), at(pair, 'value')])
    : Object.entries(fieldsOf(stored));
  return new Map(
    pairs.map(([name, value]) => [name.toLowerCase(), textOf(Array.isArray(value) ? value.at(0) : value)]),
  );
}
