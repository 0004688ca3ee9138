import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/index.ts';
import { button, find, has, inside, mount, type } from '../support/mount.ts';

const press = (element: Element, key: string): boolean =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));

const focused = (chat: AgentChat): Element => {
  const { activeElement } = chat.renderRoot as ShadowRoot;
  if (!activeElement) throw new Error('Nothing in the widget has the focus.');
  return activeElement;
};
const name = (chat: AgentChat): string => focused(chat).textContent.trim();

describe('the header menu', () => {
  it('works by keyboard, and restores the focus', async () => {
    const { chat } = await mount({ mode: 'floating', open: true });
    await inside(chat, '.grip');
    const more = button(chat, 'More');
    more.focus();
    more.click();
    const menu = await inside(chat, '[role="menu"]');
    expect(more.ariaExpanded).to.equal('true');
    expect(menu.ariaLabel).to.equal('More');
    expect(name(chat)).to.equal('Larger');
    press(focused(chat), 'ArrowDown');
    expect(name(chat)).to.equal('Smaller');
    press(focused(chat), 'End');
    expect(name(chat)).to.equal('Keyboard shortcuts');
    press(focused(chat), 'ArrowDown');
    expect(name(chat)).to.equal('Larger');
    press(focused(chat), 'r');
    expect(name(chat)).to.equal('Reset size and position');
    press(focused(chat), 'Escape');
    expect(has(chat, '[role="menu"]')).to.equal(false);
    expect(focused(chat)).to.equal(more);
    expect(more.ariaExpanded).to.equal('false');
    expect(chat.open, 'Escape closes one thing').to.equal(true);
  });

  it('closes with a second click on its button, and with a click elsewhere', async () => {
    const { chat } = await mount();
    const more = button(chat, 'More');
    more.click();
    await inside(chat, '[role="menu"]');
    more.click();
    await waitUntil(() => !has(chat, '[role="menu"]'));
    more.click();
    await inside(chat, '[role="menu"]');
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    expect(has(chat, '[role="menu"]')).to.equal(false);
  });

  it('has no position entries when the page sets the position', async () => {
    const { chat } = await mount();
    button(chat, 'More').click();
    const menu = await inside(chat, '[role="menu"]');
    expect(menu.textContent.trim()).to.equal('Keyboard shortcuts');
  });
});

describe('the keyboard shortcuts', () => {
  const keys = (chat: AgentChat): readonly string[] =>
    [...chat.renderRoot.querySelectorAll('.keys dl > div')].map((row) => row.textContent.replace(/\s+/g, ' ').trim());

  it('are shown for ?, but not while typing', async () => {
    const { chat } = await mount();
    const input = type(chat, 'Why');
    expect(press(input, '?')).to.equal(true);
    expect(press(find(chat, '[part="transcript"]'), '?'), 'taken').to.equal(false);
    const dialog = await inside<HTMLDialogElement>(chat, 'dialog.keys');
    expect(dialog.matches(':modal')).to.equal(true);
    button(chat, 'Close').click();
    await waitUntil(() => !has(chat, 'dialog.keys'));
  });

  it('use the key names of the language', async () => {
    const { chat } = await mount({ locale: 'fr' });
    await waitUntil(() => find(chat, '.chat').lang === 'fr', 'the language comes');
    press(find(chat, '[part="transcript"]'), '?');
    const dialog = await inside(chat, 'dialog.keys');
    expect(keys(chat)).to.include.members(['Envoyer Entrée', 'Nouvelle ligne Maj + Entrée']);
    expect(dialog.closest('[lang]')?.getAttribute('lang')).to.equal('fr');
  });

  it('match the settings of the widget', async () => {
    const { chat } = await mount({
      submitKey: 'mod-enter',
      commands: [{ name: 'help' }],
      mode: 'floating',
      open: true,
    });
    press(find(chat, '[part="transcript"]'), '?');
    await inside(chat, 'dialog.keys');
    const mod = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';
    expect(keys(chat)).to.deep.equal([
      `Send ${mod} + Enter`,
      'New line Enter',
      'Previous message ↑',
      'Choose a command /',
      'Stop the answer, then close Esc',
      'Keyboard shortcuts ?',
    ]);
  });
});
