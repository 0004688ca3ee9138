import { expect } from '@open-wc/testing';
import { en, type Strings, type TextKey } from '../../src/locales/en.ts';
import { LocaleRegistry } from '../../src/locales/registry.ts';
import type { Text } from '../../src/locales/text.ts';

/** As most keyboards have it, whatever their letters are. */
const ON_KEYS = ['Shift', 'Enter'];

/** Texts that a language shares with English. Whatever else is equal was forgotten. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Agent',
    'System',
    'Tokens',
    'Plan',
    'Tool',
    'Server',
    '(optional)',
    'Details',
    'Code',
    'Status',
    'Text',
    'Audio',
    'Video',
    'Frames',
  ],
  es: ['Tokens', 'Plan', 'No', 'Audio'],
  fr: [
    'Important',
    '{name} (agent)',
    'Assistant',
    'Conversation',
    'Conversations',
    'conversation',
    'Message',
    'Agent',
    'Suggestions',
    '{count} suggestion',
    '{count} suggestions',
    'Mentions',
    'Tokens',
    'Plan',
    'Arguments',
    'Question',
    'Code',
    'Image',
    'Audio',
    '{count} source',
    '{count} sources',
    'Sources',
    'Versions',
    'Document',
  ],
  it: ['Server', 'No', 'Audio', 'Video', 'File', 'Output'],
  'pt-BR': ['Tokens'],
};

const keys = Object.keys(en) as TextKey[];
const registry = new LocaleRegistry();

const formsOf = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text));

/** The names in braces, of every form of a text. */
const placeholders = (text: Text): string[] => {
  const names = formsOf(text).flatMap((form) => [...form.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
};

/** Whether there is something to translate in it: `{index}/{count}` has no word. */
const hasWords = (form: string): boolean => /\p{L}/u.test(form.replace(/\{[\w-]+\}/g, ''));

async function load(locale: string): Promise<Strings> {
  const source = registry.get(locale) ?? {};
  return typeof source === 'function' ? source() : source;
}

/** What is on a button, and its name, by which it is called. WCAG 2.2, 2.5.3: label in name. */
const LABELLED = [['ask.always', 'ask.always-tool']] as const;

describe('catalogues', () => {
  for (const locale of registry.list()) {
    if (locale === 'en') continue;
    describe(locale, () => {
      let texts: readonly (readonly [key: TextKey, text: Text])[];
      before(async () => {
        const catalogue = await load(locale);
        texts = keys.map((key) => [key, catalogue[key] ?? '']);
        expect(Object.keys(catalogue).sort()).to.deep.equal([...keys].sort());
      });

      it('says something everywhere, without space around it', () => {
        for (const [key, text] of texts) {
          for (const form of formsOf(text)) expect(form, key).to.match(/^\S(?:.*\S)?$/s);
        }
      });

      it('names the same values as English', () => {
        for (const [key, text] of texts) expect(placeholders(text), key).to.deep.equal(placeholders(en[key]));
      });

      it('has each plural form of the language', () => {
        const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
        for (const [key, text] of texts) {
          const counts = typeof en[key] !== 'string' && pluralCategories.length > 1;
          if (typeof text === 'string') expect(counts, `${key} has one form for all numbers`).to.equal(false);
          else expect(Object.keys(text), key).to.have.members(pluralCategories);
        }
      });

      it('has the words of a button in its name', async () => {
        const catalogue = await load(locale);
        for (const [words, name] of LABELLED) {
          const [shown, said] = [formsOf(catalogue[words] ?? '')[0] ?? '', formsOf(catalogue[name] ?? '')[0] ?? ''];
          expect(said.toLowerCase(), name).to.include(shown.toLowerCase());
        }
      });

      it('is not English', () => {
        const shared = [...(SHARED[locale] ?? []), ...ON_KEYS];
        const left = texts.filter(([key, text]) => {
          const english = formsOf(en[key]);
          return formsOf(text).some((form) => hasWords(form) && english.includes(form) && !shared.includes(form));
        });
        expect(left.map(([key]) => key)).to.deep.equal([]);
      });
    });
  }

  it('fr keeps its punctuation on the line of the word before', async () => {
    const forms = Object.values(await load('fr')).flatMap(formsOf);
    expect(forms.filter((form) => / [:;!?»%]|« /.test(form))).to.deep.equal([]);
    expect(forms.filter((form) => /[^\s][;!?»]|[^\s]:(?=\s|$)|«[^\s]/.test(form))).to.deep.equal([]);
  });
});
