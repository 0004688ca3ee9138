/** What the element tells its page, a class each. All bubble out of shadow roots. Source: the contract, section 2. */
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { ErrorDetail } from '../runtime/hooks.ts';

class AgentChatEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { detail, bubbles: true, composed: true, cancelable });
  }
}

/** The element has drawn itself for the first time. */
export class AgentChatReadyEvent extends AgentChatEvent<undefined> {
  constructor() {
    super('agent-chat-ready', undefined);
  }
}

/** The reader is about to send. Cancelled, nothing goes out. */
export class AgentChatSendEvent extends AgentChatEvent<{ readonly message: ChatMessage }> {
  constructor(message: ChatMessage) {
    super('agent-chat-send', { message }, true);
  }
}

/** One event of the agent's, normalised, and the message as it is after it. */
export class AgentChatEventEvent extends AgentChatEvent<{
  readonly event: LLMAgentEvent;
  readonly message: ChatMessage;
}> {
  constructor(event: LLMAgentEvent, message: ChatMessage) {
    super('agent-chat-event', { event, message });
  }
}

/** A message has reached its last status. */
export class AgentChatMessageEvent extends AgentChatEvent<{ readonly message: ChatMessage }> {
  constructor(message: ChatMessage) {
    super('agent-chat-message', { message });
  }
}

/** A reply has failed or was cut off, or part of one could not be used. */
export class AgentChatErrorEvent extends AgentChatEvent<ErrorDetail> {
  constructor(detail: ErrorDetail) {
    super('agent-chat-error', detail);
  }
}

/** What the reader or a renderer wants to be done, before it is. */
export interface ActionDetail {
  readonly action: string;
  readonly block: AssistantMessageBlock | undefined;
  readonly message: ChatMessage;
  readonly payload: unknown;
  /** What the reader has written to a denial. */
  readonly note?: string;
  /** The call's arguments, where the reader has changed them. */
  readonly arguments?: unknown;
}

/** The reader has acted in the transcript. Not cancelled, it answers the block that waits, or goes out as the next turn. */
export class AgentChatActionEvent extends AgentChatEvent<ActionDetail> {
  constructor(detail: ActionDetail) {
    super('agent-chat-action', detail, true);
  }
}

/** A link is about to be opened. */
export class AgentChatLinkEvent extends AgentChatEvent<{
  readonly url: string;
  readonly message: ChatMessage | undefined;
}> {
  constructor(url: string, message: ChatMessage | undefined) {
    super('agent-chat-link', { url, message }, true);
  }
}

/** The reader thinks well or badly of an answer; `null`: no longer so. With a `comment` they have said why. */
export class AgentChatFeedbackEvent extends AgentChatEvent<{
  readonly message: ChatMessage;
  readonly value: 'up' | 'down' | null;
  readonly comment?: string;
}> {
  constructor(message: ChatMessage, value: 'up' | 'down' | null, comment?: string) {
    super('agent-chat-feedback', { message, value, ...(comment !== undefined && { comment }) });
  }
}

/** The reader has accepted what `consent` says, or has not. */
export class AgentChatConsentEvent extends AgentChatEvent<{ readonly accepted: boolean }> {
  constructor(accepted: boolean) {
    super('agent-chat-consent', { accepted });
  }
}

/** The panel was opened or closed. */
export class AgentChatToggleEvent extends AgentChatEvent<{ readonly open: boolean }> {
  constructor(open: boolean) {
    super('agent-chat-toggle', { open });
  }
}

/** What stands in the composer has changed. */
export class AgentChatDraftEvent extends AgentChatEvent<{ readonly text: string }> {
  constructor(text: string) {
    super('agent-chat-draft', { text });
  }
}

/** Another conversation is on show. */
export class AgentChatThreadChangeEvent extends AgentChatEvent<{ readonly threadId: string }> {
  constructor(threadId: string) {
    super('agent-chat-thread-change', { threadId });
  }
}

/** The agent's shared state has changed. */
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
    'agent-chat-feedback': AgentChatFeedbackEvent;
    'agent-chat-consent': AgentChatConsentEvent;
    'agent-chat-toggle': AgentChatToggleEvent;
    'agent-chat-draft': AgentChatDraftEvent;
    'agent-chat-state': AgentChatStateEvent;
    'agent-chat-thread-change': AgentChatThreadChangeEvent;
  }
}
