/** LangGraph servers (`langgraph`): streamed runs, classic and v2. Source: `docs/protocols/langgraph.md`. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isRecord, parseServerJson } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import { LangGraphReply, type QuestionForms } from './reply.ts';
import { cancelRun, resumeRun, type RunState } from './run-location.ts';
import type { V2Decoder } from './v2.ts';

export const adapter: Adapter<RunState> = {
  id: 'langgraph',
  label: 'LangGraph',
  kind: 'agent',
  request: async (turn, options) => (await import('./request.ts')).langgraphRequest(turn, options),
  cancel: cancelRun,
  resume: resumeRun,

  async *decode(batches, context) {
    const reply = new LangGraphReply(context);
    let forms: QuestionForms | undefined;
    let v2: V2Decoder | undefined;
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch.map(withJsonError), context.report)) {
        if (frame.data.includes('interrupt')) forms ??= await import('./interrupts.ts');
        if (isV2(json)) {
          v2 ??= new (await import('./v2.ts')).V2Decoder(reply, context);
          events.push(...reply.takeV2(v2, json, frame, forms));
        } else events.push(...reply.take(json, frame, forms));
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * Some servers write the message of an error as plain text, or write none. It becomes a JSON string, because frames that
 * are not JSON are skipped. Half a message is none.
 */
const withJsonError = (frame: Frame): Frame =>
  frame.event === 'error' && parseServerJson(frame.data) === undefined
    ? { ...frame, data: JSON.stringify(frame.unfinished ? '' : frame.data) }
    : frame;

const isV2 = (json: unknown): boolean => isRecord(json) && json['type'] === 'event' && 'method' in json;
