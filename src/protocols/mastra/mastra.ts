/**
 * Mastra's agent server (`mastra`): `POST /api/agents/:id/stream` and the endpoints that continue a run.
 * Source: the types of `@mastra/core` 1.71 (`stream/types.d.ts`), the routes of `@mastra/server` 1.68 and their use
 * in `@mastra/client-js` 1.47, read 2026-11-23.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';
import { errorMessage } from '../shared/error-message.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { makeMastraCalls } from './calls.ts';
import { makeMastraNetwork, type NetworkContext } from './networks.ts';
import { approvalEvents, suspensionEvents } from './suspensions.ts';
import { mastraRequest, mastraResume } from './request.ts';
import {
  toMastraCitation,
  toMastraData,
  toMastraMedia,
  EMPTY_PAYLOAD,
  toMastraUsage,
  wire,
  type Chunk,
  type Payload,
} from './wire.ts';

export const mastra: Adapter = {
  id: 'mastra',
  label: 'Mastra',
  kind: 'agent',
  request: mastraRequest,
  resume: mastraResume,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const chunk = fit(wire, json, frame, context.report);
        if (chunk) events.push(...reply.take(chunk, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Handler = (payload: Payload) => readonly Data[];

interface Reply {
  take(chunk: Chunk, frame: Frame): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId, report, turn }: DecodeContext): Reply {
  const last = turn.messages.at(-1);
  const calls = makeMastraCalls(last?.role === 'assistant' ? last : undefined);
  let runId = '';
  let hasAsked = false;
  let finished = false;
  /** The next text starts a new block. */
  let startsNewText = false;
  let hasText = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const markAsked = (events: readonly Data[]): readonly Data[] => {
    hasAsked = true;
    return events;
  };
  const finish = (reason: ReplyEnd): readonly LLMAgentEvent[] => {
    if (finished) return [];
    finished = true;
    return [response(endData(reason))];
  };
  const fail = (error: string, code?: string): readonly LLMAgentEvent[] =>
    finished ? [] : [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, ...finish('error')];

  const handlers: Readonly<Record<string, Handler>> = {
    ...calls.handlers,
    'text-start': () => {
      startsNewText = hasText;
      return [];
    },
    'text-delta': ({ text }) => {
      if (!text) return [];
      const data = { content: text, ...(startsNewText && { content_begins: true }) };
      startsNewText = false;
      hasText = true;
      return [data];
    },
    'reasoning-delta': ({ text }) => (text ? [{ reasoning_content: text }] : []),
    'redacted-reasoning': () => [{ reasoning_hidden: true }],
    source: (source) => [{ citation: toMastraCitation(source) }],
    file: toMastraMedia,
    'tool-call-approval': (call) => markAsked(approvalEvents(call, runId)),
    'tool-call-suspended': (call) => markAsked(suspensionEvents(call, runId)),
  };
  const ends: Readonly<Record<string, (payload: Payload) => readonly LLMAgentEvent[]>> = {
    finish({ stepResult, output }) {
      const usage = toMastraUsage(isRecord(output) ? output['usage'] : undefined);
      const reason = stepResult?.reason ?? '';
      const isWaiting = hasAsked || calls.isOpen();
      return [
        ...(usage && !finished ? [response({ totalUsage: usage })] : []),
        ...finish(reason === 'tripwire' ? 'filtered' : (replyEnd(reason) ?? (isWaiting ? 'tool_use' : 'complete'))),
      ];
    },
    error: ({ error }) => fail(errorMessage(error) ?? 'The agent reported an error.'),
    // A server guardrail. If it requests a retry, the agent continues.
    tripwire: ({ reason, retry }) => (retry ? [] : fail(reason ?? 'A guardrail stopped the answer.', 'tripwire')),
    abort: () => [...finish('cancelled'), { type: 'end', data: { eventId, userStop: true } }],
    'tool-output': ({ toolCallId, toolName, output }) =>
      nestedEvents(toolCallId ?? '', toolName, output).map((data) => response(data)),
  };
  /** The output of an agent that was called as a tool is shown inside that call. */
  const nestedEvents = (id: string, name: string | null | undefined, output: unknown): readonly Data[] => {
    const inner = wire.safeParse(output);
    if (!inner.success || !NESTED.test(inner.data.type)) return [];
    const parent = { tool_call_id: id, ...(name && { name: name.replace(/^agent-/, '') }) };
    const { type, payload } = inner.data;
    const before = { spoke: hasText, begins: startsNewText };
    const events = handlers[type]?.(payload ?? EMPTY_PAYLOAD) ?? [];
    ({ spoke: hasText, begins: startsNewText } = before);
    return events.map((data) => ({ ...data, parent }));
  };
  const network = makeMastraNetwork();
  const networkContext = (): NetworkContext => ({
    runId,
    hasText: () => hasText,
    askUser: markAsked,
    text: (text) => handlers['text-delta']?.({ ...EMPTY_PAYLOAD, text }) ?? [],
    nested: nestedEvents,
  });
  /** The events of a network's chunk, which may end the reply. */
  const networkEvents = (data: readonly Data[]): readonly LLMAgentEvent[] =>
    data.flatMap(({ finish: reason, ...rest }): readonly LLMAgentEvent[] =>
      reason === undefined
        ? [response(rest)]
        : reason === 'cancelled'
          ? (ends['abort']?.(EMPTY_PAYLOAD) ?? [])
          : finish(reason),
    );
  const runMetadata = (chunk: Chunk): readonly LLMAgentEvent[] => {
    if (!chunk.runId || runId) return [];
    ({ runId } = chunk);
    return [response({ metadata: { runId } })];
  };

  return {
    take(chunk, frame) {
      const { type } = chunk;
      const metadata = runMetadata(chunk);
      const payload = chunk.payload ?? EMPTY_PAYLOAD;
      if (Object.hasOwn(ends, type)) return [...metadata, ...(ends[type]?.(payload) ?? [])];
      if (Object.hasOwn(handlers, type)) return [...metadata, ...(handlers[type]?.(payload) ?? []).map(response)];
      if (/^data-./.test(type)) return [...metadata, response(toMastraData(chunk))];
      const ofNetwork = network(chunk, payload, networkContext());
      if (ofNetwork) return [...metadata, ...networkEvents(ofNetwork)];
      if (!IGNORED.test(type)) report({ kind: 'unknown', detail: `The chunk "${type}" is unknown.`, frame });
      return metadata;
    },
    // The stream of a run that waits for an answer ends without an end event.
    end: () => (hasAsked ? finish('tool_use') : []),
  };
}

/** The events of a called agent that are displayed. */
const NESTED =
  /^(?:text-(?:start|delta)|reasoning-delta|tool-call(?:-delta|-input-streaming-start)?|tool-(?:result|error))$/;
/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:(?:step-)?start|(?:step|text|reasoning)-(?:finish|end)|reasoning-(?:start|signature|file)|response-metadata|tool-call-input-streaming-end|raw|object(?:-result)?|step-output|watch|custom|is-task-complete|goal|background-task-.+)$/;
