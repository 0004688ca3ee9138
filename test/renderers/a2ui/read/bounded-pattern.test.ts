import { expect } from '@open-wc/testing';
import { matchesPattern } from '../../../../src/renderers/a2ui/read/bounded-pattern.ts';

const PATTERNS = [
  '^\\d{5}$',
  '^[0-9]{5}(?:-[0-9]{4})?$',
  '^\\+?[1-9]\\d{1,14}$',
  '^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$',
  '^[\\w.%+-]+@[\\w.-]+\\.[A-Za-z]{2,}$',
  'cat|dog',
  '\\bword\\b',
  '^(a|ab)(c|bcd)(d*)$',
  '^a*?b$',
  '^(?:a?){3}a{3}$',
  '^[^\\]]+$',
  '^\\u0041\\x42$',
  '^\\(\\d{3}\\) \\d{3}-\\d{4}$',
  '',
];
const TEXTS = [
  '',
  '12345',
  '12345-6789',
  '+4930123456',
  'Passw0rd!',
  'Pass w0rd',
  'mara@mail.example',
  'hotdogs',
  'a word here',
  'swordfish',
  'abcd',
  'aaab',
  'aaa',
  'x]y',
  'AB',
  '(555) 123-4567',
];

describe('matchesPattern()', () => {
  for (const pattern of PATTERNS) {
    it(`agrees with the browser about ${pattern || 'an empty pattern'}`, () => {
      const expected = TEXTS.map((text) => [text, new RegExp(pattern).test(text)]);
      expect(TEXTS.map((text) => [text, matchesPattern(pattern, text)])).to.deep.equal(expected);
    });
  }

  for (const [name, pattern, text] of [
    ['nested repetitions', '^(a+)+$', `${'a'.repeat(60)}!`],
    ['overlapping options', '^(a|a|aa)+$', `${'a'.repeat(60)}!`],
    ['many repetitions in a row', `^${'a*'.repeat(20)}$`, `${'a'.repeat(200)}!`],
    ['a very long repetition', '^.{1,100000}x$', 'a'.repeat(2000)],
    ['deep groups', '('.repeat(200) + ')'.repeat(200), 'a'],
    ['empty options in a row', `${'(|)'.repeat(20)}$`, 'ab'],
    ['empty options in look-aheads', `${'(?=|)(|)'.repeat(20)}$`, 'ab'],
    ['many edges', `${'\\B'.repeat(200)}b`, 'a'.repeat(2000)],
    ['a long text', 'a', 'b'.repeat(5000)],
  ] as const) {
    it(`gives up ${name}`, () => {
      expect(matchesPattern(pattern, text)).to.equal(undefined);
    });
  }

  for (const pattern of ['(', 'a)', '[a', '*', '(a)\\1', '(?<=a)b', '(?<name>a)', 'a{2000}', '[z-a]']) {
    it(`does not evaluate ${pattern}`, () => {
      expect(matchesPattern(pattern, 'ab')).to.equal(undefined);
    });
  }
});
