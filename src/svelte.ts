/** `agent-chat-element/svelte`: registers the tag and declares its properties, attributes and events for Svelte templates. */
import type { HTMLAttributes } from 'svelte/elements';
import type { ChatAttributes, ChatEvents, ChatProperties } from './components/settings/framework-types.ts';
import type { AgentChat } from './define.ts';
import './define.ts';

type Listeners = {
  readonly [Name in keyof ChatEvents as `on${Name}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** The properties, attributes and events of `<agent-chat>` in Svelte templates. */
export type AgentChatProps = ChatProperties &
  ChatAttributes &
  Listeners &
  Omit<HTMLAttributes<AgentChat>, keyof ChatProperties>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'agent-chat': AgentChatProps;
  }
}
