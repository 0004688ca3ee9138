/** `agent-chat-element/svelte`: registers the tag, and tells Svelte's templates its properties, attributes and events. */
import type { HTMLAttributes } from 'svelte/elements';
import type { Attributes, ChatEvents, Settings } from './components/agent-chat-attributes.ts';
import type { AgentChat } from './define.ts';
import './define.ts';

type Listeners = {
  readonly [Name in keyof ChatEvents as `on${Name}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** Each property, attribute and event of `<agent-chat>`, as a template of Svelte names it. */
export type AgentChatProps = Settings & Attributes & Listeners & Omit<HTMLAttributes<AgentChat>, keyof Settings>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'agent-chat': AgentChatProps;
  }
}
