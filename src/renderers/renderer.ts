/** The contract of a renderer: one block to one template. The built-in ones and a page's own are of the same type. */
import type { Localize } from '../locales/localize.ts';
import type { MessageType } from '../model/agent-message.ts';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { HostList } from '../safety/hosts.ts';
import type { MediaLimits } from '../safety/media-policy.ts';

/** What a page has set about how things are shown. */
export interface ViewSettings {
  readonly localize: Localize;
  /** Who answers, where a message does not say it. */
  readonly agentName: string;
  readonly showReasoning: 'collapsed' | 'open' | 'hidden';
  readonly showTools: 'collapsed' | 'open' | 'hidden';
  readonly imageHosts: HostList;
  /** Messages can be read aloud. */
  readonly readAloud: boolean;
  readonly artifacts: 'frame' | 'source';
  /** Formulas are drawn. */
  readonly math: boolean;
  readonly limits: MediaLimits & {
    /** UTF-16 code units of one message that are drawn before the reader asks for the rest. */
    readonly shownLength?: number;
  };
}

/** What surrounds a block. */
export interface RenderContext {
  /** The same object as long as the page changes no setting. */
  readonly settings: ViewSettings;
  readonly message: ChatMessage;
  /** More of this block may come. */
  readonly growing: boolean;
  /**
   * The one thing a renderer does: it says that the reader has acted. The page hears of it first; then a waiting block is
   * answered, or the payload goes out as the next turn.
   */
  act(action: string, payload?: unknown, details?: DecisionDetails): void;
  /** What the reader has begun to answer: it outlives the block's nodes, and the page where conversations are kept. */
  readonly draft?: AnswerDraft | undefined;
}

/** What goes with a decision beside its value. */
export interface DecisionDetails {
  readonly note?: string;
  /** The call's arguments as the reader has changed them. */
  readonly arguments?: unknown;
}

export interface AnswerDraft {
  read(): unknown;
  /** Plain data; undefined when it is sent, or given up. */
  write(value: unknown): void;
}

/** How blocks of one kind are shown. {@link defineRenderer} checks its types. */
export interface MessageRenderer<Type extends BlockType = BlockType, Props = unknown> {
  /** The block type it shows. The name of a `MessageType` stands for the block of its kind. */
  readonly type: Type | MessageType;
  /** Only blocks of `data` with this `data_type`, or this `dataType` inside. */
  readonly dataType?: string;
  /** Only calls of this tool. */
  readonly toolName?: string;
  /** Only messages of these agents, by id or name. */
  readonly agentTypes?: readonly string[];
  /** Chooses what is shown; needs no DOM. */
  getProps(block: BlockOf<Type>, context: RenderContext): Props;
  /**
   * Shows it: a function to a template, a node or a text, or `null` to decline; `next` gives what would be shown without it.
   * Or the tag of a custom element, made once and fed the props as properties; or `slot`, which leaves the block to a child of
   * the widget with `slot="block-<block id>"`.
   */
  readonly component: ((props: Props, next: () => unknown) => unknown) | string;
}

/** A renderer with the types of its block and props found out. */
export const defineRenderer = <Type extends BlockType, Props>(
  renderer: MessageRenderer<Type, Props>,
): MessageRenderer<Type, Props> => renderer;

/** A renderer of any block, as tables hold them. */
export type AnyRenderer = Omit<MessageRenderer, 'getProps' | 'component'> & {
  getProps(block: never, context: RenderContext): unknown;
  readonly component: ((props: never, next: () => unknown) => unknown) | string;
};

/** A `data` block's kinds: its `data_type`, and what the payload calls itself. */
export function dataTypesOf(block: AssistantMessageBlock): readonly string[] {
  if (block.type !== 'data') return [];
  const { data_type, data, metadata } = block.data;
  const own = typeof data === 'object' && data !== null ? (data as { dataType?: unknown }).dataType : undefined;
  return [data_type, own, metadata?.['dataType']].filter((name) => typeof name === 'string');
}
