/**
 * What a conversation is made of once there is one: the runner of turns, and the elements of the transcript. The widget
 * fetches it with the reader's first move, so that an idle page carries little.
 */
import { AgentChatActivity } from './activity.ts';
import { AgentChatFeedback } from './feedback.ts';
import { AgentChatMessage } from './message.ts';
import { AgentChatNested } from './nested.ts';
import { AgentChatHtml } from '../markdown/foreign-html.ts';
import { AgentChatRows } from '../markdown/rows.ts';
import { AgentChatCode } from '../primitives/code.ts';
import { AgentChatCopy } from '../primitives/copy-button.ts';
import { AgentChatElapsed } from '../primitives/elapsed.ts';
import { AgentChatMath } from '../primitives/formula.ts';
import { AgentChatImage } from '../primitives/image.ts';
import { AgentChatPlayer } from '../primitives/player.ts';
import { defineOnce } from '../primitives/define-once.ts';

defineOnce('agent-chat-copy', AgentChatCopy);
defineOnce('agent-chat-elapsed', AgentChatElapsed);
defineOnce('agent-chat-code', AgentChatCode);
defineOnce('agent-chat-math', AgentChatMath);
defineOnce('agent-chat-image', AgentChatImage);
defineOnce('agent-chat-player', AgentChatPlayer);
defineOnce('agent-chat-html', AgentChatHtml);
defineOnce('agent-chat-rows', AgentChatRows);
defineOnce('agent-chat-feedback', AgentChatFeedback);
defineOnce('agent-chat-activity', AgentChatActivity);
defineOnce('agent-chat-nested', AgentChatNested);
defineOnce('agent-chat-message', AgentChatMessage);

export { startJob } from '../runtime/job.ts';
export { askAgain } from './ask-again.ts';
export { Announcer } from './announcer.ts';
export { EvenText } from './even-text.ts';
export { previewCitations } from './citation-preview.ts';
export { offerQuotes } from './quote-selection.ts';
