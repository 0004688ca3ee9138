/** Entry of the lazy chunk of reasoning, tool calls, phases and sub-agents. A plain answer has none of them. */
import '../../../locales/english/all-english.ts';
import { defineOnce } from '../../../primitives/define-once.ts';
import { AgentChatActivity } from './collapsible-work.ts';
import { AgentChatNested } from './sub-agent.ts';

export function defineActivity(): void {
  defineOnce('agent-chat-activity', AgentChatActivity);
  defineOnce('agent-chat-nested', AgentChatNested);
}
