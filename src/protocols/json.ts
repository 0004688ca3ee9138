/** One JSON document as the whole reply (`json`). Source: `other.md`, "Plain text / single JSON". */
import { createStreamEvent } from '../model/core-events.ts';
import { textOf } from '../model/text-of.ts';
import { detectJson } from './detect/generic.ts';
import { sentHistory } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { readJsonFrames } from './shared/read-frames.ts';
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
        const strings = PLACES.map((path) => at(document, path)).filter((value) => typeof value === 'string');
        const words = strings.find(Boolean) ?? strings[0];
        const problem = isRecord(document) ? problemOf(document, words) : undefined;
        if (words !== undefined && words !== problem) events.push(createStreamEvent.text(words));
        if (problem !== undefined) events.push(createStreamEvent.error(problem));
        else if (words === undefined) {
          events.push({ type: 'response', data: { eventId, data: { data_type: 'custom', data: document } } });
        }
        events.push(createStreamEvent.stop(problem === undefined ? 'complete' : 'error'));
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

/** The usual forms of an error in a body that came with 200; `words`: what the document seems to say. */
function problemOf(document: Readonly<Record<string, unknown>>, words: string | undefined): string | undefined {
  const { error, detail, type, error_message } = document;
  if (error === true) return words;
  if (type === 'error' && error === undefined) return typeof error_message === 'string' ? error_message : words;
  const message = isRecord(error) ? error['message'] : error || (words === undefined ? detail : undefined);
  return typeof message === 'string' ? message : undefined;
}
