/** One JSON document as the whole reply (`json`). Source: `other.md`, "Plain text / single JSON". */
import { createStreamEvent } from '../model/core-events.ts';
import { textOf } from '../model/text-of.ts';
import { detectJson } from './detect.ts';
import { sentHistory } from './history.ts';
import { isRecord, readJsonFrames } from './read-frames.ts';
import type { Adapter, AdapterEvent } from './adapter.ts';

/** Where the words may stand, in this order. */
const PLACES = [
  ['choices', 0, 'message', 'content'],
  ['content', 0, 'text'],
  ['message', 'content'],
  ['output'],
  ['answer'],
  ['text'],
  ['response'],
  ['message'],
  ['result'],
] as const;

export const json: Adapter = {
  id: 'json',
  label: 'One JSON document',
  kind: 'agent',
  framing: 'json',
  detect: detectJson,

  request: (turn, { url, headers = {} }) => ({
    url,
    init: {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      body: {
        message: turn.text,
        messages: sentHistory(turn).map((message) => ({ role: message.role, content: textOf(message) })),
      },
    },
  }),

  async *decode(batches, { eventId, report }) {
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json: document } of readJsonFrames(batch, report)) {
        const words = PLACES.map((path) => at(document, path)).find((value) => typeof value === 'string');
        const problem = isRecord(document) ? problemOf(document) : undefined;
        if (words !== undefined) events.push(createStreamEvent.text(words), createStreamEvent.stop('complete'));
        else if (problem !== undefined) events.push(createStreamEvent.error(problem), createStreamEvent.stop('error'));
        else {
          events.push(
            { type: 'response', data: { eventId, data: { data_type: 'custom', data: document } } },
            createStreamEvent.stop('complete'),
          );
        }
      }
      yield events;
    }
  },
};

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (place, step) =>
      Array.isArray(place) && typeof step === 'number'
        ? (place as unknown[])[step]
        : isRecord(place) && Object.hasOwn(place, step)
          ? place[step]
          : undefined,
    value,
  );

/** The usual forms of an error in a body that came with 200. */
function problemOf(document: Readonly<Record<string, unknown>>): string | undefined {
  const { error, detail } = document;
  const message = isRecord(error) ? error['message'] : (error ?? detail);
  return typeof message === 'string' ? message : undefined;
}
