import { loadOnce } from '../load-once.ts';
import type { Adapter, Certainty, DetectionInput } from './core/adapter.ts';

/**
 * A registered protocol whose adapter is loaded on demand. Detection of the built-in protocols is in
 * `detectors.ts`, which is loaded only when a protocol has to be detected.
 */
export interface ProtocolEntry {
  readonly id: string;
  /** The adapter, if the page has registered it. */
  readonly adapter?: Adapter;
  detect?(input: DetectionInput): Certainty;
  load(): Promise<Adapter>;
}

/**
 * In the order of detection: the first certain match wins. A protocol that is added here also needs its detection in
 * `detectors.ts`.
 */
const builtIn: readonly (readonly [id: string, load: () => Promise<Adapter>])[] = [
  ['openai-chat', async () => (await import('./openai-chat/openai-chat.ts')).openAiChat],
  ['openai-responses', async () => (await import('./openai-responses/openai-responses.ts')).openAiResponses],
  ['agent-session', async () => (await import('./agent-session/agent-session.ts')).agentSession],
  ['agent-phase', async () => (await import('./agent-phase.ts')).agentPhase],
  ['deepchat-events', async () => (await import('./deepchat-events/deepchat-events.ts')).deepchatEvents],
  ['message-field', async () => (await import('./message-field/message-field.ts')).messageField],
  ['agentscope-msg', async () => (await import('./agentscope-msg/agentscope-msg.ts')).agentscopeMsg],
  ['ag-ui', async () => (await import('./ag-ui/ag-ui.ts')).agUi],
  ['gemini', async () => (await import('./gemini/gemini.ts')).gemini],
  [
    'gemini-interactions',
    async () => (await import('./gemini-interactions/gemini-interactions.ts')).geminiInteractions,
  ],
  ['ollama', async () => (await import('./ollama/ollama.ts')).ollama],
  ['dify', async () => (await import('./dify/dify.ts')).dify],
  ['flowise', async () => (await import('./flowise/flowise.ts')).flowise],
  ['n8n', async () => (await import('./n8n.ts')).n8n],
  ['langflow', async () => (await import('./langflow/langflow.ts')).langflow],
  ['coze', async () => (await import('./coze/coze.ts')).coze],
  ['openai-assistants', async () => (await import('./openai-assistants/openai-assistants.ts')).openAiAssistants],
  ['rasa', async () => (await import('./rasa.ts')).rasa],
  ['ai-sdk', async () => (await import('./ai-sdk/ai-sdk.ts')).aiSdk],
  ['ai-sdk-v4', async () => (await import('./ai-sdk/ai-sdk-v4.ts')).aiSdkV4],
  [
    'assistant-transport',
    async () => (await import('./assistant-transport/assistant-transport.ts')).assistantTransport,
  ],
  ['anthropic', async () => (await import('./anthropic/anthropic.ts')).anthropic],
  ['cohere', async () => (await import('./cohere/cohere.ts')).cohere],
  ['a2a', async () => (await import('./a2a/a2a.ts')).a2a],
  ['adk', async () => (await import('./adk/adk.ts')).adk],
  ['agentscope', async () => (await import('./agentscope/agentscope.ts')).agentscope],
  ['langgraph', async () => (await import('./langgraph/langgraph.ts')).langgraph],
  ['chatkit', async () => (await import('./chatkit/chatkit.ts')).chatKit],
  ['agentcore', async () => (await import('./agentcore/agentcore.ts')).agentCore],
  ['mastra', async () => (await import('./mastra/mastra.ts')).mastra],
  ['agno', async () => (await import('./agno/agno.ts')).agno],
  ['eve', async () => (await import('./eve/eve.ts')).eve],
  ['cloudflare-agents', async () => (await import('./cloudflare-agents/cloudflare-agents.ts')).cloudflareAgents],
  ['text', async () => (await import('./text.ts')).text],
  ['json', async () => (await import('./json.ts')).json],
  ['json-stream', async () => (await import('./json-stream/json-stream.ts')).jsonStream],
];

/**
 * The protocols available to the widgets: the built-in ones, which are loaded when needed, and those that the host
 * page registers.
 */
export class ProtocolRegistry {
  /** Entries by id, the newest last, because a registration can be undone. */
  readonly #entries = new Map<string, readonly ProtocolEntry[]>(
    builtIn.map(([id, load]) => [id, [{ id, load: loadOnce(load) }]]),
  );

  /**
   * Registers an adapter. It takes precedence over a built-in one with the same id.
   *
   * @returns a function that removes the adapter
   */
  register(adapter: Adapter): () => void {
    const { id } = adapter;
    const entry: ProtocolEntry = {
      id,
      adapter,
      ...(adapter.detect && { detect: (input: DetectionInput) => adapter.detect?.(input) ?? 'no' }),
      load: () => Promise.resolve(adapter),
    };
    this.#entries.set(id, [...(this.#entries.get(id) ?? []), entry]);
    return () => {
      const others = this.#entries.get(id)?.filter((other) => other !== entry) ?? [];
      if (others.length > 0) this.#entries.set(id, others);
      else this.#entries.delete(id);
    };
  }

  unregister(id: string): void {
    this.#entries.delete(id);
  }

  get(id: string): ProtocolEntry | undefined {
    return this.#entries.get(id)?.at(-1);
  }

  list(): readonly ProtocolEntry[] {
    return [...this.#entries.values()].flatMap((entries) => entries.slice(-1));
  }
}

/** The protocol registry shared by all widgets. */
export const protocols = new ProtocolRegistry();
