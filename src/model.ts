/** `agent-chat-element/model`: stream events and messages, as types, schemas, factories and guards. */
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
  type ErrorStreamEvent,
  type ImageDataStreamEvent,
  type LLMCoreStreamEvent,
  type RateLimitStreamEvent,
  type ReasoningStreamEvent,
  type StopStreamEvent,
  type StreamEventFields,
  type StreamEventOf,
  type StreamEventType,
  type TextStreamEvent,
  type ToolCallChunkEvent,
  type ToolCallEndEvent,
  type ToolCallStartEvent,
  type UsageStreamEvent,
} from './model/events/core-events.ts';
export { llmCoreStreamEvent, type StopReason } from './model/events/core-event-schema.ts';
export type { ImageData } from './model/image-data.ts';
export {
  llmAgentEvent,
  llmAgentEventData,
  permissionRequest,
  type AgentEventOf,
  type LLMAgentEvent,
  type LLMAgentEventData,
  type McpContent,
  type MCPToolResponse,
  type PermissionRequest,
} from './model/events/agent-events.ts';
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
  type AgentMessageMetadata,
  type AgentResponse,
  type AgentResponseContent,
  type AgentResponseMetadata,
  type DataVisualization,
  type ImageMetadata,
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
  ModelConfig,
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
} from './formats/agentscope-msg.ts';
export { createMsg, createMsgBlock, createMsgSource, formatMsgs, type MsgDraft } from './formats/create-msg.ts';
export { openAiMessage, type OpenAiMessage, type OpenAiPart } from './formats/openai-message.ts';
export { textOf } from './model/message-text.ts';
