/** `agent-chat-element/solid`: registers the tag and declares its properties, attributes and events for Solid's JSX. */
import type { JSX } from 'solid-js';
import type { ChatAttributes, ChatEvents, ChatProperties } from './components/settings/framework-types.ts';
import type { AgentChat } from './define.ts';
import './define.ts';

type Listeners = {
  readonly [Name in keyof ChatEvents as `on:${Name}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};
type Properties = { readonly [Name in keyof ChatProperties as `prop:${Name}`]?: ChatProperties[Name] };

/** The properties, attributes and events of `<agent-chat>` in Solid's JSX. */
export type AgentChatProps = ChatProperties &
  ChatAttributes &
  Properties &
  Listeners &
  Omit<JSX.HTMLAttributes<AgentChat>, keyof ChatProperties>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatProps;
    }
  }
}
