import { waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { AgentChatSurface } from '../../../src/renderers/a2ui/surface-element.ts';
import { showBlock } from './show.ts';

export interface ShownSurface {
  readonly chat: AgentChat;
  readonly host: AgentChatSurface;
  /** What the presses since then would send. */
  readonly sent: readonly unknown[];
  /** The focused element of the widget. */
  focused(): Element | null;
  /** Replaces the messages of the surface, and waits until they are rendered. */
  change(messages: readonly unknown[]): Promise<void>;
}

/** Mounts a widget with surfaces, and takes their actions instead of the agent. */
export async function showSurface(messages: readonly unknown[]): Promise<ShownSurface> {
  const block = (list: readonly unknown[]) => ({ type: 'ui', id: 'u', ui: { kind: 'a2ui', messages: list } }) as const;
  const { chat, element } = await showBlock(block(messages), { selector: 'agent-chat-surface .surface' });
  const host = element.closest<AgentChatSurface>('agent-chat-surface')!;
  const sent: unknown[] = [];
  chat.addEventListener('agent-chat-action', (event) => {
    event.preventDefault();
    sent.push(event.detail.payload);
  });
  return {
    chat,
    host,
    sent,
    focused: () => chat.shadowRoot?.activeElement ?? null,
    change: async (list) => {
      chat.updateMessage(chat.messages[0]?.id ?? '', { blocks: [block(list)] });
      await waitUntil(() => JSON.stringify(host.messages) === JSON.stringify(list), 'the messages come');
      await host.updateComplete;
    },
  };
}

/** Clicks an element as a pointer does (1), or as the keyboard does (0). */
export function click(element: Element, detail: 0 | 1): void {
  if (detail === 1) pointerDown(element);
  element.dispatchEvent(new MouseEvent('click', { ...OPTIONS, detail }));
}

const OPTIONS = { bubbles: true, cancelable: true, composed: true };

/** Begins a press. */
export const pointerDown = (element: Element): boolean =>
  element.dispatchEvent(new PointerEvent('pointerdown', OPTIONS));

/** Ends a press that `pointerDown()` has begun. */
export function pointerUp(element: Element): void {
  element.dispatchEvent(new PointerEvent('pointerup', OPTIONS));
  element.dispatchEvent(new MouseEvent('click', { ...OPTIONS, detail: 1 }));
}

/** Begins a press with the space bar. */
export const keyDown = (element: Element): boolean =>
  element.dispatchEvent(new KeyboardEvent('keydown', { ...OPTIONS, key: ' ' }));

/** Ends a press that `keyDown()` has begun. */
export function keyUp(element: Element): void {
  element.dispatchEvent(new KeyboardEvent('keyup', { ...OPTIONS, key: ' ' }));
  click(element, 0);
}
