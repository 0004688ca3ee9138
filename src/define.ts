/** Registers the tag and the parts that an idle widget shows. */
import { AgentChat } from './components/agent-chat.ts';
import { AgentChatComposer } from './components/composer.ts';
// So that the types of the events come with the tag.
import './components/events.ts';
import { AgentChatMessageList } from './components/message-list.ts';
import { defineTooOld, isTooOld } from './components/too-old.ts';
import { defineOnce } from './primitives/define-once.ts';

/**
 * Registers the widget, under a name of your own as a subclass, since a class can be registered only once. The first
 * definition of a name wins; another copy of the widget under a taken name says so on the console and does nothing.
 *
 * @example
 * import { define } from 'agent-chat-element/define';
 * define('support-chat');
 */
export function define(tag = 'agent-chat'): void {
  if (typeof customElements === 'undefined') return;
  if (isTooOld()) {
    defineTooOld(tag);
    return;
  }
  // Inner parts first: the element makes some of them when it is made.
  defineOnce('agent-chat-composer', AgentChatComposer);
  defineOnce('agent-chat-message-list', AgentChatMessageList);
  const taken = customElements.get(tag);
  if (!taken) customElements.define(tag, tag === 'agent-chat' ? AgentChat : class extends AgentChat {});
  else if (taken !== AgentChat && !(taken.prototype instanceof AgentChat)) {
    console.warn(`<${tag}> is defined already; this copy of agent-chat-element does nothing.`);
  }
}

define();

export { AgentChat };
