/** Reads a stream of chat completions with OpenAI's own client. */
import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { FinishReason } from '../../../src/model/message.ts';
import { isRecord } from '../../../src/model/json.ts';
import { emptyReading, inputOf, errorMessageOf, type CallReading, type Reading } from './reading.ts';

export const openAi = (origin: string): OpenAI =>
  new OpenAI({ apiKey: 'none', baseURL: `${origin}/v1`, maxRetries: 0, logLevel: 'off' });

const stops: Readonly<Record<ChatCompletion.Choice['finish_reason'], FinishReason>> = {
  stop: 'complete',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'error',
};

export async function readChatCompletion(origin: string): Promise<Reading> {
  const stream = openAi(origin).chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
  let reading: Reading = emptyReading;
  stream.on('chunk', (chunk, { choices }) => {
    const message = choices[0]?.message;
    reading = {
      ...reading,
      text: (message?.content ?? '') + (message?.refusal ?? ''),
      reasoning: reading.reasoning + reasoningIn(chunk),
      tokens: chunk.usage ? [chunk.usage.prompt_tokens, chunk.usage.completion_tokens] : reading.tokens,
    };
  });
  try {
    const { choices } = await stream.finalChatCompletion();
    const choice = choices[0];
    return {
      ...reading,
      calls: (choice?.message.tool_calls ?? []).map(toCall),
      sources: (choice?.message.annotations ?? []).map(({ url_citation: { url } }) => url),
      stop: choice && stops[choice.finish_reason],
    };
  } catch (error) {
    return { ...reading, stop: 'error', error: errorMessageOf(error) };
  }
}

const toCall = ({
  id,
  function: { name, arguments: args },
}: {
  id: string;
  function: { name: string; arguments: string };
}): CallReading => ({ id, name, input: inputOf(args) });

/** The client has no field for reasoning, but passes the chunks on unchanged. */
function reasoningIn({ choices }: ChatCompletionChunk): string {
  const delta: unknown = choices[0]?.delta;
  if (!isRecord(delta)) return '';
  const { reasoning_content, reasoning } = delta;
  const text = reasoning_content ?? reasoning;
  return typeof text === 'string' ? text : '';
}
