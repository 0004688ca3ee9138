/**
 * Parses a request in any of the documented protocols, or in the format that is sent before the protocol is detected.
 */

export type Json = Readonly<Record<string, unknown>>;

/** The state of a conversation. */
export interface Heard {
  /** The user's last text other than a plain yes or no. */
  readonly question: string;
  /** The number of user messages, so that the ids of different turns differ. */
  readonly count: number;
}

export interface Turn extends Heard {
  /**
   * The answer of the user or the page to the agent's question. `unknown`: answered, but the protocol does not transmit
   * how.
   */
  readonly answer?: 'granted' | 'denied' | 'unknown';
  readonly body: Json;
}

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Texts that, at the start of a message, answer the previous question. */
const YES = /^(?:yes|yep|sure|ok(?:ay)?|go (?:on|ahead)|continue|please do)\b|^(?:好的?|可以|是的?)[，。！!]?$/i;
const NO = /^(?:no|nope|stop|don['’]t)\b|^(?:不|不用|不要|不行)[，。！!]?$/i;

export interface WireMessage {
  readonly role: string;
  readonly text: string;
  readonly raw: Json;
}

const USER = /^(?:user|human|role_user|user_input)$/;
const ASSISTANT = /^(?:assistant|ai|model|role_agent|model_output)$/;

/**
 * The conversation of the request, or its new messages, in any format. Its roles are `user`, `assistant`, `tool` and
 * others.
 */
export function messagesOf(body: Json): readonly WireMessage[] {
  const messages = [...listIn(body), ...listOf(body['tool_outputs'])].filter(isRecord).map((raw) => ({
    role: roleOf(raw),
    text: contentText(raw['content'] ?? raw['parts']),
    raw,
  }));
  if (messages.length > 0) return messages;
  const text = WORDS.map((name) => textOf(body[name])).find(Boolean);
  return text ? [{ role: 'user', text, raw: {} }] : [];
}

/** Fields that contain only the user's text. */
const WORDS = ['prompt', 'input', 'message', 'query', 'question', 'chatInput', 'input_value'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const inside = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The list of messages; for a body with a single message, a list of that one. */
function listIn(body: Json): readonly unknown[] {
  const { messages, input, contents, additional_messages, thread, commands, params } = body;
  const lists = [messages, input, contents, additional_messages, inside(thread, 'messages'), inside(input, 'messages')];
  const list = lists.find(Array.isArray);
  if (list) return listOf(list);
  if (commands) return listOf(commands).map((command) => inside(command, 'message') ?? command);
  const words = inside(params, 'input');
  return [isRecord(words) ? { role: 'user', ...words } : (inside(params, 'message') ?? body['newMessage'])];
}

function roleOf(raw: Json): string {
  const parts = listOf(raw['content'] ?? raw['parts']);
  const isResult = (part: unknown): boolean =>
    inside(part, 'type') === 'tool_result' || inside(part, 'functionResponse') !== undefined;
  if (parts.length > 0 && parts.every(isResult)) return 'tool';
  if (/_call_output$|tool-result$|^function_result$/.test(textOf(raw['type'])) || 'output' in raw) return 'tool';
  const role = textOf(raw['role'] ?? raw['type']).toLowerCase();
  return USER.test(role) ? 'user' : ASSISTANT.test(role) ? 'assistant' : role;
}

/** The text of a content: a string, a list of typed parts, or an object with a `text`. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(contentText).join('');
  return textOf(inside(content, 'text'));
}

/**
 * The turn of a request; undefined if there is no user message. `answer`: the answer to a question from the protocol's
 * own field, else a yes or no in the text. `before`: the state of the conversation, for requests that do not include
 * it.
 */
export function readTurn(
  body: Json,
  { answer, before }: { readonly answer?: Turn['answer'] | undefined; readonly before?: Heard | undefined } = {},
): Turn | undefined {
  const messages = messagesOf(body);
  const userTexts = messages.filter(({ role }) => role === 'user').map(({ text }) => text.trim());
  const lastText = userTexts.at(-1);
  // An answer without text continues the pending scenario, whatever its name.
  if (before && answer) return { ...before, body, answer };
  if (lastText === undefined) return undefined;
  const question = userTexts.findLast((text) => !YES.test(text) && !NO.test(text)) ?? before?.question ?? lastText;
  const talked = before !== undefined || messages.some(({ role }) => role === 'assistant');
  const spoken = !talked ? undefined : YES.test(lastText) ? 'granted' : NO.test(lastText) ? 'denied' : undefined;
  const currentAnswer = answer ?? spoken;
  return {
    question,
    count: (before?.count ?? 0) + userTexts.length,
    body,
    ...(currentAnswer && { answer: currentAnswer }),
  };
}

/**
 * The outcome of the page's tools if the history ends with their results; a denial is a result that says so in its
 * text.
 */
export function answerFromTools(body: Json): Turn['answer'] {
  const messages = messagesOf(body);
  const round = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  if (round.length === 0) return undefined;
  return round.some(({ raw }) => /denied/i.test(JSON.stringify(raw))) ? 'denied' : 'granted';
}

/** Whether the page has offered tools: as a list, or by name. */
export function offersTools({ body }: Pick<Turn, 'body'>): boolean {
  const { tools } = body;
  return Array.isArray(tools) ? tools.length > 0 : isRecord(tools) && Object.keys(tools).length > 0;
}

/** Field names of the conversation's id. */
const IDS = [
  'previous_interaction_id',
  'conversation_id',
  'session_id',
  'sessionId',
  'chatId',
  'contextId',
  'threadId',
  'runId',
];

/** The id of the request's conversation, from its path, query or body. */
export function conversationOf(
  body: Json,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
) {
  const [, thread] = /\/threads\/([^/]+)\/runs/.exec(path) ?? [];
  const message = inside(body['params'], 'message');
  const chatKit = inside(body['params'], 'thread_id');
  const sentIds = IDS.flatMap((name) => [query.get(name), body[name], inside(message, name)]);
  return thread ?? [...sentIds, chatKit].map(textOf).find(Boolean);
}
