/** What OpenAI's own client makes of a stream of chat completions. */
import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { FinishReason } from '../../../src/model/message.ts';
import { isRecord } from '../../../src/model/json.ts';
import { emptyReading, inputOf, wordsOf, type CallReading, type Reading } from './reading.ts';

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
  let said: Reading = emptyReading;
  stream.on('chunk', (chunk, { choices }) => {
    const message = choices[0]?.message;
    said = {
      ...said,
      text: (message?.content ?? '') + (message?.refusal ?? ''),
      thoughts: said.thoughts + thoughtsIn(chunk),
      tokens: chunk.usage ? [chunk.usage.prompt_tokens, chunk.usage.completion_tokens] : said.tokens,
    };
  });
  try {
    const { choices } = await stream.finalChatCompletion();
    const choice = choices[0];
    return {
      ...said,
      calls: (choice?.message.tool_calls ?? []).map(toCall),
      sources: (choice?.message.annotations ?? []).map(({ url_citation: { url } }) => url),
      stop: choice && stops[choice.finish_reason],
    };
  } catch (error) {
    return { ...said, stop: 'error', error: wordsOf(error) };
  }
}

const toCall = ({
  id,
  function: { name, arguments: args },
}: {
  id: string;
  function: { name: string; arguments: string };
}): CallReading => ({ id, name, input: inputOf(args) });

/** The client has no field for thoughts, but hands the chunks on as they came. */
function thoughtsIn({ choices }: ChatCompletionChunk): string {
  const delta: unknown = choices[0]?.delta;
  if (!isRecord(delta)) return '';
  const { reasoning_content, reasoning } = delta;
  const thought = reasoning_content ?? reasoning;
  return typeof thought === 'string' ? thought : '';
}
