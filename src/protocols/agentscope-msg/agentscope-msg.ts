/** AgentScope messages (`agentscope-msg`). Source: `docs/protocols/agentscope-msg.md`. */
import { toSentMsgs } from '../../formats/agentscope-messages.ts';
import { msg } from '../../formats/agentscope-msg.ts';
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { errorMessage } from '../shared/error-message.ts';
import { historyWithSystem } from '../shared/sent-history.ts';
import { MsgReply } from './reply.ts';

export const agentscopeMsg: Adapter = {
  id: 'agentscope-msg',
  label: 'AgentScope messages',
  kind: 'agent',
  // The format has blocks for images, audio and video. Other files need its newer `data` block, and a server that does not
  // know it refuses the whole request.
  accepts: 'media',

  // Messages are sent unformatted: an AgentScope endpoint formats them for its model itself.
  request: (turn, { url, headers = {}, ...options }) => ({
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson', ...headers },
      body: { messages: toSentMsgs(historyWithSystem(turn, options)) },
    },
  }),

  async *decode(batches, context) {
    const { report } = context;
    const reply = new MsgReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch.map(withJsonError), report)) {
        const list = Array.isArray(json) ? (json as unknown[]) : undefined;
        for (const item of list ?? [json]) {
          const unwrapped = isRecord(item) && 'msg' in item ? item['msg'] : item;
          const problem = problemOf(unwrapped, frame);
          if (problem !== undefined) {
            events.push(...reply.fail(problem));
            continue;
          }
          const message = fit(msg, unwrapped, frame, report);
          if (message) events.push(...reply.take(message, list));
        }
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The format has no error: a failing server sends its own object without a role. */
const problemOf = (value: unknown, { event }: Frame): string | undefined =>
  isRecord(value) && value['role'] === undefined && (event === 'error' || value['error'] != null)
    ? errorMessage(value)
    : undefined;

/** Java servers with Spring often send the message of an exception as plain text. */
const withJsonError = (frame: Frame): Frame =>
  frame.event === 'error' && /^\s*[^\s[{]/.test(frame.data)
    ? { ...frame, data: JSON.stringify({ error: frame.data }) }
    : frame;
