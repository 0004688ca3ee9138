/** `agent-chat-element/react`: the widget as a component for React 18 and 19. Importing it registers the tag. */
export { AgentChat, type AgentChatAttributes, type AgentChatProps } from './react/agent-chat.ts';
export type { ReactBlockProps, ReactRenderer } from './react/blocks.ts';
