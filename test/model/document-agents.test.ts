/** Code in the shapes of the source document's samples compiles with the names of `./model`. */
import { expect } from '@open-wc/testing';
import { PageAgentRegistry } from '../../src/agents/registry.ts';
import {
  createStreamEvent,
  isErrorEvent,
  isTextEvent,
  isToolCallStartEvent,
  type AgentCapability,
  type AgentMessage,
  type AgentRegistry,
  type AgentResponse,
  type BaseAgent,
  type LLMCoreStreamEvent,
  type MessageType,
  type ErrorStreamEvent,
  type TextStreamEvent,
  type ToolCallStartEvent,
  type TypeSafeAgentProcessor,
} from '../../src/model.ts';

class QuoteAgent implements BaseAgent {
  id = 'quotes';
  name = 'Quotes';
  description = 'Prices of a day';
  // The document's samples leave the type out, which makes `type` any string: the compiler refuses that there too.
  capabilities: AgentCapability[] = [{ type: 'data_analysis', description: 'Prices' }];

  async *processMessage(message: AgentMessage): AsyncGenerator<AgentResponse> {
    yield* this.#answer(message, message.content.structured?.type === 'quote' ? { price: 7 } : ['nothing']);
  }
  async *#answer({ id, timestamp }: AgentMessage, content: unknown): AsyncGenerator<AgentResponse> {
    await Promise.resolve();
    yield {
      id: 'r',
      messageId: id,
      agentId: this.id,
      type: 'data',
      content: { data: { format: 'quotes', content } },
      metadata: {},
      status: 'complete',
      timestamp,
    };
  }
  getSupportedMessageTypes(): MessageType[] {
    return ['text', 'structured_data'];
  }
  getConfigurationSchema(): object {
    return {};
  }
}

/** The document's `ExampleAgent`, with its names and signatures. */
class ExampleAgent implements TypeSafeAgentProcessor {
  async *processStream(events: AsyncGenerator<LLMCoreStreamEvent>): AsyncGenerator<AgentResponse> {
    for await (const event of events) {
      if (this.isTextEvent(event)) yield this.processText(event.content);
      else if (this.isToolCallStartEvent(event)) yield this.processText(event.tool_call_name);
      else if (this.isErrorEvent(event)) yield this.processText(event.error_message);
    }
  }
  processText(text: string): AgentResponse {
    const part = { id: 'r', messageId: 'm', agentId: 'example', metadata: {}, timestamp: 1 };
    return { ...part, type: 'text', content: { text }, status: 'streaming' };
  }
  isTextEvent(event: LLMCoreStreamEvent): event is TextStreamEvent {
    return isTextEvent(event);
  }
  isToolCallStartEvent(event: LLMCoreStreamEvent): event is ToolCallStartEvent {
    return isToolCallStartEvent(event);
  }
  isErrorEvent(event: LLMCoreStreamEvent): event is ErrorStreamEvent {
    return isErrorEvent(event);
  }
}

async function* eventsOfModel(): AsyncGenerator<LLMCoreStreamEvent> {
  await Promise.resolve();
  yield createStreamEvent.text('Hi');
  yield createStreamEvent.toolCallStart('t', 'f');
  yield createStreamEvent.stop('complete');
  yield createStreamEvent.error('No luck.');
}

const told = (event: LLMCoreStreamEvent): string =>
  isTextEvent(event) ? event.content : isToolCallStartEvent(event) ? event.tool_call_name : '';

describe('agents as the document writes them', () => {
  it('events by their names, told apart by the guards', () => {
    const words: TextStreamEvent = { type: 'text', content: 'Hi' };
    const call: ToolCallStartEvent = createStreamEvent.toolCallStart('t', 'f');
    expect(
      [words, call, createStreamEvent.usage({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })].map(told),
    ).to.deep.equal(['Hi', 'f', '']);
  });

  it('a processor turns the events of a model into responses', async () => {
    const texts: unknown[] = [];
    for await (const { content } of new ExampleAgent().processStream(eventsOfModel())) texts.push(content.text);
    expect(texts).to.deep.equal(['Hi', 'f', 'No luck.']);
  });

  it('an agent is registered with a promise, found by what it can do, and answers with data of any shape', async () => {
    const registry: AgentRegistry = new PageAgentRegistry();
    const agent = new QuoteAgent();
    expect(await registry.registerAgent(agent).then(() => registry.getAgent('quotes'))).to.equal(agent);
    expect(registry.getAgentsByCapability({ type: 'data_analysis', description: '' })).to.deep.equal([agent]);
    const message = {
      id: 'm',
      type: 'structured_data',
      role: 'user',
      content: { structured: { type: 'quote', data: { symbol: 'X' } } },
      metadata: {},
      timestamp: 1,
    } as const;
    const answers: unknown[] = [];
    for await (const { content } of agent.processMessage(message)) answers.push(content.data?.content);
    expect(answers).to.deep.equal([{ price: 7 }]);
    await registry.unregisterAgent('quotes');
    expect(registry.getAllAgents()).to.deep.equal([]);
  });
});
