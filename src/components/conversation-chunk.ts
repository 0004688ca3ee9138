/**
 * Entry of the lazy conversation chunk: the transcript elements. The widget loads it on the user's first interaction, or while
 * the page is idle, so that the first load stays small.
 */
import { enContent } from '../locales/english/en-content.ts';
import { enAnswer } from '../locales/english/en-answer.ts';
import { addEnglish } from '../locales/english/loaded-english.ts';
import { AgentChatMessage } from './message/message.ts';
import { AgentChatMessageList } from './transcript/message-list.ts';
import { VirtualMessageList } from './transcript/message-list-view.ts';
import { AgentChatHtml } from '../markdown/render/html-block.ts';
import { AgentChatCode } from '../primitives/code/code-block.ts';
import { AgentChatCopy } from '../primitives/copy-button.ts';
import { AgentChatElapsed } from '../primitives/elapsed-time.ts';
import { AgentChatMath } from '../primitives/math/formula.ts';
import { defineOnce } from '../primitives/define-once.ts';

addEnglish(enContent);
addEnglish(enAnswer);

defineOnce('agent-chat-copy', AgentChatCopy);
defineOnce('agent-chat-elapsed', AgentChatElapsed);
defineOnce('agent-chat-code', AgentChatCode);
defineOnce('agent-chat-math', AgentChatMath);
defineOnce('agent-chat-html', AgentChatHtml);
// The list renders when the element of a message is defined.
AgentChatMessageList.View = VirtualMessageList;
defineOnce('agent-chat-message', AgentChatMessage);

export { LiveAnnouncer } from './transcript/live-announcer.ts';
export { SmoothStreaming } from './transcript/smooth-streaming.ts';
export { attachOnDemand } from './transcript/attach-on-demand.ts';
export { warmUp } from './warm-up.ts';
