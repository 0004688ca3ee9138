/**
 * The contract of a protocol adapter. The built-in ones are plain objects of this type and so is a page's own.
 * An adapter is pure: time, ids and waiting come in, plain data goes out.
 */
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { LLMCoreStreamEvent } from '../model/core-events.ts';
import type { ActionType } from '../model/blocks.ts';
import type { Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import type { ToolSpec } from '../model/agent.ts';
import type { Frame, Framing } from '../transport/frame.ts';

/** What an adapter's decoder gives: a model's events, an agent's, or a mixture in their order. */
export type AdapterEvent = LLMCoreStreamEvent | LLMAgentEvent;

/** The reader's answer to a permission, question, confirmation or interrupt. */
export interface Answer {
  readonly decision: 'granted' | 'denied' | 'answered' | 'dismissed';
  readonly blockId: string;
  readonly actionType: ActionType;
  readonly toolCallId?: string;
  readonly payload?: unknown;
  readonly note?: string;
  /** The call's arguments as the reader has changed them. */
  readonly arguments?: unknown;
  /** What came with the request: server name, permission type and the like. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What is sent: the conversation with the new words last, and the answers to what the agent had asked. */
export interface Turn {
  /** The reader's new words; empty when only tools or answers are sent. */
  readonly text: string;
  /** The whole history, oldest first, the new turn included. */
  readonly messages: readonly ChatMessage[];
  readonly threadId: string;
  readonly answers: readonly Answer[];
  /** The conversation has gone on otherwise from here before: a server that keeps the history has more of it than `messages`. */
  readonly fork?: Fork | undefined;
}

/** What the reader thinks of an answer; `null` takes back what was thought before. */
export interface Given {
  readonly message: ChatMessage;
  readonly value: Feedback['value'] | null;
  readonly comment?: string | undefined;
  /** What the server has called the one before, of the same message. */
  readonly id?: string | undefined;
}

/** The reader wants another reply (`reply`: the old one, where there is one), or has edited a message. `messages` has neither. */
export type Fork = { readonly by: 'regenerate'; readonly reply?: ChatMessage | undefined } | { readonly by: 'edit' };

/** What a server said to a request beside the reply itself. */
export interface SideAnswer {
  readonly headers: Headers;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

/** What a page has set, for the request of a turn. */
export interface RequestOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  /** Facts of the page for the agent. */
  readonly context?: unknown;
  /** The page's own fields. They are merged into the request anyway: this is for what has to stand elsewhere too. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: readonly ToolSpec[];
  /** What the reader is to see, as far as the page has said. */
  readonly show?: { readonly reasoning?: boolean; readonly tools?: boolean };
  /**
   * Sends a request that the reply needs first, such as one that makes a thread or reads an agent's card. It goes out like the
   * reply's own, with the page's headers and hooks, but without its `body`.
   *
   * @throws ChatError for a network that fails and for any status but 2xx.
   */
  ask(request: WireRequest): Promise<SideAnswer>;
}

/**
 * An HTTP request as data. A `body` that is a plain object is sent as JSON, with the page's own `body` merged into it.
 *
 * @typeParam Facts - what the adapter keeps with it for itself
 */
export interface WireRequest<Facts = unknown> {
  readonly url: string;
  readonly init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: BodyInit | Readonly<Record<string, unknown>>;
  };
  /**
   * Sent once this request has been accepted, for servers that tell their events on a stream of its own: this one starts the
   * run. The page's `body` is merged into this one then.
   */
  readonly trigger?: WireRequest;
  /**
   * What the adapter has found out on the way to this request, such as whom it goes to. `decode` is given it with the answer,
   * and `request` where the same turn has to be sent once more.
   */
  readonly facts?: Facts;
}

/** How a broken reply is picked up again. */
export interface Resumption<Facts = unknown> {
  readonly request: WireRequest<Facts>;
  /** `start`: the server tells the whole reply again. `last`: it goes on behind what was told last. */
  readonly from: 'start' | 'last';
}

/** Something on the wire that could not be used. The reply goes on. */
export interface Warning {
  /** `malformed`: it can't be read. `unknown`: we don't know its kind. `refused`: it breaks a rule of safety. */
  readonly kind: 'malformed' | 'unknown' | 'refused';
  readonly detail: string;
  readonly frame: Frame;
}
/** Tells of a frame that could not be read as what it should be. The reply goes on. */
export type Report = (warning: Warning) => void;

/** What a decoder is given with a response. */
export interface DecodeContext<Facts = unknown> {
  /** The id under which the events of this response are told, unless the wire has one of its own. */
  readonly eventId: string;
  /** What this response answers. A reply that is told from its start once more is empty in `messages`, but for its `metadata`. */
  readonly turn: Turn;
  /** The `facts` of the request, where this adapter has made it: a response may also be found to be its own. */
  readonly facts?: Facts | undefined;
  /** The endpoint: what the server's own relative addresses are relative to. */
  readonly url?: string;
  readonly report: Report;
  /** A fresh id. */
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Tells that the stream has said its end, where a decoder tells no `finish` at once. It is then read for a moment only. */
  ended?(): void;
  /** Whether the end mark `[DONE]` has come, which is no frame for a decoder: some servers say nothing else at their end. */
  saidDone?(): boolean;
  /** Resolves after so many milliseconds, or never once the reply has ended. */
  delay(milliseconds: number): Promise<void>;
}

/** What there is to tell a protocol by: the URL, the response's head and its first frames. */
export interface Signs {
  readonly url: URL;
  readonly headers: Headers;
  readonly framing: Framing;
  readonly frames: readonly SignFrame[];
  /** The body is whole. */
  readonly ended: boolean;
}
/** One of the first frames of a stream, by which its protocol is recognised. */
export interface SignFrame extends Frame {
  /** `data` as JSON; undefined when it is none. */
  readonly json: unknown;
}

/** How sure an adapter is that a stream is its own. */
export type Certainty = 'no' | 'maybe' | 'sure';

/**
 * A wire protocol: how its streams are recognised and read, and how a turn is sent. {@link defineProtocol} makes one of less.
 *
 * @typeParam Facts - what it hands from its requests to its decoder
 */
export interface Adapter<Facts = unknown> {
  readonly id: string;
  readonly label?: string;
  /**
   * Who answers: a `model` provider, whose requests have no side effect and may be sent again, or an `agent` (default), which
   * may have acted.
   */
  readonly kind?: 'model' | 'agent';
  /** How the body is framed, where its first bytes would not tell. */
  readonly framing?: Framing;
  /** How sure it is that a stream is its own; without it the adapter is never found by itself. */
  detect?(signs: Signs): Certainty;
  /**
   * The request for the next turn. May throw a `ChatError` for what can't be sent. `facts` are those of the try before, where
   * there was one: what it has made on the server need not be made again.
   */
  request(
    turn: Turn,
    options: RequestOptions & { readonly facts?: Facts | undefined },
  ): WireRequest<Facts> | Promise<WireRequest<Facts>>;
  /**
   * The request that ends a running reply on the server; undefined when that can't be said yet. `turn.messages` ends with the
   * reply as far as it has come, whose `metadata` has the ids that the decoder told. Without this the agent may go on working.
   */
  cancel?(turn: Turn, options: RequestOptions): WireRequest | undefined;
  /**
   * The request that tells what the reader thinks of a message; undefined when that can't be said. `turn.messages` ends with the
   * message, whose `metadata` has the ids that the decoder told. An `id` in the server's answer comes back with the next one.
   */
  feedback?(given: Given, turn: Turn, options: RequestOptions): WireRequest | undefined;
  /**
   * The request that picks a broken reply up again; undefined when that can't be done. `turn.messages` ends with the reply as
   * far as it has come; `lastEventId` is the `id` of the last frame, where frames have one.
   */
  resume?(
    turn: Turn,
    options: RequestOptions & { readonly lastEventId?: string | undefined },
  ): Resumption<Facts> | undefined | Promise<Resumption<Facts> | undefined>;
  /**
   * A response's frames to events. The generator's local variables are its state; the code behind its loop is the end of the
   * stream. It never throws for what the wire sends: it reports and goes on.
   */
  decode(
    batches: AsyncIterable<readonly Frame[]>,
    context: DecodeContext<Facts>,
  ): AsyncGenerator<readonly AdapterEvent[], void, unknown>;
}
