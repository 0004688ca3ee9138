import type {
  AgentMessage,
  AgentResponse,
  AgentResponseContent,
  ResponseType,
} from '../../../src/model/agent-message.ts';
import type { BaseAgent } from '../../../src/model/agent.ts';
import { chunksOf } from '../../support/cuts.ts';

type Answering = (message: AgentMessage, signal: AbortSignal) => AsyncIterable<AgentResponse>;

/** An agent of the page that answers as the test says. */
export const agentOf = (
  id: string,
  { answer = () => chunksOf([]), ...more }: Partial<BaseAgent> & { readonly answer?: Answering } = {},
): BaseAgent => ({
  id,
  name: `The ${id}`,
  description: '',
  capabilities: [],
  async *processMessage(message, { signal } = { signal: new AbortController().signal }) {
    yield* answer(message, signal);
  },
  getSupportedMessageTypes: () => ['text', 'code', 'data', 'file', 'image'],
  getConfigurationSchema: () => ({}),
  ...more,
});

export const piece = (type: ResponseType, content: AgentResponseContent, id = 'p'): AgentResponse => ({
  id,
  messageId: 'm',
  agentId: 'a',
  type,
  content,
  metadata: {},
  status: 'complete',
  timestamp: 0,
});

export const say = (text: string): AgentResponse => piece('text', { text });
