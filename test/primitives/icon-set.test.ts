import { expect } from '@open-wc/testing';
import { render } from 'lit';
import { icon } from '../../src/primitives/icon.ts';
import { icons, type IconDrawing } from '../../src/primitives/icon-set.ts';
import { AgentChat } from '../../src/index.ts';
import { find, mount } from '../components/support/mount.ts';

const drawn = (name: 'up' | 'check'): string => {
  const place = document.createElement('div');
  render(icon(name), place);
  return place.querySelector('svg')?.innerHTML.replace(/<!--.*?-->/g, '') ?? '';
};

describe('the set of icons', () => {
  it('takes drawings of the page in the place of its own, and gives them back', () => {
    const own = drawn('up');
    const undo = icons.register({ up: 'M3 10h14' });
    expect(drawn('up')).to.contain('M3 10h14');
    expect(icons.list()).to.deep.equal(['up']);
    expect(icons.get('up')).to.equal('M3 10h14');
    const undoNext = icons.register({ up: 'M3 9h14' });
    undo();
    expect(drawn('up')).to.contain('M3 9h14');
    undoNext();
    expect(drawn('up')).to.equal(own);
    icons.register({ up: 'M3 10h14' });
    icons.unregister('up');
    expect(drawn('up')).to.equal(own);
  });

  it('draws those of other grids as large as its own, as lines or as areas', () => {
    const undo = icons.register({
      up: { path: ['M4 12h16', 'M12 4v16'], grid: 24 },
      check: { path: 'M0 0h10z', grid: 10, filled: true },
    });
    expect(drawn('up')).to.contain(`scale(${String(20 / 24)})`);
    expect(drawn('up').match(/<path/g)).to.have.length(2);
    expect(drawn('check')).to.contain('class="filled"').and.to.contain('scale(2)');
    undo();
  });

  const wrong: readonly { readonly name: string; readonly drawing: unknown }[] = [
    { name: 'markup', drawing: '<path d="M0 0"/>' },
    { name: 'an address', drawing: 'https://icons.example/up.svg' },
    { name: 'an address among the lines', drawing: 'M0 0 url(x)' },
    { name: 'nothing', drawing: '' },
    { name: 'lines that are none', drawing: { path: [4] } },
    { name: 'a grid of nothing', drawing: { path: 'M0 0h1', grid: 0 } },
  ];
  for (const { name, drawing } of wrong) {
    it(`refuses ${name}`, () => {
      expect(() => icons.register({ up: drawing as IconDrawing })).to.throw(TypeError);
      expect(icons.list()).to.deep.equal([]);
    });
  }

  it('refuses a name that is none of its own', () => {
    expect(() => icons.register({ rocket: 'M0 0h1' } as object)).to.throw(TypeError, 'rocket');
  });

  it('a widget that is there shows another drawing at once', async () => {
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
