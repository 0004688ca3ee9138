/**
 * Langflow's run API (`langflow`), version 1. Source: `docs/protocols/langflow.md`; Langflow API reference, "Flow trigger
 * endpoints".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { contentEvents, mediaEvents } from './contents.ts';
import { asText } from '../shared/as-text.ts';
import { withQuery } from '../shared/request-urls.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { lenient, lenientNumber, lenientString, lenientText, textValue } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { systemText } from '../shared/system-text.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import type { Part } from '../shared/snapshot.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';

const content = z.looseObject({
  type: lenientString,
  name: lenientString,
  text: lenientString,
  tool_input: z.exactOptional(z.unknown()),
  output: z.exactOptional(z.unknown()),
  error: z.exactOptional(z.unknown()),
  reason: lenientString,
  duration: lenientNumber,
});
const message = z.object({
  id: z.string(),
  text: lenientText,
  sender: lenientString,
  sender_name: lenientString,
  session_id: lenientString,
  content_blocks: lenient(z.array(z.object({ title: lenientString, contents: lenient(z.array(content)) }))),
  files: lenient(z.array(z.unknown())),
  properties: lenient(z.object({ state: lenientString })),
  error: lenient(z.boolean()),
});
type Message = z.infer<typeof message>;
type Data = Omit<LLMAgentEventData, 'eventId'>;
const payloads = {
  add_message: message,
  token: z.object({ chunk: textValue, id: z.string() }),
  remove_message: z.object({ id: z.string() }),
  error: z.looseObject({ text: lenientString, error: lenientString, message: lenientString }),
  end: z.object({
    result: lenient(z.looseObject({ session_id: lenientString, outputs: lenient(z.array(z.unknown())) })),
  }),
};
type EventName = keyof typeof payloads;
const wire = z.object({ event: z.string(), data: z.unknown() });

export const adapter: Adapter = {
  id: 'langflow',
  label: 'Langflow',
  kind: 'agent',
  accepts: 'text',

  request(turn, { url, headers = {}, ...options }) {
    // A flow has no fields for the page's system prompt and context, so they are placed before the text.
    const input = [systemText(options), turn.text].filter(Boolean).join('\n\n');
    return {
      url: new URL(url).searchParams.has('stream') ? url : withQuery(url, { stream: 'true' }),
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          input_value: input,
          input_type: 'chat',
          output_type: 'chat',
          session_id: newestMetadata(turn.messages, 'sessionId') ?? turn.threadId,
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new LangflowReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) events.push(...reply.take(json, frame));
      yield events;
    }
  },
};

/** The state of one reply, and what each event of it does. */
class LangflowReply {
  readonly #context: DecodeContext;
  readonly #messages = new Map<string, IncrementalMessage>();
  /** Ids of the user's own messages, which the server echoes. */
  readonly #echoes = new Set<string>();
  /** The contents that are shown, as JSON by the id of their block. */
  readonly #shownContents = new Map<string, string>();
  #hasFailed = false;
  #session: string | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(json: unknown, frame: Frame): readonly LLMAgentEvent[] {
    if (isRecord(json) && json['event'] === undefined) {
      const { outputs, detail } = json;
      // A flow without streaming returns its result.
      if (Array.isArray(outputs)) return this.takeResult(json);
      if (detail !== undefined) return this.fail(asText(detail) || undefined);
    }
    const { report } = this.#context;
    const event = fit(wire, json, frame, report);
    if (!event || IGNORED.has(event.event)) return [];
    const { event: name } = event;
    if (!isEventName(name)) {
      report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
      return [];
    }
    const data = fit(payloads[name], event.data ?? {}, frame, report);
    return data === undefined ? [] : HANDLERS[name](this, data as never);
  }

  addMessage(data: Message): readonly LLMAgentEvent[] {
    if (data.sender === 'User') {
      this.#echoes.add(data.id);
      return this.#setSession(data.session_id);
    }
    const reason = contentsOf(data).find(({ type }) => type === 'error')?.reason;
    if (data.error) return this.fail(data.text || reason);
    const incremental = this.#messageOf(data.id);
    const text = data.text ?? '';
    const calls = partsOf(data).flatMap((part) => incremental.put(part));
    // A partial message may be older than the tokens already received.
    const isOutdated = data.properties?.state === 'partial' && incremental.text().startsWith(text);
    const texts = isOutdated ? [] : incremental.rewrite(text ? [{ kind: 'text', text }] : []);
    const isReplaced = texts.some((item) => item.message?.replace);
    const others = this.#showContents(data, isReplaced);
    return [...calls, ...(isReplaced ? [...texts, ...others] : [...others, ...texts])]
      .map((item) => this.#response(item))
      .concat(reason ? this.fail(reason) : [], this.#setSession(data.session_id));
  }

  /** The contents that are new or have changed; all of them after the message was replaced. */
  #showContents(data: Message, isReplaced: boolean): readonly Data[] {
    const events = [
      ...contentsOf(data).flatMap((item, index) => contentEvents(`${data.id}/${String(index)}`, item)),
      ...mediaEvents(`${data.id}/file`, data.files ?? []),
    ];
    return events.flatMap((event) => {
      const id = event.data_id ?? event.agent_response?.id ?? '';
      const json = JSON.stringify(event);
      if (!isReplaced && this.#shownContents.get(id) === json) return [];
      this.#shownContents.set(id, json);
      return [{ message: { id: data.id }, ...event }];
    });
  }

  addToken(id: string, token: string): readonly LLMAgentEvent[] {
    if (this.#echoes.has(id)) return [];
    return this.#messageOf(id)
      .append('text', token)
      .map((item) => this.#response(item));
  }

  removeMessage(id: string): readonly LLMAgentEvent[] {
    return (this.#messages.get(id)?.rewrite([]) ?? []).map((item) => this.#response(item));
  }

  /** Emits only the first error: a failed message and the error of the run report the same problem. */
  fail(error: string | null | undefined): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    return [{ type: 'error', data: { eventId: this.#context.eventId, error: error ?? DEFAULT_ERROR } }];
  }

  /** A complete result, whose text counts only if no message had any. */
  takeResult({ session_id: id, outputs }: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] {
    const hasText = [...this.#messages.values()].some((incremental) => incremental.text() !== '');
    const text = hasText ? undefined : textIn(outputs);
    return [
      ...(typeof id === 'string' ? this.#setSession(id) : []),
      ...(text ? [this.#response({ content: text })] : []),
      this.#response({ finish: this.#hasFailed ? 'error' : 'complete' }),
    ];
  }

  #messageOf(id: string): IncrementalMessage {
    const known = this.#messages.get(id) ?? makeIncrementalMessage({ id });
    this.#messages.set(id, known);
    return known;
  }

  #setSession(id: string | null | undefined): readonly LLMAgentEvent[] {
    if (!id || id === this.#session) return [];
    this.#session = id;
    return [this.#response({ metadata: { sessionId: id } })];
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

/** What each event does. */
const HANDLERS: {
  readonly [Name in EventName]: (
    reply: LangflowReply,
    data: z.infer<(typeof payloads)[Name]>,
  ) => readonly LLMAgentEvent[];
} = {
  add_message: (reply, data) => reply.addMessage(data),
  token: (reply, { id, chunk }) => reply.addToken(id, chunk),
  remove_message: (reply, { id }) => reply.removeMessage(id),
  error: (reply, { text, error, message: details }) => reply.fail(text || error || details || undefined),
  end: (reply, { result }) => reply.takeResult(result ?? {}),
};

const DEFAULT_ERROR = 'The flow reports an error.';
const IGNORED = new Set(['vertices_sorted', 'build_start', 'build_end', 'end_vertex']);
const isEventName = (name: string): name is EventName => Object.hasOwn(payloads, name);

const contentsOf = ({ content_blocks }: Message) => (content_blocks ?? []).flatMap(({ contents }) => contents ?? []);

/** The tool calls in an agent's steps. They have no ids, but their number only increases, so the position serves as id. */
function partsOf(data: Message): readonly Extract<Part, { kind: 'tool' }>[] {
  return contentsOf(data)
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, tool_input, output, error }, index) => {
      const failed = error !== undefined && error !== null && error !== '';
      const result = failed ? error : output;
      const response = result === undefined || result === null ? undefined : asText(result);
      return {
        kind: 'tool',
        id: `${data.id}:${String(index)}`,
        name: name ?? '',
        params: asText(tool_input ?? {}),
        ...(response !== undefined && { response, failed }),
      };
    });
}

/** The text of the first message in a result, which is nested: `outputs[0].outputs[0].results.message.text`. */
function textIn(value: unknown, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item) => textIn(item, depth + 1)).find((text) => text !== undefined);
  }
  if (!isRecord(value)) return undefined;
  const text = value['text'];
  if (typeof text === 'string' && text) return text;
  return ['outputs', 'results', 'message', 'data']
    .map((name) => (typeof value[name] === 'string' ? value[name] : textIn(value[name], depth + 1)))
    .find((text) => text !== undefined && text !== '');
}
