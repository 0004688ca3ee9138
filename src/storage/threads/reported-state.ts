/** The state of an open conversation that the other tabs know. */
import type { ChatMessage } from '../../model/message.ts';

export interface MessageOrder {
  readonly path: readonly string[];
  readonly hidden: readonly string[];
}

export interface ReportedState {
  readonly messages: ReadonlySet<ChatMessage>;
  readonly order: MessageOrder | undefined;
}

export const nothingReported: ReportedState = { messages: new Set(), order: undefined };
