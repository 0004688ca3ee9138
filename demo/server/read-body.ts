import type { IncomingMessage } from 'node:http';
import { isRecord, type Json } from './turn.ts';

const MOST_BYTES = 32 * 1024 * 1024;

/** Parses the body of a request as an object, or returns the error. */
export async function readBody(request: IncomingMessage): Promise<Json | string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return `The body is longer than ${String(MOST_BYTES)} bytes.`;
    chunks.push(chunk);
  }
  const type = request.headers['content-type'] ?? '';
  try {
    if (FORM.test(type)) return await readForm(Buffer.concat(chunks), type);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isRecord(body) ? body : 'The body has to be a JSON object.';
  } catch {
    return 'The body has to be JSON or a form.';
  }
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/;

/** The text fields of a form. */
async function readForm(body: Buffer, type: string): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}
