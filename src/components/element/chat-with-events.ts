import { protocols } from '../../protocols/registry.ts';
import { Chat } from '../../runtime/chat/chat.ts';
import type { ChatHooks } from '../../runtime/chat-hooks.ts';
import type { ChatOptions } from '../../runtime/chat/turn-controller.ts';
import {
  AgentChatErrorEvent,
  AgentChatEventEvent,
  AgentChatMessageEvent,
  AgentChatSendEvent,
  AgentChatStateEvent,
} from '../shared/events.ts';

/** Creates a conversation that reports to the page with events on an element. */
export const createChatWithEvents = (
  element: EventTarget,
  {
    trace,
    sending,
    ...options
  }: Pick<ChatOptions, 'settings' | 'prepareTurn' | 'viewReady' | 'approvals' | 'guards'> &
    Required<Pick<ChatHooks, 'trace'>> & {
      /** Wraps the dispatch of `agent-chat-send`. */
      sending(report: () => boolean): boolean;
    },
): Chat =>
  new Chat({
    ...options,
    protocols,
    hooks: {
      beforeSend: (message) => sending(() => element.dispatchEvent(new AgentChatSendEvent(message))),
      event: (event, message) => element.dispatchEvent(new AgentChatEventEvent(event, message)),
      message: (message) => element.dispatchEvent(new AgentChatMessageEvent(message)),
      error: (detail) => element.dispatchEvent(new AgentChatErrorEvent(detail)),
      state: (state) => element.dispatchEvent(new AgentChatStateEvent(state)),
      warning: () => undefined,
      trace,
    },
  });
