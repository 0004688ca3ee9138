/**
 * A renderer of the page that is a custom element: created once for each block, updated by properties, and never
 * removed.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { RendererRegistry } from '../../src/renderers.ts';
import type { AnyRenderer } from '../../src/renderers.ts';
import type { AgentChat } from '../../src/define.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { LooseBlock } from '../support/messages.ts';
import { inside, mount, wordsOf } from '../components/support/mount.ts';

/** Counts how often it is created, connected, disconnected, and updated. */
class OwnPart extends HTMLElement {
  static made = 0;
  connected = 0;
  disconnected = 0;
  fed: string[] = [];
  #words = '';
  /** State of its own, such as a user's choice. */
  own = 0;
  constructor() {
    super();
    OwnPart.made++;
  }
  get words(): string {
    return this.#words;
  }
  set words(words: string) {
    this.#words = words;
    this.fed.push(words);
  }
  connectedCallback(): void {
    this.connected++;
  }
  disconnectedCallback(): void {
    this.disconnected++;
  }
}
customElements.define('test-own-part', OwnPart);

const renderer = (): AnyRenderer => ({
  type: 'data',
  getProps: (block: BlockOf<'data'>) => ({ words: String(block.data.data), own: 0 }),
  component: 'test-own-part',
});
const registry = (): RendererRegistry => {
  const renderers = new RendererRegistry();
  renderers.register(renderer());
  return renderers;
};
const data = (words: string): LooseBlock => ({
  id: 'd',
  type: 'data',
  data: { data_type: 'custom', data: words },
});

/** The changes that the element has to survive, each rendered before the next. */
const changes: readonly { readonly name: string; readonly act: (chat: AgentChat) => Promise<unknown> }[] = [
  { name: 'the colour scheme', act: (chat) => Promise.resolve((chat.colorScheme = 'dark')) },
  { name: 'the density', act: (chat) => Promise.resolve((chat.density = 'compact')) },
  {
    name: 'the language',
    act: async (chat) => {
      const [before] = [chat.renderRoot.querySelector('textarea')?.placeholder];
      chat.locale = 'zh-CN';
      await waitUntil(() => chat.renderRoot.querySelector('textarea')?.placeholder !== before);
    },
  },
  { name: 'the display of tools', act: (chat) => Promise.resolve((chat.showTools = 'open')) },
  { name: 'the same renderers set again', act: (chat) => Promise.resolve((chat.renderers = registry())) },
  {
    name: 'another renderer',
    act: (chat) => Promise.resolve(chat.renderers.register({ ...renderer(), type: 'progress' })),
  },
  { name: 'a message after it', act: (chat) => Promise.resolve(chat.addMessage({ role: 'user', text: 'More' })) },
  {
    name: 'a removed message before it',
    act: (chat) => {
      chat.removeMessage(chat.messages[0]?.id ?? '');
      return chat.updateComplete;
    },
  },
];

describe('an element of the page in a block', () => {
  it('stays the same, at the same position, while the reply streams and the page changes settings', async () => {
    OwnPart.made = 0;
    const { chat, agent } = await mount({ renderers: registry() });
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.say({ type: 'content', data: { content: 'Before it. ', data_type: 'text' } });
    agent.say({ type: 'data', data: { data_type: 'custom', data: 'one' } });
    const own = await inside<OwnPart>(chat, 'test-own-part');
    for (const token of ['And ', 'so ', 'it ', '**goes** ', 'on ']) {
      agent.write(token);
      await waitUntil(() => wordsOf(chat).includes(token.replaceAll('*', '').trim()));
    }
    agent.end('.');
    await sent;
    for (const { name, act } of changes) {
      await act(chat);
      await chat.updateComplete;
      await chat.renderRoot.querySelector('agent-chat-message')?.updateComplete;
      expect(await inside(chat, 'test-own-part'), name).to.equal(own);
      expect([OwnPart.made, own.connected, own.disconnected], name).to.deep.equal([1, 1, 0]);
    }
    expect(own.fed).to.deep.equal(['one']);
  });

  it('is updated with changes of its block, and keeps its own state', async () => {
    const { chat } = await mount({ renderers: registry() });
    chat.messages = [{ id: 'm', role: 'assistant', blocks: [data('one')] }];
    const own = await inside<OwnPart>(chat, 'test-own-part');
    own.own = 7;
    chat.updateMessage('m', { blocks: [data('two')] });
    await waitUntil(() => own.words === 'two');
    chat.updateMessage('m', { blocks: [data('two'), { id: 'e', type: 'content', content: 'Behind it.' }] });
    await waitUntil(() => wordsOf(chat).includes('Behind it.'));
    expect(own.fed).to.deep.equal(['one', 'two']);
    expect(own.own).to.equal(7);
  });

  it('moves with its message', async () => {
    const { chat } = await mount({ renderers: registry() });
    const other = { id: 'o', role: 'assistant', text: 'Other' } as const;
    const message = { id: 'm', role: 'assistant', blocks: [data('one')] } as const;
    chat.messages = [message, other];
    const own = await inside<OwnPart>(chat, 'test-own-part');
    chat.messages = [other, message];
    await waitUntil(() => wordsOf(chat).startsWith('Other'));
    expect(await inside(chat, 'test-own-part')).to.equal(own);
    expect(own.isConnected).to.equal(true);
  });

  it('in a slot always belongs to the page', async () => {
    const renderers = new RendererRegistry();
    renderers.register({ ...renderer(), component: 'slot' });
    const { chat } = await mount({ renderers });
    const own = new OwnPart();
    own.slot = 'block-d';
    chat.append(own);
    chat.messages = [{ id: 'm', role: 'assistant', blocks: [data('one')] }];
    const slot = await inside<HTMLSlotElement>(chat, 'slot[name="block-d"]');
    chat.updateMessage('m', { blocks: [data('two'), { id: 'e', type: 'content', content: 'Behind it.' }] });
    await waitUntil(() => wordsOf(chat).includes('Behind it.'));
    expect(await inside(chat, 'slot[name="block-d"]')).to.equal(slot);
    expect(slot.assignedElements()).to.deep.equal([own]);
    expect([own.connected, own.disconnected]).to.deep.equal([1, 0]);
  });

  it('is found again by a name in capitals', async () => {
    const { chat } = await mount();
    chat.renderers.register({ ...renderer(), component: 'Test-Own-Part' });
    chat.messages = [{ id: 'm', role: 'assistant', blocks: [data('one')] }];
    const own = await inside<OwnPart>(chat, 'test-own-part');
    chat.updateMessage('m', { blocks: [data('two')] });
    await waitUntil(() => own.words === 'two');
    expect(own.isConnected).to.equal(true);
  });
});
