/**
 * AgentScope's agent servers (`agentscope`). Four formats: the Runtime's `/process`, the events of AgentScope 2 on a
 * separate stream, the same from Java, and older Java events that an application writes as JSON ("dump"). Source:
 * `docs/protocols/agentscope.md`;
 * agentscope-ai/agentscope, agentscope-ai/agentscope-runtime.
 */
import { parseAgentScopeEndpoint, nativeRequest, runtimeRequest, type SessionState } from './request.ts';
import { isRecord } from '../../model/json.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

export const adapter: Adapter<SessionState> = {
  id: 'agentscope',
  label: 'AgentScope',
  kind: 'agent',

  request: (turn, options) =>
    parseAgentScopeEndpoint(turn, options) ? nativeRequest(turn, options) : runtimeRequest(turn, options),

  cancel(turn, options) {
    const server = parseAgentScopeEndpoint(turn, options);
    return server?.session === undefined
      ? undefined
      : {
          url: server.urlOf(`sessions/${server.session}/interrupt`),
          init: { method: 'POST', headers: options.headers ?? {} },
        };
  },

  // The server deletes a run's log when the run has ended; later requests would receive nothing.
  async resume(turn, options) {
    const server = parseAgentScopeEndpoint(turn, options);
    if (server?.session === undefined) return undefined;
    const { headers = {}, ask } = options;
    const { json } = await ask({
      url: server.urlOf(`sessions/${server.session}/status`),
      init: { method: 'GET', headers },
    });
    if (!isRecord(json) || json['status'] !== 'running') return undefined;
    return { request: server.streamRequest(server.session), from: 'start' };
  },

  async *decode(batches, context) {
    const { eventId, providerState } = context;
    // The first event with the session may come late, and the user may stop the run before.
    if (providerState) yield [{ type: 'response', data: { eventId, metadata: { sessionId: providerState.session } } }];
    const decoders = new Map<Dialect, ReplyDecoder>();
    let hasFailed = false;
    // The end that a run reports after a failure is not that of the reply.
    const withoutEnd = (list: readonly AdapterEvent[]) => (hasFailed ? list.filter((event) => !isEnd(event)) : list);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const dialect = isRecord(json) ? dialectOf(json) : undefined;
        if (dialect) {
          const decoder = decoders.get(dialect) ?? (await loaders[dialect](context));
          decoders.set(dialect, decoder);
          events.push(...withoutEnd(decoder.take(json, frame)));
        } else if (isRecord(json) && isError(json)) {
          events.push(...fail(json, context));
          hasFailed = true;
        } else context.report({ kind: 'unknown', detail: 'Not an AgentScope event.', frame });
      }
      yield events;
    }
    yield withoutEnd([...decoders.values()].flatMap((decoder) => decoder.end?.() ?? []));
  },
};

interface ReplyDecoder {
  take(json: unknown, frame: Frame): readonly AdapterEvent[];
  end?(): readonly AdapterEvent[];
}

/** Loads the decoder of a dialect; a server uses one of them. */
const loaders = {
  runtime: async (context: DecodeContext): Promise<ReplyDecoder> =>
    new (await import('./runtime-stream.ts')).RuntimeReply(context),
  native: async (context: DecodeContext): Promise<ReplyDecoder> =>
    new (await import('./agentscope-2.ts')).AgentScope2Reply(context),
  dump: async (context: DecodeContext): Promise<ReplyDecoder> =>
    new (await import('./java-flux.ts')).FluxReply(context),
};
type Dialect = keyof typeof loaders;

/** The same types are in `detectors/agentscope.ts`, which is loaded without this file. */
const DUMP_TYPES = new Set(['REASONING', 'TOOL_RESULT', 'HINT', 'SUMMARY', 'AGENT_RESULT']);

function dialectOf({ object, type, message }: Readonly<Record<string, unknown>>): Dialect | undefined {
  if (object === 'response' || object === 'message' || object === 'content') return 'runtime';
  if (typeof type !== 'string' || type === 'error') return undefined;
  return isRecord(message) && DUMP_TYPES.has(type) ? 'dump' : 'native';
}

const isEnd = (event: AdapterEvent): boolean => event.type === 'response' && event.data.finish !== undefined;

const isError = ({ type, error }: Readonly<Record<string, unknown>>): boolean => type === 'error' || Boolean(error);

/** Converts an error that a server writes outside of its run: `{ error }`, or `{ type: 'error', message }`. */
function fail(
  { error, message: ownMessage, code: ownCode }: Readonly<Record<string, unknown>>,
  { eventId }: DecodeContext,
): readonly AdapterEvent[] {
  const { message, code } = isRecord(error) ? error : { message: error || ownMessage, code: ownCode };
  const detail = message || (isRecord(error) ? error : undefined);
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail) || 'The agent reports an error.';
  const codeText = typeof code === 'string' || typeof code === 'number' ? String(code) : '';
  return [
    { type: 'error', data: { eventId, error: text, ...(codeText && { code: codeText }) } },
    { type: 'response', data: { eventId, finish: 'error' } },
  ];
}
