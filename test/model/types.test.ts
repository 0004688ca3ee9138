/**
 * What the compiler must refuse and what it must take. The checks are types: this file compiles or it does not, and the one
 * test below only says that it did.
 */
import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../../src/model/blocks.ts';
import type {
  LLMCoreStreamEvent,
  StreamEventFields,
  StreamEventOf,
  StreamEventType,
} from '../../src/model/events/core-events.ts';
import type { StopReason } from '../../src/model/events/core-event-schema.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { RateLimitInfo, UsageStats } from '../../src/model/usage.ts';

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type Expect<T extends true> = T;
type Fits<Value, Type> = [Value] extends [Type] ? true : false;

type AllPayloads = { [T in StreamEventType]: StreamEventFields<T> };
type FieldsOfAll = { [T in StreamEventType]: keyof AllPayloads[T] }[StreamEventType];
/** The members that take one of the others' fields, as `text.tool_call_id`. */
type Leaks = {
  [T in StreamEventType]: {
    [F in Exclude<FieldsOfAll, keyof AllPayloads[T]> & string]: Fits<
      AllPayloads[T] & { readonly type: T } & Readonly<Record<F, string>>,
      LLMCoreStreamEvent
    > extends true
      ? `${T}.${F}`
      : never;
  }[Exclude<FieldsOfAll, keyof AllPayloads[T]> & string];
}[StreamEventType];

export type CoreEvents = [
  Expect<Equal<Leaks, never>>,
  Expect<
    Equal<
      StreamEventType,
      | 'text'
      | 'reasoning'
      | 'tool_call_start'
      | 'tool_call_chunk'
      | 'tool_call_end'
      | 'error'
      | 'usage'
      | 'stop'
      | 'image_data'
      | 'rate_limit'
    >
  >,
  Expect<Equal<StreamEventFields<'text'>, { readonly content: string }>>,
  Expect<Equal<StreamEventFields<'reasoning'>, { readonly reasoning_content: string }>>,
  Expect<
    Equal<StreamEventFields<'tool_call_start'>, { readonly tool_call_id: string; readonly tool_call_name: string }>
  >,
  Expect<
    Equal<
      StreamEventFields<'tool_call_end'>,
      { readonly tool_call_id: string; readonly tool_call_arguments_complete?: string }
    >
  >,
  Expect<Equal<StreamEventFields<'error'>, { readonly error_message: string }>>,
  Expect<Equal<StreamEventFields<'usage'>['usage'], UsageStats>>,
  Expect<Equal<StreamEventFields<'rate_limit'>['rate_limit'], RateLimitInfo>>,
  Expect<Equal<StreamEventFields<'stop'>['stop_reason'], StopReason>>,
  Expect<Equal<StopReason, 'tool_use' | 'max_tokens' | 'stop_sequence' | 'error' | 'complete'>>,
  // A member fits its own and no other.
  Expect<Fits<{ type: 'text'; content: string }, StreamEventOf<'text'>>>,
  Expect<Equal<Fits<{ type: 'text'; content: string }, StreamEventOf<'reasoning'>>, false>>,
  Expect<Equal<Fits<{ type: 'text' }, LLMCoreStreamEvent>, false>>,
  Expect<Equal<Fits<{ type: 'more'; content: string }, LLMCoreStreamEvent>, false>>,
];

export type AgentEvents = [
  Expect<Equal<LLMAgentEvent['type'], 'response' | 'error' | 'end'>>,
  Expect<Equal<Fits<{ content: string }, LLMAgentEventData>, false>>,
  Expect<Fits<{ eventId: string }, LLMAgentEventData>>,
  Expect<Equal<NonNullable<LLMAgentEventData['totalUsage']>, UsageStats>>,
  Expect<Equal<NonNullable<LLMAgentEventData['rate_limit']>, RateLimitInfo>>,
  // An absent field is absent: `undefined` is no value of it.
  Expect<Equal<Fits<{ eventId: string; content: undefined }, LLMAgentEventData>, false>>,
];

export type Blocks = [
  Expect<
    Equal<
      BlockType,
      | 'content'
      | 'search'
      | 'reasoning_content'
      | 'error'
      | 'tool_call'
      | 'action'
      | 'image'
      | 'artifact-thinking'
      | 'data'
      | 'audio'
      | 'video'
      | 'file'
      | 'code'
      | 'command_result'
      | 'progress'
      | 'plan'
      | 'ui'
      | 'status'
    >
  >,
  Expect<Equal<BlockOf<'content'>['content'], string>>,
  Expect<
    Equal<
      BlockOf<'action'>['action_type'],
      'tool_call_permission' | 'maximum_tool_calls_reached' | 'rate_limit' | 'confirmation' | 'question' | 'interrupt'
    >
  >,
  // A permission is an action; there is no block type of its own for it.
  Expect<Equal<Extract<BlockType, `${string}permission`>, never>>,
  // Immutable all the way down.
  Expect<Fits<readonly AssistantMessageBlock[], ChatMessage['blocks']>>,
  Expect<Equal<Fits<ChatMessage['blocks'], unknown[]>, false>>,
];

export type Messages = [
  Expect<Equal<ChatMessage['role'], 'user' | 'assistant' | 'system' | 'tool'>>,
  Expect<
    Equal<
      ChatMessage['status'],
      'streaming' | 'complete' | 'error' | 'cancelled' | 'interrupted' | 'queued' | 'sending' | 'failed'
    >
  >,
  Expect<
    Equal<
      NonNullable<ChatMessage['finish']>,
      'complete' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'error' | 'cancelled'
    >
  >,
];

// A page writes its tools with a JSON Schema as it stands.
export const tool: ClientTool = {
  name: 'find',
  description: 'Finds.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
  execute: () => 'found',
};

describe('the types', () => {
  it('compile', () => {
    expect(tool.name).to.equal('find');
  });
});
