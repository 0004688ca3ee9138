/** `agent-chat-element/solid`: registers the tag, and tells Solid's JSX its properties, attributes and events. */
import type { JSX } from 'solid-js';
import type { Attributes, ChatEvents, Settings } from './components/agent-chat-attributes.ts';
import type { AgentChat } from './define.ts';
import './define.ts';

type Listeners = {
  readonly [Name in keyof ChatEvents as `on:${Name}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};
type Properties = { readonly [Name in keyof Settings as `prop:${Name}`]?: Settings[Name] };

/** Each property, attribute and event of `<agent-chat>`, as JSX of Solid names it. */
export type AgentChatProps = Settings &
  Attributes &
  Properties &
  Listeners &
  Omit<JSX.HTMLAttributes<AgentChat>, keyof Settings>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatProps;
    }
  }
}
