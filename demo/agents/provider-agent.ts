import {
  isErrorEvent,
  isTextEvent,
  isToolCallStartEvent,
  type BaseAgent,
  type LLMCoreStreamEvent,
  type MCPToolDefinition,
  type ProviderMessage,
  type TypeSafeAgentProcessor,
  type TypeSafeLLMProvider,
} from 'agent-chat-element';
import { respondTo, type Respond } from './respond.ts';
import { scriptedProvider } from './scripted-provider.ts';

const MAX_ROUNDS = 4;
const MAX_TOKENS = 1000;
const TEMPERATURE = 0.2;

/** Converts a model's events to an agent's answer: text, tool activity and errors. */
const createProcessor = (respond: Respond): TypeSafeAgentProcessor => ({
  isTextEvent,
  isToolCallStartEvent,
  isErrorEvent,
  async *processStream(events) {
    const names = new Map<string, string>();
    for await (const event of events) {
      if (isTextEvent(event)) yield respond('text', { text: event.content });
      else if (isToolCallStartEvent(event)) {
        names.set(event.tool_call_id, event.tool_call_name);
        yield respond(
          'progress',
          { progress: { current: 0, total: 1, message: event.tool_call_name } },
          { id: event.tool_call_id },
        );
      } else if (event.type === 'tool_call_end') {
        const message = `${names.get(event.tool_call_id) ?? 'Tool'}: called`;
        yield respond('progress', { progress: { current: 1, total: 1, message } }, { id: event.tool_call_id });
      } else if (event.type === 'image_data') yield respond('image', { image: event.image_data });
      else if (isErrorEvent(event)) {
        const error = { code: 'provider', message: event.error_message };
        yield respond('error', { error }, { status: 'error' });
      }
      // Reasoning, usage and stop have no event of their own in an agent's answer.
    }
  },
});

interface Tool {
  readonly definition: MCPToolDefinition;
  run(args: string): Promise<string>;
}

const getOrder: Tool = {
  definition: {
    name: 'get_order',
    description: 'Looks up an order of Northwind Outdoor',
    inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  },
  run(args) {
    const { order } = JSON.parse(args) as { readonly order: string };
    return Promise.resolve(`order ${order}, a Trail 40 backpack, paid and delivered`);
  },
};

/** An agent on top of a provider: it asks the model, runs the requested tools, and asks again. */
const createProviderAgent = (provider: TypeSafeLLMProvider, tools: readonly Tool[]): BaseAgent => ({
  id: `${provider.id}-provider-agent`,
  name: 'Provider agent',
  description: 'A model’s core events, made an agent’s answer',
  capabilities: [
    { type: 'reasoning', description: 'Thinks before it answers' },
    { type: 'tool_call', description: 'Looks up orders' },
  ],
  async *processMessage(message, { signal } = { signal: new AbortController().signal }) {
    const processor = createProcessor(respondTo(`${provider.id}-provider-agent`, message));
    const messages: ProviderMessage[] = [{ role: 'user', content: message.content.text ?? '' }];
    for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
      const calls = new Map<string, { name: string; args: string }>();
      const definitions = tools.map(({ definition }) => definition);
      const events = provider.coreStream(messages, 'scripted-1', {}, TEMPERATURE, MAX_TOKENS, definitions);
      yield* processor.processStream(withCalls(events, calls));
      if (calls.size === 0) return;
      for (const [tool_call_id, { name, args }] of calls) {
        const tool = tools.find(({ definition }) => definition.name === name);
        const content = tool ? await tool.run(args) : `There is no tool "${name}".`;
        messages.push({ role: 'tool', tool_call_id, content });
      }
    }
  },
  getSupportedMessageTypes: () => ['text', 'image'],
  getConfigurationSchema: () => ({
    type: 'object',
    properties: { temperature: { type: 'number', minimum: 0, maximum: 1, default: TEMPERATURE } },
  }),
});

export const providerAgent = createProviderAgent(scriptedProvider, [getOrder]);

/** Passes the events through and records the tool calls in them. */
async function* withCalls(
  events: AsyncIterable<LLMCoreStreamEvent>,
  calls: Map<string, { name: string; args: string }>,
): AsyncGenerator<LLMCoreStreamEvent> {
  for await (const event of events) {
    if (event.type === 'tool_call_start') calls.set(event.tool_call_id, { name: event.tool_call_name, args: '' });
    const call = event.type === 'tool_call_chunk' ? calls.get(event.tool_call_id) : undefined;
    if (call && event.type === 'tool_call_chunk') call.args += event.tool_call_arguments_chunk;
    yield event;
  }
}
