import { expect, waitUntil } from '@open-wc/testing';
import { button, find, has, mount, warningsOf } from '../support/mount.ts';

const clearStorage = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('agent-chat ')) sessionStorage.removeItem(key);
};

describe('the launcher', () => {
  beforeEach(clearStorage);
  after(clearStorage);

  it('shows its teaser after the delay that the page sets', async () => {
    const { chat } = await mount({ mode: 'floating', teaser: 'Questions?', launcher: { teaserDelay: 20 } });
    expect(has(chat, '.teaser')).to.equal(false);
    await waitUntil(() => has(chat, '.teaser'));
  });

  it('shows no teaser and does not open if the delay is longer than any visit', async () => {
    for (const delay of [2 ** 31, Infinity]) {
      const launcher = { teaserDelay: delay, autoOpen: delay };
      const { chat } = await mount({ mode: 'floating', teaser: 'Questions?', launcher });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([has(chat, '.teaser'), chat.open]).to.deep.equal([false, false]);
    }
  });

  it('does not show a dismissed teaser again, but shows a new one', async () => {
    const { chat } = await mount({ mode: 'floating', teaser: 'Questions?' });
    button(chat, 'Dismiss').click();
    await waitUntil(() => !has(chat, '.teaser'));
    const { chat: next } = await mount({ mode: 'floating', teaser: 'Questions?' });
    expect(has(next, '.teaser')).to.equal(false);
    next.teaser = 'New: returns by chat';
    await next.updateComplete;
    expect(find(next, '.teaser').textContent).to.contain('New');
  });

  it('opens automatically when the page sets it, takes no focus and stores nothing', async () => {
    const { chat } = await mount();
    chat.remove();
    const early = document.createElement('agent-chat');
    Object.assign(early, { mode: 'floating', launcher: { autoOpen: 1 } });
    document.body.append(early);
    await waitUntil(() => early.open);
    expect(document.activeElement).not.to.equal(early);
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('agent-chat open'))).to.deep.equal([]);
    early.remove();
  });

  it('does not open automatically after the user has closed it', async () => {
    sessionStorage.setItem('agent-chat open', 'false');
    const early = document.createElement('agent-chat');
    Object.assign(early, { mode: 'floating', launcher: { autoOpen: true } });
    let opened = false;
    early.addEventListener('agent-chat-toggle', () => (opened = true));
    document.body.append(early);
    await early.updateComplete;
    // The widget's timer was set before this one.
    await new Promise((resolve) => setTimeout(resolve));
    expect(opened).to.equal(false);
    early.remove();
  });

  it('has the icon that the page sets, by name or by its paths', async () => {
    const lines = (from: Parameters<typeof mount>[0]): Promise<string | undefined> =>
      mount({ mode: 'floating', ...from }).then(
        ({ chat }) => find(chat, '[part="launcher"]').querySelector('path')?.getAttribute('d') ?? undefined,
      );
    const usual = await lines({});
    expect(await lines({ launcher: { icon: 'up' } })).not.to.equal(usual);
    const { chat } = await mount({ mode: 'floating', launcher: { icon: 'question' } });
    await waitUntil(() => has(chat, '[part="launcher"] path'), 'an icon that is loaded on need');
    expect(find(chat, '[part="launcher"] path').getAttribute('d')).not.to.equal(usual);
    expect(await lines({ launcher: { icon: 'M4 10h12' } })).to.equal('M4 10h12');
    expect(await lines({ launcher: { icon: { path: 'M4 12h16', grid: 24 } } })).to.equal('M4 12h16');
    const warnings = await warningsOf(async () => {
      expect(await lines({ launcher: { icon: '<img src=x>' } })).to.equal(usual);
    });
    expect(warnings.some((words) => words.includes('launcher.icon'))).to.equal(true);
  });

  it('distinguishes two panels of one page by their ids', async () => {
    const { chat } = await mount({ id: 'one', mode: 'floating', teaser: 'Questions?' });
    await chat.updateComplete;
    button(chat, 'Dismiss').click();
    const { chat: other } = await mount({ id: 'two', mode: 'floating', teaser: 'Questions?' });
    expect(has(other, '.teaser')).to.equal(true);
  });

  for (const [property, value] of [
    ['transform', 'translateX(0)'],
    ['filter', 'saturate(1.1)'],
    ['contain', 'layout'],
  ] as const)
    it(`returns to its corner when the panel opens, on a short page whose body has a ${property}`, async () => {
      document.body.style.setProperty(property, value);
      // So high that the launcher is visible, but not in its corner.
      document.body.style.height = '300px';
      try {
        const { chat } = await mount({ mode: 'floating' });
        chat.show();
        await waitUntil(
          () => innerHeight - find(chat, '[part="launcher"]').getBoundingClientRect().bottom === 24,
          'in the corner',
        );
        const panel = find(chat, '.panel').getBoundingClientRect();
        const launcher = find(chat, '[part="launcher"]').getBoundingClientRect();
        expect(panel.bottom <= launcher.top, 'the panel is above it').to.equal(true);
      } finally {
        document.body.removeAttribute('style');
      }
    });
});
