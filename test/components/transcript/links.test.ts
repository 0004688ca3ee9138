import { expect, waitUntil } from '@open-wc/testing';
import { find, has, inside, mount, next, type Mounted } from '../support/mount.ts';

/** A widget with a link. `click` returns whether a click would open it; nothing is opened in the test. */
async function withLink(
  settings: Parameters<typeof mount>[0] = {},
  href = 'https://ops.example/log',
): Promise<Mounted & { readonly link: HTMLAnchorElement; click(button?: number): boolean }> {
  const mounted = await mount(settings);
  mounted.chat.messages = [{ role: 'assistant', text: `See [the log](${href}).` }];
  const link = await inside<HTMLAnchorElement>(mounted.chat, '[part~="block-content"] a');
  return {
    ...mounted,
    link,
    click(button = 0) {
      const type = button === 0 ? 'click' : 'auxclick';
      const event = new MouseEvent(type, { button, bubbles: true, composed: true, cancelable: true });
      let opened = false;
      const keep = (last: Event): void => {
        opened = !last.defaultPrevented;
        last.preventDefault();
      };
      window.addEventListener(type, keep, { once: true });
      link.dispatchEvent(event);
      return opened;
    },
  };
}

describe('links', () => {
  it('open in a new tab, without an opener', async () => {
    const { link } = await withLink();
    expect(link.target).to.equal('_blank');
    expect(link.rel).to.equal('noopener noreferrer nofollow');
  });

  it('are reported to the page, which may prevent them', async () => {
    const { chat, click } = await withLink();
    const linkEvent = next(chat, 'agent-chat-link');
    expect(click()).to.equal(true);
    const { detail } = await linkEvent;
    expect(detail.url).to.equal('https://ops.example/log');
    expect(detail.message).to.equal(chat.messages[0]);
    chat.addEventListener('agent-chat-link', (event) => {
      event.preventDefault();
    });
    expect(click()).to.equal(false);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('rule 81: with a long address ask with the host and the buttons in view together', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' }, `https://ops.example/${'x'.repeat(20_000)}`);
    click();
    await waitUntil(() => has(chat, 'dialog[open]'));
    const dialog = find<HTMLDialogElement>(chat, 'dialog[open]');
    expect(dialog.scrollHeight).to.be.at.most(dialog.clientHeight);
    expect(dialog.clientHeight).to.be.below(500);
  });

  it('to hosts that are not listed ask for confirmation, with the whole address', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    expect(click()).to.equal(false);
    await waitUntil(() => has(chat, 'dialog[open]'));
    const dialog = find<HTMLDialogElement>(chat, 'dialog[open]');
    expect(dialog.open).to.equal(true);
    expect(dialog.textContent).to.contain('https://ops.example/log');
    expect(dialog.querySelector('a')?.rel).to.contain('noopener');
    dialog.querySelector<HTMLButtonElement>('button')?.click();
    await waitUntil(() => !has(chat, 'dialog[open]'));
  });

  const addresses: readonly (readonly [before: string, host: string, behind: string])[] = [
    ['https://', 'evil.example', '/?next=https://evil.example/secret'],
    ['https://evil.example@', 'evil.example', '/evil.example'],
    ['https://user:word@', 'evil.example:8443', '/'],
  ];
  for (const [before, host, behind] of addresses) {
    const address = before + host + behind;
    it(`show all of ${address} in the confirmation, with its host highlighted`, async () => {
      const { chat, click } = await withLink({ linkHosts: 'shop.example' }, address);
      click();
      await waitUntil(() => has(chat, 'dialog .address'));
      const line = find(chat, 'dialog .address');
      const mark = find(chat, 'dialog .address b');
      const lead = document.createRange();
      lead.setStart(line, 0);
      lead.setEndBefore(mark);
      expect([lead.toString(), mark.textContent]).to.deep.equal([before, host]);
      expect(line.textContent).to.equal(address);
    });
  }

  it('ask for confirmation on a middle click, and open with it', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    const linkEvent = next(chat, 'agent-chat-link');
    expect(click(1)).to.equal(false);
    expect((await linkEvent).detail.url).to.equal('https://ops.example/log');
    await waitUntil(() => has(chat, 'dialog[open]'));
    const open = find<HTMLAnchorElement>(chat, 'dialog a');
    const press = new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true, cancelable: true });
    open.dispatchEvent(press);
    expect(press.defaultPrevented).to.equal(false);
    await waitUntil(() => !has(chat, 'dialog[open]'));
  });

  it('ask nothing on a right click', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    expect(click(2)).to.equal(true);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('to listed hosts open without confirmation', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example *.ops.example ops.example' });
    expect(click()).to.equal(true);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('in a slot of the page are left to the page', async () => {
    const { chat } = await mount({ linkHosts: 'shop.example' });
    const own = document.createElement('a');
    own.slot = 'footer';
    own.href = 'https://privacy.example/';
    own.addEventListener('click', (event) => {
      event.preventDefault();
    });
    chat.append(own);
    let linkEvent = 0;
    chat.addEventListener('agent-chat-link', () => linkEvent++);
    own.click();
    expect(linkEvent).to.equal(0);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });
});
