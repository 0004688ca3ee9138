import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';

export interface MergedEvent {
  /** Has the same effect on a run as all originals together. */
  readonly event: LLMAgentEvent;
  /** The consecutive events that were merged. */
  readonly originals: readonly LLMAgentEvent[];
}

/**
 * Merges consecutive text deltas into one event; all other events stay as they are. The run is then reduced once per
 * batch: creating a new message, block list and text for every few letters would cost more than decoding them. The block
 * that a text belongs to is decided in `field-reducers.ts`.
 */
export function mergeDeltas(events: readonly LLMAgentEvent[]): readonly MergedEvent[] {
  const merged: MergedEvent[] = [];
  for (let start = 0; start < events.length;) {
    const end = endOfDeltas(events, start);
    const originals = events.slice(start, end);
    const [event] = originals;
    if (event) merged.push({ event: originals.length > 1 ? join(event, originals) : event, originals });
    start = end;
  }
  return merged;
}

/** The field that deltas append to. */
type DeltaField = 'content' | 'reasoning_content' | 'tool_call_params';

/** Returns the index after the last event that continues the text of the event at `start`. */
function endOfDeltas(events: readonly LLMAgentEvent[], start: number): number {
  const first = events[start];
  const field = first && deltaFieldOf(first);
  let end = start + 1;
  if (!field || first.type !== 'response') return end;
  for (let next = events[end]; next?.type === 'response'; next = events[++end]) {
    if (deltaFieldOf(next) !== field || !isSameText(first.data, next.data)) break;
  }
  return end;
}

/** Returns the only text field of an event that has no other data. */
function deltaFieldOf({ type, data }: LLMAgentEvent): DeltaField | undefined {
  if (type !== 'response') return undefined;
  let field: DeltaField | undefined;
  let isCallUpdate = false;
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
        isCallUpdate = true;
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
  return isCallUpdate === (field === 'tool_call_params') ? field : undefined;
}

/** Consecutive events without an id belong together, so two absent ids are equal here. */
const isSameText = (first: LLMAgentEventData, next: LLMAgentEventData): boolean =>
  first.format === next.format &&
  first.stage === next.stage &&
  (first.tool_call_id ?? '') === (next.tool_call_id ?? '') &&
  (first.parent?.tool_call_id ?? '') === (next.parent?.tool_call_id ?? '');

function join(first: LLMAgentEvent, events: readonly LLMAgentEvent[]): LLMAgentEvent {
  const field = deltaFieldOf(first);
  if (!field || first.type !== 'response') return first;
  // `join` makes one flat string: engines keep a string built by repeated `+` as a tree of its parts until it is read.
  const text = events.map((event) => (event.type === 'response' ? (event.data[field] ?? '') : '')).join('');
  return { type: 'response', data: { ...first.data, [field]: text } };
}
