import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, inside, mount, type } from '../support/mount.ts';

const ANSWER = [
  'اقرأ الملف `src/main.ts` أولًا.',
  'Then run it.',
  '```ts\nconst a = 1;\n```',
  '| العمود |\n| --- |\n| مرحبا |',
].join('\n\n');

const directionOf = (element: Element): string => getComputedStyle(element).direction;

async function inArabic(settings: Partial<AgentChat> = {}): Promise<AgentChat> {
  const { chat } = await mount({ locale: 'ar', ...settings });
  await waitUntil(() => find(chat, '.chat').lang === 'ar', 'the language comes');
  return chat;
}

describe('a right-to-left language', () => {
  it('mirrors the widget in a left-to-right page, but not its position', async () => {
    const chat = await inArabic({ mode: 'floating' });
    expect(find<HTMLTextAreaElement>(chat, '[part="input"]').placeholder).to.equal('اطرح سؤالًا');
    expect(find(chat, '.chat').matches(':dir(rtl)')).to.equal(true);
    expect(directionOf(find(chat, '.panel'))).to.equal('ltr');
  });

  it('is recognized in any spelling of its tag', async () => {
    const { chat } = await mount({ locale: 'AR-eg' });
    await waitUntil(() => find(chat, '.chat').lang === 'ar-EG', 'the language comes');
    expect(find(chat, '.chat').matches(':dir(rtl)')).to.equal(true);
  });

  it('is declared on everything in that language, also outside the panel', async () => {
    const chat = await inArabic({ mode: 'floating', teaser: 'Questions?' });
    for (const part of ['.launcher', '.teaser .icon-button', 'dialog.sheet', '[role="status"]'])
      expect(find(chat, part).lang, part).to.equal('ar');
  });

  it('applies to dialogs and menus, which are beside the panel', async () => {
    const chat = await inArabic();
    chat.messages = [{ role: 'assistant', text: ANSWER }];
    const transcript = find(chat, '[part="transcript"]');
    transcript.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true }));
    const dialog = await inside<HTMLDialogElement>(chat, 'dialog.keys');
    expect(dialog.matches(':lang(ar):dir(rtl)'), 'dialog').to.equal(true);
    // A menu closes when a modal dialog opens.
    dialog.close();
    (await inside<HTMLButtonElement>(chat, 'article [aria-haspopup="menu"]')).click();
    expect((await inside(chat, '.menu')).matches(':lang(ar):dir(rtl)'), 'menu').to.equal(true);
  });

  it('ends with the next language', async () => {
    const chat = await inArabic();
    chat.locale = 'en';
    await waitUntil(() => find(chat, '.chat').lang === 'en');
    expect(directionOf(find(chat, '.chat'))).to.equal('ltr');
  });

  it('yields to the element’s own `dir`', async () => {
    const chat = await inArabic({ dir: 'ltr' });
    expect(directionOf(find(chat, '.chat'))).to.equal('ltr');
  });

  it('sets the direction of the empty field; entered text has its own', async () => {
    const chat = await inArabic();
    const field = find(chat, '[part="input"]');
    expect(directionOf(field)).to.equal('rtl');
    type(chat, 'Trail 40');
    expect(directionOf(field)).to.equal('ltr');
    type(chat, 'مرحبا');
    expect(directionOf(field)).to.equal('rtl');
  });

  it('keeps a heading in other letters beside its icon', async () => {
    const heading = find(await inArabic({ heading: 'Harbor' }), '[part="heading"]');
    expect(directionOf(heading)).to.equal('ltr');
    const words = document.createRange();
    words.selectNodeContents(heading);
    expect(words.getBoundingClientRect().right).to.be.closeTo(heading.getBoundingClientRect().right, 1);
  });

  for (const locale of ['ar', 'en']) {
    it(`each block of an answer has its own direction, and code is left-to-right, in ${locale}`, async () => {
      const { chat } = await mount({ locale });
      await waitUntil(() => find(chat, '.chat').lang === locale);
      chat.messages = [{ role: 'assistant', text: ANSWER }];
      const block = await inside(chat, '[part~="block-content"]');
      await waitUntil(() => block.querySelector('pre') !== null && block.querySelector('td') !== null);
      const directions = [...block.querySelectorAll('p, p code, pre, table, td')].map((element) => [
        element.localName,
        directionOf(element),
      ]);
      expect(directions).to.deep.equal([
        ['p', 'rtl'],
        ['code', 'ltr'],
        ['p', 'ltr'],
        ['pre', 'ltr'],
        ['table', 'rtl'],
        ['td', 'rtl'],
      ]);
    });
  }
});
