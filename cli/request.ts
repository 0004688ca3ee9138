/**
 * Sends one HTTP request as a page in a browser would: without following redirects, and with access to each chunk as it
 * arrives.
 */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Readable;
}

/** @throws network errors: `ECONNREFUSED`, `ENOTFOUND`, TLS errors. */
export function send(url: URL, { method = 'GET', headers = {}, body, signal }: Sending = {}): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
        agent: false,
        ...(signal && { signal }),
      },
      (answer) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: unpacked(answer) });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function unpacked(answer: IncomingMessage): Readable {
  const make = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    answer.headers['content-encoding'] ?? ''
  ];
  if (!make) return answer;
  const unpacking = make();
  answer.on('error', (error) => {
    unpacking.destroy(error);
  });
  return answer.pipe(unpacking);
}

/** Maximum duration of such a body (ms): some never end. */
const START_MS = 5000;

/** The first characters of a body, for an error message. */
export async function readStart(body: Readable, length = 4000): Promise<string> {
  const late = setTimeout(() => body.destroy(), START_MS);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= length) break;
    }
  } catch {
    // The received part is enough.
  }
  clearTimeout(late);
  return Buffer.concat(chunks).toString('utf8').slice(0, length);
}

/** Converts Node's headers to `Headers`. */
export function toHeaders(headers: IncomingHttpHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) result.append(name, one);
  }
  return result;
}
