import { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import type { Limits } from '../limits.ts';
import type { ChatSettings } from '../chat-settings.ts';

/** @throws ChatError if the message is empty or too long, or no endpoint is set */
export function checkMessage(message: ChatMessage, settings: ChatSettings, { inputLength }: Limits): void {
  const text = textOf(message);
  const isTextOnly = message.blocks.every(({ type }) => type === 'content') && message.blocks.length < 2;
  if (isTextOnly && text.trim() === '') {
    throw new ChatError('protocol', 'There is nothing to send.', { reason: 'empty-input' });
  }
  if (text.length > inputLength) {
    throw new ChatError('limit', `The message is longer than ${String(inputLength)} characters.`, {
      reason: 'input-too-long',
      values: { limit: inputLength },
    });
  }
  requireEndpoint(settings);
}

/** @throws ChatError if neither an endpoint nor an agent is set */
export function requireEndpoint({ agents = [], endpoint }: ChatSettings): void {
  if (!endpoint && agents.length === 0) {
    throw new ChatError('network', 'No endpoint is set: set the attribute "endpoint".', { reason: 'no-endpoint' });
  }
}
