import { expect, fixture, html } from '@open-wc/testing';
import { resolveLocalize } from '../../../src/components/host/resolve-localize.ts';
import { en } from '../../../src/locales/en.ts';
import { english, type Localize } from '../../../src/locales/localize.ts';

const EVENING = new Date(2026, 10, 22, 16, 53).getTime();

const localizeFor = async (locale: string, lang = ''): Promise<Localize> => {
  const element = await fixture(html`<div lang=${lang}></div>`);
  return resolveLocalize(element, { locale, strings: {} }, { texts: en, localize: english });
};

describe('resolveLocalize()', () => {
  const rows: readonly { locale: string; lang?: string; send: string; time: string; number: string }[] = [
    { locale: 'en', send: 'Send', time: '4:53 PM', number: '1,234.5' },
    { locale: 'en-GB', send: 'Send', time: '16:53', number: '1,234.5' },
    { locale: '', lang: 'en-GB', send: 'Send', time: '16:53', number: '1,234.5' },
    { locale: 'de-CH', send: 'Senden', time: '16:53', number: '1’234.5' },
    { locale: 'zh-HK', send: '傳送', time: '下午4:53', number: '1,234.5' },
    { locale: 'tlh', lang: 'de', send: 'Senden', time: '16:53', number: '1.234,5' },
    { locale: 'en-!', lang: 'de', send: 'Senden', time: '16:53', number: '1.234,5' },
  ];
  for (const { locale, lang, send, time, number } of rows) {
    it(`uses the language of locale ${locale || 'none'} in a page in ${lang ?? 'none'}, and the time and number formats of its region`, async () => {
      const localize = await localizeFor(locale, lang);
      // Older locale data has the straight apostrophe.
      const figures = localize.number(1234.5).replace("'", '’');
      const formatted = [localize('composer.send'), localize.time(EVENING).replace(/\s/, ' '), figures];
      expect(formatted).to.deep.equal([send, time, number]);
    });
  }
  it('returns the shared English instance when nothing differs from it', async () => {
    expect(await localizeFor('en-US')).to.equal(english);
  });
});
