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
import type { ChatEvents, ChatProperties } from '../components/settings/framework-types.ts';
import type { MessageInput } from '../conversation/normalize-message.ts';
import { AgentChat as Widget } from '../define.ts';
import { Blocks, ReactBlocks, type ReactRenderer } from './blocks.ts';
import { PropStabilizer } from './steady.ts';

/** `agent-chat-thread-change` as `AgentChatThreadChange`. */
type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

type Events = {
  readonly [Name in keyof ChatEvents as `on${Pascal<Name>}`]?: ((event: ChatEvents[Name]) => void) | undefined;
};

/** Each property of `<agent-chat>`, its events as `onAgentChatSend` and so on, and the attributes of any HTML element. */
export type AgentChatProps = ChatProperties &
  Events &
  Omit<HTMLAttributes<Widget>, keyof ChatProperties> & {
    /**
     * The messages of the conversation. They are set again only when the value differs from the previous one; the
     * widget then continues on its own.
     */
    readonly messages?: readonly MessageInput[] | undefined;
    /** Components that show blocks instead of the built-in renderers. */
    readonly blocks?: readonly ReactRenderer[] | undefined;
    /** Children for the slots of the widget. */
    readonly children?: ReactNode;
  };

/** JSX types of `<agent-chat>` itself: React 19 sets the properties of custom elements by name. */
export type AgentChatAttributes = ChatProperties &
  Omit<DetailedHTMLProps<HTMLAttributes<Widget>, Widget>, keyof ChatProperties>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': AgentChatAttributes;
    }
  }
}

const EVENT = /^on(AgentChat[A-Z]\w*)$/;

/** Reading the attributes makes Lit collect the properties, also on a server. */
const isProperty = (name: string): boolean =>
  name === 'messages' || (Widget.observedAttributes.length > 0 && Widget.elementProperties.has(name));

/** Returns the event name for a listener prop. */
const eventOf = (name: string): string | undefined =>
  EVENT.exec(name)?.[1]?.replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);

// `useLayoutEffect` warns on a server, where neither effect runs.
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
const NO_BLOCKS: readonly ReactRenderer[] = [];

/**
 * The `<agent-chat>` component for React.
 *
 * @example
 * <AgentChat endpoint="/api/agent" onAgentChatError={({ detail }) => report(detail)} blocks={[{ type: 'data', component: Chart }]} />
 */
export const AgentChat: ForwardRefExoticComponent<AgentChatProps & RefAttributes<Widget>> = forwardRef<
  Widget,
  AgentChatProps
>(function AgentChat({ blocks = NO_BLOCKS, children, ...props }, ref) {
  const widget = useRef<Widget>(null);
  const [stabilizer] = useState(() => new PropStabilizer());
  const [store] = useState(() => new ReactBlocks());
  const lastProps = useRef<Readonly<Record<string, unknown>>>({});

  const ofWidget: Record<string, unknown> = {};
  const ofElement: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (isProperty(name) || EVENT.test(name)) ofWidget[name] = value;
    // React 18 does not map `className` on custom elements.
    else ofElement[name === 'className' ? 'class' : name] = value;
  }
  const stableProps = stabilizer.stabilize(ofWidget);

  useImperativeHandle<Widget | null, Widget | null>(ref, () => widget.current, []);
  useBrowserEffect(() => {
    stableProps.commit();
    if (!widget.current) return;
    setChangedProps(widget.current, lastProps.current, stableProps.props);
    lastProps.current = stableProps.props;
  });
  // JSON leaves out functions, such as components: another component for the same blocks needs no new registration.
  const criteria = JSON.stringify(blocks);
  useBrowserEffect(() => (widget.current ? store.register(blocks, widget.current) : undefined), [criteria, store]);

  return createElement(
    'agent-chat',
    // The element sets attributes on itself before React hydrates the server-rendered markup.
    { suppressHydrationWarning: true, ...ofElement, ref: widget },
    children,
    createElement(Blocks, { store, renderers: blocks }),
  );
});

/** Sets only the props that changed, so that changes by the user are not overwritten. */
function setChangedProps(
  widget: Widget,
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, value] = [before[name], now[name]];
    if (Object.is(old, value)) continue;
    const event = eventOf(name);
    if (event !== undefined) {
      if (typeof old === 'function') widget.removeEventListener(event, old as EventListener);
      if (typeof value === 'function') widget.addEventListener(event, value as EventListener);
      // When the page omits `messages`, the conversation stays.
    } else if (name !== 'messages' || value !== undefined) Reflect.set(widget, name, value);
  }
}
