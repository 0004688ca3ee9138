import { createStreamEvent, type LLMCoreStreamEvent, type TypeSafeLLMProvider } from 'agent-chat-element';
import { pause } from './respond.ts';

/**
 * A model provider: it yields core events and knows nothing about agents or rendering. This one has scripted answers; a
 * real one would parse the response of its API. Source: `docs/protocols/deepchat-events.md`.
 */
export const scriptedProvider: TypeSafeLLMProvider = {
  id: 'scripted',
  name: 'Scripted model',

  async *coreStream(messages, _modelId, _modelConfig, _temperature, maxTokens, tools) {
    const results = messages.filter(({ role }) => role === 'tool');
    const [tool] = tools;
    if (results.length === 0 && tool) {
      yield* slowly('They want to know about an order. ', createStreamEvent.reasoning);
      const id = 'call_1';
      yield createStreamEvent.toolCallStart(id, tool.name);
      for (const chunk of ['{"order":', ' "NW-', '48213"}']) {
        await pause(120);
        yield createStreamEvent.toolCallChunk(id, chunk);
      }
      yield createStreamEvent.toolCallEnd(id);
      yield createStreamEvent.stop('tool_use');
      return;
    }
    const order = results.at(-1)?.content ?? 'nothing';
    const answer = `A provider said this in *core events*, and a processor made an agent's answer of them. The tool found: ${order}.`;
    yield* slowly(answer, createStreamEvent.text);
    const completion_tokens = Math.min(maxTokens, Math.ceil(answer.length / 4));
    yield createStreamEvent.usage({ prompt_tokens: 40, completion_tokens, total_tokens: 40 + completion_tokens });
    yield createStreamEvent.stop('complete');
  },
};

async function* slowly(text: string, make: (chunk: string) => LLMCoreStreamEvent): AsyncGenerator<LLMCoreStreamEvent> {
  for (const chunk of text.match(/.{1,6}/gsu) ?? []) {
    yield make(chunk);
    await pause(24);
  }
}
