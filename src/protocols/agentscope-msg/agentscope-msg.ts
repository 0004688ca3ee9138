/** AgentScope messages (`agentscope-msg`). Source: `docs/protocols/agentscope-msg.md`. */
import { toSentMsgs } from '../../formats/agentscope-messages.ts';
import { msg } from '../../formats/agentscope-msg.ts';
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { errorMessage } from '../shared/error-message.ts';
import { historyWithSystem } from '../shared/sent-history.ts';
import { MsgReply, type Ending } from './reply.ts';

export const adapter: Adapter = {
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
    const takeItem = (item: unknown, list: readonly unknown[] | undefined, frame: Frame): readonly LLMAgentEvent[] => {
      const value = unwrapped(item);
      // A server that fails has no message to wrap.
      const problem = problemOf(value ?? item, frame);
      if (problem !== undefined) return reply.fail(problem);
      const message = fit(msg, value, frame, report);
      if (!message) return [];
      const { last, error } = value !== item && isRecord(item) ? item : {};
      return [
        ...reply.take(message, { list, isPartial: last === false, ...endingOf(value) }),
        ...(error ? reply.fail(errorText(error)) : []),
      ];
    };
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch.map(withJsonError), report)) {
        const list = Array.isArray(json) ? (json as unknown[]) : undefined;
        const items = list ? afterLastQuestion(list) : [json];
        for (const item of items) events.push(...takeItem(item, list, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

const unwrapped = (item: unknown): unknown => (isRecord(item) && 'msg' in item ? item['msg'] : item);

/** A list may be the whole memory of the agent: what precedes its last question has been answered in earlier replies. */
const afterLastQuestion = (list: readonly unknown[]): readonly unknown[] =>
  list.slice(
    list.findLastIndex((item) => {
      const message = unwrapped(item);
      const role = isRecord(message) ? message['role'] : undefined;
      return typeof role === 'string' && role.toUpperCase() === 'USER';
    }) + 1,
  );

const errorText = (error: unknown): string => errorMessage(error) ?? 'The agent reported an error.';

/** The format has no error: a failing server sends its own object without a role. */
function problemOf(value: unknown, { event }: Frame): string | undefined {
  if (!isRecord(value) || value['role'] !== undefined) return undefined;
  const { type, error, detail } = value;
  const isFailure =
    event === 'error' || [error, detail].some(Boolean) || (typeof type === 'string' && /(?:^|[_-])error$/i.test(type));
  return isFailure ? errorText(value) : undefined;
}

/** How a message ended, in the fields of AgentScope 2. */
function endingOf(value: unknown): Ending {
  const { finished_reason, finishedReason, error } = isRecord(value) ? value : {};
  const reason = finishedReason ?? finished_reason;
  return {
    ...((Boolean(error) || reason === 'error') && { error: errorText(error) }),
    isInterrupted: reason === 'interrupted',
  };
}

/** Java servers with Spring often send the message of an exception as plain text. */
const withJsonError = (frame: Frame): Frame =>
  frame.event === 'error' && /^\s*[^\s[{]/.test(frame.data)
    ? { ...frame, data: JSON.stringify({ error: frame.data }) }
    : frame;
