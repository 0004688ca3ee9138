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
 * In the order of detection: the first certain match wins. Each module exports its adapter as `adapter`. A protocol that is added here
 * also needs its detection in `detectors.ts`.
 */
const builtIn: readonly (readonly [id: string, load: () => Promise<{ readonly adapter: Adapter }>])[] = [
  ['openai-chat', () => import('./openai-chat/openai-chat.ts')],
  ['openai-responses', () => import('./openai-responses/openai-responses.ts')],
  ['agent-session', () => import('./agent-session/agent-session.ts')],
  ['agent-phase', () => import('./agent-phase.ts')],
  ['deepchat-events', () => import('./deepchat-events/deepchat-events.ts')],
  ['message-field', () => import('./message-field/message-field.ts')],
  ['agentscope-msg', () => import('./agentscope-msg/agentscope-msg.ts')],
  ['ag-ui', () => import('./ag-ui/ag-ui.ts')],
  ['gemini', () => import('./gemini/gemini.ts')],
  ['gemini-interactions', () => import('./gemini-interactions/gemini-interactions.ts')],
  ['ollama', () => import('./ollama/ollama.ts')],
  ['dify', () => import('./dify/dify.ts')],
  ['flowise', () => import('./flowise/flowise.ts')],
  ['n8n', () => import('./n8n.ts')],
  ['langflow', () => import('./langflow/langflow.ts')],
  ['coze', () => import('./coze/coze.ts')],
  ['openai-assistants', () => import('./openai-assistants/openai-assistants.ts')],
  ['rasa', () => import('./rasa.ts')],
  ['ai-sdk', () => import('./ai-sdk/ai-sdk.ts')],
  ['ai-sdk-v4', () => import('./ai-sdk/ai-sdk-v4.ts')],
  ['assistant-transport', () => import('./assistant-transport/assistant-transport.ts')],
  ['anthropic', () => import('./anthropic/anthropic.ts')],
  ['cohere', () => import('./cohere/cohere.ts')],
  ['a2a', () => import('./a2a/a2a.ts')],
  ['adk', () => import('./adk/adk.ts')],
  ['agentscope', () => import('./agentscope/agentscope.ts')],
  ['langgraph', () => import('./langgraph/langgraph.ts')],
  ['chatkit', () => import('./chatkit/chatkit.ts')],
  ['agentcore', () => import('./agentcore/agentcore.ts')],
  ['mastra', () => import('./mastra/mastra.ts')],
  ['agno', () => import('./agno/agno.ts')],
  ['eve', () => import('./eve/eve.ts')],
  ['cloudflare-agents', () => import('./cloudflare-agents/cloudflare-agents.ts')],
  ['text', () => import('./text.ts')],
  ['json', () => import('./json.ts')],
  ['json-stream', () => import('./json-stream/json-stream.ts')],
];

/**
 * The protocols available to the widgets: the built-in ones, which are loaded when needed, and those that the host
 * page registers.
 */
export class ProtocolRegistry {
  /** Entries by id, the newest last, because a registration can be undone. */
  readonly #entries = new Map<string, readonly ProtocolEntry[]>(
    builtIn.map(([id, load]) => [id, [{ id, load: loadOnce(async () => (await load()).adapter) }]]),
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
