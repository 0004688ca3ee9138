/** `agent-chat-element`: the complete public API, without side effects. `agent-chat-element/define` registers the tag. */
export { AgentChat } from './components/element/agent-chat.ts';
export type { Participant, Participants } from './components/shared/contexts.ts';
export type { Starter } from './components/transcript/empty-state.ts';
export type { MessageAction } from './components/shared/custom-actions.ts';
export {
  AgentChatActionEvent,
  AgentChatConsentEvent,
  AgentChatDraftEvent,
  AgentChatErrorEvent,
  AgentChatEventEvent,
  AgentChatFeedbackEvent,
  AgentChatBlockedEvent,
  AgentChatLinkEvent,
  AgentChatMessageEvent,
  AgentChatReadyEvent,
  AgentChatSendEvent,
  AgentChatStateEvent,
  AgentChatThreadChangeEvent,
  AgentChatToggleEvent,
  type ActionDetail,
} from './components/shared/events.ts';
export type { Blocked } from './safety/blocked.ts';
export { ChatError, type ChatErrorOptions, type ErrorKind } from './errors.ts';
export { agents, PageAgentRegistry } from './agents/registry.ts';
export type { ClientTool } from './agents/tools.ts';
export type { MessageInput } from './conversation/normalize-message.ts';
export type { Strings, TextKey } from './locales/en.ts';
export type { Catalogue, Text } from './locales/text.ts';
export { locales, LocaleRegistry, type LocaleSource } from './locales/registry.ts';
export type { ChatStatus } from './runtime/chat/chat-state.ts';
export type { RespondOptions } from './runtime/chat-hooks.ts';
export type { ErrorDetail } from './runtime/error-detail.ts';
export type {
  ConversationStore,
  StoredThread,
  /** The former name. */
  StoredThread as KeptThread,
  Persist,
  StorageSettings,
  ThreadInfo,
  ThreadSummary,
} from './storage/stores/conversation-store.ts';
export type { Limits } from './runtime/limits.ts';
export type { Redact } from './runtime/masking/redact-for-sending.ts';
export type { PageHeaders } from './runtime/plain-headers.ts';
export type { OutgoingRequest, Poll, Provided, RequestContext } from './runtime/chat-settings.ts';
export type { SendInput } from './runtime/chat/user-message.ts';
export * from './model.ts';
export * from './protocols.ts';
export * from './renderers.ts';
