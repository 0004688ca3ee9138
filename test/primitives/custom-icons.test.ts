import { expect } from '@open-wc/testing';
import { render } from 'lit';
import { icon } from '../../src/primitives/icon.ts';
import { icons, type IconDrawing } from '../../src/primitives/custom-icons.ts';
import { AgentChat } from '../../src/index.ts';
import { find, mount } from '../components/support/mount.ts';

const markupOf = (name: 'up' | 'check'): string => {
  const container = document.createElement('div');
  render(icon(name), container);
  return container.querySelector('svg')?.innerHTML.replace(/<!--.*?-->/g, '') ?? '';
};

describe('icons', () => {
  it('register() replaces built-in icons and can be undone', () => {
    const own = markupOf('up');
    const undo = icons.register({ up: 'M3 10h14' });
    expect(markupOf('up')).to.contain('M3 10h14');
    expect(icons.list()).to.deep.equal(['up']);
    expect(icons.get('up')).to.equal('M3 10h14');
    const undoNext = icons.register({ up: 'M3 9h14' });
    undo();
    expect(markupOf('up')).to.contain('M3 9h14');
    undoNext();
    expect(markupOf('up')).to.equal(own);
    icons.register({ up: 'M3 10h14' });
    icons.unregister('up');
    expect(markupOf('up')).to.equal(own);
  });

  it('scales icons of other grids to its own, as lines or as areas', () => {
    const undo = icons.register({
      up: { path: ['M4 12h16', 'M12 4v16'], grid: 24 },
      check: { path: 'M0 0h10z', grid: 10, filled: true },
    });
    expect(markupOf('up')).to.contain(`scale(${String(20 / 24)})`);
    expect(markupOf('up').match(/<path/g)).to.have.length(2);
    expect(markupOf('check')).to.contain('class="filled"').and.to.contain('scale(2)');
    undo();
  });

  const wrong: readonly { readonly name: string; readonly drawing: unknown }[] = [
    { name: 'markup', drawing: '<path d="M0 0"/>' },
    { name: 'a URL', drawing: 'https://icons.example/up.svg' },
    { name: 'a URL among the paths', drawing: 'M0 0 url(x)' },
    { name: 'nothing', drawing: '' },
    { name: 'invalid paths', drawing: { path: [4] } },
    { name: 'a grid of size zero', drawing: { path: 'M0 0h1', grid: 0 } },
  ];
  for (const { name, drawing } of wrong) {
    it(`rejects ${name}`, () => {
      expect(() => icons.register({ up: drawing as IconDrawing })).to.throw(TypeError);
      expect(icons.list()).to.deep.equal([]);
    });
  }

  it('rejects an unknown icon name', () => {
    expect(() => icons.register({ rocket: 'M0 0h1' } as object)).to.throw(TypeError, 'rocket');
  });

  it('updates a mounted widget immediately', async () => {
    const { chat } = await mount();
    const lines = (): string | null => find(chat, '[part="send-button"] path').getAttribute('d');
    const before = lines();
    const undo = AgentChat.icons.register({ up: 'M3 10h14' });
    await chat.updateComplete;
    await find<HTMLElement & { updateComplete: Promise<unknown> }>(chat, 'agent-chat-composer').updateComplete;
    expect(lines()).to.equal('M3 10h14');
    undo();
    await chat.updateComplete;
    await find<HTMLElement & { updateComplete: Promise<unknown> }>(chat, 'agent-chat-composer').updateComplete;
    expect(lines()).to.equal(before);
  });
});
