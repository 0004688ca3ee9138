import { nextFrame } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { AgentChat } from '../../../src/define.ts';
import { find, inside, mount, type Mounted } from './mount.ts';

/** Messages of very different heights. */
const conversation = (count: number): readonly MessageInput[] =>
  Array.from({ length: count }, (_, index): MessageInput =>
    index % 2 === 0
      ? { id: `m${String(index)}`, role: 'user', text: `Question ${String(index)}` }
      : {
          id: `m${String(index)}`,
          role: 'assistant',
          text: `Answer ${String(index)}.\n\n${'A paragraph of the answer.\n\n'.repeat((index * 7) % 23)}`,
        },
  );

export interface Long extends Mounted {
  readonly list: HTMLElement;
}

export async function withMessages(count: number, settings: Partial<AgentChat> = {}): Promise<Long> {
  const mounted = await mount(settings);
  mounted.chat.messages = conversation(count);
  await inside(mounted.chat, 'agent-chat-message article');
  const list = find(mounted.chat, '[part="transcript"]');
  await settled();
  return { ...mounted, list };
}

export const settled = async (): Promise<void> => {
  await nextFrame();
  await nextFrame();
  await nextFrame();
};

export const rowsOf = (list: HTMLElement): readonly HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('agent-chat-message'),
];

/** The part of the view, in CSS pixels, that contains neither a message nor a regular gap between messages. */
export function gapIn(list: HTMLElement): number {
  const view = list.getBoundingClientRect();
  let line = Math.max(view.top, list.firstElementChild?.getBoundingClientRect().top ?? 0);
  let gap = 0;
  for (const row of rowsOf(list)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom < view.top || top > view.bottom) continue;
    gap = Math.max(gap, top - line);
    line = bottom;
  }
  return Math.max(gap, view.bottom - line);
}

export const row = (list: HTMLElement, id: string): HTMLElement | undefined =>
  [...list.querySelectorAll('agent-chat-message')].find(({ message }) => message.id === id);

export const top = (list: HTMLElement, element: Element): number =>
  element.getBoundingClientRect().top - list.getBoundingClientRect().top;

export const goTo = async (list: HTMLElement, place: number): Promise<void> => {
  list.scrollTop = place;
  await settled();
};

/** The largest regular gap between two messages, or around all of them. */
export const ROOM = 40;
