import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf } from '../../model/message-text.ts';
import type { RequestOptions, Turn } from '../core/adapter.ts';
import { systemText } from './system-text.ts';

/** Block types that the widget adds to a reply; they are not part of the conversation. */
const WIDGET_BLOCKS: ReadonlySet<string> = new Set(['error', 'status']);

/**
 * The messages that are sent to the agent: without the empty new reply and without replies that contain only an
 * error.
 */
export const sentHistory = (turn: Turn): readonly ChatMessage[] =>
  turn.messages.filter(({ role, blocks }) => role === 'user' || blocks.some(({ type }) => !WIDGET_BLOCKS.has(type)));

/** The sent messages after the page's system text and context, for protocols whose message lists may have system messages. */
export function historyWithSystem(
  turn: Turn,
  options: Pick<RequestOptions, 'system' | 'context'>,
): readonly ChatMessage[] {
  const history = sentHistory(turn);
  const content = systemText(options);
  if (!content) return history;
  const timestamp = history[0]?.timestamp ?? 0;
  const block = { id: 'system.1', type: 'content', status: 'success', timestamp, content } as const;
  return [{ id: 'system', role: 'system', status: 'complete', timestamp, blocks: [block] }, ...history];
}

export interface SentText {
  readonly id: string;
  readonly role: ChatMessage['role'];
  readonly content: string;
}

/**
 * The same messages as plain text, for servers that accept nothing else. A reply without text, such as one that
 * only calls a tool, is left out.
 *
 * @param options - the page's system text and context, for protocols without another place for them
 */
export const sentTextMessages = (
  turn: Turn,
  options: Pick<RequestOptions, 'system' | 'context'> = {},
): readonly SentText[] =>
  historyWithSystem(turn, options).flatMap((message): readonly SentText[] => {
    const { id, role } = message;
    const content = paragraphsOf(message);
    return content || role === 'user' ? [{ id, role, content }] : [];
  });
