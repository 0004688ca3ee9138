/** The Lit contexts of the widget. */
import { createContext } from '@lit/context';
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { RendererRegistry } from '../../renderers/core/registry.ts';
import type { DecisionDetails, ViewSettings } from '../../renderers/core/renderer.ts';
import type { MessageAction } from './custom-actions.ts';
import type { SubmitKey } from './send-key.ts';

/** Controls that a page can omit with `without`. */
export type Control = 'header' | 'threads' | 'copy' | 'export' | 'delete' | 'edit' | 'quote' | 'regenerate';

/** View settings for all rendering components. Replaced by a new object when a setting changes. */
export interface ChatView {
  readonly settings: ViewSettings;
  /** The renderer registries; the element's own comes first. */
  readonly registries: readonly RendererRegistry[];
  readonly without: ReadonlySet<string>;
  /** Whether several agents take part, so that each message shows a name. */
  readonly showsNames: boolean;
  readonly participants: Participants;
  /** The agents that the user can choose from. */
  readonly agents: readonly (BaseAgent | AgentDescriptor)[];
  /** Additional message actions of the page. */
  readonly actions: readonly MessageAction[];
  /** The kind of rating that answers offer: thumbs, or thumbs with a comment. */
  readonly feedback: 'thumbs' | 'comment' | undefined;
  /** The key that sends an edited message. */
  readonly submitKey: SubmitKey;
}

/** A participant of the conversation. */
export interface Participant {
  /** The name above their messages. */
  readonly name?: string;
  /** URL of their avatar. */
  readonly avatar?: string;
}
/** The participants of a conversation: the agent and the user. */
export interface Participants {
  readonly assistant?: Participant;
  readonly user?: Participant;
}

/** Operations of the user on the conversation. The object never changes. */
export interface ChatActions {
  /** The active conversation. */
  readonly chat: Chat;
  /**
   * Performs an action of a renderer, unless the page cancels `agent-chat-action` or accepts no input.
   * @returns whether it was performed
   */
  act(
    action: string,
    message: ChatMessage,
    block?: AssistantMessageBlock,
    payload?: unknown,
    details?: DecisionDetails,
  ): boolean;
  /** Drafts of the user's answers, by block id. */
  readonly answers: {
    answer(blockId: string): unknown;
    setAnswer(blockId: string, value: unknown): void;
  };
  /** Sends a message again with the text of its editor. */
  sendEdited(message: ChatMessage, text: string): void;
  /** Rates an answer; undefined removes the rating. */
  rate(message: ChatMessage, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): void;
  /** Removes a message and offers to undo it. */
  remove(message: ChatMessage): void;
  /** Runs a custom action of the page. */
  run(action: MessageAction, message: ChatMessage): void;
  /** Appends text to the composer and focuses it. */
  write(text: string): void;
  /** Whether a user message was never sent and can be sent again. */
  isUnsent(message: ChatMessage): boolean;
}

// Global symbols: two copies of the package on one page share the inner elements that the first one registered.
export const viewContext = createContext<ChatView>(Symbol.for('agent-chat.view'));
export const actionsContext = createContext<ChatActions>(Symbol.for('agent-chat.actions'));
