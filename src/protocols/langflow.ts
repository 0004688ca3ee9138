/** Langflow's run API (`langflow`), version 1. Source: `other.md`, "Langflow". */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import { z } from '../model/schema.ts';
import { asText } from './shared/as-text.ts';
import { withQuery } from './shared/beside-url.ts';
import { detectLangflow } from './detect/builders.ts';
import { growingMessage, type GrowingMessage } from './shared/growing-message.ts';
import { maybe, maybeNumber, maybeText } from './shared/maybe.ts';
import { isRecord } from '../model/json.ts';
import { fit, readJsonFrames } from './shared/read-frames.ts';
import { systemText } from './shared/system-text.ts';
import { toldBefore } from './shared/told-before.ts';
import type { Part } from './shared/snapshot.ts';
import type { Frame } from '../transport/frame.ts';
import type { Adapter, DecodeContext } from './adapter.ts';

const content = z.looseObject({
  type: maybeText,
  name: maybeText,
  text: maybeText,
  tool_input: z.exactOptional(z.unknown()),
  output: z.exactOptional(z.unknown()),
  error: z.exactOptional(z.unknown()),
  duration: maybeNumber,
});
const message = z.object({
  id: z.string(),
  text: maybeText,
  sender: maybeText,
  sender_name: maybeText,
  session_id: maybeText,
  content_blocks: maybe(z.array(z.object({ title: maybeText, contents: maybe(z.array(content)) }))),
  properties: maybe(z.object({ state: maybeText })),
  error: maybe(z.boolean()),
});
type Message = z.infer<typeof message>;
const payloads = {
  add_message: message,
  token: z.object({ chunk: z.string(), id: z.string() }),
  remove_message: z.object({ id: z.string() }),
  error: z.looseObject({ text: maybeText, error: maybeText, message: maybeText }),
  end: z.object({ result: maybe(z.looseObject({ session_id: maybeText, outputs: maybe(z.array(z.unknown())) })) }),
};
type EventName = keyof typeof payloads;
const wire = z.object({ event: z.string(), data: z.unknown() });

export const langflow: Adapter = {
  id: 'langflow',
  label: 'Langflow',
  kind: 'agent',
  detect: detectLangflow,

  request(turn, { url, headers = {}, ...options }) {
    // A flow has no place for facts of the page: they stand in front of the words.
    const words = [systemText(options), turn.text].filter(Boolean).join('\n\n');
    return {
      url: new URL(url).searchParams.has('stream') ? url : withQuery(url, { stream: 'true' }),
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          input_value: words,
          input_type: 'chat',
          output_type: 'chat',
          session_id: toldBefore(turn.messages, 'sessionId') ?? turn.threadId,
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) events.push(...reply.take(json, frame));
      yield events;
    }
  },
};

function makeReply({ eventId, report }: DecodeContext) {
  const messages = new Map<string, GrowingMessage>();
  /** The reader's own messages, which come back. */
  const echoes = new Set<string>();
  let failed = false;
  let session: string | undefined;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string): readonly LLMAgentEvent[] => {
    // The message that failed and the run's own error say the same.
    if (failed) return [];
    failed = true;
    return [{ type: 'error', data: { eventId, error } }];
  };
  const of = (id: string): GrowingMessage => {
    const known = messages.get(id) ?? growingMessage({ id });
    messages.set(id, known);
    return known;
  };
  const note = (id: string | null | undefined): readonly LLMAgentEvent[] => {
    if (!id || id === session) return [];
    session = id;
    return [response({ metadata: { sessionId: id } })];
  };
  /** A document has the whole text again: it counts where nothing else was said. */
  const tellResult = (result: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] => {
    const text = [...messages.values()].some((known) => known.text() !== '') ? undefined : textIn(result['outputs']);
    const id = result['session_id'];
    return [
      ...(typeof id === 'string' ? note(id) : []),
      ...(text ? [response({ content: text })] : []),
      response({ finish: failed ? 'error' : 'complete' }),
    ];
  };

  const handlers: {
    readonly [Name in EventName]: (data: z.infer<(typeof payloads)[Name]>) => readonly LLMAgentEvent[];
  } = {
    add_message: (data) => {
      if (data.sender === 'User') {
        echoes.add(data.id);
        return note(data.session_id);
      }
      if (data.error) return fail(data.text ?? UNNAMED);
      const growing = of(data.id);
      const text = data.text ?? '';
      const calls = partsOf(data).flatMap((part) => growing.put(part));
      // A partial message may be behind its own tokens.
      const old = data.properties?.state === 'partial' && growing.text().startsWith(text);
      return [...calls, ...(old ? [] : growing.rewrite(text ? [{ kind: 'text', text }] : []))]
        .map(response)
        .concat(note(data.session_id));
    },
    token: ({ id, chunk }) => (echoes.has(id) ? [] : of(id).say('text', chunk).map(response)),
    remove_message: ({ id }) => messages.get(id)?.rewrite([]).map(response) ?? [],
    error: ({ text, error, message: words }) => fail(text || error || words || UNNAMED),
    end: ({ result }) => tellResult(result ?? {}),
  };

  return {
    take(json: unknown, frame: Frame): readonly LLMAgentEvent[] {
      // A flow that was not streamed answers with its result.
      if (isRecord(json) && json['event'] === undefined && Array.isArray(json['outputs'])) return tellResult(json);
      if (isRecord(json) && json['event'] === undefined && json['detail'] !== undefined) {
        return [...fail(typeof json['detail'] === 'string' ? json['detail'] : JSON.stringify(json['detail']))];
      }
      const event = fit(wire, json, frame, report);
      if (!event || PROGRESS.has(event.event)) return [];
      const { event: name } = event;
      if (!isEventName(name)) {
        report({ kind: 'unknown', detail: `The event "${name}" is new.`, frame });
        return [];
      }
      const data = fit(payloads[name], event.data ?? {}, frame, report);
      return data === undefined ? [] : handlers[name](data as never);
    },
  };
}

const UNNAMED = 'The flow reports an error.';
const PROGRESS = new Set(['vertices_sorted', 'build_start', 'build_end', 'end_vertex']);
const isEventName = (name: string): name is EventName => Object.hasOwn(payloads, name);

/** The calls of an agent's steps. They have no ids: they only grow in number, so their place is one. */
function partsOf({ id, content_blocks }: Message): readonly Extract<Part, { kind: 'tool' }>[] {
  const contents = (content_blocks ?? []).flatMap(({ contents: list }) => list ?? []);
  return contents
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, tool_input, output, error }, index) => {
      const failed = error !== undefined && error !== null && error !== '';
      const result = failed ? error : output;
      const response = result === undefined || result === null ? undefined : asText(result);
      return {
        kind: 'tool',
        id: `${id}:${String(index)}`,
        name: name ?? '',
        params: asText(tool_input ?? {}),
        ...(response !== undefined && { response, failed }),
      };
    });
}

/** The first message's text in a result, which nests it deeply: `outputs[0].outputs[0].results.message.text`. */
function textIn(value: unknown, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item) => textIn(item, depth + 1)).find((text) => text !== undefined);
  }
  if (!isRecord(value)) return undefined;
  const own = value['text'];
  if (typeof own === 'string' && own) return own;
  return ['outputs', 'results', 'message', 'data']
    .map((name) => (typeof value[name] === 'string' ? value[name] : textIn(value[name], depth + 1)))
    .find((text) => text !== undefined && text !== '');
}
