import { waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { find, has, inside, mount } from '../../components/support/mount.ts';
import type { LooseBlock } from '../../support/messages.ts';

/** The context of the blocks: settings of the widget, and the message they are in. */
export interface Around {
  readonly settings?: Parameters<typeof mount>[0];
  readonly message?: Partial<Omit<ChatMessage, 'blocks'>>;
}

export interface Shown<Kind extends Element> {
  readonly chat: AgentChat;
  /** The root element of the block. */
  readonly element: Kind;
}

/** Mounts a widget with one answer of some blocks. */
export async function showBlocks(
  blocks: readonly LooseBlock[],
  { settings = {}, message = {} }: Around = {},
): Promise<AgentChat> {
  const { chat } = await mount(settings);
  chat.messages = [{ role: 'assistant', ...message, blocks }];
  await inside(chat, 'agent-chat-message article');
  return chat;
}

/** Mounts a widget with one block and waits until it is rendered. `selector` finds it where its part alone does not. */
export async function showBlock<Kind extends Element = HTMLElement>(
  block: LooseBlock,
  {
    selector = `[part~="block-${(block.type ?? '').replaceAll('_', '-')}"]`,
    ...around
  }: Around & { readonly selector?: string } = {},
): Promise<Shown<Kind>> {
  const chat = await showBlocks([block], around);
  // Lazy modules are loaded from the test server, which may be slow under load.
  await waitUntil(() => has(chat, selector), `${selector} comes`, { timeout: 10_000 });
  return { chat, element: find<Kind>(chat, selector) };
}

/** The text of an element, with one blank between words. */
export const wordsIn = (element: Element): string => element.textContent.replace(/\s+/g, ' ').trim();

/** Finds an element by its accessible name: a button, a link, … */
export function named<Kind extends Element = HTMLElement>(root: ParentNode, name: string): Kind {
  const match = [...root.querySelectorAll<Kind>('button, a, input, progress, [aria-label]')].find(
    (element) => (element.getAttribute('aria-label') ?? wordsIn(element)) === name,
  );
  if (!match) throw new Error(`Nothing is called "${name}".`);
  return match;
}

/** Replaces the blocks of the widget's one answer, as the next event would do. */
export function update(chat: AgentChat, blocks: readonly LooseBlock[], message: Around['message'] = {}): void {
  chat.updateMessage(chat.messages[0]?.id ?? '', { ...message, blocks });
}

/** Markup that must be shown as text. */
export const HOSTILE = '<img src=x onerror="globalThis.hit=1"><b>bold</b>';
