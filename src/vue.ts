/** `agent-chat-element/vue`: registers the tag and declares its properties, attributes and events for Vue templates. */
import type { DefineComponent, HTMLAttributes } from 'vue';
import type { ChatAttributes, ChatEvents, ChatProperties } from './components/settings/framework-types.ts';
import './define.ts';

/** `agent-chat-send` as `onAgentChatSend`, the prop that Vue compiles `@agent-chat-send` to. */
type Camel<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Camel<Rest>}`
  : Capitalize<Name>;

type Listeners = {
  readonly [Name in keyof ChatEvents as `on${Camel<Name>}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** The properties, attributes and events of `<agent-chat>` in Vue templates. */
export type AgentChatProps = ChatProperties & ChatAttributes & Listeners & Omit<HTMLAttributes, keyof ChatProperties>;

declare module 'vue' {
  interface GlobalComponents {
    'agent-chat': DefineComponent<AgentChatProps>;
  }
}
