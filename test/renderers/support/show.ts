import { waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { find, has, inside, mount } from '../../components/support/mount.ts';
import type { LooseBlock } from '../../support/messages.ts';

/** What surrounds the blocks: settings of the widget, and the message they are in. */
export interface Around {
  readonly settings?: Parameters<typeof mount>[0];
  readonly message?: Partial<Omit<ChatMessage, 'blocks'>>;
}

export interface Shown<Kind extends Element> {
  readonly chat: AgentChat;
  /** The block's own part. */
  readonly element: Kind;
}

/** A widget with one answer of some blocks. */
export async function showBlocks(
  blocks: readonly LooseBlock[],
  { settings = {}, message = {} }: Around = {},
): Promise<AgentChat> {
  const { chat } = await mount(settings);
  chat.messages = [{ role: 'assistant', ...message, blocks }];
  await inside(chat, 'agent-chat-message article');
  return chat;
}

/** A widget with one block, as soon as the block is drawn. `selector` finds it where its part alone does not. */
export async function showBlock<Kind extends Element = HTMLElement>(
  block: LooseBlock,
  {
    selector = `[part~="block-${(block.type ?? '').replaceAll('_', '-')}"]`,
    ...around
  }: Around & { readonly selector?: string } = {},
): Promise<Shown<Kind>> {
  const chat = await showBlocks([block], around);
  // The lazy parts are fetched from the server of the tests: longer than a moment while it has much to do.
  await waitUntil(() => has(chat, selector), `${selector} comes`, { timeout: 10_000 });
  return { chat, element: find<Kind>(chat, selector) };
}

/** Words as they stand, one blank between two. */
export const wordsIn = (element: Element): string => element.textContent.replace(/\s+/g, ' ').trim();

/** What a reader finds by its name: a button, a link, … */
export function named<Kind extends Element = HTMLElement>(root: ParentNode, name: string): Kind {
  const found = [...root.querySelectorAll<Kind>('button, a, input, progress, [aria-label]')].find(
    (element) => (element.getAttribute('aria-label') ?? wordsIn(element)) === name,
  );
  if (!found) throw new Error(`Nothing is called "${name}".`);
  return found;
}

/** The message of a widget with its one answer's blocks replaced: what the next event would do. */
export function update(chat: AgentChat, blocks: readonly LooseBlock[], message: Around['message'] = {}): void {
  chat.updateMessage(chat.messages[0]?.id ?? '', { ...message, blocks });
}

/** Markup that must be seen as the text it is. */
export const HOSTILE = '<img src=x onerror="globalThis.hit=1"><b>bold</b>';
