/** Normalizes long lists of messages in one pass: a page may restore a conversation of thousands. */
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { validTime } from '../model/valid-time.ts';
import type { ReduceContext } from './block-list.ts';
import { normalizeMessage, type MessageInput } from './normalize-message.ts';

type Context = Pick<ReduceContext, 'now' | 'newId'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface HistoryContext extends Context {
  /** Ids that are already in use. */
  readonly taken?: Iterable<string>;
}

/**
 * Completes messages and links `path` from first to last. Each message gets a unique id: an id that is in `taken` or
 * belongs to an earlier message is replaced.
 */
export function normalizeHistory(
  { path, hidden }: { readonly path: readonly MessageInput[]; readonly hidden: readonly MessageInput[] },
  { taken = [], ...context }: HistoryContext,
): { readonly path: readonly ChatMessage[]; readonly hidden: readonly ChatMessage[] } {
  const ids = new Set(taken);
  const actionIds = new Set<string>();
  const fill = (input: MessageInput): Mutable<ChatMessage> => {
    const message: Mutable<ChatMessage> = isTextInput(input)
      ? fillTextMessage(input, context)
      : withOwnActions(normalizeMessage(input, context), actionIds, context);
    // A generated id is unique already.
    if (input.id === undefined) return message;
    if (ids.has(message.id)) message.id = context.newId();
    ids.add(message.id);
    return message;
  };
  let parentId: string | undefined;
  const chained = path.map((input) => {
    const message = fill(input);
    if (parentId !== undefined) message.parentId = parentId;
    parentId = message.id;
    return message;
  });
  return { path: chained, hidden: hidden.map(fill) };
}

/** An answer applies to one block: a question or call that repeats an earlier id gets a new one. */
function withOwnActions(message: ChatMessage, taken: Set<string>, { newId }: Context): ChatMessage {
  const isTaken = ({ id, type }: AssistantMessageBlock): boolean => {
    if (type !== 'action' && type !== 'tool_call') return false;
    const isDuplicate = taken.has(id);
    taken.add(id);
    return isDuplicate;
  };
  const blocks = message.blocks.map((block) => (isTaken(block) ? { ...block, id: newId() } : block));
  return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
}

interface TextInput extends Pick<MessageInput, 'role' | 'id' | 'timestamp'> {
  readonly text: string;
}

/** Whether a message has only text, as nearly all messages of a page's own history do. */
function isTextInput(input: MessageInput): input is TextInput {
  for (const name in input) {
    if (name !== 'role' && name !== 'text' && name !== 'id' && name !== 'timestamp') return false;
  }
  return typeof input.text === 'string';
}

/** Same result as `normalizeMessage` for text-only messages in a tenth of the time, because no other field is checked. */
function fillTextMessage(
  { role, text, id, timestamp: inputTimestamp }: TextInput,
  { now, newId }: Context,
): Mutable<ChatMessage> {
  const timestamp = validTime(inputTimestamp, now);
  const message: Mutable<ChatMessage> = { id: id ?? newId(), role, status: 'complete', timestamp, blocks: [] };
  const block: Mutable<BlockOf<'content'>> = {
    id: newId(),
    type: 'content',
    status: 'success',
    timestamp,
    content: text,
  };
  if (role === 'user') block.format = 'text';
  if (role === 'assistant') message.finish = 'complete';
  message.blocks = [block];
  return message;
}
