/**
 * Checks the events of an adapter that the page has registered or set. A wrong event must not cost the events around it, nor keep a
 * message from being shown. Loaded for such an adapter only.
 */
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import type { StreamEventType } from '../../model/core-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../../protocols/core/adapter.ts';
import type { FrameStream } from '../../transport/frame.ts';

type Report = (detail: string) => void;

/** The events without those that the widget can't apply, each kind of which is reported once. */
export async function* ownEvents(
  adapter: Adapter,
  frames: FrameStream['batches'],
  context: DecodeContext,
): AsyncGenerator<readonly AdapterEvent[]> {
  const reported = new Set<string>();
  const tell: Report = (detail) => {
    if (reported.has(detail)) return;
    reported.add(detail);
    context.report({
      kind: 'malformed',
      detail: `The adapter "${adapter.id}" has yielded ${detail}.`,
      frame: { data: '' },
    });
  };
  for await (const batch of adapter.decode(frames, context) as AsyncIterable<unknown>) {
    if (Array.isArray(batch)) yield (batch as readonly unknown[]).flatMap((event) => checkedEvent(event, tell));
    else tell('a value that is not a list of events');
  }
}

const AGENT_TYPES: Readonly<Record<LLMAgentEvent['type'], true>> = { response: true, error: true, end: true };
const CORE_TYPES: Readonly<Record<StreamEventType, true>> = {
  text: true,
  reasoning: true,
  tool_call_start: true,
  tool_call_chunk: true,
  tool_call_end: true,
  error: true,
  usage: true,
  stop: true,
  image_data: true,
  rate_limit: true,
};
const isTypeIn = (types: object, type: unknown): boolean => typeof type === 'string' && Object.hasOwn(types, type);

function checkedEvent(event: unknown, tell: Report): readonly AdapterEvent[] {
  if (!isRecord(event)) {
    tell('a value that is not an event');
    return [];
  }
  const { type, data } = event;
  if (!Object.hasOwn(event, 'data')) {
    if (isTypeIn(CORE_TYPES, type)) return [event as unknown as AdapterEvent];
    tell(`an event of an unknown type without "data": ${String(type)}`);
    return [];
  }
  if (!isTypeIn(AGENT_TYPES, type) || !isRecord(data)) {
    tell(`an event of an unknown type, or with "data" that is not an object: ${String(type)}`);
    return [];
  }
  return [withValidSuggestions(event, data, tell) as unknown as AdapterEvent];
}

/** An event without a value as suggestions is one without suggestions. */
function withValidSuggestions(event: object, data: Readonly<Record<string, unknown>>, tell: Report): object {
  const { suggestions, ...others } = data;
  if (suggestions === undefined || suggestions === null) return event;
  const list: readonly unknown[] = Array.isArray(suggestions) ? suggestions : [];
  const valid = list.filter(isSuggestion);
  if (Array.isArray(suggestions) && valid.length === list.length) return event;
  tell('suggestions that are not a list of objects with the texts "label" and "prompt"');
  return { ...event, data: { ...others, ...(valid.length > 0 && { suggestions: valid }) } };
}

const isSuggestion = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['label'] === 'string' &&
  typeof value['prompt'] === 'string' &&
  isText(value['description']) &&
  isText(value['icon']);

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
