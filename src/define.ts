/** Registers `<agent-chat>` and the parts that an idle widget shows. */
import { AgentChat } from './components/element/agent-chat.ts';
import { AgentChatComposer } from './components/composer/composer.ts';
// Includes the event types along with the tag.
import './components/shared/events.ts';
import { AgentChatMessageList } from './components/transcript/message-list.ts';
import { defineUnsupportedBrowser, isUnsupportedBrowser } from './components/host/unsupported-browser.ts';
import { defineOnce } from './primitives/define-once.ts';

/**
 * Registers the widget, optionally under your own tag name. Each name gets a subclass, because a class can be
 * registered only once. The first definition of a name wins; if another copy of the widget uses the name, the function
 * logs an error and does nothing.
 *
 * @example import { define } from 'agent-chat-element/define'; define('support-chat');
 */
export function define(tag = 'agent-chat'): void {
  if (typeof customElements === 'undefined') return;
  if (isUnsupportedBrowser()) {
    defineUnsupportedBrowser(tag);
    return;
  }
  // Inner parts first: the element creates some of them in its constructor.
  defineOnce('agent-chat-composer', AgentChatComposer);
  defineOnce('agent-chat-message-list', AgentChatMessageList);
  const taken = customElements.get(tag);
  if (!taken) customElements.define(tag, tag === 'agent-chat' ? AgentChat : class extends AgentChat {});
  else if (taken !== AgentChat && !(taken.prototype instanceof AgentChat)) {
    console.warn(`<${tag}> is already defined; this copy of agent-chat-element does nothing.`);
  }
}

define();

export { AgentChat };
