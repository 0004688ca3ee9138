/** A protocol described as data: which frames say what. For servers whose stream nobody else speaks. */
import { ChatError } from '../errors.ts';
import type { LLMAgentEventData } from '../model/agent-events.ts';
import { finishReason } from '../model/message.ts';
import { z } from '../model/schema.ts';
import { textOf } from '../model/text-of.ts';
import { parsePath } from './shared/field-path.ts';
import { sentHistory } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { readJsonFrames } from './shared/read-frames.ts';
import { systemText } from './shared/system-text.ts';
import type { Adapter, AdapterEvent, Signs } from './adapter.ts';

const optional = z.exactOptional;
/** A path into the frame's JSON, such as `data.items[0].text`; `@event` is the frame's own event name. */
const path = z
  .string()
  .check(z.refine((value) => typeof parsePath(value) !== 'string', { error: 'This is not a path.' }));

const rule = z.strictObject({
  /** All of these fields have these values; without it the rule is for every frame. */
  when: optional(z.record(path, z.union([z.string(), z.number(), z.boolean()]))),
  text: optional(path),
  reasoning: optional(path),
  /** A call of a tool; `arguments` may come in pieces, in frames of the same `id`. */
  tool: optional(z.strictObject({ id: optional(path), name: optional(path), arguments: optional(path) })),
  /** What a tool has answered. */
  result: optional(z.strictObject({ id: optional(path), content: optional(path), error: optional(path) })),
  citation: optional(
    z.strictObject({ id: optional(path), url: optional(path), title: optional(path), quote: optional(path) }),
  ),
  data: optional(path),
  phase: optional(path),
  /** Facts to keep, by the name under which the next request can send them back as `{kept.name}`. */
  keep: optional(z.record(z.string(), path)),
  error: optional(path),
  finish: optional(finishReason),
});

const mapping = z.strictObject({
  id: z.string(),
  label: optional(z.string()),
  kind: optional(z.enum(['model', 'agent'])),
  framing: optional(z.enum(['sse', 'lines', 'json'])),
  /** Sure as soon as one of the first frames has all of these values; a `null` asks only that the field is there. */
  detect: optional(z.record(path, z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** `{text}`, `{threadId}`, `{messages}`, `{system}`, `{model}` and `{kept.name}` are filled in; one that stands alone keeps its type. */
  request: z.strictObject({
    method: optional(z.enum(['POST', 'PUT', 'GET'])),
    headers: optional(z.record(z.string(), z.string())),
    body: optional(z.record(z.string(), z.unknown())),
  }),
  events: z.array(rule),
});
type Rule = z.infer<typeof rule>;

/** See `docs/guides/own-protocol.md` for an example of every field. */
export type ProtocolMapping = z.infer<typeof mapping>;

/**
 * The adapter that a mapping describes.
 *
 * @throws ChatError of kind `protocol` that names the field which does not fit.
 */
export function mapProtocol(given: unknown): Adapter {
  const result = mapping.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new ChatError('protocol', `This protocol's "${place}" does not fit: ${issue?.message ?? 'unknown'}`, {
      reason: 'bad-protocol',
    });
  }
  const { id, label, kind, framing, detect, request, events } = result.data;
  return {
    id,
    ...(label !== undefined && { label }),
    ...(kind !== undefined && { kind }),
    ...(framing !== undefined && { framing }),
    ...(detect && {
      detect: ({ frames }: Signs) =>
        frames.some((frame) =>
          Object.entries(detect).every(([field, value]) => {
            const found = valueAt(frame.json, frame.event, field);
            return value === null ? found !== undefined : found === value;
          }),
        )
          ? 'sure'
          : 'no',
    }),

    request(turn, { url, headers = {}, model, ...options }) {
      const kept = turn.messages.findLast(({ metadata }) => isRecord(metadata?.[id]))?.metadata?.[id];
      const values: Readonly<Record<string, unknown>> = {
        text: turn.text,
        threadId: turn.threadId,
        messages: sentHistory(turn).map((message) => ({ role: message.role, content: textOf(message) })),
        system: systemText(options),
        model: model ?? '',
        ...(isRecord(kept) && Object.fromEntries(Object.entries(kept).map(([name, value]) => [`kept.${name}`, value]))),
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
      const kept: Record<string, unknown> = {};
      let lastCall: string | undefined;
      const started = new Set<string>();
      const callId = (given: string | undefined): string => {
        lastCall = given ?? lastCall ?? newId();
        return lastCall;
      };
      const tell = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
        type: 'response',
        data: { eventId, ...data },
      });

      function* apply(event: Rule, read: (field: string | undefined) => unknown): Generator<AdapterEvent> {
        const word = (field: string | undefined): string | undefined => toText(read(field));
        const [content, reasoning] = [word(event.text), word(event.reasoning)];
        if (reasoning) yield tell({ reasoning_content: reasoning });
        if (content) yield tell({ content });
        if (event.tool) {
          const [name, params] = [word(event.tool.name), word(event.tool.arguments)];
          const tool_call_id = callId(word(event.tool.id));
          const state = started.has(tool_call_id) ? 'update' : 'start';
          started.add(tool_call_id);
          yield tell({
            tool_call: state,
            tool_call_id,
            ...(name && { tool_call_name: name }),
            ...(params && { tool_call_params: params }),
          });
        }
        if (event.result) {
          const [answer, failure] = [word(event.result.content), word(event.result.error)];
          yield tell({
            tool_call: failure ? 'error' : 'end',
            tool_call_id: callId(word(event.result.id)),
            tool_call_response: failure ?? answer ?? '',
          });
          lastCall = undefined;
        }
        if (event.citation) {
          const { id: source, url, title, quote } = event.citation;
          const [link, name, words] = [word(url), word(title), word(quote)];
          const own = word(source) ?? link ?? name;
          if (own !== undefined) {
            yield tell({
              citation: {
                id: own,
                ...(link !== undefined && { url: link }),
                ...(name !== undefined && { title: name }),
                ...(words !== undefined && { quote: words }),
              },
            });
          }
        }
        const payload = read(event.data);
        if (payload !== undefined) yield tell({ data: { data_type: 'custom', data: payload } });
        const phase = word(event.phase);
        if (phase) yield tell({ phase: { name: phase } });
        for (const [name, field] of Object.entries(event.keep ?? {})) {
          const value = read(field);
          if (value === undefined) continue;
          kept[name] = value;
          yield tell({ metadata: { [id]: { ...kept } } });
        }
        const error = word(event.error);
        if (error) yield { type: 'error', data: { eventId, error } };
        if (event.finish) yield tell({ finish: event.finish });
        else if (error) yield tell({ finish: 'error' });
      }

      for await (const batch of batches) {
        const told: AdapterEvent[] = [];
        for (const { json, frame } of readJsonFrames(batch, report)) {
          const read = (field: string | undefined): unknown =>
            field === undefined ? undefined : valueAt(json, frame.event, field);
          const fitting = events.filter(({ when = {} }) =>
            Object.entries(when).every(([field, value]) => read(field) === value),
          );
          if (fitting.length === 0) report({ kind: 'unknown', detail: 'No rule fits this frame.', frame });
          for (const event of fitting) told.push(...apply(event, read));
        }
        yield told;
      }
    },
  };
}

/** A value of the frame; names that mean something to JavaScript find nothing. */
function valueAt(json: unknown, event: string | undefined, field: string): unknown {
  if (field === '@event') return event;
  const steps = parsePath(field);
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

/** The body with its placeholders filled in. What is not known is left out, or empty within other words. */
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
