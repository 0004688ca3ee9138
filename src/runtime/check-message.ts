import { ChatError } from '../errors.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Limits } from './limits.ts';
import type { ChatSettings } from './settings.ts';

/** @throws ChatError for a caller's mistake: nothing to send, too much of it, or nobody to send it to */
export function checkMessage(
  message: ChatMessage,
  { agents = [], endpoint }: ChatSettings,
  { inputLength }: Limits,
): void {
  const text = textOf(message);
  const wordsAlone = message.blocks.every(({ type }) => type === 'content') && message.blocks.length < 2;
  if (wordsAlone && text.trim() === '') {
    throw new ChatError('protocol', 'There is nothing to send.', { reason: 'empty-input' });
  }
  if (text.length > inputLength) {
    throw new ChatError('limit', `The message is longer than ${String(inputLength)} characters.`, {
      reason: 'input-too-long',
      values: { limit: inputLength },
    });
  }
  if (!endpoint && agents.length === 0) {
    throw new ChatError('network', 'There is no endpoint: set the attribute "endpoint".', { reason: 'no-endpoint' });
  }
}
