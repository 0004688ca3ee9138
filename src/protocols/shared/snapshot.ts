/**
 * For protocols that send the complete message each time it changes: computes the events that change the
 * emitted state to the new one. As long as the message only grows at its end, these are just the additions.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { DataPayload, Media } from '../../model/blocks.ts';

export type Part =
  /** `begins`: a text that does not continue the text before it, such as a block of its own; reasoning starts a paragraph. */
  | { readonly kind: 'text' | 'reasoning'; readonly text: string; readonly begins?: boolean }
  /** `id`: only for an image in a tool's result; made of the id of its call and a number. */
  | { readonly kind: 'media'; readonly id?: string; readonly media: Media }
  | { readonly kind: 'data'; readonly id: string; readonly data: DataPayload }
  | { readonly kind: 'ui'; readonly id: string; readonly messages: readonly unknown[] }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly name: string;
      readonly params: string;
      readonly response?: string | undefined;
      readonly failed?: boolean | undefined;
    };

type Data = Omit<LLMAgentEventData, 'eventId'>;
type MessageHeader = NonNullable<LLMAgentEventData['message']>;

/** Returns the events that change a message from one state to another. */
export function snapshotEvents(
  message: MessageHeader,
  before: readonly Part[],
  after: readonly Part[],
): readonly Data[] {
  const isAppendOnly = before.every((part, index) => continues(part, after[index], index === before.length - 1));
  const events = isAppendOnly
    ? after.flatMap((part, index) => additions(before[index], part))
    : [{ message: { ...message, replace: true } }, ...after.flatMap((part) => additions(undefined, part))];
  return events.map((data) => ('message' in data ? data : { message, ...data }));
}

/** An unchanged part is usually the same object. That is checked first, because an image may have megabytes. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || JSON.stringify(before) === JSON.stringify(after);

/** Whether two parts have the same content, and the same id. */
export function isSamePart(before: Part, after: Part): boolean {
  if (before === after) return true;
  if (before.kind !== after.kind) return false;
  if ('text' in before) return before.text === (after as typeof before).text;
  if ('id' in before && before.id !== (after as typeof before).id) return false;
  return JSON.stringify(before) === JSON.stringify(after);
}

/**
 * Whether `after` is `before`, unchanged or with additions, so that only the additions have to be emitted. Text may have
 * grown only if it was the last part.
 */
function continues(before: Part, after: Part | undefined, isLast: boolean): boolean {
  if (before === after) return true;
  if (after?.kind !== before.kind) return false;
  switch (before.kind) {
    case 'text':
    case 'reasoning': {
      const { text } = after as typeof before;
      // Slices, because `startsWith` compares character by character.
      return (isLast ? text.slice(0, before.text.length) : text) === before.text;
    }
    case 'media':
      return isSame(before, after);
    case 'data':
    case 'ui':
      return before.id === (after as typeof before).id;
    case 'tool':
      return before.id === (after as typeof before).id && !isResultChanged(before, after as typeof before);
  }
}

type ToolPart = Extract<Part, { kind: 'tool' }>;

/** Whether a call that has ended has another result now. It can't be changed, so the message has to be replaced. */
const isResultChanged = (before: ToolPart, after: ToolPart): boolean =>
  before.response !== undefined &&
  after.response !== undefined &&
  (before.response !== after.response || (before.failed ?? false) !== (after.failed ?? false));

/** The events that change one part, of which `before` is emitted already, to `after`. */
function additions(before: Part | undefined, after: Part): readonly Data[] {
  if (before === after) return [];
  switch (after.kind) {
    case 'text':
    case 'reasoning': {
      const emittedLength = before?.kind === after.kind ? before.text.length : 0;
      const text = after.text.slice(emittedLength);
      if (text === '') return [];
      const begins = after.begins && emittedLength === 0 ? { content_begins: true } : {};
      return [{ [after.kind === 'reasoning' ? 'reasoning_content' : 'content']: text, ...begins }];
    }
    case 'media':
      return before ? [] : [{ media: after.media, ...(after.id !== undefined && { data_id: after.id }) }];
    case 'data':
      return before?.kind === 'data' && isSame(before.data, after.data)
        ? []
        : [{ data: after.data, data_id: after.id }];
    case 'ui':
      return before?.kind === 'ui' && before.messages.length === after.messages.length && isSame(before, after)
        ? []
        : [{ ui: { kind: 'a2ui', messages: after.messages }, data_id: after.id }];
    case 'tool': {
      const previous = before?.kind === 'tool' ? before : undefined;
      const call = { tool_call_id: after.id, tool_call_name: after.name };
      const events: Data[] = previous ? [] : [{ ...call, tool_call: 'start', tool_call_params: after.params }];
      if (previous && previous.params !== after.params) {
        events.push({ ...call, tool_call: 'update', tool_call_params_complete: after.params });
      }
      if (after.response !== undefined && previous?.response !== after.response) {
        events.push({ ...call, tool_call: after.failed ? 'error' : 'end', tool_call_response: after.response });
      }
      return events;
    }
  }
}
