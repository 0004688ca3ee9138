import { expect, waitUntil } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { AgentChat } from '../../../src/index.ts';
import { button, find, has, inside, mount, type Mounted } from '../support/mount.ts';

const clearStorage = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('agent-chat ')) sessionStorage.removeItem(key);
};

/** An open panel without animations that can be moved. */
async function open(settings: Partial<AgentChat> = {}): Promise<Mounted & { readonly panel: HTMLElement }> {
  const mounted = await mount({ mode: 'floating', open: true, ...settings });
  const panel = find(mounted.chat, '[part="panel"]');
  await inside(mounted.chat, '.grip, .separator');
  await Promise.all(panel.getAnimations().map(({ finished }) => finished));
  return { ...mounted, panel };
}

const boxOf = (panel: HTMLElement): readonly number[] => {
  const { left, top, width, height } = panel.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
};

const pointer = (element: Element, type: string, clientX: number, clientY: number): void => {
  element.dispatchEvent(
    new PointerEvent(type, { clientX, clientY, button: 0, bubbles: true, composed: true, cancelable: true }),
  );
};

/** A synthetic pointer can't be captured. */
function drag(
  element: Element,
  by: readonly [right: number, down: number],
  end: 'pointerup' | 'Escape' = 'pointerup',
): void {
  const { setPointerCapture } = Element.prototype;
  Element.prototype.setPointerCapture = () => undefined;
  pointer(element, 'pointerdown', 500, 300);
  pointer(element, 'pointermove', 500 + by[0], 300 + by[1]);
  if (end === 'Escape') press(document.body, 'Escape');
  else pointer(element, end, 500 + by[0], 300 + by[1]);
  Element.prototype.setPointerCapture = setPointerCapture;
}

const press = (element: Element, key: string, shiftKey = false): boolean =>
  element.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, composed: true, cancelable: true }),
  );

async function choose(chat: AgentChat, words: string): Promise<void> {
  button(chat, 'More').click();
  await inside(chat, '[role="menu"]');
  const entry = [...chat.renderRoot.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
    ({ textContent }) => textContent.trim() === words,
  );
  if (!entry) throw new Error(`There is no "${words}".`);
  entry.click();
}

describe('the position of a floating panel', () => {
  before(() => setViewport({ width: 1000, height: 800 }));
  beforeEach(clearStorage);
  after(clearStorage);

  it('is changed by dragging its header, and is the same in the next panel', async () => {
    const { chat, panel } = await open();
    const [left = 0, top = 0, width, height] = boxOf(panel);
    drag(find(chat, '.header .heading'), [-100, -20]);
    expect(boxOf(panel)).to.deep.equal([left - 100, top - 20, width, height]);
    const next = await open();
    expect(boxOf(next.panel)).to.deep.equal([left - 100, top - 20, width, height]);
  });

  it('is not stored without `persist`', async () => {
    const { chat, panel } = await open({ persist: 'none' });
    drag(find(chat, '.header .heading'), [-100, -20]);
    expect(boxOf((await open({ persist: 'none' })).panel)).not.to.deep.equal(boxOf(panel));
    expect(Object.keys(sessionStorage).filter((key) => key.includes('place'))).to.deep.equal([]);
  });

  it('is restored with Escape while dragging, and the panel stays open', async () => {
    const { chat, panel } = await open();
    const before = boxOf(panel);
    drag(find(chat, '.header .heading'), [-100, -20], 'Escape');
    expect(boxOf(panel)).to.deep.equal(before);
    expect(chat.open).to.equal(true);
  });

  it('is not changed by a press on a control in the header', async () => {
    const { chat, panel } = await open();
    const before = boxOf(panel);
    drag(button(chat, 'More'), [-100, -20]);
    expect(boxOf(panel)).to.deep.equal(before);
  });

  it('is resized by its edges, down to the minimum width', async () => {
    const { chat, panel } = await open();
    const [left = 0, top = 0, width = 0, height = 0] = boxOf(panel);
    drag(find(chat, '.grip[data-edge="nw"]'), [-40, -30]);
    expect(boxOf(panel)).to.deep.equal([left - 40, top - 30, width + 40, height + 30]);
    drag(find(chat, '.grip[data-edge="w"]'), [900, 0]);
    expect(boxOf(panel)[2]).to.equal(280);
  });

  it('is changed without dragging, by the menu', async () => {
    const { chat, panel } = await open();
    const [left = 0, top = 0, width = 0, height = 0] = boxOf(panel);
    await choose(chat, 'Smaller');
    expect(boxOf(panel)).to.deep.equal([left + 80, top + 80, width - 80, height - 80]);
    expect(has(chat, '[role="menu"]'), 'stays for another press').to.equal(true);
    button(chat, 'More').click();
    await choose(chat, 'Move to other side');
    expect(boxOf(panel)[0]).to.equal(8);
    button(chat, 'More').click();
    await choose(chat, 'Reset size and position');
    expect(boxOf(panel)).to.deep.equal([left, top, width, height]);
  });

  it('has a menu icon that points to the other side, in both text directions', async () => {
    // The stylesheet mirrors it in right-to-left text.
    for (const dir of ['ltr', 'rtl']) {
      const { chat } = await open({ dir });
      button(chat, 'More').click();
      await inside(chat, '[role="menu"]');
      const rows = [...chat.renderRoot.querySelectorAll('[role="menuitem"]')];
      const lines = rows.find(({ textContent }) => textContent.includes('Move to other side'))?.querySelector('path');
      expect(lines?.getAttribute('d')?.toLowerCase(), dir).to.contain('m12 5.5');
      chat.hide();
    }
  });

  it('is changed by the arrow keys, until Enter restores the focus', async () => {
    const { chat, panel } = await open();
    const [left = 0, top = 0, width = 0, height = 0] = boxOf(panel);
    await choose(chat, 'Move with arrow keys');
    const header = find(chat, '.header');
    expect(header.matches(':focus')).to.equal(true);
    expect(header.ariaLabel).to.contain('Arrow keys');
    press(header, 'ArrowLeft');
    press(header, 'ArrowUp');
    expect(boxOf(panel)).to.deep.equal([left - 16, top - 16, width, height]);
    press(header, 'ArrowLeft', true);
    expect(boxOf(panel)).to.deep.equal([left - 32, top - 16, width + 16, height]);
    press(header, 'Enter');
    expect(button(chat, 'More').matches(':focus')).to.equal(true);
    expect(header.hasAttribute('tabindex')).to.equal(false);
  });

  it('stays in the window when the window becomes smaller', async () => {
    const { chat, panel } = await open();
    drag(find(chat, '.header .heading'), [-500, -20]);
    await setViewport({ width: 600, height: 500 });
    await waitUntil(() => {
      const { left, top, right, bottom } = panel.getBoundingClientRect();
      return Math.min(left, top, 600 - right, 500 - bottom) >= 7;
    });
    await setViewport({ width: 1000, height: 800 });
  });
});

describe('a sidebar', () => {
  before(() => setViewport({ width: 1000, height: 800 }));
  beforeEach(clearStorage);
  after(clearStorage);
  const width = (): string => getComputedStyle(document.documentElement).getPropertyValue('--agent-chat-sidebar-end');

  it('has an inner edge that moves by keys, and reports its width to the page', async () => {
    const { chat, panel } = await open({ mode: 'sidebar' });
    expect(boxOf(panel)).to.deep.equal([600, 0, 400, 800]);
    await waitUntil(() => width() === '400px');
    const separator = find(chat, '[role="separator"]');
    expect(separator.ariaLabel).to.equal('Width');
    press(separator, 'ArrowLeft');
    expect(boxOf(panel)[2]).to.equal(416);
    await waitUntil(() => separator.ariaValueNow === '416' && width() === '416px');
    press(separator, 'Home');
    expect(boxOf(panel)[2]).to.equal(280);
    press(separator, 'Enter');
    expect(boxOf(panel)[2]).to.equal(400);
    drag(separator, [-50, 0]);
    expect(boxOf(panel)[2]).to.equal(450);
    chat.hide();
    await chat.updateComplete;
    expect(width()).to.equal('');
  });

  it('is at the other side on request, with its edge', async () => {
    const { chat, panel } = await open({ mode: 'sidebar', placement: 'start' });
    expect(boxOf(panel)).to.deep.equal([0, 0, 400, 800]);
    press(find(chat, '[role="separator"]'), 'ArrowRight');
    expect(boxOf(panel)[2]).to.equal(416);
  });
});

describe('on a phone', () => {
  before(() => setViewport({ width: 460, height: 844 }));
  after(() => setViewport({ width: 800, height: 600 }));
  beforeEach(clearStorage);

  it('the panel fills a modal dialog, the page does not scroll, and closing restores both', async () => {
    const { chat } = await mount({ mode: 'floating' });
    button(chat, 'Open chat').click();
    const sheet = find<HTMLDialogElement>(chat, 'dialog.sheet');
    await waitUntil(() => sheet.matches(':modal'));
    const panel = find(chat, '[part="panel"]');
    expect(sheet.contains(panel)).to.equal(true);
    await Promise.all(sheet.getAnimations().map(({ finished }) => finished));
    expect(boxOf(panel)).to.deep.equal([0, 0, 460, 844]);
    await waitUntil(() => getComputedStyle(document.documentElement).overflow === 'hidden');
    // The browser does this for the back button.
    sheet.close();
    await waitUntil(() => !chat.open);
    await waitUntil(() => find(chat, '[part="launcher"]').matches(':focus'));
    expect(getComputedStyle(document.documentElement).overflow).not.to.equal('hidden');
  });

  it('the panel returns to its corner when the window becomes wide, with its draft', async () => {
    const { chat } = await mount({ mode: 'floating', open: true });
    chat.setDraft('Half a thought');
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value === 'Half a thought');
    await setViewport({ width: 1000, height: 800 });
    const panel = find(chat, '[part="panel"]');
    await waitUntil(() => panel.matches(':popover-open'));
    expect(find(chat, 'dialog.sheet').contains(panel)).to.equal(false);
    expect(chat.open).to.equal(true);
    await setViewport({ width: 460, height: 844 });
    await waitUntil(() => find(chat, 'dialog.sheet').matches(':modal'));
    expect(find(chat, '[part="input"]')).to.equal(input);
    expect(input.value).to.equal('Half a thought');
  });
});
