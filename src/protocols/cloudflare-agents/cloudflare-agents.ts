/**
 * Agents on Cloudflare (`AIChatAgent` and Think): a WebSocket whose messages contain AI SDK chunks. Source:
 * `cloudflare/agents` at a0e134b, `packages/agents/src/chat/wire-types.ts`, `resume-handshake.ts`, and
 * `packages/ai-chat/src/index.ts`, read 2026-11-25; `agents` 0.32.0 and `@cloudflare/ai-chat` 0.12.2 (npm), 2026-11-28.
 */
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { adapter as aiSdk } from '../ai-sdk/ai-sdk.ts';
import type { Adapter, AdapterEvent, DecodeContext, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { lenient, lenientString } from '../shared/lenient.ts';
import { currentMetadata } from '../shared/last-metadata.ts';
import { endedMessages, splitReplies } from './reply-messages.ts';

/** The request that a response belongs to: the socket also carries the responses for other pages. */
interface CloudflareState {
  readonly requestId: string;
}

const RESPONSE = 'cf_agent_use_chat_response';
const STATE = 'cf_agent_state';

/** Adapter for Cloudflare's agents. */
export const adapter: Adapter<CloudflareState> = {
  id: 'cloudflare-agents',
  label: 'Cloudflare Agents',
  kind: 'agent',

  async request(turn, options) {
    const requestId = requestIdOf(turn);
    const { init } = await aiSdk.request(turn, options);
    const fields = isRecord(init.body) ? init.body : {};
    const { tools = [] } = options;
    const clientTools = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const body = {
      ...fields,
      messages: splitReplies(fields['messages'], turn),
      tools: undefined,
      ...(clientTools.length > 0 && { clientTools }),
      // The page's `body` is merged here, because it belongs to the inner request.
      ...options.body,
    };
    const message = {
      type: 'cf_agent_use_chat_request',
      id: requestId,
      init: { method: 'POST', body: JSON.stringify(body) },
    };
    return {
      ...socketRequest(options, message),
      // After an edit, the agent must delete its stored messages first. It would keep those that followed the edited message.
      ...(turn.fork?.by === 'edit' && { firstMessages: [JSON.stringify({ type: 'cf_agent_chat_clear' })] }),
      providerState: { requestId },
    };
  },

  // The agent continues after its client has disconnected.
  cancel(turn, options) {
    const id = currentMetadata(turn.messages, 'requestId');
    return id === undefined ? undefined : socketRequest(options, { type: 'cf_agent_chat_request_cancel', id });
  },

  // The server sends the stored chunks from their start, also after the end of the reply.
  resumesRound: true,
  resume(turn, options) {
    const requestId = currentMetadata(turn.messages, 'requestId');
    if (requestId === undefined) return undefined;
    const request = socketRequest(options, { type: 'cf_agent_stream_resume_ack', id: requestId });
    return { request: { ...request, providerState: { requestId } }, from: 'start' };
  },

  async *decode(batches, context) {
    const { eventId, providerState, turn } = context;
    const requestId = providerState?.requestId ?? currentMetadata(turn.messages, 'requestId');
    const response = (data: object): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    const stream: Stream = { requestId, isDone: false, isCancelled: false, isForgotten: false, events: [] };
    const before = endedMessages(turn);
    let isFinished = false;
    yield [
      ...(requestId === undefined ? [] : [response({ metadata: { requestId } })]),
      ...(before.length > 0 ? [response({ metadata: { endedMessages: before } })] : []),
    ];
    const chunks = chunksOf(batches, { stream, response }, context);
    for await (const events of aiSdk.decode(chunks, {
      ...context,
      providerState: undefined,
      hasDoneMark: () => stream.isDone,
    })) {
      isFinished ||= events.some((event) => event.type === 'error' || ('data' in event && 'finish' in event.data));
      yield [...stream.events.splice(0), ...events];
      if (stream.isCancelled && !isFinished) {
        yield [response({ finish: 'cancelled' })];
        return;
      }
    }
    // The end of the envelope is the end of the reply, even if its chunks don't announce it. A replay without chunks is
    // not a reply: the agent has forgotten it.
    if (stream.isDone && !isFinished && !stream.isForgotten) yield [response({ finish: 'complete' })];
  },
};

/** A message of the socket. The `body` of a response is a chunk as JSON, or the text of an error. */
const envelope = z.looseObject({
  type: z.string(),
  id: lenientString,
  body: lenientString,
  done: lenient(z.boolean()),
  error: lenient(z.boolean()),
  outcome: lenientString,
  replay: lenient(z.boolean()),
  state: lenient(z.unknown()),
});

/** The state of the responses to one request. */
interface Stream {
  /** Changes when the agent continues an interrupted reply under a new id. */
  requestId: string | undefined;
  isDone: boolean;
  /** Whether another page has stopped the reply, or has sent a message that replaces this one. */
  isCancelled: boolean;
  /** Whether a replay has ended without chunks, because the agent no longer stores the reply. */
  isForgotten: boolean;
  readonly events: AdapterEvent[];
}

interface Reading {
  readonly stream: Stream;
  readonly response: (data: object) => AdapterEvent;
}

/** The chunks in the responses to this request. */
async function* chunksOf(
  batches: AsyncIterable<readonly Frame[]>,
  { stream, response }: Reading,
  { report }: DecodeContext<CloudflareState>,
): AsyncGenerator<readonly Frame[]> {
  let isEmpty = true;
  // Whether the agent continues the reply under an id that is not known yet.
  let isRecovering = false;
  for await (const batch of batches) {
    const chunks: Frame[] = [];
    for (const { json, frame } of readJsonFrames(batch, report)) {
      const message = fit(envelope, json, frame, report);
      if (message?.type === STATE && message.state !== undefined) {
        stream.events.push(response({ state: { value: message.state } }));
      }
      if (message?.type !== RESPONSE || stream.isDone) continue;
      const { id, body, error, done, outcome, replay } = message;
      if (isRecovering && id && id !== stream.requestId) {
        isRecovering = false;
        stream.requestId = id;
        stream.events.push(response({ metadata: { requestId: id } }));
      }
      stream.requestId ??= id ?? undefined;
      if ((id ?? undefined) !== stream.requestId) continue;
      if (error) chunks.push({ data: JSON.stringify({ type: 'error', errorText: body || 'The agent failed.' }) });
      else if (body?.trim()) chunks.push({ data: body });
      isRecovering ||= done === true && outcome === 'recovering';
      stream.isDone = (done === true && !isRecovering) || error === true;
      stream.isCancelled = outcome === 'aborted' || outcome === 'skipped';
      isEmpty &&= chunks.length === 0;
      stream.isForgotten = stream.isDone && replay === true && isEmpty;
    }
    yield chunks;
    if (stream.isDone) return;
  }
}

/** A page may give the agent's address with `https:`. */
function socketRequest({ url, headers = {} }: RequestOptions, message: object): WireRequest<CloudflareState> {
  const address = new URL(url);
  address.protocol = address.protocol.replace(/^http/, 'ws');
  return { url: address.href, init: { method: 'POST', headers, body: JSON.stringify(message) } };
}

/** A request id that is unique in the conversation. A regenerated reply follows the same messages as the former one. */
function requestIdOf({ messages, threadId, fork }: Turn): string {
  const last = messages.at(-1);
  const count = messages.reduce((sum, { blocks }) => sum + blocks.length, 0);
  return [last?.id ?? threadId, count, ...(fork?.reply ? [fork.reply.id] : [])].join('-');
}
