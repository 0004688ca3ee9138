/**
 * Settings of a conversation. Changes of these apply to a running turn: `headers`, `body`, `context` and `transformRequest` are
 * read for every request, `tools` and `pageTools` before each round and when its calls are run. The others are fixed when the
 * turn starts. `chat/settings-of-endpoint.ts` has the exception: a page that has set another endpoint meanwhile.
 */
import type { ClientTool } from '../agents/tools.ts';
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Adapter } from '../protocols/core/adapter.ts';
import type { ProtocolMapping } from '../protocols/mapping/map-protocol.ts';
import type { Redact } from './masking/redact-for-sending.ts';
import type { ReportBlocked } from '../safety/blocked.ts';
import type { Limits } from './limits.ts';
import type { PageHeaders } from './plain-headers.ts';

/** The argument of the page's functions for headers, body and context. */
export interface RequestContext {
  readonly url: string;
  readonly protocol: string | undefined;
  readonly conversation: readonly ChatMessage[];
  readonly threadId: string;
}

/** A value, or a function that returns it before every request. */
export type Provided<T> = T | ((context: RequestContext) => T | Promise<T>);

/** A request that the page can still change. */
export interface OutgoingRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** The subprotocols of a WebSocket. */
  readonly subProtocols?: string[];
  readonly protocol: string | undefined;
  readonly conversation: readonly ChatMessage[];
}

export interface ChatSettings {
  readonly endpoint?: string | undefined;
  /** An adapter's id, an adapter, a protocol mapping, or `auto`. */
  readonly protocol?: string | Adapter | ProtocolMapping | undefined;
  /**
   * The endpoint under which the conversation is stored; undefined if nothing is stored. A listener may send single messages to
   * another one.
   */
  readonly storedEndpoint?: string | undefined;
  readonly headers?: Provided<PageHeaders | undefined> | undefined;
  readonly body?: Provided<Readonly<Record<string, unknown>> | undefined> | undefined;
  /** Context of the page for the agent. */
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
  /** Names of WebMCP tools of the page that the agent may use, or `*`. */
  readonly pageTools?: string | undefined;
  readonly maxToolRounds?: number | undefined;
  readonly retry?: 'auto' | 'safe' | 'off' | undefined;
  /**
   * Polling for servers whose stream is blocked: requests the reply every `interval` milliseconds until it is complete. The response to
   * the request that sends the message is not read.
   */
  readonly poll?: Poll | undefined;
  readonly threadId?: string | undefined;
  /** Called for all that is blocked, such as the page's headers and body in a request to a server other than the endpoint's. */
  readonly report?: ReportBlocked | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Changes the user's text before it is sent, and any text before it is stored. */
  readonly redact?: Redact | undefined;
  /** Which parts of a reply the page shows. Some servers are asked for them accordingly. */
  readonly show?: { readonly reasoning?: boolean; readonly tools?: boolean } | undefined;
}

/** Polling of a server that does not stream. */
export interface Poll {
  /** The URL of the reply, or a function that fetches it. */
  readonly source: string | ((context: RequestContext) => Promise<Response>);
  /** Interval in milliseconds, at least 100. */
  readonly interval: number;
}
