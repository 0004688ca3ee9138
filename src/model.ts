/** `agent-chat-element/model`: the vocabulary of the streams and of the conversation, as types, schemas, factories and guards. */
export {
  createStreamEvent,
  isErrorEvent,
  isImageDataEvent,
  isRateLimitEvent,
  isReasoningEvent,
  isStopEvent,
  isTextEvent,
  isToolCallChunkEvent,
  isToolCallEndEvent,
  isToolCallStartEvent,
  isUsageEvent,
  llmCoreStreamEvent,
  type ImageData,
  type LLMCoreStreamEvent,
  type StopReason,
  type StreamEventFields,
  type StreamEventOf,
  type StreamEventType,
} from './model/core-events.ts';
export {
  llmAgentEvent,
  llmAgentEventData,
  permissionRequest,
  type AgentEventOf,
  type LLMAgentEvent,
  type LLMAgentEventData,
  type McpContent,
  type PermissionRequest,
} from './model/agent-events.ts';
export {
  assistantMessageBlock,
  type ActionType,
  type Artifact,
  type AssistantMessageBlock,
  type BlockOf,
  type BlockStatus,
  type BlockType,
  type Citation,
  type DataPayload,
  type Media,
  type PlanEntry,
  type Suggestion,
  type ToolCall,
} from './model/blocks.ts';
export {
  chatMessage,
  type ChatMessage,
  type FinishReason,
  type MessageRole,
  type MessageStatus,
} from './model/message.ts';
export { rateLimitInfo, usageStats, type RateLimitInfo, type UsageStats } from './model/usage.ts';
export {
  agentMessage,
  agentMessageContent,
  agentResponse,
  agentResponseContent,
  messageType,
  responseType,
  type AgentMessage,
  type AgentMessageContent,
  type AgentResponse,
  type AgentResponseContent,
  type MessageType,
  type ResponseStatus,
  type ResponseType,
} from './model/agent-message.ts';
export type {
  AgentCapability,
  AgentDescriptor,
  AgentRegistry,
  BaseAgent,
  MCPToolDefinition,
  ProviderMessage,
  ToolSpec,
  TypeSafeAgentProcessor,
  TypeSafeLLMProvider,
} from './model/agent.ts';
export {
  getTextContent,
  getToolCalls,
  hasToolCall,
  msg,
  type Msg,
  type MsgBlock,
  type MsgSource,
} from './model/agentscope-msg.ts';
export { openAiMessage, type OpenAiMessage, type OpenAiPart } from './model/openai-messages.ts';
export { textOf } from './model/text-of.ts';
