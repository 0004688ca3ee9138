/** What a page can set about a conversation. The runtime reads it anew for every request, so a change needs no rebuild. */
import type { ClientTool } from '../agents/tools.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Adapter } from '../protocols/adapter.ts';
import type { ProtocolMapping } from '../protocols/map-protocol.ts';
import type { Redact } from './keeping/conversation-store.ts';
import type { Limits } from './limits.ts';

/** What a function of the page is told when it is asked for headers, a body or facts. */
export interface RequestContext {
  readonly url: string;
  readonly protocol: string | undefined;
  readonly conversation: readonly ChatMessage[];
  readonly threadId: string;
}

/** A value, or a function that gives it before every request. */
export type Provided<T> = T | ((context: RequestContext) => T | Promise<T>);

/** A request as the page may still change it. */
export interface OutgoingRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** The sub-protocols of a WebSocket. */
  readonly subProtocols?: string[];
  readonly protocol: string | undefined;
  readonly conversation: readonly ChatMessage[];
}

export interface ChatSettings {
  readonly endpoint?: string | undefined;
  /** An adapter's id, an adapter, one described as data, or `auto`. */
  readonly protocol?: string | Adapter | ProtocolMapping | undefined;
  readonly headers?: Provided<Readonly<Record<string, string>>> | undefined;
  readonly body?: Provided<Readonly<Record<string, unknown>>> | undefined;
  /** Facts of the page for the agent. */
  readonly context?: unknown;
  readonly fetch?: typeof fetch | undefined;
  readonly transformRequest?: ((request: OutgoingRequest) => OutgoingRequest | Promise<OutgoingRequest>) | undefined;
  readonly transformEvent?: ((event: LLMAgentEvent) => LLMAgentEvent | readonly LLMAgentEvent[] | null) | undefined;
  readonly credentials?: RequestCredentials | undefined;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  readonly agents?: readonly (BaseAgent | AgentDescriptor)[] | undefined;
  readonly agent?: string | undefined;
  readonly tools?: readonly ClientTool[] | undefined;
  /** Names of tools that the page registered with WebMCP and that the agent may have, or `*`. */
  readonly pageTools?: string | undefined;
  readonly maxToolRounds?: number | undefined;
  readonly retry?: 'auto' | 'safe' | 'off' | undefined;
  /** For servers whose stream cannot get through: asked every `interval` milliseconds until the reply is whole. */
  readonly poll?: Poll | undefined;
  readonly threadId?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Goes over the reader's text before it is sent, and over all text before it is stored. */
  readonly redact?: Redact | undefined;
  /** What the reader is to see, as far as the page has said; some servers are asked accordingly. */
  readonly show?: { readonly reasoning?: boolean; readonly tools?: boolean } | undefined;
}

/** Where a reply is asked for again and again, from a server that does not stream. */
export interface Poll {
  /** Where the reply is read, or what reads it. */
  readonly source: string | ((context: RequestContext) => Promise<Response>);
  /** Milliseconds. */
  readonly interval: number;
}
