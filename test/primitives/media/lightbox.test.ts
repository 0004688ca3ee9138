import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../../src/locales/localize.ts';
import { defineOnce } from '../../../src/primitives/define-once.ts';
import { AgentChatImage } from '../../../src/primitives/media/image.ts';
import { PIXEL } from '../../support/pixel.ts';

defineOnce('agent-chat-image', AgentChatImage);
const src = `data:image/png;base64,${PIXEL}`;

async function open(): Promise<HTMLDialogElement> {
  const image = await fixture<AgentChatImage>(
    html`<agent-chat-image .src=${src} alt="" .alt=${'A dot'} .localize=${createLocalize('en')}></agent-chat-image>`,
  );
  await image.updateComplete;
  image.querySelector<HTMLElement>('.enlarge')?.click();
  await waitUntil(() => document.querySelector('.lightbox') !== null);
  const dialog = document.querySelector<HTMLDialogElement>('.lightbox');
  if (!dialog) throw new Error('It is there.');
  return dialog;
}

const widthOf = (dialog: HTMLDialogElement): string | undefined => dialog.querySelector('img')?.style.inlineSize;

describe('lightbox', () => {
  afterEach(() => {
    document.querySelector<HTMLDialogElement>('.lightbox')?.close();
  });

  it('opens with a click, and closes with its button', async () => {
    const dialog = await open();
    expect(dialog.open).to.equal(true);
    expect(dialog.getAttribute('aria-label')).to.equal('A dot');
    dialog.querySelector<HTMLElement>('[aria-label="Close image"]')?.click();
    await waitUntil(() => document.querySelector('.lightbox') === null);
  });

  it('zooms by button and by key, within its limits', async () => {
    const dialog = await open();
    await waitUntil(() => widthOf(dialog) === '1px');
    const press = (key: string): boolean => dialog.dispatchEvent(new KeyboardEvent('keydown', { key }));
    dialog.querySelector<HTMLElement>('[aria-label="Zoom in"]')?.click();
    expect(dialog.querySelector('output')?.textContent).to.equal('150 %');
    for (let i = 0; i < 20; i++) press('+');
    expect(dialog.querySelector('output')?.textContent).to.equal('800 %');
    expect(widthOf(dialog)).to.equal('8px');
    press('0');
    expect(dialog.querySelector('output')?.textContent).to.equal('100 %');
    press('-');
    expect(dialog.querySelector('output')?.textContent).to.equal('100 %');
  });

  it('is not offered inside a link', async () => {
    const link = await fixture(
      html`<a href="https://example.com"
        ><agent-chat-image .src=${src} .localize=${createLocalize('en')}></agent-chat-image
      ></a>`,
    );
    await waitUntil(() => link.querySelector('img') !== null);
    expect(link.querySelector('.enlarge')).to.equal(null);
  });

  it('its key events do not reach the page', async () => {
    const dialog = await open();
    let received = 0;
    const hear = (): void => {
      received++;
    };
    document.addEventListener('keydown', hear);
    dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    document.removeEventListener('keydown', hear);
    expect(received).to.equal(0);
  });
});
