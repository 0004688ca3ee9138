import { protocols } from '../protocols/registry.ts';
import { Chat } from '../runtime/chat.ts';
import type { ChatHooks } from '../runtime/hooks.ts';
import type { ChatOptions } from '../runtime/turns.ts';
import {
  AgentChatErrorEvent,
  AgentChatEventEvent,
  AgentChatMessageEvent,
  AgentChatSendEvent,
  AgentChatStateEvent,
} from './events.ts';

/** A conversation whose page hears of it by events of an element. */
export const makeChat = (
  element: EventTarget,
  {
    trace,
    ...options
  }: Pick<ChatOptions, 'settings' | 'loadRunner' | 'approvals'> & Required<Pick<ChatHooks, 'trace'>>,
): Chat =>
  new Chat({
    ...options,
    protocols,
    hooks: {
      beforeSend: (message) => element.dispatchEvent(new AgentChatSendEvent(message)),
      event: (event, message) => element.dispatchEvent(new AgentChatEventEvent(event, message)),
      message: (message) => element.dispatchEvent(new AgentChatMessageEvent(message)),
      error: (detail) => element.dispatchEvent(new AgentChatErrorEvent(detail)),
      state: (state) => element.dispatchEvent(new AgentChatStateEvent(state)),
      warning: () => undefined,
      trace,
    },
  });
