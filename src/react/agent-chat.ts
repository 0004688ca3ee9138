import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type DetailedHTMLProps,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type ReactNode,
  type RefAttributes,
} from 'react';
import type { ChatEvents, Settings } from '../components/agent-chat-attributes.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import { AgentChat as Widget } from '../define.ts';
import { Blocks, ReactBlocks, type ReactRenderer } from './blocks.ts';
import { Steady } from './steady.ts';

/** `agent-chat-thread-change` as `AgentChatThreadChange`. */
type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

type Events = {
  readonly [Name in keyof ChatEvents as `on${Pascal<Name>}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** Each property of `<agent-chat>`, its events as `onAgentChatSend` and so on, and what any element of a page may have. */
export type AgentChatProps = Settings &
  Events &
  Omit<HTMLAttributes<Widget>, keyof Settings> & {
    /** The conversation. Set again only when the page says something else than before; the widget goes on with it by itself. */
    readonly messages?: readonly MessageInput[] | undefined;
    /** Components that show blocks, in the place of the built-in renderers. */
    readonly blocks?: readonly ReactRenderer[] | undefined;
    /** Children for the slots of the widget. */
    readonly children?: ReactNode;
  };

/** For those who write `<agent-chat>` itself: React 19 sets properties of an element by their names. */
export type AgentChatAttributes = Settings & Omit<DetailedHTMLProps<HTMLAttributes<Widget>, Widget>, keyof Settings>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatAttributes;
    }
  }
}

const EVENT = /^on(AgentChat[A-Z]\w*)$/;

/** Reading the attributes makes Lit read the properties, on a server too. */
const isProperty = (name: string): boolean =>
  name === 'messages' || (Widget.observedAttributes.length > 0 && Widget.elementProperties.has(name));

/** The name of the event that a prop listens to. */
const eventOf = (name: string): string | undefined =>
  EVENT.exec(name)?.[1]?.replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);

// The other warns on a server, where neither does anything.
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
const NO_BLOCKS: readonly ReactRenderer[] = [];

/**
 * `<agent-chat>` for React.
 *
 * @example
 * <AgentChat endpoint="/api/agent" onAgentChatError={({ detail }) => report(detail)} blocks={[{ type: 'data', component: Chart }]} />
 */
export const AgentChat: ForwardRefExoticComponent<AgentChatProps & RefAttributes<Widget>> = forwardRef<
  Widget,
  AgentChatProps
>(function AgentChat({ blocks = NO_BLOCKS, children, ...props }, ref) {
  const widget = useRef<Widget>(null);
  const [steady] = useState(() => new Steady());
  const [store] = useState(() => new ReactBlocks());
  const set = useRef<Readonly<Record<string, unknown>>>({});

  const ofWidget: Record<string, unknown> = {};
  const ofElement: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (isProperty(name) || EVENT.test(name)) ofWidget[name] = value;
    // A custom element has no `className` in React 18.
    else ofElement[name === 'className' ? 'class' : name] = value;
  }
  const kept = steady.keep(ofWidget);

  useImperativeHandle<Widget | null, Widget | null>(ref, () => widget.current, []);
  useBrowserEffect(() => {
    kept.commit();
    if (!widget.current) return;
    feed(widget.current, set.current, kept.props);
    set.current = kept.props;
  });
  const what = JSON.stringify(blocks);
  useBrowserEffect(() => (widget.current ? store.register(blocks, widget.current) : undefined), [what, store]);

  return createElement(
    'agent-chat',
    // The element has told of itself by attributes before React takes over what its server has rendered.
    { suppressHydrationWarning: true, ...ofElement, ref: widget },
    children,
    createElement(Blocks, { store, renderers: blocks }),
  );
});

/** Sets what has changed, and only that: what the reader has changed meanwhile is theirs. */
function feed(widget: Widget, before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, value] = [before[name], now[name]];
    if (Object.is(old, value)) continue;
    const event = eventOf(name);
    if (event !== undefined) {
      if (typeof old === 'function') widget.removeEventListener(event, old as EventListener);
      if (typeof value === 'function') widget.addEventListener(event, value as EventListener);
      // A conversation that the page no longer speaks of is still there.
    } else if (name !== 'messages' || value !== undefined) Reflect.set(widget, name, value);
  }
}
