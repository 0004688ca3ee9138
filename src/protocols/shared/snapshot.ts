/**
 * For protocols that send a message again, whole, each time it has grown: what has to be told so that what was shown becomes
 * what is now known. As long as a message only grows at its end, that is just the growth.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { DataPayload, Media } from '../../model/blocks.ts';

export type Part =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'media'; readonly media: Media }
  | { readonly kind: 'data'; readonly id: string; readonly data: DataPayload }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly name: string;
      readonly params: string;
      readonly response?: string | undefined;
      readonly failed?: boolean | undefined;
    };

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Speaker = NonNullable<LLMAgentEventData['message']>;

/** The events between two states of one message. */
export function snapshotEvents(message: Speaker, before: readonly Part[], after: readonly Part[]): readonly Data[] {
  const grows = before.every((part, index) => continues(part, after[index], index === before.length - 1));
  const events = grows
    ? after.flatMap((part, index) => growth(before[index], part))
    : [{ message: { ...message, replace: true } }, ...after.flatMap((part) => growth(undefined, part))];
  return events.map((data) => ('message' in data ? data : { message, ...data }));
}

function continues(before: Part, after: Part | undefined, last: boolean): boolean {
  if (after?.kind !== before.kind) return false;
  switch (before.kind) {
    case 'text':
    case 'reasoning': {
      const { text } = after as typeof before;
      return last ? text.startsWith(before.text) : text === before.text;
    }
    case 'media':
      return JSON.stringify(before) === JSON.stringify(after);
    case 'data':
    case 'tool':
      return before.id === (after as typeof before).id;
  }
}

function growth(before: Part | undefined, after: Part): readonly Data[] {
  switch (after.kind) {
    case 'text':
    case 'reasoning': {
      const text = after.text.slice(before?.kind === after.kind ? before.text.length : 0);
      return text === '' ? [] : [after.kind === 'text' ? { content: text } : { reasoning_content: text }];
    }
    case 'media':
      return before ? [] : [{ media: after.media }];
    case 'data':
      return before?.kind === 'data' && JSON.stringify(before.data) === JSON.stringify(after.data)
        ? []
        : [{ data: after.data, data_id: after.id }];
    case 'tool': {
      const known = before?.kind === 'tool' ? before : undefined;
      const call = { tool_call_id: after.id, tool_call_name: after.name };
      const started: Data[] = known ? [] : [{ ...call, tool_call: 'start', tool_call_params: after.params }];
      if (known && known.params !== after.params) {
        started.push({ ...call, tool_call: 'update', tool_call_params_complete: after.params });
      }
      if (after.response !== undefined && known?.response !== after.response) {
        started.push({ ...call, tool_call: after.failed ? 'error' : 'end', tool_call_response: after.response });
      }
      return started;
    }
  }
}
