/** Reads a complete recorded body as JSON payloads: server-sent events, lines of JSON, or one JSON document. */
import { parseJson, textOf, at } from '../json.ts';

export interface Payload {
  /** The event name of a server-sent event. */
  readonly event: string;
  readonly data: string;
  readonly json: unknown;
}

/** Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export function readPayloads(body: Uint8Array): readonly Payload[] {
  const text = new TextDecoder().decode(body).replaceAll(/\r\n?/g, '\n');
  if (/^(?:data|event|id|retry|error)?:/m.test(text) && parseJson(text) === undefined) return readEvents(text);
  const document = parseJson(text);
  if (Array.isArray(document))
    return document.map((json: unknown) => ({ event: '', data: JSON.stringify(json), json }));
  if (document !== undefined) return [{ event: '', data: text, json: document }];
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [payloadOf('', line)]));
}

const readEvents = (text: string): readonly Payload[] =>
  text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n');
    const values = (field: string): readonly string[] =>
      lines
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
    const event = values('event').at(-1) ?? '';
    const data = values('data');
    // llama.cpp sends errors in a field of this name.
    const errors = values('error').map((text) => payloadOf('error', text));
    // Some tools store events without the empty line between them.
    const areEvents = data.length > 1 && data.every((line) => parseJson(line) !== undefined);
    const all = areEvents ? data : data.length > 0 ? [data.join('\n')] : [];
    return [...all.map((text) => payloadOf(event, text)), ...errors];
  });

const payloadOf = (event: string, data: string): Payload => ({ event, data, json: parseJson(data) });

/** The text of an error in the forms of the vendors. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = at(error, 'message');
  return typeof message === 'string' ? message : textOf(at(error, 'error', 'message')) || JSON.stringify(error);
}
