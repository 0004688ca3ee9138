/** What a request says, in whichever of the forms that the protocols' pages describe, or the one sent before they are known. */

export type Json = Readonly<Record<string, unknown>>;

export interface Turn {
  /** The reader's last words that are no mere yes or no. */
  readonly asked: string;
  /** How many times the reader has spoken: ids of one turn differ from those of another. */
  readonly count: number;
  /** How the reader, or the page, has answered what the agent had asked. `unknown`: it has, and the wire does not tell how. */
  readonly answer?: 'granted' | 'denied' | 'unknown';
  readonly body: Json;
}

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Said first, they answer the question before them. */
const YES = /^(?:yes|yep|sure|ok(?:ay)?|go (?:on|ahead)|continue|please do)\b|^(?:好的?|可以|是的?)[，。！!]?$/i;
const NO = /^(?:no|nope|stop|don['’]t)\b|^(?:不|不用|不要|不行)[，。！!]?$/i;

export interface WireMessage {
  readonly role: string;
  readonly text: string;
  readonly raw: Json;
}

/** The conversation as it was sent, roles in lower case. */
export function messagesOf(body: Json): readonly WireMessage[] {
  const list = body['messages'] ?? body['input'];
  if (Array.isArray(list)) {
    return list.filter(isRecord).map((raw) => ({
      role: textOf(raw['role']).toLowerCase(),
      text: wordsOf(raw['content']),
      raw,
    }));
  }
  const text = textOf(list) || textOf(body['message']);
  return text ? [{ role: 'user', text, raw: {} }] : [];
}

/** The words of a content: a string, a list of typed parts, or an object with a `text`. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(wordsOf).join('');
  return isRecord(content) ? textOf(content['text']) : '';
}

/**
 * The turn of a request; undefined when nobody has said anything. `answer`: what the protocol has told apart as the answer to
 * a question, else a yes or no in words counts.
 */
export function readTurn(body: Json, answer?: Turn['answer']): Turn | undefined {
  const messages = messagesOf(body);
  const words = messages.filter(({ role }) => role === 'user').map(({ text }) => text.trim());
  const said = words.at(-1);
  if (said === undefined) return undefined;
  const asked = words.findLast((text) => !YES.test(text) && !NO.test(text)) ?? said;
  const talked = messages.some(({ role }) => role === 'assistant');
  const spoken = !talked ? undefined : YES.test(said) ? 'granted' : NO.test(said) ? 'denied' : undefined;
  const given = answer ?? spoken;
  return { asked, count: words.length, body, ...(given && { answer: given }) };
}

/** How the page's tools went, where the history ends with their results: a denial is a result whose words say so. */
export function answerOfTools(body: Json): Turn['answer'] {
  const messages = messagesOf(body);
  const round = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  if (round.length === 0) return undefined;
  return round.some(({ text }) => /denied/i.test(text)) ? 'denied' : 'granted';
}
