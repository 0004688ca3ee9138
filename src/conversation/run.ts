/**
 * A run is the agent's answer to one turn, over all its streams and rounds. Each event goes to the message it is about;
 * a turn has one message for each message id of the protocol.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import type { ChatMessage, FinishReason, MessageStatus } from '../model/message.ts';
import { isSameId } from '../model/same-id.ts';
import type { UsageStats } from '../model/usage.ts';
import type { ReduceContext } from './block-list.ts';
import { hasPendingAction } from './has-pending-action.ts';
import { reduceMessage } from './reduce.ts';
import { startsNewCall } from './tool-call-reducer.ts';

export interface Run {
  readonly messages: readonly ChatMessage[];
  /** Index of the message that receives new content. */
  readonly current: number;
  /** The reason that the stream gave for its end. */
  readonly finish?: FinishReason;
  /** The server expects another request. */
  readonly paused?: boolean;
  /** Whether an error event was received in this round. */
  readonly failed: boolean;
  /** Number of UTF-16 code units of text so far. */
  readonly length: number;
  /** Token usage of the previous rounds. */
  readonly usedBefore?: UsageStats;
  readonly usedNow?: UsageStats;
  /** Ids of the blocks of calls that ended, and of permissions that were decided, before this round. */
  readonly endedBefore?: ReadonlySet<string>;
  /** Ids of the blocks of calls that the page has run or refused. */
  readonly pageCalls?: ReadonlySet<string>;
  /** The protocol's id of the message that was emptied because the reply is read again, until it is used again. */
  readonly emptiedId?: unknown;
}

/** Starts a run with its first, empty message. */
export const startRun = (message: ChatMessage): Run => ({ messages: [message], current: 0, failed: false, length: 0 });

/** The same run, continued with another request. Counters are carried over; `failed` is not, because an error belongs to its round. */
export const nextRound = ({ finish: _finish, paused: _paused, usedNow, ...run }: Run): Run => {
  const used = addUsage(run.usedBefore, usedNow);
  const messages = run.messages.map(({ finish: _parked, ...message }) => message);
  return { ...run, failed: false, messages, endedBefore: endedBlocks(messages), ...(used && { usedBefore: used }) };
};

/** The ids of all blocks that have ended. Only calls and permissions count: a server can't use the ids of other blocks again. */
export const endedBlocks = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ blocks }) =>
      blocks.filter(({ status }) => status !== 'loading' && status !== 'pending').map(({ id }) => id),
    ),
  );

/** A run whose stream has ended and that continues once the user has answered. Its messages do not change meanwhile. */
export function pauseRun(run: Run): Run {
  const messages = run.messages.map((message) =>
    message.status === 'streaming' ? { ...message, finish: 'tool_use' as const } : message,
  );
  return settleRun({ ...run, messages }, { status: 'streaming', finish: 'tool_use' });
}

/** Applies one event to a run. */
export function reduceRun(run: Run, event: LLMAgentEvent, context: ReduceContext): Run {
  switch (event.type) {
    case 'response': {
      const { data } = event;
      const target = data.message ? selectMessage(run, data.message, context) : run;
      const index = messageIndex(target, data, context.callBlockId);
      const round = withRound(context, target);
      const reduced = updateMessage(target, index, (message) => reduceMessage(message, event, round));
      const next = withPageCall(reduced, context.callBlockId);
      const length = next.length + (data.content?.length ?? 0) + (data.reasoning_content?.length ?? 0);
      const withLength = length === next.length ? next : { ...next, length };
      const withFinish = data.finish === undefined ? withLength : { ...withLength, finish: data.finish };
      const paused = data.paused ? { ...withFinish, paused: true } : withFinish;
      return data.totalUsage ? addRoundUsage(paused, data.totalUsage) : paused;
    }
    case 'error':
      return { ...updateMessage(run, run.current, (message) => reduceMessage(message, event, context)), failed: true };
    case 'end': {
      const round = withRound(context, run);
      const messages = run.messages.map((message) => reduceMessage(message, event, round));
      return { ...run, messages, finish: run.finish ?? finishReasonOf(run, event.data.userStop) };
    }
  }
}

/** Only events of the runtime name a call by its block. */
const withPageCall = (run: Run, callBlockId: string | undefined): Run =>
  callBlockId === undefined || run.pageCalls?.has(callBlockId)
    ? run
    : { ...run, pageCalls: new Set(run.pageCalls).add(callBlockId) };

const withRound = (context: ReduceContext, { endedBefore }: Run): ReduceContext =>
  endedBefore ? { ...context, endedBefore } : context;

/** Derives the finish reason if the protocol only reports the end. Source: `docs/protocols/deepchat-events.md`. */
function finishReasonOf(run: Run, userStop: boolean | undefined): FinishReason {
  if (userStop) return 'cancelled';
  if (run.failed) return 'error';
  return hasPendingAction(run.messages) ? 'tool_use' : 'complete';
}

/** How a stream, or the run itself, ended. `streaming`: the run continues once the user has answered. */
export interface RunOutcome {
  readonly status: Extract<MessageStatus, 'complete' | 'error' | 'cancelled' | 'interrupted' | 'streaming'>;
  readonly finish: FinishReason;
}

/** Sets the final status of the run's messages: the open ones and the last get the outcome, and open phases end. */
export function settleRun(run: Run, { status, finish }: RunOutcome): Run {
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

type MessageHeader = NonNullable<Extract<LLMAgentEvent, { type: 'response' }>['data']['message']>;

/** Selects the message that receives new content. A known id continues its message; the first id takes the empty message. */
function selectMessage(run: Run, header: MessageHeader, context: ReduceContext): Run {
  const { id, role, replace } = header;
  const known = run.messages.findIndex((message) => message.metadata?.['messageId'] === id);
  if (known >= 0) {
    const message = run.messages[known];
    if (!replace || !message) {
      const isSame = run.current === known && !run.emptiedId;
      return keepMessageCalls(isSame ? run : { ...run, current: known, emptiedId: undefined });
    }
    // Questions stay, and so does what the page has returned or the user has denied, whatever the replacement contains.
    const blocks = message.blocks.filter(
      ({ id: blockId, type }) => type === 'action' || type === 'status' || run.pageCalls?.has(blockId),
    );
    return keepMessageCalls({ ...updateMessage(run, known, (before) => ({ ...before, blocks })), current: known });
  }
  const last = run.messages.at(-1);
  // A message with status blocks only counts as empty.
  const empty = last?.blocks.every(({ type }) => type === 'status');
  // For a protocol without message ids, the adapter creates another one each time that it reads the reply.
  const lastId = last?.metadata?.['messageId'];
  const isUnused = (lastId === undefined || lastId === run.emptiedId) && empty;
  // A system note of the agent is not part of its answer: it goes before the empty message.
  if (last && isUnused && role === 'system') {
    const note = { ...newMessage(run, header, context), timestamp: last.timestamp };
    const { parentId } = last;
    const linkedNote = parentId === undefined ? note : { ...note, parentId };
    const messages = [...run.messages.slice(0, -1), linkedNote, { ...last, parentId: note.id }];
    return { ...run, messages, current: messages.length - 2 };
  }
  if (last && isUnused) {
    const identified = updateMessage(run, run.messages.length - 1, (message) => ({
      ...message,
      ...identityOf(header),
      metadata: { ...message.metadata, messageId: id },
    }));
    return { ...identified, current: run.messages.length - 1 };
  }
  const message = newMessage(run, header, context);
  return { ...run, messages: [...run.messages, message], current: run.messages.length };
}

const identityOf = ({ name, agentId }: MessageHeader): Pick<ChatMessage, 'name' | 'agentId'> => ({
  ...(name !== undefined && { name }),
  ...(agentId !== undefined && { agentId }),
});

function newMessage({ messages }: Run, header: MessageHeader, context: ReduceContext): ChatMessage {
  const { id, role } = header;
  const last = messages.at(-1);
  return {
    id: context.newId(),
    role: role ?? 'assistant',
    status: 'streaming',
    blocks: [],
    timestamp: Math.max(context.now, last?.timestamp ?? 0),
    ...(last && { parentId: last.id }),
    ...(last?.agentId !== undefined && { agentId: last.agentId }),
    ...identityOf(header),
    metadata: { messageId: id, ...(role === 'system' && { spokenBy: 'agent' }) },
  };
}

/** If the server continues a message by its id, its calls can still get events: they no longer count as ended before this round. */
function keepMessageCalls(run: Run): Run {
  const { endedBefore, messages, current } = run;
  const ownCalls = new Set(
    messages[current]?.blocks.flatMap(({ id, type }) => (type === 'tool_call' && endedBefore?.has(id) ? [id] : [])),
  );
  if (!endedBefore || ownCalls.size === 0) return run;
  return { ...run, endedBefore: new Set([...endedBefore].filter((id) => !ownCalls.has(id))) };
}

/** Finds the message that has the call; by default the current one. A result may arrive while another message is current. */
function messageIndex(run: Run, data: LLMAgentEventData, callBlockId: string | undefined): number {
  const last = (test: (block: AssistantMessageBlock) => boolean): number =>
    run.messages.findLastIndex(({ blocks }) => blocks.some(test));
  if (callBlockId !== undefined) {
    const index = last(({ id }) => isSameId(id, callBlockId));
    return index < 0 ? run.current : index;
  }
  const { parent } = data;
  const id = parent?.tool_call_id ?? data.tool_call_id;
  const hasCallId = (block: AssistantMessageBlock): block is BlockOf<'tool_call'> | BlockOf<'action'> =>
    (block.type === 'tool_call' || block.type === 'action') && isSameId(block.tool_call?.id, id);
  const matches = (block: AssistantMessageBlock): boolean =>
    hasCallId(block) && (parent !== undefined || block.type === 'action' || !startsNewCall(block, data, run));
  // An id may be reused: prefer an open call to one that has ended.
  const open = last((block) => matches(block) && block.type === 'tool_call' && block.status === 'loading');
  const index = open < 0 ? last(matches) : open;
  return index < 0 ? run.current : index;
}

function updateMessage(run: Run, index: number, next: (message: ChatMessage) => ChatMessage): Run {
  const before = run.messages[index];
  const after = before && next(before);
  return !after || after === before ? run : { ...run, messages: run.messages.with(index, after) };
}

/** Token usage of the round: the last report wins. It is stored only on the current message, so that a sum counts it once. */
function addRoundUsage(run: Run, usage: UsageStats): Run {
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
