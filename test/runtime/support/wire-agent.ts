/** A small protocol with every feature of a server: a frame has text, asks, shares its state, or ends. */
import type { LLMAgentEventData } from '../../../src/model/events/agent-events.ts';
import type { Adapter, Turn } from '../../../src/protocols/core/adapter.ts';
import { readJsonFrames } from '../../../src/protocols/core/read-frames.ts';

export interface Said extends Omit<LLMAgentEventData, 'eventId'> {
  readonly id?: string;
}

const lastRun = ({ messages }: Turn): unknown => messages.at(-1)?.metadata?.['run'];

export const wireAgent: Adapter = {
  id: 'wire',
  request: (turn, { url }) => ({
    url,
    init: { body: { text: turn.text, answers: turn.answers.map(({ decision, payload }) => [decision, payload]) } },
  }),
  async *decode(batches, { eventId, report }) {
    for await (const batch of batches) {
      yield [...readJsonFrames(batch, report)].map(({ json }) => ({
        type: 'response',
        data: { eventId, ...(json as Said) },
      }));
    }
  },
};

/** It has a cancel request. */
export const cancellable: Adapter = {
  ...wireAgent,
  cancel: (turn, { url }) => ({ url: `${url}/cancel`, init: { body: { run: lastRun(turn) } } }),
};

/** It can be resumed after the last frame, or from its start if no frame is known. */
export const resumable: Adapter = {
  ...wireAgent,
  resume: (_turn, { url, lastEventId }) => ({
    request: {
      url: `${url}/rest`,
      init: { method: 'GET', headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } },
    },
    from: lastEventId === undefined ? 'start' : 'last',
  }),
};

/** It repeats the complete reply. */
export const replaying: Adapter = {
  ...wireAgent,
  resume: (_turn, { url }) => ({ request: { url: `${url}/rest`, init: { method: 'GET' } }, from: 'start' }),
};

/** Frames; `id` is the frame's own. */
export const says = (...frames: readonly Said[]): string =>
  frames
    .map(({ id, ...frame }) => `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(frame)}\n\n`)
    .join('');

export const END: Said = { finish: 'complete' };
