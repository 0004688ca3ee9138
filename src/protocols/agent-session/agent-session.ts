/** Session events (`agent-session`). Source: `docs/protocols/agent-session.md`. */
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, Report } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { reorderEvents } from '../shared/reorder-events.ts';
import { sentTextMessages } from '../shared/sent-history.ts';
import type * as RareEvents from './rare-events.ts';
import { AgentSessionReply, type Received } from './reply.ts';
import { envelope, type Envelope } from './reply-schema.ts';

/** Events that `rare-events.ts` reads. */
const RARE_EVENT = /^(?:error|final_answer|dataframe_data|tool_)/;

export const adapter: Adapter = {
  id: 'agent-session',
  label: 'Session events',
  kind: 'agent',
  accepts: 'text',

  request(turn, { url, headers = {}, ...options }) {
    // If the first reply is regenerated or its message edited, only the old reply has the id of the session.
    const known = turn.fork?.reply ? [turn.fork.reply, ...turn.messages] : turn.messages;
    const sessionId = known.findLast((message) => message.metadata?.['sessionId'])?.metadata?.['sessionId'];
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          messages: sentTextMessages(turn, options).map(({ role, content }) => ({ role, content })),
          ...(sessionId !== undefined && { session_id: sessionId }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const { report } = context;
    const reply = new AgentSessionReply(context);
    const received = (async function* () {
      for await (const batch of batches) yield [...readEnvelopes(batch, report)];
    })();
    let request: string | undefined;
    // Events of another request, such as a sub-agent's, have their own sequence numbers, so they are not reordered.
    const isInner = ({ event }: Received): boolean => {
      const id = requestIdOf(event);
      request ??= id;
      return id !== undefined && id !== request;
    };
    const sequenceOf = (item: Received): number | null | undefined =>
      isInner(item) ? undefined : item.event.metadata?.sequence;
    let rare: typeof RareEvents | undefined;
    for await (const ordered of reorderEvents(received, sequenceOf, context)) {
      if (ordered.some(({ event }) => RARE_EVENT.test(event.type)))
        rare ??= await import('./rare-events.ts').catch(() => undefined);
      yield ordered.flatMap((item) => reply.take(item, isInner(item), rare));
    }
    yield reply.end();
  },
};

/** `session_start` has the id of its request in its data. */
function requestIdOf({ type, data, metadata }: Envelope): string | undefined {
  const id = metadata?.request_id ?? (type === 'session_start' && isRecord(data) ? data['request_id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

function* readEnvelopes(batch: readonly Frame[], report: Report): Generator<Received> {
  for (const { json, frame } of readJsonFrames(batch, report)) {
    const event = fit(envelope, json, frame, report);
    if (event) yield { event, frame };
  }
}
