/** The format of Go's `httprr`: after a first line, each exchange has a line with two lengths, a request and a response. */
import type { Exchange } from '../recording.ts';
import { decompress } from './body.ts';

const decoder = new TextDecoder();

export function readHttprr(bytes: Uint8Array): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let position = bytes.indexOf(0x0a) + 1;
  while (position > 0 && position < bytes.length) {
    const lineEnd = bytes.indexOf(0x0a, position);
    const [requestLength, responseLength] = decoder.decode(bytes.subarray(position, lineEnd)).split(' ').map(Number);
    if (!requestLength || !responseLength) return exchanges;
    const request = lineEnd + 1;
    const response = request + requestLength;
    position = response + responseLength;
    exchanges.push(toExchange(bytes.subarray(request, response), bytes.subarray(response, position)));
  }
  return exchanges;
}

function toExchange(request: Uint8Array, response: Uint8Array): Exchange {
  const [, address = ''] = decoder.decode(request).split(' ', 2);
  const { head, body } = splitHead(response);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]));
  const whole = headers.get('transfer-encoding') === 'chunked' ? joinChunks(body) : body;
  const status = Number(statusLine.split(' ')[1]);
  return { address, status, headers, body: decompress(whole, headers.get('content-encoding') ?? '') };
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).toLowerCase();

function splitHead(message: Uint8Array): { head: string; body: Uint8Array } {
  const end = Buffer.from(message).indexOf('\r\n\r\n');
  return { head: decoder.decode(message.subarray(0, end)), body: message.subarray(end + 4) };
}

/** Removes the lengths of HTTP's chunked encoding. */
function joinChunks(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let position = 0;
  while (position < body.length) {
    const lineEnd = body.indexOf(0x0a, position);
    const length = Number.parseInt(decoder.decode(body.subarray(position, lineEnd)), 16);
    if (lineEnd < 0 || !(length > 0)) break;
    parts.push(body.subarray(lineEnd + 1, lineEnd + 1 + length));
    position = lineEnd + 1 + length + 2;
  }
  return Buffer.concat(parts);
}
