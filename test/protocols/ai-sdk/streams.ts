/** Streams of an AI SDK server, and replies made of them. */
import { continueRun } from '../../../src/conversation/continue-run.ts';
import type { AssistantMessageBlock } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Turn } from '../../../src/protocols/core/adapter.ts';
import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { toAgentEvent } from '../../../src/protocols/to-agent-event.ts';
import { chunksOf } from '../../support/cuts.ts';
import { conversation, user } from '../../support/messages.ts';
import {
  decodeContext,
  emptyTurn,
  framesOf,
  playBody,
  playEvents,
  requestOptions,
  sse,
} from '../../support/play-body.ts';

export type Wire = Readonly<Record<string, unknown>>;

export const stream = (...chunks: readonly unknown[]): string => sse(...chunks, '[DONE]');

export const startStep = { type: 'start-step' };
export const finishStep = { type: 'finish-step' };
export const finish = (finishReason?: string): Wire => ({ type: 'finish', ...(finishReason && { finishReason }) });
/** The chunks of a text with one id. */
export const textChunks = (id: string, ...deltas: readonly string[]): readonly Wire[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
export const toolInput = (toolCallId: string, toolName: string, input: unknown = {}, more: Wire = {}): Wire => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input,
  ...more,
});
export const toolOutput = (toolCallId: string, output: unknown, more: Wire = {}): Wire => ({
  type: 'tool-output-available',
  toolCallId,
  output,
  ...more,
});

/** The reply of a stream that waits for the page or the user. */
export async function replyOf(...chunks: readonly unknown[]): Promise<ChatMessage> {
  const [message] = (await playBody(aiSdk, stream(...chunks))).messages;
  if (!message) throw new Error('There is no message.');
  const { finish: _finish, ...waiting } = message;
  return waiting;
}

/** Returns the message with each block replaced by `change`. */
export const withBlocks = (
  message: ChatMessage,
  change: (block: AssistantMessageBlock) => AssistantMessageBlock,
): ChatMessage => ({ ...message, blocks: message.blocks.map(change) });

/** Returns the message with the results of its tool calls, by call id. */
export const withResults = (
  message: ChatMessage,
  results: Readonly<Record<string, string>>,
  failed = false,
): ChatMessage =>
  withBlocks(message, (block) => {
    const response = block.type === 'tool_call' ? results[block.tool_call.id ?? ''] : undefined;
    return block.type === 'tool_call' && response !== undefined
      ? { ...block, status: failed ? 'error' : 'success', tool_call: { ...block.tool_call, response } }
      : block;
  });

/** The turn that continues a reply. */
export const turnAfter = (message: ChatMessage, turn: Partial<Turn> = {}): Turn => ({
  ...emptyTurn,
  messages: [...conversation(user('hi')), message],
  ...turn,
});

/** The request body of a turn. */
export async function bodyOf(turn: Turn): Promise<Wire & { readonly messages: readonly Wire[] }> {
  const { init } = await aiSdk.request(turn, requestOptions);
  return JSON.parse(JSON.stringify(init.body)) as Wire & { readonly messages: readonly Wire[] };
}

/** The parts of the last message in a turn's request. */
export const sentParts = async (turn: Turn): Promise<unknown> => (await bodyOf(turn)).messages.at(-1)?.['parts'];

/** The reply, continued by another stream. */
export async function continueReply(turn: Turn, ...chunks: readonly unknown[]): Promise<ChatMessage> {
  const message = turn.messages.at(-1);
  if (!message) throw new Error('The turn has no reply to continue.');
  const events = [];
  for await (const batch of aiSdk.decode(chunksOf([framesOf(...chunks)]), { ...decodeContext(), turn })) {
    events.push(...batch.map((event) => toAgentEvent(event, 'reply')));
  }
  const [next] = playEvents(events, continueRun([message])).messages;
  return next ?? message;
}
