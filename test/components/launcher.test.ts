import { expect, waitUntil } from '@open-wc/testing';
import { button, find, has, mount, warningsOf } from './support/mount.ts';

const kept = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('agent-chat ')) sessionStorage.removeItem(key);
};

describe('the launcher', () => {
  beforeEach(kept);
  after(kept);

  it('has a teaser that waits as long as the page says', async () => {
    const { chat } = await mount({ mode: 'floating', teaser: 'Questions?', launcher: { teaserDelay: 20 } });
    expect(has(chat, '.teaser')).to.equal(false);
    await waitUntil(() => has(chat, '.teaser'));
  });

  it('a teaser that was waved away does not come back, another one does', async () => {
    const { chat } = await mount({ mode: 'floating', teaser: 'Questions?' });
    button(chat, 'Dismiss').click();
    await waitUntil(() => !has(chat, '.teaser'));
    const { chat: next } = await mount({ mode: 'floating', teaser: 'Questions?' });
    expect(has(next, '.teaser')).to.equal(false);
    next.teaser = 'New: returns by chat';
    await next.updateComplete;
    expect(find(next, '.teaser').textContent).to.contain('New');
  });

  it('opens by itself where the page wishes it, takes no focus and keeps nothing', async () => {
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

  it('does not open by itself where the reader has closed it', async () => {
    sessionStorage.setItem('agent-chat open', 'false');
    const early = document.createElement('agent-chat');
    Object.assign(early, { mode: 'floating', launcher: { autoOpen: true } });
    let opened = false;
    early.addEventListener('agent-chat-toggle', () => (opened = true));
    document.body.append(early);
    await early.updateComplete;
    // Its own timer was set before this one.
    await new Promise((resolve) => setTimeout(resolve));
    expect(opened).to.equal(false);
    early.remove();
  });

  it('has the picture that the page wants, by name or by its lines', async () => {
    const lines = (from: Parameters<typeof mount>[0]): Promise<string | undefined> =>
      mount({ mode: 'floating', ...from }).then(
        ({ chat }) => find(chat, '[part="launcher"]').querySelector('path')?.getAttribute('d') ?? undefined,
      );
    const usual = await lines({});
    expect(await lines({ launcher: { icon: 'question' } })).not.to.equal(usual);
    expect(await lines({ launcher: { icon: 'M4 10h12' } })).to.equal('M4 10h12');
    expect(await lines({ launcher: { icon: { path: 'M4 12h16', grid: 24 } } })).to.equal('M4 12h16');
    const warnings = await warningsOf(async () => {
      expect(await lines({ launcher: { icon: '<img src=x>' } })).to.equal(usual);
    });
    expect(warnings.some((words) => words.includes('launcher.icon'))).to.equal(true);
  });

  it('tells two panels of one page apart by their ids', async () => {
    const { chat } = await mount({ id: 'one', mode: 'floating', teaser: 'Questions?' });
    await chat.updateComplete;
    button(chat, 'Dismiss').click();
    const { chat: other } = await mount({ id: 'two', mode: 'floating', teaser: 'Questions?' });
    expect(has(other, '.teaser')).to.equal(true);
  });
});
