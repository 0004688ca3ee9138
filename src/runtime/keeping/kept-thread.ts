/** A conversation as it is kept, and what becomes of it when it is there again. */
import { closeRun } from '../../conversation/close-run.ts';
import { isObject, type MessageInput } from '../../conversation/fill-message.ts';
import { untangle, type Imported } from '../../conversation/import.ts';
import { isWaiting } from '../../conversation/is-waiting.ts';
import { restoredRun } from '../../conversation/restored-run.ts';
import type { Outcome } from '../../conversation/run.ts';
import type { Thread } from '../../conversation/thread.ts';
import { chatMessage, type ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/text-of.ts';
import { newId } from '../new-id.ts';
import type { KeptThread } from './conversation-store.ts';

const TITLE_LENGTH = 60;

/** The first words of a conversation, as its name; empty where nobody has said any. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const first = messages.find(({ role, metadata }) => role === 'user' && metadata?.['hidden'] !== true);
  const words = (first ? textOf(first) : '').replace(/\s+/g, ' ').trim();
  const characters = Array.from(words);
  if (characters.length <= TITLE_LENGTH) return words;
  const cut = characters.slice(0, TITLE_LENGTH).join('');
  // At the end of a word, where there are words.
  return `${cut.replace(/\s+\S{0,20}$/, '')}…`;
}

/** A conversation with all of its branches, in the form that is stored. */
export function toKept(
  { path, hidden }: Thread,
  facts: Omit<KeptThread, 'version' | 'messages' | 'leaf'>,
  forStoring: (message: ChatMessage) => ChatMessage,
): KeptThread {
  const leaf = path.at(-1)?.id;
  return {
    version: 1,
    ...facts,
    messages: [...path, ...hidden].map(forStoring),
    ...(leaf !== undefined && { leaf }),
  };
}

export interface Revived extends Imported {
  /** A reply at its end had not come to its end. */
  readonly broken: boolean;
  /** What had been written and was not sent. */
  readonly unsent: string;
}

/**
 * A kept conversation, ready to go on: a reply that was under way is cut off, unless it waits for the reader; what waited to be
 * sent is words again, since nobody knows whether it is still wanted. Messages that can't be read are left out.
 */
export function revive({ messages, leaf }: Pick<KeptThread, 'messages' | 'leaf'>, now: number): Revived {
  const { path, hidden } = parts(messages, leaf);
  const queued = path.filter(({ status }) => status === 'queued');
  const sent = path.filter(({ status }) => status !== 'queued').map(undropped);
  const start = sent.findLastIndex(({ role }) => role === 'user');
  const reply = sent.slice(start + 1);
  const asked = sent[start];
  const unanswered = asked?.status === 'sending';
  const cut = (unanswered || reply.some(({ status }) => status === 'streaming')) && !isWaiting(reply);
  return {
    path: cut ? [...sent.slice(0, start), ...endOf(asked, reply, now)] : sent,
    hidden: hidden.filter(({ status }) => status !== 'queued'),
    broken: cut,
    unsent: queued.map(textOf).join('\n\n'),
  };
}

/**
 * A browser that leaves a page first ends its connections and then says so: a reply that was lost like that was in the middle when
 * the page was left, and is to be picked up.
 */
function undropped(message: ChatMessage): ChatMessage {
  const last = message.blocks.at(-1);
  const dropped = last?.type === 'error' && last.extra?.['reason'] === 'dropped' && message.status === 'interrupted';
  return dropped ? { ...message, status: 'streaming', blocks: message.blocks.slice(0, -1) } : message;
}

const CUT: Outcome = { status: 'interrupted', finish: 'error' };

/** The reader's message and its reply, cut off. One that never reached the agent has failed, and can be sent again. */
function endOf(
  asked: ChatMessage | undefined,
  reply: readonly ChatMessage[],
  now: number,
): readonly (ChatMessage | MessageInput)[] {
  const question = asked && { ...asked, status: asked.status === 'sending' ? ('failed' as const) : asked.status };
  const answer =
    reply.length > 0
      ? closeRun(restoredRun(reply), CUT, { now, newId }).messages
      : [{ role: 'assistant' as const, ...CUT, ...(asked && { parentId: asked.id }) }];
  return question ? [question, ...answer] : answer;
}

/** Of two copies of one conversation the one that has more of it; the first where they have the same. */
export function fuller<Copy extends Pick<KeptThread, 'messages'>>(first: Copy, second: Copy): Copy {
  return wordsIn(second.messages) > wordsIn(first.messages) ? second : first;
}

/** Characters of what was said. */
const wordsIn = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { blocks }) =>
      blocks.reduce(
        (length, block) =>
          length + ('content' in block && typeof block.content === 'string' ? block.content.length : 1),
        sum,
      ),
    0,
  );

/** The branch on show and the others. A page's own store may know only a plain list. */
function parts(
  given: readonly unknown[],
  leaf: string | undefined,
): { readonly path: readonly ChatMessage[]; readonly hidden: readonly ChatMessage[] } {
  const messages = given.flatMap(readable);
  const chained = leaf !== undefined && messages.some(({ id }) => id === leaf);
  return chained ? untangle({ messages, leaf }) : { path: messages, hidden: [] };
}

function readable(given: unknown): readonly ChatMessage[] {
  const { data } = chatMessage.safeParse(given);
  if (data) return [data];
  return isObject(given) ? shorter(given as Readonly<Record<string, unknown>>) : [];
}

/** An entry as short as `{role, text}`. */
function shorter({ id, role, text, timestamp, status }: Readonly<Record<string, unknown>>): readonly ChatMessage[] {
  const { data } = chatMessage.safeParse({
    id: id ?? newId(),
    role,
    status: status ?? 'complete',
    timestamp: timestamp ?? 0,
    blocks: [],
  });
  if (!data || typeof text !== 'string') return [];
  const format = data.role === 'user' ? { format: 'text' as const } : {};
  const words = {
    id: newId(),
    type: 'content',
    status: 'success',
    timestamp: data.timestamp,
    content: text,
    ...format,
  };
  const whole = chatMessage.safeParse({ ...data, blocks: [words] });
  return whole.data ? [whole.data] : [];
}
