/** Interfaces of agents, providers and processors. Source: `docs/protocols/deepchat-events.md`. */
import type { AgentMessage, AgentResponse, MessageType } from './agent-message.ts';
import type { LLMCoreStreamEvent, StreamEventOf } from './events/core-events.ts';

/** One ability of an agent, and the permissions that it needs. */
export interface AgentCapability {
  readonly type: 'tool_call' | 'reasoning' | 'search' | 'code_generation' | 'data_analysis' | 'image_processing';
  readonly description: string;
  /** The user is asked for these before the agent is first used. */
  readonly required_permissions?: readonly string[];
}

/** An agent that runs in the page and needs no endpoint. */
export interface BaseAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly AgentCapability[];
  /** Answers one message, part by part. Anything it throws becomes an error block. */
  processMessage(
    message: AgentMessage,
    options?: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentResponse, void, unknown>;
  /** The message types that the agent handles. A message or an answer of another type passes, with one console warning per type. */
  getSupportedMessageTypes(): readonly MessageType[];
  /**
   * A JSON Schema of the agent's settings. If it has fields, the menu of the chat has a form for them. What the user saves is
   * `metadata.configuration` of each following message.
   */
  getConfigurationSchema(): object;
}

/** An agent with its own endpoint, in a widget with several agents. */
export interface AgentDescriptor {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** As `endpoint` of the element. */
  readonly endpoint: string;
  readonly protocol?: string;
  readonly avatar?: string;
  /**
   * The agent was found by `discoverAgents()`. It answers once the user or the host page has selected it, or if the
   * page has no `endpoint`. Its `avatar` must match `image-hosts`.
   */
  readonly discovered?: boolean;
}

/** The agents that a page offers. */
export interface AgentRegistry {
  registerAgent(agent: BaseAgent): Promise<void>;
  unregisterAgent(id: string): Promise<void>;
  getAgent(id: string): BaseAgent | undefined;
  /** Returns the agents with a capability of that `type`. */
  getAgentsByCapability(capability: AgentCapability): readonly BaseAgent[];
  getAllAgents(): readonly BaseAgent[];
  discoverAgents(): Promise<readonly BaseAgent[]>;
}

/** A tool of the host page, as described to an agent. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: object;
}

/** A tool as described to a model's provider. */
export interface MCPToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly inputSchema: object;
}

/** One history item for a provider. */
export interface ProviderMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_call_id?: string;
}

/** Settings of a model, as the page's code defines them. */
export type ModelConfig = Readonly<Record<string, unknown>>;

/** A model behind the page's own code; yields core events. */
export interface TypeSafeLLMProvider {
  readonly id: string;
  readonly name: string;
  coreStream(
    messages: readonly ProviderMessage[],
    modelId: string,
    modelConfig: ModelConfig,
    temperature: number,
    maxTokens: number,
    tools: readonly MCPToolDefinition[],
  ): AsyncGenerator<LLMCoreStreamEvent>;
}

/** Converts a model's events to an agent's answer. */
export interface TypeSafeAgentProcessor {
  processStream(events: AsyncIterable<LLMCoreStreamEvent>): AsyncGenerator<AgentResponse>;
  isTextEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'text'>;
  isToolCallStartEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_start'>;
  isErrorEvent(event: LLMCoreStreamEvent): event is StreamEventOf<'error'>;
}
