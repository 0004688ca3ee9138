/**
 * The renderer API: a renderer turns one block into one template. The built-in renderers and those of a page have the
 * same type.
 */
import type { ReportBlocked } from '../../safety/blocked.ts';
import type { Localize } from '../../locales/localize.ts';
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { MessageType } from '../../model/agent-message.ts';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { HostList } from '../../safety/hosts.ts';
import type { MediaLimits } from '../../safety/media-limits.ts';

/**
 * Performs a request of an MCP App at its server: `tools/call` (the user has allowed it) or `resources/read`. Resolves
 * with the result of the server. `uri` is the resource of the app, `server` its server as the agent names it.
 */
export type McpRequest = (request: McpRequestDetails) => unknown;

interface McpRequestDetails {
  readonly method: 'tools/call' | 'resources/read';
  readonly params: Readonly<Record<string, unknown>>;
  readonly uri: string;
  readonly server?: { readonly id?: string | undefined; readonly hash?: string | undefined };
}

/** Sends a request of an MCP App through the agent that has shown the app. Rejects if it fails or is not sent. */
export type RequestThroughAgent = (
  request: McpRequestDetails,
  options: {
    /** Whether the request is made without a press of the user (an app reads a resource). No consent is asked for then. */
    readonly isAutomatic: boolean;
    /** Aborts the request. */
    readonly signal: AbortSignal;
  },
) => Promise<unknown>;

/** Settings of the page that affect rendering. */
export interface ViewSettings {
  readonly localize: Localize;
  /** Name of the agent for messages that have none. */
  readonly agentName: string;
  /** The agents that the page offers. */
  readonly agents?: readonly (BaseAgent | AgentDescriptor)[];
  /** The name that the page has set for the user. */
  readonly userName?: string | undefined;
  readonly showReasoning: 'collapsed' | 'open' | 'hidden';
  readonly showTools: 'collapsed' | 'open' | 'hidden';
  readonly imageHosts: HostList;
  /** Whether the widget accepts no input (`disabled` or `readonly`): controls that send or answer are omitted or disabled. */
  readonly isLocked?: boolean;
  /** Whether messages can be read aloud. */
  readonly readAloud: boolean;
  readonly artifacts: 'frame' | 'source';
  /** The page's connection to MCP servers, for apps. */
  readonly mcp?: McpRequest | undefined;
  /** Called when the safety policy blocks something. */
  readonly report?: ReportBlocked;
  /** Whether formulas are rendered. */
  readonly math: boolean;
  readonly limits: MediaLimits & {
    /** Maximum length of a message that is rendered before the user asks for the rest, in UTF-16 code units. */
    readonly shownLength?: number;
  };
}

/** The context in which a block is rendered. */
export interface RenderContext {
  /** The same object until the page changes a setting. */
  readonly settings: ViewSettings;
  readonly message: ChatMessage;
  /** Whether the block is still streaming. */
  readonly growing: boolean;
  /**
   * Reports that the user has acted. The page receives the event first; then a waiting block is answered, or the
   * payload is sent as the user's next message.
   */
  act(action: string, payload?: unknown, details?: DecisionDetails): void;
  /**
   * The user's unfinished answer. It outlives the nodes of the block, and also the page if conversations are stored.
   */
  readonly draft?: AnswerDraft | undefined;
  /** The surrounding messages. */
  readonly conversation?: Conversation;
  /** Loads the connection of an app whose agent passes requests on (`via: 'agent'`). */
  readonly connectApp?: () => Promise<RequestThroughAgent>;
}

interface Conversation {
  /** The messages of the current branch. */
  messages(): readonly ChatMessage[];
}

/** Additional data of a decision. */
export interface DecisionDetails {
  readonly note?: string;
  /** The arguments of the call as the user changed them. */
  readonly arguments?: unknown;
}

export interface AnswerDraft {
  read(): unknown;
  /** Plain data; undefined once the draft is sent or discarded. */
  write(value: unknown): void;
}

/** Renders blocks of one kind. {@link defineRenderer} checks its types. */
export interface MessageRenderer<Type extends BlockType = BlockType, Props = unknown> {
  /**
   * The block type that it renders. A `MessageType` stands for the block type that shows it. `structured_data` and `data` show
   * the same blocks: if both have a renderer, each renders its own, otherwise the one renders both.
   */
  readonly type: Type | MessageType;
  /** Only `data` blocks with this `data_type`, or this `dataType` inside the payload. */
  readonly dataType?: string;
  /** Only calls of this tool. */
  readonly toolName?: string;
  /** Only messages of these agents, by id or name. */
  readonly agentTypes?: readonly string[];
  /** Computes the props from the block. It runs without a DOM. */
  getProps(block: BlockOf<Type>, context: RenderContext): Props;
  /**
   * Renders the props: a function that returns a template, a node or a text, or `null` to decline; `next` returns the
   * output of the next matching renderer. Or the tag of a custom element, which is created once and receives the props
   * as properties. Or `slot`, which leaves the block to a child of the widget with `slot="block-<block id>"`.
   */
  readonly component: ((props: Props, next: () => unknown) => unknown) | string;
}

/** A renderer with the types of its block and props inferred. */
export const defineRenderer = <Type extends BlockType, Props>(
  renderer: MessageRenderer<Type, Props>,
): MessageRenderer<Type, Props> => renderer;

/** A renderer of any block, as the registry stores it. */
export type AnyRenderer = Omit<MessageRenderer, 'getProps' | 'component'> & {
  getProps(block: never, context: RenderContext): unknown;
  readonly component: ((props: never, next: () => unknown) => unknown) | string;
};

/** The kinds of a `data` block: its `data_type` and the one in its payload. */
export function dataTypesOf(block: AssistantMessageBlock): readonly string[] {
  if (block.type !== 'data') return [];
  const { data_type, data, metadata } = block.data;
  const payloadType = typeof data === 'object' && data !== null ? (data as { dataType?: unknown }).dataType : undefined;
  return [data_type, payloadType, metadata?.['dataType']].filter((name) => typeof name === 'string');
}
