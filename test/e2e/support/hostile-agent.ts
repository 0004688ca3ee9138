/** Agents that write hostile texts in small chunks. */
import { setTimeout as later } from 'node:timers/promises';
import type { Payload } from '../../safety/corpus/payload.ts';
import type { Handler } from './site.ts';

/** The reply of one agent, as events of an agent's stream. */
export type Said = readonly object[];

/** Milliseconds between two chunks: about a frame, so that incomplete text is rendered. */
const PACE_MS = 8;
/** The maximum number of events in a chunk. */
const AT_ONCE = 2;

/** Agents at `/agent/0`, `/agent/1`, … that each give this reply to any request. */
export const hostileAgents =
  (speeches: readonly Said[]): Handler =>
  async (request, response) => {
    const index = /^\/agent\/(\d+)$/.exec(request.url ?? '')?.[1];
    const speech = speeches[Number(index)];
    if (index === undefined || !speech) return false;
    for await (const _ of request); // the request is read to its end
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = [...speech, { type: 'end', data: { eventId: 'e', userStop: false } }];
    for (let start = 0; start < events.length; start += AT_ONCE) {
      const chunk = events.slice(start, start + AT_ONCE);
      response.write(chunk.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      await later(PACE_MS);
    }
    response.end();
    return true;
  };

export const response = (data: object): object => ({ type: 'response', data: { eventId: 'e', ...data } });

/** A text in chunks, cut inside constructs of the parser. */
function piecesOf(text: string): readonly string[] {
  const cuts = [0, Math.ceil(text.length / 3), Math.ceil((text.length * 3) / 4), text.length];
  return cuts
    .slice(1)
    .map((end, index) => text.slice(cuts[index], end))
    .filter((chunk) => chunk !== '');
}

/** Each payload as text and then as reasoning. */
export const asWords = (list: readonly Payload[]): Said =>
  list.flatMap(({ input }) => [
    ...piecesOf(input).map((content, index) => response({ content, ...(index === 0 && { content_begins: true }) })),
    ...piecesOf(input).map((reasoning_content) => response({ reasoning_content })),
  ]);
