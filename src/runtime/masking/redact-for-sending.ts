/**
 * Applies the page's `redact` function to what the user has written before it is sent. The displayed text stays unchanged. Before it is
 * stored: `redact-for-storage.ts`. Few pages redact, so this code is loaded when one does.
 */
import { ChatError } from '../../errors.ts';
import { callPageFunction } from '../../page-functions.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withRedactedPress } from '../../model/exchange/press-redaction.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import { redactNumber } from './redact-number.ts';

/** Changes the user's text before it is sent, or any text before it is stored. */
export type Redact = (text: string, purpose: 'send' | 'store') => string;

/** Redacts a message for sending. `conversation`: the messages with which it is sent. */
export type MessageRedactor = (
  message: ChatMessage,
  index?: number,
  conversation?: readonly ChatMessage[],
) => ChatMessage;

/** The page's `redact` for all that a turn sends. */
export interface Redactor {
  readonly message: MessageRedactor;
  readonly answer: (answer: Answer) => Answer;
}

export const createRedactor = (redact: Redact): Redactor => ({
  message: createMessageRedactor(redact),
  answer: (answer) => redactAnswer(answer, redact),
});

/**
 * Creates a function that redacts messages for sending. Each message is redacted once, because a conversation is sent
 * with every turn. A message without text of the user stays the same object.
 */
export function createMessageRedactor(redact: Redact | undefined): MessageRedactor {
  if (!redact) return (message) => message;
  const known = new WeakMap<ChatMessage, ChatMessage>();
  let edited: { readonly by: readonly ChatMessage[]; readonly calls: ReadonlySet<string> } | undefined;
  const editedCallsIn = (messages: readonly ChatMessage[]): ReadonlySet<string> => {
    if (edited?.by !== messages) edited = { by: messages, calls: editedCalls(messages) };
    return edited.calls;
  };
  return (message, _index, conversation = [message]) => {
    const before = known.get(message);
    if (before) return before;
    const next =
      message.role === 'user'
        ? redactUserMessage(message, redact)
        : redactReply(message, redact, editedCallsIn(conversation));
    known.set(message, next);
    return next;
  };
}

/** The ids of the blocks of calls whose arguments the user has changed. The question may be in a later message. */
const editedCalls = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.type === 'action' && block.extra?.['edited'] === true ? (block.callBlockId ?? []) : [],
      ),
    ),
  );

/** Redacts what the user has written into a reply: notes, answers, and changed arguments. */
function redactReply(message: ChatMessage, redact: Redact, edited: ReadonlySet<string>): ChatMessage {
  const blocks = message.blocks.map((block) => {
    if (block.type === 'action') return redactAction(block, redact);
    const { params } = (block.type === 'tool_call' && edited.has(block.id) && block.tool_call) || {};
    return block.type === 'tool_call' && params !== undefined
      ? { ...block, tool_call: { ...block.tool_call, params: redactArguments(params, redact) } }
      : block;
  });
  return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
}

function redactAction(block: BlockOf<'action'>, redact: Redact): BlockOf<'action'> {
  const own = ['note', 'answer'].flatMap((name) => {
    const text = block.extra?.[name];
    return typeof text === 'string' ? [[name, redactText(text, redact)] as const] : [];
  });
  return own.length === 0 ? block : { ...block, extra: { ...block.extra, ...Object.fromEntries(own) } };
}

/** Arguments are text: JSON, which must stay valid, or the text of a call without any. */
function redactArguments(params: string, redact: Redact): string {
  const json = parseJson(params);
  return json === undefined ? redactText(params, redact) : JSON.stringify(redactIn(json, redact, 0));
}

function redactUserMessage(sent: ChatMessage, redact: Redact): ChatMessage {
  const message = withRedactedPress(sent, (value) => redactIn(value, redact, 0));
  const { blocks, metadata } = message;
  // Content for an agent in the page contains the text a second time, and a press in a surface what the user has entered there.
  const { content, data } = metadata ?? {};
  const changed = {
    ...(isRecord(content) &&
      typeof content['text'] === 'string' && {
        content: { ...content, text: redactText(content['text'], redact) },
      }),
    ...(isRecord(data) && typeof data['surfaceId'] === 'string' && { data: redactPress(data, redact) }),
  };
  return {
    ...message,
    blocks: blocks.map((block) =>
      block.type === 'content' ? { ...block, content: redactText(block.content, redact) } : block,
    ),
    ...(Object.keys(changed).length > 0 && { metadata: { ...metadata, ...changed } }),
  };
}

/** The values of a surface: which of them the user has entered is not known. */
const redactPress = (press: Readonly<Record<string, unknown>>, redact: Redact): object => ({
  ...press,
  ...(press['context'] !== undefined && { context: redactIn(press['context'], redact, 0) }),
  ...(press['dataModel'] !== undefined && { dataModel: redactIn(press['dataModel'], redact, 0) }),
});

/** @throws ChatError if the page's function is async, for example: the agent would get an empty text */
export function redactText(text: string, redact: Redact): string {
  const redacted: unknown = callPageFunction('redact', () => redact(text, 'send'));
  if (typeof redacted === 'string') return redacted;
  throw new ChatError('protocol', 'The function `redact` must return a string.');
}

/** Redacts the texts and numbers of a user's answer. */
export function redactAnswer(answer: Answer, redact: Redact | undefined): Answer {
  if (!redact) return answer;
  const { payload, note, arguments: changed, extra } = answer;
  // A function of the page gets what the user has approved. Requests have the arguments of its call from the messages.
  const isSent = changed !== undefined && extra?.['byPage'] !== true;
  return {
    ...answer,
    ...(payload !== undefined && { payload: redactIn(payload, redact, 0) }),
    ...(note !== undefined && { note: redactText(note, redact) }),
    ...(isSent && { arguments: redactIn(changed, redact, 0) }),
  };
}

/** Deeper values of an answer stay unchanged. */
const MAX_DEPTH = 64;

/** Redacts each text and number in the answer to a form, and in the values of a surface. */
function redactIn(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, redact);
  if (typeof value === 'number') return redactNumber(value, (text) => redactText(text, redact));
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => redactIn(item, redact, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactIn(inner, redact, depth + 1)]));
}
