/**
 * The interface of a protocol adapter. The built-in adapters are plain objects of this type, and so are a host page's
 * own. An adapter has no side effects: time, ids and delays are passed in, and it returns plain data.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { LLMCoreStreamEvent } from '../../model/events/core-events.ts';
import type { ActionType } from '../../model/blocks.ts';
import type { Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ToolSpec } from '../../model/agent.ts';
import type { Frame, Framing } from '../../transport/frame.ts';

/** An event that a decoder emits: a model event or an agent event. A decoder may mix both kinds. */
export type AdapterEvent = LLMCoreStreamEvent | LLMAgentEvent;

/** The user's answer to a permission, question, confirmation or interrupt. */
export interface Answer {
  readonly decision: 'granted' | 'denied' | 'answered' | 'dismissed';
  readonly blockId: string;
  readonly actionType: ActionType;
  /**
   * The id of the call in the stream. It may be missing or used twice in one stream. Use `callBlockId` to compare
   * calls.
   */
  readonly toolCallId?: string;
  /** The id of the block of the call. Set where the widget itself has asked about a call of a client tool. */
  readonly callBlockId?: string;
  readonly payload?: unknown;
  readonly note?: string;
  /** The arguments of the call after the user edited them. */
  readonly arguments?: unknown;
  /** Data that came with the request, such as the server name or the permission type. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * The input of one request of a turn: the conversation, and the user's answers to the agent's questions. In the first request of a
 * turn the user's new message is the last one. Later requests, and those that resume, cancel or answer a reply, have the reply so far
 * after it.
 */
export interface Turn {
  /** The text of the new message in the first request of a turn; empty when only tool results or answers are sent. */
  readonly text: string;
  /** The complete history, oldest message first, including the new message and the reply so far. */
  readonly messages: readonly ChatMessage[];
  readonly threadId: string;
  readonly answers: readonly Answer[];
  /**
   * Set when the conversation branches here. A server that stores the history then has more messages than `messages`.
   */
  readonly fork?: Fork | undefined;
}

/** The user's rating of a message; a `value` of `null` removes the previous rating. */
export interface FeedbackInput {
  readonly message: ChatMessage;
  readonly value: Feedback['value'] | null;
  readonly comment?: string | undefined;
  /** The id that the server gave to the previous rating of this message. */
  readonly id?: string | undefined;
}

/**
 * Why the conversation branches: the user regenerates a reply, or has edited a message. `reply` is the old reply, if there
 * is one. `messages` contains neither the old reply nor the old message.
 */
export interface Fork {
  readonly by: 'regenerate' | 'edit';
  readonly reply?: ChatMessage | undefined;
}

/** A request of an MCP App (a page of an MCP server, shown in a frame) to that server. The agent passes it on. */
export interface AppRequest {
  /** A new id for this request. */
  readonly id: string;
  /** The method of the MCP server. */
  readonly method: 'tools/call' | 'resources/read';
  readonly params: Readonly<Record<string, unknown>>;
  /** The server of the app, as the agent names it. */
  readonly server?: { readonly id?: string | undefined; readonly hash?: string | undefined } | undefined;
}

/** Sends requests of MCP Apps through the agent. */
interface AppRequests {
  /** Builds the request. `turn.messages` ends with the message that shows the app. */
  request(request: AppRequest, turn: Turn, options: RequestOptions): WireRequest | Promise<WireRequest>;
  /**
   * Reads the server's result from the response.
   *
   * @throws ChatError if the response has none.
   */
  result(batches: AsyncIterable<readonly Frame[]>): Promise<unknown>;
}

/** The response to a request other than the reply itself. */
export interface SideAnswer {
  readonly headers: Headers;
  /** The body parsed as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

/** The host page's settings for a request. */
export interface RequestOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Id of the chosen agent, for servers with several agents at one endpoint. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  /** Context of the host page for the agent. */
  readonly context?: unknown;
  /**
   * The host page's own body fields. They are merged into the request automatically. Adapters read them where a field
   * must also appear elsewhere.
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: readonly ToolSpec[];
  /** Whether reasoning and tool calls are displayed; undefined if the host page has not set it. */
  readonly show?: { readonly reasoning?: boolean; readonly tools?: boolean };
  /**
   * Sends a request that the reply depends on, for example to create a thread or to read an agent card. Like the
   * reply's request it uses the page's headers and hooks, but not its `body`.
   *
   * @throws ChatError for a network failure and for any status other than 2xx.
   */
  ask(request: WireRequest): Promise<SideAnswer>;
}

/**
 * An HTTP request as data. A `body` that is a plain object is sent as JSON, merged with the host page's `body`.
 *
 * @typeParam State - adapter data that is passed on with the request
 */
export interface WireRequest<State = unknown> {
  readonly url: string;
  readonly init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: BodyInit | Readonly<Record<string, unknown>>;
  };
  /** Messages that a WebSocket sends before the body. */
  readonly firstMessages?: readonly string[];
  /**
   * Whether it is sent without the page's headers, `body` and cookies, even to the endpoint's own server. For requests whose
   * address, method and headers a server has chosen: it could otherwise have any request to its origin sent as the user.
   */
  readonly withoutPageFields?: boolean;
  /**
   * Names of body fields that are objects with several settings. If the page's `body` has such a field, its settings are
   * merged into it; any other field of the page replaces that of the adapter.
   */
  readonly mergedFields?: readonly string[];
  /**
   * A second request, sent after this one is accepted. It starts the run on servers that send their events on a
   * separate stream. The page's `body` is then merged into this second request.
   */
  readonly trigger?: WireRequest;
  /**
   * Data that the adapter collected while it built this request, such as the address of the agent. It is passed to
   * `decode` with the response, and to `request` when the same request is built again.
   */
  readonly providerState?: State;
}

/** How an interrupted reply is resumed. */
export interface Resumption<State = unknown> {
  readonly request: WireRequest<State>;
  /** `start`: the server sends the complete reply again. `last`: it continues after the last event. */
  readonly from: 'start' | 'last';
}

/** Part of a response that could not be used. The reply continues. */
export interface Warning {
  /** `malformed`: it can't be parsed. `unknown`: its kind is not known. `refused`: it violates a security rule. */
  readonly kind: 'malformed' | 'unknown' | 'refused';
  readonly detail: string;
  readonly frame: Frame;
}
/** Reports a frame that could not be used. The reply continues. */
export type Report = (warning: Warning) => void;

/** What a decoder receives with a response. */
export interface DecodeContext<State = unknown> {
  /** The `eventId` of the events of this response, unless the protocol has its own id. */
  readonly eventId: string;
  /**
   * The turn that this response answers. If a reply is resumed after a reload and sent again from its start, its message in
   * `messages` contains only its `metadata` and, with `resumesRound`, the content from before its last request. After a
   * reconnection during the turn, `messages` are those of the request.
   */
  readonly turn: Turn;
  /**
   * The `providerState` of the request, if this adapter built it. Undefined when the protocol was detected from the response.
   */
  readonly providerState?: State | undefined;
  /** The endpoint, which is the base of relative URLs from the server. */
  readonly url?: string;
  /** The page's tools. An agent that runs tools of its own waits only for calls of these. */
  readonly tools?: readonly Pick<ToolSpec, 'name'>[];
  readonly report: Report;
  /** Returns a new unique id. */
  newId(): string;
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
  /**
   * Signals that the stream has announced its end, for decoders that don't emit `finish` immediately. The stream is
   * then read for a short time only.
   */
  reportEnd?(): void;
  /**
   * Returns whether the end mark `[DONE]` has arrived. Decoders don't receive it as a frame, but some servers send no
   * other end signal.
   */
  hasDoneMark?(): boolean;
  /** Resolves after the given number of milliseconds; never resolves once the reply has ended. */
  delay(milliseconds: number): Promise<void>;
}

/** The input of protocol detection: the URL, the response headers and the first frames. */
export interface DetectionInput {
  readonly url: URL;
  readonly headers: Headers;
  readonly framing: Framing;
  readonly frames: readonly DetectionFrame[];
  /** Whether the body is complete. */
  readonly ended: boolean;
}
/** One of the first frames of a stream, used to detect its protocol. */
export interface DetectionFrame extends Frame {
  /** `data` parsed as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

/** How certain an adapter is that a stream uses its protocol. */
export type Certainty = 'no' | 'maybe' | 'sure';

/**
 * A wire protocol: detects and decodes its streams and builds the requests. {@link defineProtocol} creates one from
 * fewer fields.
 *
 * @typeParam State - the `providerState` that its requests pass to its decoder
 */
export interface Adapter<State = unknown> {
  readonly id: string;
  readonly label?: string;
  /**
   * The kind of server. `model`: a model provider, whose requests have no side effects and may be sent again. `agent`
   * (default): an agent that may have acted.
   */
  readonly kind?: 'model' | 'agent';
  /**
   * What a user message may contain besides text: files (default), nothing (`text`), images and recordings but no
   * other files (`media`), or also the content of a `send({ code })` (`all`). The widget writes everything else into the
   * text, so that it is not lost.
   */
  readonly accepts?: 'text' | 'media' | 'files' | 'all';
  /** The framing of the body, for protocols whose first bytes don't show it. */
  readonly framing?: Framing;
  /**
   * Returns how certain it is that a stream uses this protocol. Without it the adapter is never detected
   * automatically.
   */
  detect?(input: DetectionInput): Certainty;
  /**
   * Builds the next request of a turn. May throw a `ChatError` if something can't be sent. `providerState` comes from the
   * previous attempt, if there was one: objects it created on the server need not be created again.
   */
  request(
    turn: Turn,
    options: RequestOptions & { readonly providerState?: State | undefined },
  ): WireRequest<State> | Promise<WireRequest<State>>;
  /**
   * Builds the request that stops a running reply on the server; returns undefined when it can't be built yet.
   * `turn.messages` ends with the partial reply, whose `metadata` has the ids that the decoder emitted. Without it
   * the agent may continue to work.
   */
  cancel?(turn: Turn, options: RequestOptions): WireRequest | undefined | Promise<WireRequest | undefined>;
  /**
   * Builds the request that sends `turn.answers` while the reply is still streaming, for servers that hold the stream until
   * the user has decided. `turn.messages` ends with the partial reply. If the server refuses it, the answers are sent with
   * the next request, as they are without this function.
   */
  respond?(turn: Turn, options: RequestOptions): WireRequest | undefined | Promise<WireRequest | undefined>;
  /**
   * Returns those of the answers that the next request sends, for protocols whose request can't contain all of them. The
   * others follow in later requests, each after the reply to the previous one. Without this function all are sent together.
   */
  nextAnswers?(answers: readonly Answer[]): readonly Answer[];
  /**
   * Builds the request that sends the user's rating of a message; returns undefined when it can't be sent.
   * `turn.messages` ends with the message, whose `metadata` has the ids that the decoder emitted. An `id` in the
   * response is passed in with the next rating.
   */
  feedback?(rating: FeedbackInput, turn: Turn, options: RequestOptions): WireRequest | undefined;
  /**
   * Loads the functions that send requests of MCP Apps, if the agent passes them on. The decoder marks the `ui` of such
   * an app with `via: 'agent'`.
   */
  loadAppRequests?(): Promise<AppRequests>;
  /**
   * Builds the request that resumes an interrupted reply; returns undefined when it can't be resumed. `turn.messages`
   * ends with the partial reply. `lastEventId` is the `id` of the last frame, where frames have ids. It is also called before the
   * wait for a new connection, to find out whether to wait at all: then `ask()` sends nothing and stays pending.
   */
  resume?(
    turn: Turn,
    options: RequestOptions & { readonly lastEventId?: string | undefined },
  ): Resumption<State> | undefined | Promise<Resumption<State> | undefined>;
  /**
   * Whether a reply that is resumed from its start begins with its last request: the server does not send again what came
   * before an answer or the result of a page tool.
   */
  readonly resumesRound?: boolean;
  /**
   * Decodes the frames of a response into events. The generator's local variables are its state; the code after its
   * loop handles the end of the stream. It never throws for bad data from the server: it reports the frame and
   * continues.
   */
  decode(
    batches: AsyncIterable<readonly Frame[]>,
    context: DecodeContext<State>,
  ): AsyncGenerator<readonly AdapterEvent[], void, unknown>;
}
