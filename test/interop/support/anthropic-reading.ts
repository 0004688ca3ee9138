/** Reads a stream of messages with Anthropic's own client. */
import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, Message, StopReason, TextCitation } from '@anthropic-ai/sdk/resources/messages';
import type { FinishReason } from '../../../src/model/message.ts';
import { isRecord } from '../../../src/model/json.ts';
import { emptyReading, errorMessageOf, type CallReading, type Reading } from './reading.ts';

const client = (origin: string): Anthropic =>
  new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0, logLevel: 'off' });

export const streamMessage = (origin: string) =>
  client(origin).messages.stream({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] });

const stops: Readonly<Record<StopReason, FinishReason>> = {
  end_turn: 'complete',
  pause_turn: 'complete',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_use',
  refusal: 'error',
};

export async function readMessage(origin: string): Promise<Reading> {
  const stream = streamMessage(origin);
  let reading = emptyReading;
  stream.on('streamEvent', (_event, message) => {
    reading = toReading(message);
  });
  try {
    return toReading(await stream.finalMessage());
  } catch (error) {
    // The message of an error in the stream is its complete frame.
    const { error: detail = error } = error instanceof Anthropic.APIError && isRecord(error.error) ? error.error : {};
    return { ...reading, stop: 'error', error: errorMessageOf(detail) };
  }
}

function toReading({ content, stop_reason, stop_details, usage }: Message): Reading {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap(callOf),
    sources: content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []).map(sourceOf) : [])),
    stop: stop_reason === null ? undefined : stops[stop_reason],
    tokens: [input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0), output_tokens],
    error: stop_details?.explanation ?? undefined,
  };
}

const callOf = (block: ContentBlock): readonly CallReading[] =>
  block.type === 'tool_use' || block.type === 'server_tool_use'
    ? [{ id: block.id, name: block.name, input: block.input }]
    : [];

const sourceOf = (citation: TextCitation): string => ('url' in citation ? citation.url : citation.cited_text);
