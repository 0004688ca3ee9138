/** Streams of a malicious agent: `/agent/hostile?stream=an endless line`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, setPriority } from 'node:os';
import { gzipSync } from 'node:zlib';
import { wires } from '../corpora/events.ts';
import { hostileText } from '../corpora/hostile-texts.ts';

export const FLOOD_EVENTS = 100_000;
const { begin, event, end } = wires['openai-chat'];
const floodWords = (index: number): string => `${String(index)} `;
/** The last words of the flood. */
export const floodText = (): string => Array.from({ length: FLOOD_EVENTS }, (_, index) => floodWords(index)).join('');

type Serve = (response: ServerResponse) => void;

/** Until the client disconnects. */
const endless =
  (first: string, chunk: string): Serve =>
  (response) => {
    response.write(first);
    const write = (): void => {
      while (!response.destroyed) if (!response.write(chunk)) return;
    };
    response.on('drain', write);
    write();
  };

const BOMB_BYTES = 200e6;
const packed = (chunk: string): Buffer => gzipSync(chunk.repeat(Math.ceil(BOMB_BYTES / chunk.length)), { level: 1 });

const streams: Readonly<Record<string, Serve>> = {
  'a flood of 100,000 events': (response) => {
    const events = Array.from({ length: FLOOD_EVENTS }, (_, index) => event(floodWords(index)));
    response.end(begin + events.join('') + end);
  },
  'an endless stream': endless(begin, event('and so on ').repeat(100)),
  'an endless line': endless(`${begin}data: `, 'x'.repeat(64 * 1024)),
  'a gzip bomb': (response) => {
    response.end(packed('x'.repeat(1000)));
  },
};
export type HostileName = keyof typeof streams;
export const hostileNames: readonly HostileName[] = Object.keys(streams);

/** Writes as fast as the client reads, at the lowest priority, because it simulates another machine. */
export async function answerHostile(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  for await (const _ of request) continue;
  const name = url.searchParams.get('stream') ?? '';
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    ...(name === 'a gzip bomb' && { 'content-encoding': 'gzip' }),
  });
  streams[name]?.(response);
}

/** `/agent/hostile-text?name=stars&length=1048576&size=128`: a text in chunks, as fast as the client reads. */
export async function answerHostileText(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request) continue;
  const { name = '', length, size } = Object.fromEntries(url.searchParams);
  const text = hostileText(name, Number(length));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(begin);
  for (let start = 0; start < text.length && !response.destroyed; start += Number(size)) {
    const hasRoom = response.write(event(text.slice(start, start + Number(size))));
    if (!hasRoom) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end(end);
}
