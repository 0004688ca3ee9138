/**
 * `agent-chat-element`: the whole public API, without any side effect. `agent-chat-element/define` registers the tag.
 */
export { AgentChat } from './components/agent-chat.ts';
export type { Participant, Participants } from './components/contexts.ts';
export type { Starter } from './components/empty.ts';
export type { MessageAction } from './components/message-actions.ts';
export {
  AgentChatActionEvent,
  AgentChatConsentEvent,
  AgentChatDraftEvent,
  AgentChatErrorEvent,
  AgentChatEventEvent,
  AgentChatFeedbackEvent,
  AgentChatLinkEvent,
  AgentChatMessageEvent,
  AgentChatReadyEvent,
  AgentChatSendEvent,
  AgentChatStateEvent,
  AgentChatThreadChangeEvent,
  AgentChatToggleEvent,
  type ActionDetail,
} from './components/events.ts';
export { ChatError, type ChatErrorOptions, type ErrorKind } from './errors.ts';
export { agents, PageAgentRegistry } from './agents/registry.ts';
export type { ClientTool } from './agents/tools.ts';
export type { MessageInput } from './conversation/fill-message.ts';
export type { Strings, TextKey } from './locales/en.ts';
export type { Catalogue, Text } from './locales/text.ts';
export { locales, LocaleRegistry, type LocaleSource } from './locales/registry.ts';
export type { ChatStatus } from './runtime/chat-state.ts';
export type { ErrorDetail, RespondOptions } from './runtime/hooks.ts';
export type {
  ConversationStore,
  KeptThread,
  Persist,
  Redact,
  StorageSettings,
  ThreadInfo,
  ThreadSummary,
} from './runtime/keeping/conversation-store.ts';
export type { Limits } from './runtime/limits.ts';
export type { OutgoingRequest, Poll, Provided, RequestContext } from './runtime/settings.ts';
export type { SendInput } from './runtime/user-message.ts';
export * from './model.ts';
export * from './protocols.ts';
export * from './renderers.ts';
