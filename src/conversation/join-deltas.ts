import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';

/** Events that follow one another, and the one event that does to a run what they all do. */
export interface Joined {
  readonly event: LLMAgentEvent;
  readonly of: readonly LLMAgentEvent[];
}

/**
 * The events in their order, those joined that only go on with the words of the one before. A run changes once for all of them:
 * a new message, a new list of blocks and a new text for every few letters would cost more than to read the letters.
 */
export function joinDeltas(events: readonly LLMAgentEvent[]): readonly Joined[] {
  const joined: Joined[] = [];
  for (let start = 0; start < events.length;) {
    const end = endOfDeltas(events, start);
    const of = events.slice(start, end);
    const [event] = of;
    if (event) joined.push({ event: of.length > 1 ? join(event, of) : event, of });
    start = end;
  }
  return joined;
}

/** The field that grows. */
type Growing = 'content' | 'reasoning_content' | 'tool_call_params';

/** Behind the last event that goes on with the words of the one at `start`. */
function endOfDeltas(events: readonly LLMAgentEvent[], start: number): number {
  const first = events[start];
  const field = first && growingOf(first);
  let end = start + 1;
  if (!field || first.type !== 'response') return end;
  for (let next = events[end]; next?.type === 'response'; next = events[++end]) {
    if (growingOf(next) !== field || !isSameText(first.data, next.data)) break;
  }
  return end;
}

/** The one field that grows, of an event that says nothing else. */
function growingOf({ type, data }: LLMAgentEvent): Growing | undefined {
  if (type !== 'response') return undefined;
  let field: Growing | undefined;
  let call = false;
  for (const name in data) {
    switch (name) {
      case 'content':
      case 'reasoning_content':
      case 'tool_call_params':
        if (field) return undefined;
        field = name;
        break;
      case 'tool_call':
        if (data.tool_call !== 'update') return undefined;
        call = true;
        break;
      case 'eventId':
      case 'parent':
      case 'format':
      case 'stage':
      case 'tool_call_id':
        break;
      default:
        return undefined;
    }
  }
  return call === (field === 'tool_call_params') ? field : undefined;
}

const isSameText = (first: LLMAgentEventData, next: LLMAgentEventData): boolean =>
  first.format === next.format &&
  first.stage === next.stage &&
  first.tool_call_id === next.tool_call_id &&
  first.parent?.tool_call_id === next.parent?.tool_call_id;

function join(first: LLMAgentEvent, events: readonly LLMAgentEvent[]): LLMAgentEvent {
  const field = growingOf(first);
  if (!field || first.type !== 'response') return first;
  // One string at once: a text that is put together piece by piece is kept in all its pieces until somebody reads it.
  const words = events.map((event) => (event.type === 'response' ? (event.data[field] ?? '') : '')).join('');
  return { type: 'response', data: { ...first.data, [field]: words } };
}
