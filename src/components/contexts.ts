/** What the parts of a widget share without handing it from one to the next. */
import { createContext } from '@lit/context';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import type { RendererRegistry } from '../renderers/registry.ts';
import type { AnswerDraft, DecisionDetails, ViewSettings } from '../renderers/renderer.ts';
import type { MessageAction } from './message-actions.ts';

/** Controls that a page can leave out. */
export type Control = 'header' | 'threads' | 'copy' | 'export' | 'delete' | 'edit' | 'quote' | 'regenerate';

/** How things look and which of them there are. Another object when a setting changes. */
export interface View {
  readonly settings: ViewSettings;
  /** The page's renderers, the element's own first. */
  readonly registries: readonly RendererRegistry[];
  readonly without: ReadonlySet<string>;
  /** Several agents speak here: each is named. */
  readonly named: boolean;
  readonly participants: Participants;
  /** Those that the page offers. */
  readonly agents: readonly (BaseAgent | AgentDescriptor)[];
  /** What the page lets the reader do with a message. */
  readonly actions: readonly MessageAction[];
  /** Whether answers can be rated, and are asked about. */
  readonly feedback: 'thumbs' | 'comment' | undefined;
}

/** The name that stands above what somebody says, and the address of their picture. */
export interface Participant {
  readonly name?: string;
  readonly avatar?: string;
}
/** Those of the two sides of a conversation. */
export interface Participants {
  readonly assistant?: Participant;
  readonly user?: Participant;
}

/** What the reader can do to a conversation; always the same object. */
export interface Actions {
  /** A renderer's action; the page hears of it before it is done. */
  act(
    action: string,
    message: ChatMessage,
    block?: AssistantMessageBlock,
    payload?: unknown,
    details?: DecisionDetails,
  ): void;
  /** What the reader has begun to answer to a block. */
  draftOf(blockId: string): AnswerDraft;
  edit(message: ChatMessage, text: string): void;
  selectBranch(message: ChatMessage, index: number): void;
  /** What the reader thinks of an answer; undefined takes it back. */
  rate(message: ChatMessage, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): void;
  /** Takes a message out, and offers to put it back. */
  remove(message: ChatMessage): void;
  /** One of the page's own. */
  run(action: MessageAction, message: ChatMessage): void;
  /** Puts words behind those of the composer, and the focus there. */
  write(text: string): void;
  /** The branches at a message. */
  branches(message: ChatMessage): { readonly index: number; readonly count: number };
}

// Two copies on one page share their inner elements, the first one's: they know each other by name.
export const viewContext = createContext<View>(Symbol.for('agent-chat.view'));
export const actionsContext = createContext<Actions>(Symbol.for('agent-chat.actions'));
