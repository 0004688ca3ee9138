import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Part } from './snapshot.ts';

/**
 * Returns the emitted content of a reply, for a stream that continues it and may send all of it again: its parts and
 * its other blocks.
 */
export function emittedParts(message: ChatMessage | undefined): {
  readonly parts: readonly Part[];
  readonly others: readonly Omit<LLMAgentEventData, 'eventId'>[];
} {
  const blocks = message?.blocks ?? [];
  const parts = blocks.flatMap((block): readonly Part[] => {
    switch (block.type) {
      case 'content':
        return [{ kind: 'text', text: block.content }];
      case 'reasoning_content':
        return [{ kind: 'reasoning', text: block.content }];
      case 'tool_call': {
        const { id = block.id, name = '', params = '', response } = block.tool_call;
        return [{ kind: 'tool', id, name, params, response, failed: block.status === 'error' }];
      }
      default:
        return [];
    }
  });
  const others = blocks.flatMap((block): readonly Omit<LLMAgentEventData, 'eventId'>[] => {
    const id = block.extra?.['dataId'];
    const dataId = typeof id === 'string' ? { data_id: id } : {};
    if (block.type === 'data') return [{ data: block.data, ...dataId }];
    if (block.type === 'ui') return [{ ui: block.ui as NonNullable<LLMAgentEventData['ui']>, ...dataId }];
    return block.type === 'plan' ? [{ plan: block.plan }] : [];
  });
  return { parts, others };
}
