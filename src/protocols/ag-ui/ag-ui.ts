/**
 * Agent User Interaction Protocol (`ag-ui`). Source: `docs/protocols/ag-ui.md`; https://docs.ag-ui.com. A finished run may
 * be followed by another one in the same body. So the reply ends when the body ends, or after a short silence.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { agentActionUrl, isRuntimeUrl } from './addresses.ts';
import type { AgUiState } from './copilotkit.ts';
import { AG_UI } from './run-metadata.ts';
import { AgUiReply, type QuestionForms } from './reply.ts';
import { agUiEventSchema } from './reply-schema.ts';
import { pathSegment } from '../shared/request-urls.ts';
import type { ApplyPatch } from './json-patch.ts';
import { withIdleSignal } from './with-idle-signal.ts';
import { fit, readJsonFrames, type JsonFrame } from '../core/read-frames.ts';
import { isRecord } from '../../model/json.ts';
import type { Adapter, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

/** How long to wait for the next run after a run has ended (ms). The next run, if there is one, starts immediately. */
const NEXT_RUN_MS = 500;

/** Events that need the library for JSON Patch. */
const PATCH_EVENTS: ReadonlySet<string> = new Set(['STATE_DELTA', 'ACTIVITY_DELTA']);

export const adapter: Adapter<AgUiState> = {
  id: AG_UI,
  label: 'AG-UI',
  kind: 'agent',
  // Imported lazily, so that a page shows its first reply sooner.
  request: async (turn, options) => {
    const run = (await import('./request.ts')).agUiRequest(turn, options);
    if (!isRuntimeUrl(options.url)) return { ...run, providerState: {} };
    return (await import('./copilotkit.ts')).copilotKitRun(run, turn, options);
  },
  cancel: stopRun,
  loadAppRequests: () => import('./app-requests.ts'),
  resumesRound: true,
  resume: async (turn, options) => (await import('./resume-reply.ts')).resumeReply(turn, options),

  async *decode(batches, context) {
    let applyPatch: ApplyPatch | undefined;
    let questions: QuestionForms | undefined;
    const { eventId, providerState } = context;
    /** The run to skip to, which starts the reply: a replay of the thread also contains the runs before it. */
    let skipTo = providerState?.replayedRun;
    if (providerState?.copilotKit) {
      yield [{ type: 'response', data: { eventId, metadata: { copilotKit: providerState.copilotKit } } }];
    }
    const reply = new AgUiReply(context, (document, operations) => applyPatch?.(document, operations));
    const idleTimer = (): Promise<void> | undefined => (reply.isIdle ? context.delay(NEXT_RUN_MS) : undefined);
    for await (const batch of withIdleSignal(batches, idleTimer)) {
      // No next run came.
      if (!batch) yield reply.end();
      else {
        const events: LLMAgentEvent[] = [];
        for (const { json, frame } of readJsonFrames(batch, context.report).map(withoutEnvelope)) {
          const event = fit(agUiEventSchema, json, frame, context.report);
          if (skipTo !== undefined) {
            if (event?.type !== 'RUN_STARTED' || event.runId !== skipTo) continue;
            skipTo = undefined;
          }
          if (event && PATCH_EVENTS.has(event.type)) applyPatch ??= (await import('./json-patch.ts')).applyPatch;
          if (frame.data.includes('interrupt')) questions ??= await import('./interrupts.ts');
          if (event) events.push(...reply.take(event, frame, questions));
        }
        yield events;
      }
    }
    yield reply.end();
  },
};

/**
 * Stops a run. CopilotKit's runtime continues after the connection has closed, and blocks the thread until a request to the
 * URL for stopping ends the run.
 */
async function stopRun(turn: Turn, options: RequestOptions): Promise<WireRequest | undefined> {
  const { url, headers = {} } = options;
  if (isRuntimeUrl(url)) return (await import('./copilotkit.ts')).copilotKitStop(turn, options);
  const stop = agentActionUrl(url, `stop/${pathSegment(turn.threadId)}`);
  return stop === undefined ? undefined : { url: stop, init: { method: 'POST', headers, body: {} } };
}

/** TanStack AI, a library whose servers stream AG-UI, wraps each line as `{id, chunk}` if the stream can be resumed. */
function withoutEnvelope({ json, frame }: JsonFrame): JsonFrame {
  if (!isRecord(json) || typeof json['id'] !== 'string' || !isRecord(json['chunk'])) return { json, frame };
  return { json: json['chunk'], frame: { ...frame, id: json['id'] } };
}
