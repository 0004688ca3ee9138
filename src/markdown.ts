/**
 * `agent-chat-element/markdown`: the streaming Markdown of the chat alone, `<agent-chat-markdown>`. Importing it registers the
 * tag; on a server it does nothing.
 */
import { AgentChatMarkdown } from './components/markdown-element.ts';
import { AgentChatHtml } from './markdown/foreign-html.ts';
import { AgentChatRows } from './markdown/rows.ts';
import { AgentChatCode } from './primitives/code.ts';
import { AgentChatCopy } from './primitives/copy-button.ts';
import { defineOnce } from './primitives/define-once.ts';
import { AgentChatMath } from './primitives/formula.ts';
import { AgentChatImage } from './primitives/image.ts';

if (typeof customElements !== 'undefined') {
  // Inner parts first: the element draws itself as soon as it is there.
  defineOnce('agent-chat-copy', AgentChatCopy);
  defineOnce('agent-chat-code', AgentChatCode);
  defineOnce('agent-chat-math', AgentChatMath);
  defineOnce('agent-chat-image', AgentChatImage);
  defineOnce('agent-chat-html', AgentChatHtml);
  defineOnce('agent-chat-rows', AgentChatRows);
  defineOnce('agent-chat-markdown', AgentChatMarkdown);
}

export { AgentChatMarkdown };
