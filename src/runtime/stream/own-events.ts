/**
 * Checks the events of an adapter that the page has registered or set. A wrong event must not cost the events around it, nor keep a
 * message from being shown. Loaded for such an adapter only.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { LLMCoreStreamEvent, StreamEventType } from '../../model/events/core-events.ts';
import { appendArguments } from '../../model/canonical-arguments.ts';
import { isRecord } from '../../model/json.ts';
import { isId } from '../../model/same-id.ts';
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
  const withKnownArguments = rememberArguments();
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
    if (Array.isArray(batch))
      yield (batch as readonly unknown[]).flatMap((event) => checkedEvent(event, tell)).map(withKnownArguments);
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

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are added to a text. An object there would be shown as `[object Object]`. */
const TEXTS = [
  'content',
  'reasoning_content',
  'tool_call_name',
  'tool_call_params',
  'tool_call_params_complete',
  'tool_call_arguments_chunk',
  'tool_call_arguments_complete',
] as const satisfies readonly (keyof LLMAgentEventData | keyof LLMCoreStreamEvent)[];

/** The fields without objects in place of texts. What is added to arguments must be a text: a number would end the reply. */
function withTexts(fields: Fields, tell: Report): Fields {
  const isWrong = (name: string, value: unknown): boolean => {
    if (name === 'tool_call_arguments_chunk' && fields['type'] === 'tool_call_chunk') return typeof value !== 'string';
    if (value === undefined || value === null) return false;
    return typeof value === 'object' || (name.startsWith('tool_call_') && typeof value !== 'string');
  };
  const wrong: readonly string[] = TEXTS.filter((name) => isWrong(name, fields[name]));
  if (wrong.length === 0) return fields;
  for (const name of wrong) tell(`a "${name}" that is not a text`);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.includes(name)));
}

/** The data without a response that has no content. */
function withValidResponse(data: Fields, tell: Report): Fields {
  const { agent_response: response, ...others } = data;
  if (response === undefined || response === null || (isRecord(response) && isRecord(response['content']))) return data;
  tell('an "agent_response" without content');
  return others;
}

function checkedEvent(event: unknown, tell: Report): readonly AdapterEvent[] {
  if (!isRecord(event)) {
    tell('a value that is not an event');
    return [];
  }
  const { type, data } = event;
  if (!Object.hasOwn(event, 'data')) {
    if (isTypeIn(CORE_TYPES, type)) {
      const checked = withTexts(event, tell);
      // Nothing is left of a chunk without its text. The end of a call ends it also without its arguments.
      return checked === event || type === 'tool_call_end' ? [checked as unknown as AdapterEvent] : [];
    }
    tell(`an event of an unknown type without "data": ${String(type)}`);
    return [];
  }
  if (!isTypeIn(AGENT_TYPES, type) || !isRecord(data)) {
    tell(`an event of an unknown type, or with "data" that is not an object: ${String(type)}`);
    return [];
  }
  const texts = withValidResponse(withTexts(data, tell), tell);
  const checked = texts === data ? event : { ...event, data: texts };
  return [withValidSuggestions(checked, texts, tell) as unknown as AdapterEvent];
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

interface Call {
  readonly name: string | undefined;
  readonly params: string;
}

/**
 * Adds the arguments of a call to the question for its permission, if the question has none: the user decides about what they see.
 * A question about another tool stays as it is, and so does one about a call that has ended.
 */
function rememberArguments(): (event: AdapterEvent) => AdapterEvent {
  const calls = new Map<unknown, Call>();
  const append = (id: unknown, piece: string): void => {
    const call = calls.get(id);
    if (call) calls.set(id, { ...call, params: appendArguments(call.params, piece) });
  };
  const complete = (id: unknown, params: string | undefined): void => {
    const call = calls.get(id);
    if (call && params !== undefined) calls.set(id, { ...call, params });
  };
  return (event) => {
    if (event.type === 'tool_call_start') calls.set(event.tool_call_id, { name: event.tool_call_name, params: '' });
    if (event.type === 'tool_call_chunk') append(event.tool_call_id, event.tool_call_arguments_chunk);
    if (event.type === 'tool_call_end') complete(event.tool_call_id, event.tool_call_arguments_complete);
    if (event.type !== 'response') return event;
    const { data } = event;
    const { tool_call: state, tool_call_id: id, tool_call_params: piece, tool_call_params_complete: params } = data;
    if (!isId(id) || !state) return event;
    if (state === 'permission-required') {
      const call = calls.get(id);
      const isKnown = call?.params && piece === undefined && params === undefined;
      return isKnown && data.permission_request?.toolName === call.name
        ? { ...event, data: { ...data, tool_call_params_complete: call.params } }
        : event;
    }
    if (state === 'end' || state === 'error') calls.delete(id);
    else if (state === 'start') calls.set(id, { name: data.tool_call_name, params: piece ?? '' });
    else append(id, piece ?? '');
    complete(id, params);
    return event;
  };
}
