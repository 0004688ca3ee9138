/**
 * One run: the agent's answer to a turn, over all its streams and rounds. An event goes to the message it speaks of; a turn
 * has a message for each that the protocol tells apart.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage, FinishReason, MessageStatus } from '../model/message.ts';
import type { UsageStats } from '../model/usage.ts';
import type { ReduceContext } from './blocks.ts';
import { isWaiting } from './is-waiting.ts';
import { reduce } from './reduce.ts';

export interface Run {
  readonly messages: readonly ChatMessage[];
  /** The message that speaks. */
  readonly current: number;
  /** Why the stream said that it ended, once it has. */
  readonly finish?: FinishReason;
  /** The server wants to be asked again. */
  readonly paused?: boolean;
  /** An error event has come. */
  readonly failed: boolean;
  /** UTF-16 code units of text so far. */
  readonly length: number;
  /** Tokens of the rounds before this one. */
  readonly usedBefore?: UsageStats;
  readonly usedNow?: UsageStats;
  /** The blocks of calls that had ended before this round. */
  readonly endedBefore?: ReadonlySet<string>;
}

/** A run with its first message, still empty. */
export const startRun = (message: ChatMessage): Run => ({ messages: [message], current: 0, failed: false, length: 0 });

/** The same run, going on with another request: what was counted stays counted. */
export const nextRound = ({ finish: _finish, paused: _paused, usedNow, ...run }: Run): Run => {
  const used = addUsage(run.usedBefore, usedNow);
  const messages = run.messages.map(({ finish: _parked, ...message }) => message);
  return { ...run, messages, endedBefore: endedCalls(messages), ...(used && { usedBefore: used }) };
};

const endedCalls = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ blocks }) =>
      blocks.filter(({ type, status }) => type === 'tool_call' && status !== 'loading').map(({ id }) => id),
    ),
  );

/** A run whose stream has ended and that goes on once the reader has answered: no message of it grows meanwhile. */
export function park(run: Run): Run {
  const messages = run.messages.map((message) =>
    message.status === 'streaming' ? { ...message, finish: 'tool_use' as const } : message,
  );
  return settle({ ...run, messages }, { status: 'streaming', finish: 'tool_use' });
}

/** One event into a run. */
export function reduceRun(run: Run, event: LLMAgentEvent, context: ReduceContext): Run {
  switch (event.type) {
    case 'response': {
      const { data } = event;
      const spoken = data.message ? speak(run, data.message, context) : run;
      const index = indexOf(spoken, data);
      const { endedBefore } = spoken;
      const round = endedBefore ? { ...context, endedBefore } : context;
      const next = change(spoken, index, (message) => reduce(message, event, round));
      const length = next.length + (data.content?.length ?? 0) + (data.reasoning_content?.length ?? 0);
      const counted = length === next.length ? next : { ...next, length };
      const finished = data.finish === undefined ? counted : { ...counted, finish: data.finish };
      const paused = data.paused ? { ...finished, paused: true } : finished;
      return data.totalUsage ? count(paused, data.totalUsage) : paused;
    }
    case 'error':
      return { ...change(run, run.current, (message) => reduce(message, event, context)), failed: true };
    case 'end': {
      const messages = run.messages.map((message) => reduce(message, event, context));
      return { ...run, messages, finish: run.finish ?? endOf(run, event.data.userStop) };
    }
  }
}

/** Why a reply has ended whose protocol says only that it has. Source: DeepChat strong-typed events, section 7. */
function endOf(run: Run, userStop: boolean): FinishReason {
  if (userStop) return 'cancelled';
  if (run.failed) return 'error';
  return isWaiting(run.messages) ? 'tool_use' : 'complete';
}

/** How a run has ended. `streaming`: it goes on once the reader has answered. */
export interface Outcome {
  readonly status: Extract<MessageStatus, 'complete' | 'error' | 'cancelled' | 'interrupted' | 'streaming'>;
  readonly finish: FinishReason;
}

/** The run's messages with their last word: the open ones and the last take the outcome, and no phase is under way any more. */
export function settle(run: Run, { status, finish }: Outcome): Run {
  const messages = run.messages.map(endPhase).map((message, index) => {
    const last = index === run.messages.length - 1;
    if (last) return { ...message, status, finish };
    return message.status === 'streaming' && status !== 'streaming'
      ? { ...message, status, finish: finish === 'tool_use' ? 'complete' : finish }
      : message;
  });
  return { ...run, messages };
}

function endPhase(message: ChatMessage): ChatMessage {
  const isOpen = ({ type, status }: AssistantMessageBlock): boolean => type === 'status' && status === 'loading';
  if (!message.blocks.some(isOpen)) return message;
  const blocks = message.blocks.map((block) => (isOpen(block) ? { ...block, status: 'success' as const } : block));
  return { ...message, blocks };
}

type Speaker = NonNullable<Extract<LLMAgentEvent, { type: 'response' }>['data']['message']>;

/** Who speaks from here on: a known message is gone on with, the first one takes the empty place that waits for it. */
function speak(run: Run, { id, role, name, replace }: Speaker, context: ReduceContext): Run {
  const known = run.messages.findIndex((message) => message.metadata?.['messageId'] === id);
  if (known >= 0) {
    const message = run.messages[known];
    if (!replace || !message) return sameCalls(run.current === known ? run : { ...run, current: known });
    // A question that was asked stays asked, whatever else is said anew.
    const blocks = message.blocks.filter((block) => block.type === 'action' || block.type === 'status');
    return { ...change(run, known, (before) => ({ ...before, blocks })), current: known };
  }
  const last = run.messages.at(-1);
  const named = { ...(name !== undefined && { name }), metadata: { messageId: id } };
  // A message that has told only its phases so far has said nothing yet.
  const empty = last?.blocks.every(({ type }) => type === 'status');
  const free = last?.metadata?.['messageId'] === undefined && empty;
  if (last && free) {
    return change(run, run.messages.length - 1, (message) => ({
      ...message,
      ...named,
      metadata: { ...message.metadata, messageId: id },
    }));
  }
  const message: ChatMessage = {
    id: context.newId(),
    role: role ?? 'assistant',
    status: 'streaming',
    blocks: [],
    timestamp: Math.max(context.now, last?.timestamp ?? 0),
    ...(last && { parentId: last.id }),
    ...named,
  };
  return { ...run, messages: [...run.messages, message], current: run.messages.length };
}

/** A message that is gone on with by its name has the same calls, whatever the round. */
function sameCalls(run: Run): Run {
  const { endedBefore, messages, current } = run;
  const ours = new Set(messages[current]?.blocks.map(({ id }) => id).filter((id) => endedBefore?.has(id)));
  if (!endedBefore || ours.size === 0) return run;
  return { ...run, endedBefore: new Set([...endedBefore].filter((id) => !ours.has(id))) };
}

/** The message that has the call, or the one that speaks: a result may come when somebody else is speaking. */
function indexOf(run: Run, data: LLMAgentEventData): number {
  const { tool_call: state, parent } = data;
  const id = parent?.tool_call_id ?? data.tool_call_id;
  if (id === undefined) return run.current;
  const old = (block: AssistantMessageBlock): boolean => state === 'start' && run.endedBefore?.has(block.id) === true;
  const index = run.messages.findLastIndex((message) =>
    message.blocks.some(
      (block) => (block.type === 'tool_call' || block.type === 'action') && block.tool_call?.id === id && !old(block),
    ),
  );
  return index < 0 ? run.current : index;
}

function change(run: Run, index: number, next: (message: ChatMessage) => ChatMessage): Run {
  const before = run.messages[index];
  const after = before && next(before);
  return !after || after === before ? run : { ...run, messages: run.messages.with(index, after) };
}

/** The round's tokens: the last report wins, and stands on the message that speaks alone, so that a sum counts it once. */
function count(run: Run, usage: UsageStats): Run {
  const total = addUsage(run.usedBefore, usage) ?? usage;
  const messages = run.messages.map((message, index) => {
    if (index === run.current) return { ...message, usage: total };
    if (message.usage === undefined) return message;
    const { usage: _elsewhere, ...rest } = message;
    return rest;
  });
  return { ...run, messages, usedNow: usage };
}

function addUsage(left: UsageStats | undefined, right: UsageStats | undefined): UsageStats | undefined {
  if (!left || !right) return left ?? right;
  return {
    ...right,
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
  };
}
