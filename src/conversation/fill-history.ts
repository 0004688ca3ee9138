/** Long lists of messages as a page writes them, made whole in one go: a page opens a conversation of thousands. */
import type { BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { ReduceContext } from './blocks.ts';
import { fillMessage, type MessageInput } from './fill-message.ts';

type Context = Pick<ReduceContext, 'now' | 'newId'>;
type Growing<T> = { -readonly [K in keyof T]: T[K] };

export interface HistoryContext extends Context {
  /** Ids that others have. */
  readonly taken?: Iterable<string>;
}

/**
 * Messages made whole, each with an id of its own (one that is taken, by `taken` or by an earlier message, is replaced), the
 * `path` chained from its first message to its last.
 */
export function fillHistory(
  { path, hidden }: { readonly path: readonly MessageInput[]; readonly hidden: readonly MessageInput[] },
  { taken = [], ...context }: HistoryContext,
): { readonly path: readonly ChatMessage[]; readonly hidden: readonly ChatMessage[] } {
  const ids = new Set(taken);
  const fill = (input: MessageInput): Growing<ChatMessage> => {
    const message: Growing<ChatMessage> = isWords(input) ? fillWords(input, context) : fillMessage(input, context);
    // An id that was made for it is nobody else's.
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

interface Words extends Pick<MessageInput, 'role' | 'id' | 'timestamp'> {
  readonly text: string;
}

/** No more than words, as nearly all messages of a page's own history are. */
function isWords(input: MessageInput): input is Words {
  for (const name in input) {
    if (name !== 'role' && name !== 'text' && name !== 'id' && name !== 'timestamp') return false;
  }
  return typeof input.text === 'string';
}

/** What `fillMessage` makes of words, at a tenth of its time: it has no field to look for. */
function fillWords({ role, text, id, timestamp: given }: Words, { now, newId }: Context): Growing<ChatMessage> {
  const timestamp = given ?? now;
  const message: Growing<ChatMessage> = { id: id ?? newId(), role, status: 'complete', timestamp, blocks: [] };
  const block: Growing<BlockOf<'content'>> = {
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
