/** The state of an open conversation that the other tabs know. */
import type { ChatMessage } from '../../model/message.ts';
import type { ChatState } from '../../runtime/chat/chat-state.ts';

export interface MessageOrder {
  readonly path: readonly string[];
  readonly hidden: readonly string[];
}

/** The detected protocol and the state of the agent. */
export type AgentDetails = Pick<ChatState, 'protocol' | 'agentState'>;

export interface ReportedState {
  readonly messages: ReadonlySet<ChatMessage>;
  readonly order: MessageOrder | undefined;
  readonly agent?: AgentDetails | undefined;
}

export const nothingReported: ReportedState = { messages: new Set(), order: undefined };
