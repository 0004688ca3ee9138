import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';

/** Maximum length in code points. */
const TITLE_LENGTH = 60;

/** The title of a conversation: the start of its first user message, or an empty string. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const first = messages.find(({ role, metadata }) => role === 'user' && metadata?.['hidden'] !== true);
  const text = (first ? textOf(first) : '').replace(/\s+/g, ' ').trim();
  const characters = Array.from(text);
  if (characters.length <= TITLE_LENGTH) return text;
  const start = characters.slice(0, TITLE_LENGTH).join('');
  // Cut at the end of a word, if there are spaces.
  return `${start.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`;
}
