import { expect } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import { ENGLISH, LocaleRegistry } from '../../src/locales/registry.ts';
import { zhCN } from '../../src/locales/zh-CN.ts';

describe('createLocalize', () => {
  const rows: readonly { name: string; said: string; expected: string }[] = [
    {
      name: 'fills in values',
      said: createLocalize('en')('error.unreachable', { host: 'a.example' }),
      expected: 'a.example can’t be reached.',
    },
    { name: 'chooses the plural form', said: createLocalize('en')('activity.tools', { count: 1 }), expected: '1 tool' },
    {
      name: 'chooses the other form',
      said: createLocalize('en')('activity.tools', { count: 1200 }),
      expected: '1,200 tools',
    },
    {
      name: 'takes a language over English',
      said: createLocalize('zh-CN', zhCN)('activity.tools', { count: 3 }),
      expected: '3 个工具',
    },
    {
      name: 'takes the page’s own text over both',
      said: createLocalize('zh-CN', zhCN, { agent: 'Harbor' })('agent'),
      expected: 'Harbor',
    },
    {
      name: 'falls back to English for what a language lacks',
      said: createLocalize('xx-YY', {})('composer.send'),
      expected: 'Send',
    },
    {
      name: 'says short durations with a tenth',
      said: createLocalize('en').duration(800).replace(/\s/, ' '),
      expected: '0.8 s',
    },
    { name: 'says seconds', said: createLocalize('en').duration(14_200).replace(/\s/, ' '), expected: '14 s' },
    {
      name: 'says minutes and seconds',
      said: createLocalize('en').duration(125_000).replaceAll(/\s/g, ' '),
      expected: '2 m 5 s',
    },
    {
      name: 'says hours and minutes',
      said: createLocalize('en').duration(7_265_000).replaceAll(/\s/g, ' '),
      expected: '2 h 1 m',
    },
    { name: 'says sizes', said: createLocalize('en').bytes(48_000), expected: '48 kB' },
  ];
  for (const { name, said, expected } of rows) {
    it(name, () => {
      expect(said).to.equal(expected);
    });
  }
  it('refuses what is no language tag at once, so that a page gets another one', () => {
    expect(() => createLocalize('not a tag!')).to.throw(RangeError);
  });
});

describe('LocaleRegistry.match', () => {
  const rows: readonly { wanted: readonly string[]; expected: string }[] = [
    { wanted: ['zh-CN'], expected: 'zh-CN' },
    { wanted: ['zh-cn'], expected: 'zh-CN' },
    { wanted: ['zh-Hans-SG'], expected: 'zh-CN' },
    { wanted: ['zh-HK'], expected: 'zh-TW' },
    { wanted: ['zh-Hant'], expected: 'zh-TW' },
    { wanted: ['pt-PT'], expected: 'pt-BR' },
    { wanted: ['es-419'], expected: 'es' },
    { wanted: ['en-GB'], expected: 'en' },
    { wanted: ['sv-SE', 'zh-CN'], expected: 'zh-CN' },
    { wanted: ['sv-SE'], expected: 'en' },
    { wanted: ['not a tag!'], expected: 'en' },
    { wanted: [], expected: 'en' },
  ];
  for (const { wanted, expected } of rows) {
    it(`finds ${expected} for ${wanted.join(', ') || 'nothing'}`, () => {
      expect(new LocaleRegistry().match(wanted)).to.equal(expected);
    });
  }
  it('gives a language back when its addition is undone', () => {
    const registry = new LocaleRegistry();
    const undo = registry.register('tlh', { agent: 'x' });
    expect(registry.match(['tlh'])).to.equal('tlh');
    undo();
    expect(registry.match(['tlh'])).to.equal('en');
  });
  it('gives it back whichever of two additions is undone first', () => {
    const registry = new LocaleRegistry();
    const [first, second] = [{ agent: 'x' }, { agent: 'y' }].map((source) => registry.register('en', source));
    first?.();
    expect(registry.get('en')).to.deep.equal({ agent: 'y' });
    second?.();
    expect(registry.get('en')).to.equal(ENGLISH);
  });
});
