/**
 * AgentScope's agent servers (`agentscope`): the Runtime's `/process`, the events of AgentScope 2 with a stream of their own,
 * the same in Java, and Java's dumps of older events. Source: `agentscope.md`, where they are A, B and the last two sections.
 */
import { nativePlaceOf, nativeRequest, runtimeRequest } from './request.ts';
import { detectAgentscope } from '../detect/agentscope.ts';
import { isRecord } from '../../model/json.ts';
import { readJsonFrames } from '../shared/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

export const agentscope: Adapter = {
  id: 'agentscope',
  label: 'AgentScope',
  kind: 'agent',
  detect: detectAgentscope,

  request: (turn, options) =>
    nativePlaceOf(turn, options) ? nativeRequest(turn, options) : runtimeRequest(turn, options),

  cancel(turn, options) {
    const place = nativePlaceOf(turn, options);
    return place?.session === undefined
      ? undefined
      : {
          url: place.at(`sessions/${place.session}/interrupt`),
          init: { method: 'POST', headers: options.headers ?? {} },
        };
  },

  // The log of a run is gone when the run has ended: then nothing would come any more.
  async resume(turn, options) {
    const place = nativePlaceOf(turn, options);
    if (place?.session === undefined) return undefined;
    const { headers = {}, ask } = options;
    const { json } = await ask({ url: place.at(`sessions/${place.session}/status`), init: { method: 'GET', headers } });
    if (!isRecord(json) || json['status'] !== 'running') return undefined;
    return { request: place.stream(place.session), from: 'start' };
  },

  async *decode(batches, context) {
    const readers = new Map<Dialect, Reader>();
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const dialect = isRecord(json) ? dialectOf(json) : undefined;
        if (dialect) {
          const reader = readers.get(dialect) ?? (await loaders[dialect](context));
          readers.set(dialect, reader);
          events.push(...reader.take(json, frame));
        } else if (isRecord(json) && json['error']) events.push(...fail(json['error'], context));
        else context.report({ kind: 'unknown', detail: 'This is no event of AgentScope’s.', frame });
      }
      yield events;
    }
    yield [...readers.values()].flatMap((reader) => reader.end?.() ?? []);
  },
};

interface Reader {
  take(json: unknown, frame: Frame): readonly AdapterEvent[];
  end?(): readonly AdapterEvent[];
}

/** A server speaks one of them: only that one is fetched. */
const loaders = {
  runtime: async (context: DecodeContext): Promise<Reader> => (await import('./runtime.ts')).makeRuntimeReply(context),
  native: async (context: DecodeContext): Promise<Reader> => (await import('./native.ts')).makeNativeReply(context),
  dump: async (context: DecodeContext): Promise<Reader> => (await import('./dump.ts')).makeDumpReply(context),
};
type Dialect = keyof typeof loaders;

const DUMPED = new Set(['REASONING', 'TOOL_RESULT', 'HINT', 'SUMMARY', 'AGENT_RESULT']);

function dialectOf({ object, type, message }: Readonly<Record<string, unknown>>): Dialect | undefined {
  if (object === 'response' || object === 'message' || object === 'content') return 'runtime';
  if (typeof type !== 'string') return undefined;
  return isRecord(message) && DUMPED.has(type) ? 'dump' : 'native';
}

/** What the Runtime's server writes when it fails outside of a run. */
function fail(error: unknown, { eventId }: DecodeContext): readonly AdapterEvent[] {
  const message = isRecord(error) ? error['message'] : error;
  const words = typeof message === 'string' ? message : JSON.stringify(message ?? error);
  return [
    { type: 'error', data: { eventId, error: words } },
    { type: 'response', data: { eventId, finish: 'error' } },
  ];
}
