/** The events of the element, one class each. All bubble and are composed. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ErrorDetail } from '../../runtime/error-detail.ts';
import type { Blocked } from '../../safety/blocked.ts';

class AgentChatEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { detail, bubbles: true, composed: true, cancelable });
  }
}

/** Fired when the element has rendered for the first time. */
export class AgentChatReadyEvent extends AgentChatEvent<undefined> {
  constructor() {
    super('agent-chat-ready', undefined);
  }
}

/**
 * Fired before a user message is sent or enters the queue, also if its text only answers a question. Cancelable: a cancelled message
 * is not sent.
 */
export class AgentChatSendEvent extends AgentChatEvent<{ readonly message: ChatMessage }> {
  constructor(message: ChatMessage) {
    super('agent-chat-send', { message }, true);
  }
}

/** Fired for every event of the agent: the normalised event, and the message after it was applied. */
export class AgentChatEventEvent extends AgentChatEvent<{
  readonly event: LLMAgentEvent;
  readonly message: ChatMessage;
}> {
  constructor(event: LLMAgentEvent, message: ChatMessage) {
    super('agent-chat-event', { event, message });
  }
}

/** Fired when a reply has ended, for the user message and each message of the reply, and for a message that was not sent. */
export class AgentChatMessageEvent extends AgentChatEvent<{ readonly message: ChatMessage }> {
  constructor(message: ChatMessage) {
    super('agent-chat-message', { message });
  }
}

/**
 * Fired when a reply has failed or was cut off, or part of it could not be used. Also for a message that was not sent, a request beside
 * the conversation, the storage, a function of the page, and a part of the widget that could not be loaded.
 */
export class AgentChatErrorEvent extends AgentChatEvent<ErrorDetail> {
  constructor(detail: ErrorDetail) {
    super('agent-chat-error', detail);
  }
}

/** An action that the user or a renderer has requested. */
export interface ActionDetail {
  readonly action: string;
  readonly block: AssistantMessageBlock | undefined;
  readonly message: ChatMessage;
  readonly payload: unknown;
  /** The user's reason for a denial. */
  readonly note?: string;
  /** The arguments of the tool call, if the user has changed them. */
  readonly arguments?: unknown;
}

/** Fired when the user has used a control in the transcript. Unless cancelled, it answers the pending block or sends the next message. */
export class AgentChatActionEvent extends AgentChatEvent<ActionDetail> {
  constructor(detail: ActionDetail) {
    super('agent-chat-action', detail, true);
  }
}

/** Fired before a link opens. Cancelable. */
export class AgentChatLinkEvent extends AgentChatEvent<{
  readonly url: string;
  readonly message: ChatMessage | undefined;
}> {
  constructor(url: string, message: ChatMessage | undefined) {
    super('agent-chat-link', { url, message }, true);
  }
}

/** Fired when the safety policy has blocked something, such as an image, a frame or a request. */
export class AgentChatBlockedEvent extends AgentChatEvent<Blocked> {
  constructor(detail: Blocked) {
    super('agent-chat-blocked', detail);
  }
}

/** Fired when the user has rated a message; `null` when the rating was removed. `comment` is the user's reason. */
export class AgentChatFeedbackEvent extends AgentChatEvent<{
  readonly message: ChatMessage;
  readonly value: 'up' | 'down' | null;
  readonly comment?: string;
}> {
  constructor(message: ChatMessage, value: 'up' | 'down' | null, comment?: string) {
    super('agent-chat-feedback', { message, value, ...(comment !== undefined && { comment }) });
  }
}

/**
 * Fired when the question for consent is closed. `accepted` is also false if the widget has closed it, for example because the
 * message was stopped, the conversation cleared, or another user has signed in.
 */
export class AgentChatConsentEvent extends AgentChatEvent<{ readonly accepted: boolean }> {
  constructor(accepted: boolean) {
    super('agent-chat-consent', { accepted });
  }
}

/** Fired when the panel was opened or closed. */
export class AgentChatToggleEvent extends AgentChatEvent<{ readonly open: boolean }> {
  constructor(open: boolean) {
    super('agent-chat-toggle', { open });
  }
}

/** Fired when the text in the composer has changed. */
export class AgentChatDraftEvent extends AgentChatEvent<{ readonly text: string }> {
  constructor(text: string) {
    super('agent-chat-draft', { text });
  }
}

/** Fired when another conversation has become active. */
export class AgentChatThreadChangeEvent extends AgentChatEvent<{ readonly threadId: string }> {
  constructor(threadId: string) {
    super('agent-chat-thread-change', { threadId });
  }
}

/** Fired when the agent's shared state has changed. */
export class AgentChatStateEvent extends AgentChatEvent<{ readonly state: unknown }> {
  constructor(state: unknown) {
    super('agent-chat-state', { state });
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'agent-chat-ready': AgentChatReadyEvent;
    'agent-chat-send': AgentChatSendEvent;
    'agent-chat-event': AgentChatEventEvent;
    'agent-chat-message': AgentChatMessageEvent;
    'agent-chat-error': AgentChatErrorEvent;
    'agent-chat-action': AgentChatActionEvent;
    'agent-chat-link': AgentChatLinkEvent;
    'agent-chat-blocked': AgentChatBlockedEvent;
    'agent-chat-feedback': AgentChatFeedbackEvent;
    'agent-chat-consent': AgentChatConsentEvent;
    'agent-chat-toggle': AgentChatToggleEvent;
    'agent-chat-draft': AgentChatDraftEvent;
    'agent-chat-state': AgentChatStateEvent;
    'agent-chat-thread-change': AgentChatThreadChangeEvent;
  }
}
