import type { AgentEventOf, LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { append, findLast, replaceAt, type ReduceContext } from './blocks.ts';
import { rows } from './rows.ts';

type Handlers = {
  readonly [T in LLMAgentEvent['type']]: (
    message: ChatMessage,
    event: AgentEventOf<T>,
    context: ReduceContext,
  ) => ChatMessage;
};

const handlers: Handlers = {
  response: (message, { data }, context) => {
    const { parent } = data;
    if (!parent) return rows.reduce((next, row) => row(next, data, context), message);
    const { message: called, parentId } = callOf(message, parent);
    return rows.reduce((next, row) => row(next, data, { ...context, parentId }), called);
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
    return append(message, { type: 'error', status: 'error', content: error, extra }, context);
  },
  end: (message, { data }) => closeBlocks(message, data.userStop ? 'cancel' : 'error'),
};

/**
 * One event into one message: the next message, in which everything that the event does not touch is the same object. Time
 * and ids come in with the context, so the same events give the same blocks.
 */
export function reduce(message: ChatMessage, event: LLMAgentEvent, context: ReduceContext): ChatMessage {
  // TypeScript cannot tie the key to the argument; the mapped type above is the proof.
  return handlers[event.type](message, event as never, context);
}

/**
 * The call that a sub-agent was called by, which keeps its name. Where there is none, what is said stands with the answer: nothing
 * is lost, and a call that nobody has made is not made up.
 */
function callOf(
  message: ChatMessage,
  { tool_call_id: id, name }: NonNullable<LLMAgentEventData['parent']>,
): { readonly message: ChatMessage; readonly parentId?: string } {
  const call = findLast(message, 'tool_call', ({ tool_call }) => tool_call.id === id);
  if (!call) return { message };
  const { block, index } = call;
  const named = name === undefined || block.extra?.['agent'] === name;
  return {
    message: named ? message : replaceAt(message, index, { ...block, extra: { ...block.extra, agent: name } }),
    parentId: block.id,
  };
}

/** What is still loading at the end has failed, or was cancelled by a user's stop. Questions stay open. */
function closeBlocks(message: ChatMessage, status: 'cancel' | 'error'): ChatMessage {
  const close = (block: AssistantMessageBlock): AssistantMessageBlock => {
    if (block.type === 'status' && block.status === 'loading') return { ...block, status: 'success' };
    if (block.type === 'action') {
      return block.action_type === 'rate_limit' && block.status === 'pending' ? { ...block, status: 'success' } : block;
    }
    return block.status === 'loading' ? { ...block, status } : block;
  };
  const blocks = message.blocks.map(close);
  return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
}
