import type { ChatMessage } from '../../model/message.ts';
import type { RequestOptions, Turn } from '../core/adapter.ts';
import { sentHistory } from './history.ts';
import { systemText } from './system-text.ts';

/** The sent messages after the page's system text and context, for protocols whose messages may come from the system. */
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
