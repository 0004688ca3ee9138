/**
 * The agent for complete widgets: it sends a corpus as OpenAI chat completions, at full speed or at a given number of
 * events per second.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { corpora, type CorpusName } from '../corpora/corpora.ts';
import { tokensOf } from '../corpora/cut.ts';
import { wires } from '../corpora/events.ts';

/** Interval between writes of a paced stream. */
const TICK_MS = 5;
/** Size of one write at full speed: about what a network delivers in one read. */
const AT_ONCE = 50;

/** `/agent/openai?corpus=mixed 11 KB&rate=2000`. Without a rate it sends as fast as the connection accepts. */
export async function answer(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request) continue;
  const corpus = corpora[url.searchParams.get('corpus') as CorpusName];
  const { begin, event, end } = wires['openai-chat'];
  const events = [begin, ...tokensOf(corpus()).map(event)];
  const rate = Number(url.searchParams.get('rate') ?? Infinity);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  await (Number.isFinite(rate) ? paced(events, rate, response) : atFullSpeed(events, response));
  response.end(end);
}

async function atFullSpeed(events: readonly string[], response: ServerResponse): Promise<void> {
  for (let next = 0; next < events.length && !response.destroyed; next += AT_ONCE) {
    const hasRoom = response.write(events.slice(next, next + AT_ONCE).join(''));
    await (hasRoom ? new Promise(setImmediate) : drained(response));
  }
}

/** Resolves when the buffer has room again, or when the client has disconnected. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const proceed = (): void => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });

/** Holds the rate over the complete stream: a late tick also sends the events that it has missed. */
async function paced(events: readonly string[], rate: number, response: ServerResponse): Promise<void> {
  const start = performance.now();
  for (let next = 0; next < events.length && !response.destroyed;) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    const due = Math.min(events.length, Math.ceil(((performance.now() - start) / 1000) * rate));
    if (due > next) response.write(events.slice(next, due).join(''));
    next = due;
  }
}
