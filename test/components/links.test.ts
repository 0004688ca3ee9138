import { expect, waitUntil } from '@open-wc/testing';
import { find, has, inside, mount, next, type Mounted } from './support/mount.ts';

/** A widget with a link, and whether a click on it opens it: nothing leaves the page of the tests. */
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
  it('open elsewhere, without a way back', async () => {
    const { link } = await withLink();
    expect(link.target).to.equal('_blank');
    expect(link.rel).to.equal('noopener noreferrer nofollow');
  });

  it('are told to the page, which may prevent them', async () => {
    const { chat, click } = await withLink();
    const told = next(chat, 'agent-chat-link');
    expect(click()).to.equal(true);
    const { detail } = await told;
    expect(detail.url).to.equal('https://ops.example/log');
    expect(detail.message).to.equal(chat.messages[0]);
    chat.addEventListener('agent-chat-link', (event) => {
      event.preventDefault();
    });
    expect(click()).to.equal(false);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('to hosts that are not listed are asked about, with the whole address', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    expect(click()).to.equal(false);
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
    it(`are asked about with all of ${address}, its host marked`, async () => {
      const { chat, click } = await withLink({ linkHosts: 'shop.example' }, address);
      click();
      const line = find(chat, 'dialog .address');
      const mark = find(chat, 'dialog .address b');
      const lead = document.createRange();
      lead.setStart(line, 0);
      lead.setEndBefore(mark);
      expect([lead.toString(), mark.textContent]).to.deep.equal([before, host]);
      expect(line.textContent).to.equal(address);
    });
  }

  it('are asked about when the middle button opens them, and then opened by it', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    const told = next(chat, 'agent-chat-link');
    expect(click(1)).to.equal(false);
    expect((await told).detail.url).to.equal('https://ops.example/log');
    const open = find<HTMLAnchorElement>(chat, 'dialog a');
    const press = new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true, cancelable: true });
    open.dispatchEvent(press);
    expect(press.defaultPrevented).to.equal(false);
    await waitUntil(() => !has(chat, 'dialog[open]'));
  });

  it('the right button asks nothing', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example' });
    expect(click(2)).to.equal(true);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('to hosts that are listed are not', async () => {
    const { chat, click } = await withLink({ linkHosts: 'shop.example *.ops.example ops.example' });
    expect(click()).to.equal(true);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('that the page has put into a slot are the page’s own', async () => {
    const { chat } = await mount({ linkHosts: 'shop.example' });
    const own = document.createElement('a');
    own.slot = 'footer';
    own.href = 'https://privacy.example/';
    own.addEventListener('click', (event) => {
      event.preventDefault();
    });
    chat.append(own);
    let told = 0;
    chat.addEventListener('agent-chat-link', () => told++);
    own.click();
    expect(told).to.equal(0);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });
});
