import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { AgentChatCopy } from '../../src/primitives/copy-button.ts';
import { copyText } from '../../src/primitives/copy-to-clipboard.ts';
import '../../src/components/conversation-chunk.ts';
import { copiedBy } from '../support/copied.ts';

const make = (value: string | (() => string) = 'a text', caption = '') =>
  fixture<AgentChatCopy>(
    html`<agent-chat-copy .value=${value} .caption=${caption} .label=${'Copy'} .done=${'Copied'}></agent-chat-copy>`,
  );
const buttonOf = (copy: AgentChatCopy) => copy.querySelector('button');

describe('copy button', () => {
  it('is an icon with a label, or has a visible label, or a short visible one with a full accessible name', async () => {
    const iconOnly = buttonOf(await make());
    expect([iconOnly?.getAttribute('aria-label'), iconOnly?.title, iconOnly?.type]).to.deep.equal([
      'Copy',
      'Copy',
      'button',
    ]);
    const captioned = buttonOf(await make('x', 'Copy'));
    expect([captioned?.textContent.trim(), captioned?.hasAttribute('aria-label')]).to.deep.equal(['Copy', false]);
    const short = buttonOf(await make('x', 'CSV'));
    expect([short?.textContent.trim(), short?.getAttribute('aria-label')]).to.deep.equal(['CSV', 'Copy']);
  });

  it('copies, and shows the confirmation for a moment', async () => {
    const copy = await make();
    const { setTimeout } = globalThis;
    const later: (() => void)[] = [];
    Object.assign(globalThis, { setTimeout: (act: () => void) => later.push(act) });
    try {
      const copied = await copiedBy(async () => {
        buttonOf(copy)?.click();
        while (buttonOf(copy)?.title !== 'Copied') await copy.updateComplete;
      });
      expect(copied).to.deep.equal(['a text']);
    } finally {
      Object.assign(globalThis, { setTimeout });
    }
    expect(later.length).to.equal(1);
    later[0]?.();
    await copy.updateComplete;
    expect(buttonOf(copy)?.title).to.equal('Copy');
  });

  it('reads its text only when it is pressed', async () => {
    let text = 'before';
    const copy = await make(() => text);
    text = 'now';
    const copied = await copiedBy(async () => {
      buttonOf(copy)?.click();
      await waitUntil(() => buttonOf(copy)?.title === 'Copied');
    });
    expect(copied).to.deep.equal(['now']);
  });

  it('copies HTML as well as text', async () => {
    const copy = await make();
    copy.markup = () => '<p>a text</p>';
    const { write } = Clipboard.prototype;
    const written: Promise<string>[] = [];
    Clipboard.prototype.write = ([item]) => {
      for (const type of item?.types ?? [])
        written.push(item?.getType(type).then((blob) => blob.text()) ?? Promise.resolve(''));
      return Promise.resolve();
    };
    try {
      buttonOf(copy)?.click();
      await waitUntil(() => buttonOf(copy)?.title === 'Copied');
    } finally {
      Clipboard.prototype.write = write;
    }
    expect(await Promise.all(written)).to.deep.equal(['a text', '<p>a text</p>']);
  });

  it('never shows the confirmation when the clipboard is blocked', async () => {
    const copy = await make();
    const titles: (string | undefined)[] = [];
    const watch = new MutationObserver(() => titles.push(buttonOf(copy)?.title));
    watch.observe(copy, { subtree: true, attributes: true, childList: true });
    await copiedBy(async () => {
      expect(await copyText('x')).to.equal(false);
      buttonOf(copy)?.click();
      await copyText('y');
      await copy.updateComplete;
    }, true);
    watch.disconnect();
    expect(titles).not.to.include('Copied');
    expect(buttonOf(copy)?.title).to.equal('Copy');
  });

  it('copyText() returns false without a clipboard', async () => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
    try {
      expect(await copyText('x')).to.equal(false);
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard');
    }
  });
});
