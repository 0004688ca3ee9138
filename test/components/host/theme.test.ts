import { expect, waitUntil } from '@open-wc/testing';
import { THEMES } from '../../../src/theme/themes.ts';
import { dress } from '../support/dress.ts';
import { find, inside, mount, type, warningsOf } from '../support/mount.ts';

const MESSAGES = [
  { role: 'user', text: 'Is it **open**?' },
  { role: 'assistant', text: 'Yes, until *nine*.\n\n- Door A\n- Door B' },
] as never;

describe('a theme', () => {
  it('differs from the others in more than colours', async () => {
    const { chat } = await mount({ messages: MESSAGES });
    await inside(chat, '.prose em');
    const shapes = new Map<string, string>();
    for (const theme of THEMES) {
      await dress(chat, theme);
      const [bubble, prose, panel] = ['.bubble', '.prose', '.panel'].map((part) => getComputedStyle(find(chat, part)));
      const shape = [
        panel?.fontFamily,
        bubble?.borderRadius,
        bubble?.fontStyle,
        bubble?.alignSelf,
        prose?.padding,
        getComputedStyle(find(chat, '.header')).minHeight,
        getComputedStyle(find(chat, '.composer')).borderWidth,
      ].join(' / ');
      expect([...shapes.values()], theme).not.to.include(shape);
      shapes.set(theme, shape);
    }
    expect(shapes.size).to.equal(5);
  });

  it('is changed without losing content, input, selection and focus', async () => {
    const { chat } = await mount({ messages: MESSAGES });
    const words = await inside(chat, '.prose em');
    const input = type(chat, 'And on Sunday');
    input.focus();
    input.setSelectionRange(4, 6);
    const nodes = [words, input, find(chat, '.bubble'), find(chat, '.panel')];
    for (const theme of [...THEMES, undefined]) {
      await dress(chat, theme);
      expect(
        nodes.every((node) => node.isConnected),
        `${String(theme)}: the same nodes`,
      ).to.equal(true);
      expect(input.value).to.equal('And on Sunday');
      expect(chat.shadowRoot?.activeElement).to.equal(input);
      expect([input.selectionStart, input.selectionEnd]).to.deep.equal([4, 6]);
    }
  });

  it('leaves nothing behind when it is removed', async () => {
    const { chat } = await mount({ messages: MESSAGES });
    const bubble = await inside(chat, '.bubble');
    const before = getComputedStyle(bubble).borderRadius;
    const sheets = chat.shadowRoot?.adoptedStyleSheets.length;
    await dress(chat, 'terminal');
    expect(getComputedStyle(bubble).borderRadius).to.equal('0px');
    chat.removeAttribute('theme');
    chat.theme = undefined;
    await chat.updateComplete;
    expect(getComputedStyle(bubble).borderRadius).to.equal(before);
    expect(chat.shadowRoot?.adoptedStyleSheets.length).to.equal(sheets);
  });

  it('yields to the settings of the page', async () => {
    const { chat } = await mount({ messages: MESSAGES });
    chat.style.setProperty('--agent-chat-radius', '7px');
    chat.style.setProperty('--agent-chat-font-family', 'Papyrus');
    for (const theme of ['messenger', 'editorial', 'terminal', 'support'] as const) {
      await dress(chat, theme);
      expect(getComputedStyle(find(chat, '.panel')).fontFamily, theme).to.equal('Papyrus');
      expect(getComputedStyle(find(chat, '.panel')).getPropertyValue('--_radius'), theme).to.equal('7px');
    }
  });

  it('hides the widget until its stylesheet is loaded', async () => {
    const { chat } = await mount();
    chat.theme = 'support';
    await chat.updateComplete;
    const panel = find(chat, '.panel');
    if (chat.matches(':state(undressed)')) expect(getComputedStyle(panel).opacity).to.equal('0');
    await waitUntil(() => !chat.matches(':state(undressed)'), 'it is dressed');
    expect(getComputedStyle(panel).opacity).to.equal('1');
  });

  it('with an unknown name is reported, and the default look stays', async () => {
    const warnings = await warningsOf(async () => {
      const { chat } = await mount();
      chat.setAttribute('theme', 'neon');
      await chat.updateComplete;
      expect(chat.matches(':state(undressed)')).to.equal(false);
    });
    expect(warnings.join()).to.contain('theme="neon" is not one of');
  });
});
