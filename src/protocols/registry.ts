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
const builtIn: readonly ProtocolEntry[] = [
  {
    id: 'openai-chat',
    load: async () => (await import('./openai-chat/openai-chat.ts')).openAiChat,
  },
  {
    id: 'openai-responses',
    load: async () => (await import('./openai-responses/openai-responses.ts')).openAiResponses,
  },
  {
    id: 'agent-session',
    load: async () => (await import('./agent-session/agent-session.ts')).agentSession,
  },
  {
    id: 'agent-phase',
    load: async () => (await import('./agent-phase.ts')).agentPhase,
  },
  {
    id: 'deepchat-events',
    load: async () => (await import('./deepchat-events/deepchat-events.ts')).deepchatEvents,
  },
  {
    id: 'message-field',
    load: async () => (await import('./message-field/message-field.ts')).messageField,
  },
  {
    id: 'agentscope-msg',
    load: async () => (await import('./agentscope-msg/agentscope-msg.ts')).agentscopeMsg,
  },
  {
    id: 'ag-ui',
    load: async () => (await import('./ag-ui/ag-ui.ts')).agUi,
  },
  {
    id: 'gemini',
    load: async () => (await import('./gemini/gemini.ts')).gemini,
  },
  {
    id: 'gemini-interactions',
    load: async () => (await import('./gemini-interactions/gemini-interactions.ts')).geminiInteractions,
  },
  {
    id: 'ollama',
    load: async () => (await import('./ollama/ollama.ts')).ollama,
  },
  {
    id: 'dify',
    load: async () => (await import('./dify/dify.ts')).dify,
  },
  {
    id: 'flowise',
    load: async () => (await import('./flowise/flowise.ts')).flowise,
  },
  {
    id: 'n8n',
    load: async () => (await import('./n8n.ts')).n8n,
  },
  {
    id: 'langflow',
    load: async () => (await import('./langflow/langflow.ts')).langflow,
  },
  {
    id: 'coze',
    load: async () => (await import('./coze/coze.ts')).coze,
  },
  {
    id: 'openai-assistants',
    load: async () => (await import('./openai-assistants/openai-assistants.ts')).openAiAssistants,
  },
  {
    id: 'rasa',
    load: async () => (await import('./rasa.ts')).rasa,
  },
  {
    id: 'ai-sdk',
    load: async () => (await import('./ai-sdk/ai-sdk.ts')).aiSdk,
  },
  {
    id: 'ai-sdk-v4',
    load: async () => (await import('./ai-sdk/ai-sdk-v4.ts')).aiSdkV4,
  },
  {
    id: 'assistant-transport',
    load: async () => (await import('./assistant-transport/assistant-transport.ts')).assistantTransport,
  },
  {
    id: 'anthropic',
    load: async () => (await import('./anthropic/anthropic.ts')).anthropic,
  },
  {
    id: 'cohere',
    load: async () => (await import('./cohere/cohere.ts')).cohere,
  },
  {
    id: 'a2a',
    load: async () => (await import('./a2a/a2a.ts')).a2a,
  },
  {
    id: 'adk',
    load: async () => (await import('./adk/adk.ts')).adk,
  },
  {
    id: 'agentscope',
    load: async () => (await import('./agentscope/agentscope.ts')).agentscope,
  },
  {
    id: 'langgraph',
    load: async () => (await import('./langgraph/langgraph.ts')).langgraph,
  },
  {
    id: 'chatkit',
    load: async () => (await import('./chatkit/chatkit.ts')).chatKit,
  },
  {
    id: 'agentcore',
    load: async () => (await import('./agentcore/agentcore.ts')).agentCore,
  },
  {
    id: 'mastra',
    load: async () => (await import('./mastra/mastra.ts')).mastra,
  },
  {
    id: 'agno',
    load: async () => (await import('./agno/agno.ts')).agno,
  },
  {
    id: 'eve',
    load: async () => (await import('./eve/eve.ts')).eve,
  },
  {
    id: 'cloudflare-agents',
    load: async () => (await import('./cloudflare-agents/cloudflare-agents.ts')).cloudflareAgents,
  },
  {
    id: 'text',
    load: async () => (await import('./text.ts')).text,
  },
  {
    id: 'json',
    load: async () => (await import('./json.ts')).json,
  },
  {
    id: 'json-stream',
    load: async () => (await import('./json-stream/json-stream.ts')).jsonStream,
  },
];

/**
 * The protocols available to the widgets: the built-in ones, which are loaded when needed, and those that the host
 * page registers.
 */
export class ProtocolRegistry {
  /** Entries by id, the newest last, because a registration can be undone. */
  readonly #entries = new Map<string, readonly ProtocolEntry[]>(
    builtIn.map((entry) => [entry.id, [{ ...entry, load: loadOnce(entry.load) }]]),
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
