/** Reads a stream of the Responses API with OpenAI's own client. */
import type { Response, ResponseOutputItem } from 'openai/resources/responses/responses';
import { openAi } from './openai-reading.ts';
import { emptyReading, inputOf, errorMessageOf, type CallReading, type Reading } from './reading.ts';

export async function readResponse(origin: string): Promise<Reading> {
  const stream = openAi(origin).responses.stream({ model: 'm', input: 'Hi' });
  /** For a stream that fails, the client provides only its events. */
  let text = '';
  stream.on('response.output_text.delta', ({ delta }) => {
    text += delta;
  });
  try {
    return toReading(await stream.finalResponse());
  } catch (error) {
    return { ...emptyReading, text, stop: 'error', error: errorMessageOf(error) };
  }
}

const toReading = ({ output, status, incomplete_details, usage, error }: Response): Reading => ({
  text: output
    .flatMap(partsOf)
    .map((part) => (part.type === 'output_text' ? part.text : part.refusal))
    .join(''),
  reasoning: output.flatMap(reasoningOf).join('\n\n'),
  calls: output.flatMap(callOf),
  sources: output
    .flatMap(partsOf)
    .flatMap((part) => (part.type === 'output_text' ? part.annotations : []))
    .flatMap((source) => (source.type === 'url_citation' ? [source.url] : [])),
  stop: stopOf(status, incomplete_details, output),
  tokens: usage ? [usage.input_tokens, usage.output_tokens] : undefined,
  error: error?.message,
});

const partsOf = (item: ResponseOutputItem) => (item.type === 'message' ? item.content : []);

const reasoningOf = (item: ResponseOutputItem): readonly string[] =>
  item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])].map(({ text }) => text) : [];

function callOf(item: ResponseOutputItem): readonly CallReading[] {
  switch (item.type) {
    case 'function_call':
      return [{ id: item.call_id, name: item.name, input: inputOf(item.arguments) }];
    case 'custom_tool_call':
      return [{ id: item.call_id, name: item.name, input: inputOf(item.input) }];
    case 'mcp_call':
      return [{ id: item.id, name: item.name, input: inputOf(item.arguments) }];
    case 'web_search_call':
      return [{ id: item.id, name: 'web_search', input: item.action }];
    default:
      return [];
  }
}

function stopOf(
  status: Response['status'],
  cut: Response['incomplete_details'],
  output: readonly ResponseOutputItem[],
): Reading['stop'] {
  if (status === 'incomplete') return cut?.reason === 'max_output_tokens' ? 'max_tokens' : 'error';
  if (status !== 'completed') return 'error';
  // The client's caller has to notice that a call waits.
  return output.some(({ type }) => type === 'function_call' || type === 'custom_tool_call') ? 'tool_use' : 'complete';
}
