/**
 * A protocol described as data: rules that map frames to events. For servers whose stream format is unique to them.
 */
import { ChatError } from '../errors.ts';
import type { LLMAgentEventData } from '../model/agent-events.ts';
import { finishReason } from '../model/message.ts';
import { z } from '../model/schema.ts';
import { parseFieldPath } from './shared/field-path.ts';
import { readThinkTags } from './shared/think-tags.ts';
import { sentTextMessages } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { readJsonFrames } from './core/read-frames.ts';
import { systemText } from './shared/system-text.ts';
import type { Adapter, AdapterEvent, Signs } from './core/adapter.ts';

const optional = z.exactOptional;
/**
 * A path into the frame's JSON, such as `data.items[0].text`. `@event` is the SSE event name, `@data` the data of a
 * frame that is a JSON string.
 */
const path = z
  .string()
  .check(z.refine((value) => typeof parseFieldPath(value) !== 'string', { error: 'This is not a path.' }));

const rule = z.strictObject({
  /**
   * The rule applies to frames in which all of these fields have these values; `null` requires only that the field
   * exists. Without `when` the rule applies to every frame.
   */
  when: optional(z.record(path, z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  text: optional(path),
  /** The accumulated text, for servers that send the complete text with each frame. */
  textSoFar: optional(path),
  reasoning: optional(path),
  /** A tool call. `arguments` may arrive in parts, in frames with the same `id`. */
  tool: optional(z.strictObject({ id: optional(path), name: optional(path), arguments: optional(path) })),
  /** The result of a tool call. */
  result: optional(z.strictObject({ id: optional(path), content: optional(path), error: optional(path) })),
  citation: optional(
    z.strictObject({ id: optional(path), url: optional(path), title: optional(path), quote: optional(path) }),
  ),
  data: optional(path),
  phase: optional(path),
  /** Values to store, by name. The next request can send them back as `{kept.name}`. */
  keep: optional(z.record(z.string(), path)),
  error: optional(path),
  finish: optional(finishReason),
});

const mapping = z.strictObject({
  id: z.string(),
  label: optional(z.string()),
  kind: optional(z.enum(['model', 'agent'])),
  framing: optional(z.enum(['sse', 'lines', 'json'])),
  /**
   * The protocol is detected when one of the first frames has all of these values; `null` requires only that the
   * field exists.
   */
  detect: optional(z.record(path, z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /**
   * The placeholders `{text}`, `{threadId}`, `{messages}`, `{system}`, `{model}` and `{kept.name}` are replaced. A
   * string that is only a placeholder is replaced by the value with its type.
   */
  request: z.strictObject({
    method: optional(z.enum(['POST', 'PUT', 'GET'])),
    headers: optional(z.record(z.string(), z.string())),
    body: optional(z.record(z.string(), z.unknown())),
  }),
  events: z.array(rule),
  /** What completes a reply that has no `finish`: the end of the stream, or only the mark `[DONE]` (default). */
  end: optional(z.enum(['done', 'stream'])),
});
type Rule = z.infer<typeof rule>;

/** A protocol described as data. See `docs/guides/own-protocol.md` for an example of every field. */
export type ProtocolMapping = z.infer<typeof mapping>;

/**
 * Creates the adapter that a mapping describes.
 *
 * @throws ChatError of kind `protocol` that names the invalid field.
 */
export function mapProtocol(definition: unknown): Adapter {
  const result = mapping.safeParse(definition);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new ChatError('protocol', `This protocol's "${field}" is invalid: ${issue?.message ?? 'unknown'}`, {
      reason: 'bad-protocol',
    });
  }
  const { id, label, kind, framing, detect, request, events, end } = result.data;
  return {
    id,
    ...(label !== undefined && { label }),
    ...(kind !== undefined && { kind }),
    ...(framing !== undefined && { framing }),
    ...(detect && {
      detect: ({ frames }: Signs) =>
        frames.some((frame) =>
          Object.entries(detect).every(([field, value]) => matches(valueAt(frame.json, frame.event, field), value)),
        )
          ? 'sure'
          : 'no',
    }),

    request(turn, { url, headers = {}, model, ...options }) {
      const stored = turn.messages.findLast(({ metadata }) => isRecord(metadata?.[id]))?.metadata?.[id];
      const values: Readonly<Record<string, unknown>> = {
        text: turn.text,
        threadId: turn.threadId,
        messages: sentTextMessages(turn).map(({ role, content }) => ({ role, content })),
        system: systemText(options),
        model: model ?? '',
        ...(isRecord(stored) &&
          Object.fromEntries(Object.entries(stored).map(([name, value]) => [`kept.${name}`, value]))),
      };
      return {
        url,
        init: {
          method: request.method ?? 'POST',
          headers: { accept: 'text/event-stream, application/x-ndjson', ...request.headers, ...headers },
          ...(request.body && { body: fill(request.body, values) as Record<string, unknown> }),
        },
      };
    },

    async *decode(batches, { eventId, report, newId }) {
      const state = { begun: false, failed: false, finished: false };
      const stored: Record<string, unknown> = {};
      let textSoFar = '';
      let lastCall: string | undefined;
      const started = new Set<string>();
      const callId = (id: string | undefined): string => {
        lastCall = id ?? lastCall ?? newId();
        return lastCall;
      };
      const emit = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
        type: 'response',
        data: { eventId, ...data },
      });

      function* apply(event: Rule, read: (field: string | undefined) => unknown): Generator<AdapterEvent> {
        const textAt = (field: string | undefined): string | undefined => toText(read(field));
        const [content, reasoning] = [textAt(event.text), textAt(event.reasoning)];
        const soFar = textAt(event.textSoFar) ?? '';
        if (reasoning) yield emit({ reasoning_content: reasoning });
        if (content) yield emit({ content });
        if (soFar.length > textSoFar.length && soFar.startsWith(textSoFar)) {
          yield emit({ content: soFar.slice(textSoFar.length) });
          textSoFar = soFar;
        }
        if (event.tool && hasAny(event.tool, read)) {
          const [name, params] = [textAt(event.tool.name), textAt(event.tool.arguments)];
          const tool_call_id = callId(textAt(event.tool.id));
          const state = started.has(tool_call_id) ? 'update' : 'start';
          started.add(tool_call_id);
          yield emit({
            tool_call: state,
            tool_call_id,
            ...(name && { tool_call_name: name }),
            ...(params && { tool_call_params: params }),
          });
        }
        if (event.result && hasAny(event.result, read)) {
          const [answer, failure] = [textAt(event.result.content), textAt(event.result.error)];
          yield emit({
            tool_call: failure ? 'error' : 'end',
            tool_call_id: callId(textAt(event.result.id)),
            tool_call_response: failure ?? answer ?? '',
          });
          lastCall = undefined;
        }
        if (event.citation) {
          const { id: source, url, title, quote } = event.citation;
          const [link, name, quoteText] = [textAt(url), textAt(title), textAt(quote)];
          const citationId = textAt(source) ?? link ?? name;
          if (citationId !== undefined) {
            yield emit({
              citation: {
                id: citationId,
                ...(link !== undefined && { url: link }),
                ...(name !== undefined && { title: name }),
                ...(quoteText !== undefined && { quote: quoteText }),
              },
            });
          }
        }
        const payload = read(event.data);
        if (payload !== undefined) yield emit({ data: { data_type: 'custom', data: payload } });
        const phase = textAt(event.phase);
        if (phase) yield emit({ phase: { name: phase } });
        for (const [name, field] of Object.entries(event.keep ?? {})) {
          const value = read(field);
          if (value === undefined) continue;
          stored[name] = value;
          yield emit({ metadata: { [id]: { ...stored } } });
        }
        const error = textAt(event.error);
        if (error) yield { type: 'error', data: { eventId, error } };
        state.failed ||= Boolean(error);
        state.finished ||= state.failed || event.finish !== undefined;
        // After an error the reply has failed, whatever the server sends after it.
        if (state.failed) yield emit({ finish: 'error' });
        else if (event.finish) yield emit({ finish: event.finish });
      }

      const tags = readThinkTags(eventId);
      for await (const batch of batches) {
        const emitted: AdapterEvent[] = [];
        for (const { json, frame } of readJsonFrames(batch, report)) {
          const read = (field: string | undefined): unknown =>
            field === undefined ? undefined : valueAt(json, frame.event, field);
          const matching = events.filter(({ when = {} }) =>
            Object.entries(when).every(([field, value]) => matches(read(field), value)),
          );
          if (matching.length === 0) report({ kind: 'unknown', detail: 'No rule fits this frame.', frame });
          for (const event of matching) emitted.push(...apply(event, read));
        }
        state.begun ||= emitted.length > 0;
        yield tags.read(emitted);
      }
      yield tags.end();
      if (end === 'stream' && state.begun && !state.finished) yield [emit({ finish: 'complete' })];
    },
  };
}

const matches = (actual: unknown, expected: string | number | boolean | null): boolean =>
  expected === null ? actual !== undefined : actual === expected;

/** Whether a frame has at least one of the fields that a rule reads. Without any, the frame is not about a tool. */
const hasAny = (
  fields: Readonly<Partial<Record<string, string>>>,
  read: (field: string | undefined) => unknown,
): boolean => Object.values(fields).some((field) => read(field) !== undefined);

/** Reads a value of the frame. Inherited property names such as `constructor` return undefined. */
function valueAt(json: unknown, event: string | undefined, field: string): unknown {
  if (field === '@event') return event;
  if (field === '@data') return typeof json === 'string' ? json : undefined;
  const steps = parseFieldPath(field);
  if (typeof steps === 'string') return undefined;
  let value: unknown = json;
  for (const step of steps) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value ?? undefined;
}

const toText = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

const PLACEHOLDER = /\{([\w.]+)\}/g;

/**
 * Replaces the placeholders in the body. Unknown placeholders are removed, or replaced by an empty string inside
 * other text.
 */
function fill(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const alone = /^\{([\w.]+)\}$/.exec(template)?.[1];
    if (alone !== undefined) return Object.hasOwn(values, alone) ? values[alone] : undefined;
    return template.replace(PLACEHOLDER, (_all, name: string) =>
      Object.hasOwn(values, name) ? (toText(values[name]) ?? '') : '',
    );
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, values)]));
}
