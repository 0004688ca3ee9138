/** The calls of an agent that runs its own tools and may also call the page's. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { DecodeContext } from './adapter.ts';

/** A call without a result at the end of a stream. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Whether the call is in the last message. An agent that has continued with another message waits for nothing. */
  readonly isLast: boolean;
}

/**
 * The events at the end of a complete stream. The agent can wait for the page's tools; a call of any other tool has
 * ended without a result. Without a list of the page's tools, as in a replay, every tool may be the page's.
 */
export function endWithOpenCalls(
  open: readonly OpenCall[],
  { eventId, tools }: Pick<DecodeContext, 'eventId' | 'tools'>,
): readonly LLMAgentEvent[] {
  const isWaiting = ({ name, isLast }: OpenCall): boolean =>
    isLast && (tools?.some((tool) => tool.name === name) ?? true);
  const ended = open
    .filter((call) => !isWaiting(call))
    .map(({ id }) => ({ tool_call: 'end', tool_call_id: id, tool_call_remote: true }) as const);
  const isComplete = ended.length === open.length;
  const finish = { finish: isComplete ? 'complete' : 'tool_use' } as const;
  const events = [...ended, finish].map((data) => ({ type: 'response', data: { eventId, ...data } }) as const);
  return isComplete ? [...events, { type: 'end', data: { eventId, userStop: false } }] : events;
}
