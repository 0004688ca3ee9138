/** Agents, providers and processors as interfaces. Source: DeepChat strong-typed events, sections 2 and 8. */
import type { AgentMessage, AgentResponse, MessageType } from './agent-message.ts';
import type { LLMCoreStreamEvent, StreamEventOf } from './core-events.ts';

/** One thing that an agent can do, and what the reader has to allow for it. */
export interface AgentCapability {
  readonly type: 'tool_call' | 'reasoning' | 'search' | 'code_generation' | 'data_analysis' | 'image_processing';
  readonly description: string;
  /** Asked of the reader before the agent's first use. */
  readonly required_permissions?: readonly string[];
}

/** An agent that runs in the page: it needs no endpoint. */
export interface BaseAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly AgentCapability[];
  /** Answers one message, piece by piece. What it throws becomes an error block. */
  processMessage(
    message: AgentMessage,
    options?: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentResponse, void, unknown>;
  /** What the composer offers. */
  getSupportedMessageTypes(): readonly MessageType[];
  /** A JSON Schema of the agent's settings. */
  getConfigurationSchema(): object;
}

/** An agent behind an endpoint of its own, in a widget of several. */
export interface AgentDescriptor {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly endpoint: string;
  readonly protocol?: string;
  readonly avatar?: string;
}

/** The agents that a page offers. */
export interface AgentRegistry {
  registerAgent(agent: BaseAgent): void;
  unregisterAgent(id: string): void;
  getAgent(id: string): BaseAgent | undefined;
  /** Those with a capability of that `type`. */
  getAgentsByCapability(capability: AgentCapability): readonly BaseAgent[];
  getAllAgents(): readonly BaseAgent[];
  discoverAgents(): Promise<readonly BaseAgent[]>;
}

/** A tool of the page, as an agent is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: object;
}

/** A tool as a model's provider is told of it. */
export interface MCPToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly inputSchema: object;
}

/** One item of the history that a provider is given. */
export interface ProviderMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_call_id?: string;
}

/** A model behind code of the page's own: it yields core events. */
export interface TypeSafeLLMProvider {
  readonly id: string;
  readonly name: string;
  coreStream(
    messages: readonly ProviderMessage[],
    modelId: string,
    modelConfig: Readonly<Record<string, unknown>>,
    temperature: number,
    maxTokens: number,
    tools: readonly MCPToolDefinition[],
  ): AsyncGenerator<LLMCoreStreamEvent>;
}

/** The step from a model's events to an agent's answer. */
export interface TypeSafeAgentProcessor {
  processStream(events: AsyncIterable<LLMCoreStreamEvent>): AsyncGenerator<AgentResponse>;
  isTextEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'text'>;
  isToolCallStartEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_start'>;
  isErrorEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'error'>;
}
