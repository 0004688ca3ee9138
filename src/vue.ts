/** `agent-chat-element/vue`: registers the tag, and tells Vue's templates its properties, attributes and events. */
import type { DefineComponent, HTMLAttributes } from 'vue';
import type { Attributes, ChatEvents, Settings } from './components/agent-chat-attributes.ts';
import './define.ts';

/** `agent-chat-send` as `onAgentChatSend`, which is what `@agent-chat-send` becomes. */
type Camel<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Camel<Rest>}`
  : Capitalize<Name>;

type Listeners = {
  readonly [Name in keyof ChatEvents as `on${Camel<Name>}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** Each property, attribute and event of `<agent-chat>`, as a template of Vue names it. */
export type AgentChatProps = Settings & Attributes & Listeners & Omit<HTMLAttributes, keyof Settings>;

declare module 'vue' {
  interface GlobalComponents {
    'agent-chat': DefineComponent<AgentChatProps>;
  }
}
