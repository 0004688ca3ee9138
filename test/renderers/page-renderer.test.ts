/** Renderers of a page: they decline, wrap, use an element or a slot, and their errors stay in their block. */
import { expect, waitUntil } from '@open-wc/testing';
import { html } from 'lit';
import { AgentChat } from '../../src/index.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { AnyRenderer } from '../../src/renderers.ts';
import { has, inside, mount, warningsOf, wordsOf } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { saying } from './support/saying.ts';

const DATA: LooseBlock = { type: 'data', data: { data_type: 'custom', data: { dataType: 'weather' } } };

describe('a renderer of the page', () => {
  /** A widget with these renderers and the block. */
  async function shown(renderers: readonly AnyRenderer[], block: LooseBlock = DATA): Promise<AgentChat> {
    const { chat } = await mount();
    for (const renderer of renderers) chat.renderers.register(renderer);
    chat.messages = [{ role: 'assistant', blocks: [block, { type: 'content', content: 'Behind it.' }] }];
    await waitUntil(() => has(chat, '[part~="block-content"]'));
    return chat;
  }

  it('has precedence over the built-in one, and the element’s over the shared one', async () => {
    const undo = AgentChat.renderers.register(saying('shared'));
    try {
      expect(wordsOf(await shown([]))).to.contain('shared');
      expect(wordsOf(await shown([saying('mine')])))
        .to.contain('mine')
        .and.not.to.contain('shared');
    } finally {
      undo();
    }
  });

  it('declines with null, and the next one is used', async () => {
    const declining = saying('', { dataType: 'custom', component: () => null });
    expect(wordsOf(await shown([saying('the general one'), declining]))).to.contain('the general one');
    await inside(await shown([declining]), '.json-tree');
  });

  it('may wrap the default content', async () => {
    const wrapping = saying('', {
      component: (_props: never, next: () => unknown) => html`<div class="mine">${next()}</div>`,
    });
    const chat = await shown([wrapping]);
    expect((await inside(chat, '.mine .json-tree')).textContent).to.contain('weather');
  });

  it('may be a custom element, which is created once and then updated', async () => {
    class Weather extends HTMLElement {
      declare words: string;
    }
    customElements.define('test-weather', Weather);
    const { chat } = await mount();
    chat.renderers.register({
      type: 'data',
      getProps: (block: BlockOf<'data'>) => ({ words: JSON.stringify(block.data.data) }),
      component: 'test-weather',
    });
    const data = (value: number): LooseBlock => ({ id: 'd', type: 'data', data: { data_type: 'custom', data: value } });
    chat.messages = [{ role: 'assistant', blocks: [data(1)] }];
    const element = await inside<Weather>(chat, 'test-weather');
    expect(element.words).to.equal('1');
    chat.updateMessage(chat.messages[0]?.id ?? '', { blocks: [data(2)] });
    await waitUntil(() => element.words === '2');
    expect(element.isConnected).to.equal(true);
  });

  it('may leave its block to the page, in a named slot', async () => {
    const { chat } = await mount();
    const own = document.createElement('p');
    own.slot = 'block-d';
    chat.append(own);
    chat.renderers.register(saying('', { component: 'slot' }));
    chat.messages = [{ role: 'assistant', blocks: [{ ...DATA, id: 'd' }] }];
    const slot = await inside<HTMLSlotElement>(chat, 'slot[name="block-d"]');
    expect(slot.assignedElements()).to.deep.equal([own]);
    expect(slot.querySelector('.json-tree, .skeleton'), 'what stands there without the page’s').not.to.equal(null);
  });

  const failing: readonly { readonly name: string; readonly renderer: AnyRenderer }[] = [
    {
      name: 'in getProps',
      renderer: saying('', {
        getProps: () => {
          throw new Error('mine');
        },
      }),
    },
    {
      name: 'in its component',
      renderer: saying('', {
        component: () => {
          throw new Error('mine');
        },
      }),
    },
    {
      name: 'while its template is rendered',
      renderer: saying('', {
        component: () => html`<i .hidden=${true}></i><i>${{ [Symbol.iterator]: fail }}</i>`,
      }),
    },
    { name: 'in its element name', renderer: saying('', { component: 'not a tag!' }) },
  ];
  for (const { name, renderer } of failing) {
    it(`that fails ${name} is reported once, and the built-in one shows the block`, async () => {
      let chat: AgentChat | undefined;
      const errors: unknown[] = [];
      const note = (event: Event): void => void errors.push(event);
      addEventListener('error', note);
      const warnings = await warningsOf(async () => {
        chat = await shown([renderer]);
        // A block is rendered again with every token.
        for (const heading of ['One', 'Two']) {
          chat.heading = heading;
          await chat.updateComplete;
          await chat.renderRoot.querySelector('agent-chat-message')?.updateComplete;
        }
      });
      removeEventListener('error', note);
      expect(errors, 'the page itself has no error').to.deep.equal([]);
      expect(warnings.length, 'said once').to.equal(1);
      if (chat) await inside(chat, '.json-tree');
    });
  }

  it('shows each update, also after a failed one', async () => {
    const { chat } = await mount();
    chat.renderers.register({
      type: 'data',
      getProps: (block: BlockOf<'data'>) => block.data.data,
      component: (data: unknown) => html`<b>${typeof data === 'string' ? data : { [Symbol.iterator]: fail }}</b>`,
    });
    const data = (value: unknown): LooseBlock => ({
      id: 'd',
      type: 'data',
      data: { data_type: 'custom', data: value },
    });
    const warnings = await warningsOf(async () => {
      for (const [value, selector] of [
        ['one', 'b'],
        [{ two: 2 }, '.json-tree'],
        ['three', 'b'],
      ] as const) {
        chat.messages = [{ id: 'm', role: 'assistant', blocks: [data(value)] }];
        await waitUntil(() => has(chat, `agent-chat-message ${selector}`));
      }
    });
    expect(warnings.length).to.equal(1);
    expect(wordsOf(chat)).to.contain('three').and.not.to.contain('two');
  });
});

function fail(): never {
  throw new Error('mine');
}

describe('a block without a renderer', () => {
  for (const type of ['hologram', 'constructor', '__proto__']) {
    it(`“${type}” is left out, with a warning`, async () => {
      const { chat } = await mount();
      const warnings = await warningsOf(async () => {
        chat.messages = [
          {
            role: 'assistant',
            blocks: [{ type } as unknown as LooseBlock, { type: 'content', content: 'Behind it.' }],
          },
        ];
        await inside(chat, '[part~="block-content"]');
      });
      expect(warnings.join()).to.contain(type);
      expect(wordsOf(chat)).to.contain('Behind it.');
    });
  }
});
