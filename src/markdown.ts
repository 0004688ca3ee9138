/**
 * `agent-chat-element/markdown`: only the streaming Markdown of the chat, `<agent-chat-markdown>`. Importing it
 * registers the tag; on a server it does nothing.
 */
import { AgentChatMarkdown } from './components/element/agent-chat-markdown.ts';
import { AgentChatHtml } from './markdown/render/html-block.ts';
import { AgentChatCode } from './primitives/code/code-block.ts';
import { AgentChatCopy } from './primitives/copy-button.ts';
import { defineOnce } from './primitives/define-once.ts';
import { AgentChatMath } from './primitives/math/formula.ts';

if (typeof customElements !== 'undefined') {
  // Inner parts first: the element renders as soon as it is defined.
  defineOnce('agent-chat-copy', AgentChatCopy);
  defineOnce('agent-chat-code', AgentChatCode);
  defineOnce('agent-chat-math', AgentChatMath);
  defineOnce('agent-chat-html', AgentChatHtml);
  defineOnce('agent-chat-markdown', AgentChatMarkdown);
}

export { AgentChatMarkdown };
