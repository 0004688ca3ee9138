/** One JSON document as the complete reply (`json`). Source: `docs/protocols/text-and-json.md`. */
import { autoRequest } from './shared/auto-request.ts';
import { createStreamEvent } from '../model/events/core-events.ts';
import { errorMessage } from './shared/error-message.ts';
import { isRecord } from '../model/json.ts';
import { readJsonFrames } from './core/read-frames.ts';
import { readThinkTags } from './shared/think-tags.ts';
import { replyEnd } from './core/finish-reasons.ts';
import { extractSession, extractSources, extractSuggestions, extractUsage } from './json-stream/event-parts.ts';
import { SESSION, withSession } from './json-stream/session.ts';
import { isConfirmation } from './shared/confirmation.ts';
import type { Adapter, AdapterEvent } from './core/adapter.ts';

/** Paths where the text may be, in order of precedence. */
const TEXT_PATHS = [
  ['choices', 0, 'message', 'content'],
  ['content', 0, 'text'],
  ['message', 'content'],
  ['output', 'message', 'content', 0, 'text'],
  ['output'],
  ['answer'],
  ['text'],
  ['response'],
  ['message'],
  ['result'],
  ['finalOutput'],
  ['content'],
  ['reply'],
  ['completion'],
  ['generated_text'],
  ['outputText'],
  ['generation'],
  [0, 'generated_text'],
  ['results', 0, 'outputText'],
] as const;
/** Objects that may contain the text, and the possible names of the text in them. */
const ENVELOPES = ['data', 'result', 'response', 'output', 'message'];
const NESTED_NAMES = [
  ...['answer', 'text', 'content', 'response', 'reply', 'completion', 'generated_text', 'outputText', 'generation'],
  ...['message', 'output'],
];
const ALL_PATHS: readonly (readonly (string | number)[])[] = [
  ...TEXT_PATHS,
  ...ENVELOPES.flatMap((envelope) => NESTED_NAMES.map((name) => [envelope, name])),
];

export const adapter: Adapter = {
  id: 'json',
  label: 'One JSON document',
  kind: 'agent',
  accepts: 'text',
  framing: 'json',

  // If the protocol was detected, the server accepted the fields of the first request. So later requests have them too, but with
  // `stream: false`, and with the session ids that the server sent.
  request(turn, { headers = {}, ...options }) {
    const { init, ...request } = withSession(
      autoRequest(turn, { ...options, headers: { accept: 'application/json', ...headers } }),
      turn,
    );
    return { ...request, init: { ...init, body: { ...(init.body as object), stream: false } } };
  },

  async *decode(batches, { eventId, report }) {
    const tags = readThinkTags(eventId);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json: document, frame } of readJsonFrames(batch, report)) {
        const strings = [document, ...ALL_PATHS.map((path) => valueAt(document, path))].filter(
          (value) => typeof value === 'string',
        );
        // An empty text is an answer too, if there is no other.
        const text = strings.find(Boolean) ?? strings[0];
        const problem = isRecord(document) ? errorOf(document, text, frame.event === 'error') : undefined;
        if (text !== undefined && text !== problem) events.push(createStreamEvent.text(text));
        if (problem === undefined && text) events.push(...eventsBesidesText(document, eventId));
        if (problem !== undefined) events.push(createStreamEvent.error(problem));
        else if (text === undefined) {
          events.push({ type: 'response', data: { eventId, data: { data_type: 'custom', data: document } } });
        }
        events.push(createStreamEvent.stop(problem === undefined ? 'complete' : 'error'));
      }
      yield tags.read(events);
    }
  },
};

/** Events for the sources, suggestions, usage and session ids of an answer. */
function eventsBesidesText(document: unknown, eventId: string): readonly AdapterEvent[] {
  const suggestions = extractSuggestions(document);
  const totalUsage = extractUsage(document);
  const session = extractSession(document);
  const data = [
    ...[...extractSources(document, undefined)].map((citation) => ({ citation })),
    ...(suggestions.length > 0 ? [{ suggestions }] : []),
    ...(totalUsage ? [{ totalUsage }] : []),
    ...(Object.keys(session).length > 0 ? [{ metadata: { [SESSION]: session } }] : []),
  ];
  return data.map((item) => ({ type: 'response', data: { eventId, ...item } }));
}

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (current, key) =>
      Array.isArray(current) && typeof key === 'number'
        ? (current as unknown[])[key]
        : isRecord(current) && Object.hasOwn(current, key)
          ? current[key]
          : undefined,
    value,
  );

/**
 * Returns the error message of a document with HTTP status 200; undefined if it reports no error.
 *
 * @param text - the text found in the document
 * @param isErrorEvent - whether the document arrived as an SSE event with the name `error`
 */
function errorOf(
  document: Readonly<Record<string, unknown>>,
  text: string | undefined,
  isErrorEvent: boolean,
): string | undefined {
  const { error, detail, type, success, ok, status } = document;
  const isFailure = success === false || ok === false || (typeof status === 'string' && replyEnd(status) === 'error');
  if (text === undefined && !error && !isFailure && isConfirmation(document)) return confirmationMessage(document);
  const isError =
    isErrorEvent || isFailure || Boolean(error) || type === 'error' || (text === undefined && detail !== undefined);
  return isError ? (errorMessage(document) ?? text ?? DEFAULT_ERROR) : undefined;
}

const DEFAULT_ERROR = 'The agent reported an error.';

const EXCERPT_LENGTH = 120;
/** The message for a document that confirms the request and contains no answer. */
const confirmationMessage = (document: Readonly<Record<string, unknown>>): string =>
  `The endpoint only confirmed the request: ${JSON.stringify(document).slice(0, EXCERPT_LENGTH)}. ` +
  'It may start a session or a job whose answer comes from another address. Set "endpoint" to the address that streams the answer, ' +
  'or "poll" to the one that has it later.';
