import type { AgentEventOf, LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { isSameId } from '../model/same-id.ts';
import { appendBlock, findLastBlock, replaceBlockAt, type ReduceContext } from './block-list.ts';
import { fieldReducers } from './field-reducers.ts';

type Handlers = {
  readonly [T in LLMAgentEvent['type']]: (
    message: ChatMessage,
    event: AgentEventOf<T>,
    context: ReduceContext,
  ) => ChatMessage;
};

const handlers: Handlers = {
  response: (message, { data }, context) => {
    const { parent, error } = data;
    if (error !== undefined) context.report?.(`"error" of a response is not shown, only an error event is: ${error}`);
    if (!parent) return fieldReducers.reduce((next, row) => row(next, data, context), message);
    const { message: target, parentId } = callOf(message, parent);
    return fieldReducers.reduce((next, row) => row(next, data, { ...context, parentId }), target);
  },
  error: (message, { data }, context) => {
    const { error, code, error_type, recoverable, reason, values } = data;
    const extra = {
      ...values,
      ...(reason !== undefined && { reason }),
      ...(code !== undefined && { code }),
      ...(error_type !== undefined && { error_type }),
      ...(recoverable !== undefined && { recoverable }),
    };
    return appendBlock(message, { type: 'error', status: 'error', content: error, extra }, context);
  },
  end: (message, { data }, context) => closeBlocks(message, data.userStop ? 'cancel' : 'error', context),
};

/**
 * Applies one event to one message. Everything that the event does not change stays the same object. Time and ids come
 * from the context, so the same events always give the same blocks.
 */
export function reduceMessage(message: ChatMessage, event: LLMAgentEvent, context: ReduceContext): ChatMessage {
  // TypeScript cannot relate the key to the argument; the mapped type above is the proof.
  return handlers[event.type](message, event as never, context);
}

/**
 * Finds the tool call that started a sub-agent and stores the sub-agent's name in it. If the call is unknown, the
 * sub-agent's output is shown in the answer itself: nothing is lost and no call is invented.
 */
function callOf(
  message: ChatMessage,
  { tool_call_id: id, name }: NonNullable<LLMAgentEventData['parent']>,
): { readonly message: ChatMessage; readonly parentId?: string } {
  const call = findLastBlock(message, 'tool_call', ({ tool_call }) => isSameId(tool_call.id, id));
  if (!call) return { message };
  const { block, index } = call;
  const hasName = name === undefined || block.extra?.['agent'] === name;
  return {
    message: hasName ? message : replaceBlockAt(message, index, { ...block, extra: { ...block.extra, agent: name } }),
    parentId: block.id,
  };
}

/**
 * Blocks still loading at the end have failed, or were cancelled if the user stopped the run. Questions stay open, and so
 * does the call that a question of this round is about, also an answered one: its result comes with the next stream.
 */
function closeBlocks(
  message: ChatMessage,
  status: 'cancel' | 'error',
  { endedBefore }: Pick<ReduceContext, 'endedBefore'>,
): ChatMessage {
  const isWaiting = (call: AssistantMessageBlock): boolean =>
    call.type === 'tool_call' &&
    message.blocks.some(
      (block) =>
        block.type === 'action' &&
        endedBefore?.has(block.id) !== true &&
        isSameId(block.tool_call?.id, call.tool_call.id),
    );
  const close = (block: AssistantMessageBlock): AssistantMessageBlock => {
    if (block.type === 'status' && block.status === 'loading') return { ...block, status: 'success' };
    if (block.type === 'action') {
      return block.action_type === 'rate_limit' && block.status === 'pending' ? { ...block, status: 'success' } : block;
    }
    return block.status === 'loading' && !isWaiting(block) ? { ...block, status } : block;
  };
  const blocks = message.blocks.map(close);
  return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
}
