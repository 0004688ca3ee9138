import { expect } from '@open-wc/testing';
import { removeInvisible } from '../../src/safety/remove-invisible.ts';
import { showInvisible } from '../../src/safety/show-invisible.ts';

/** A text in tag characters, which a model reads and nobody sees. */
const tags = (text: string): string =>
  text.replace(/./gsu, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));

describe('showInvisible()', () => {
  const shown: readonly (readonly [name: string, text: string, expected: string])[] = [
    ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
    ['a direction override', 'a\u202eb', 'a\\u202eb'],
    ['an isolate', '\u2066a', '\\u2066a'],
    ['tag characters', 'a\u{e0041}\u{e0042}', 'a\\u{e0041}\\u{e0042}'],
    ['a joiner between Latin letters', 'a\u200db', 'a\\u200db'],
    ['a variation selector after a letter', 'a\ufe0fb', 'a\\ufe0fb'],
    ['a second variation selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
    ['a supplementary variation selector', 'a\u{e0101}', 'a\\u{e0101}'],
    ['a Hangul filler', 'a\u3164b', 'a\\u3164b'],
    ['a braille blank', 'a\u2800b', 'a\\u2800b'],
    ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
    ['a backspace', 'a\bb', 'a\\u0008b'],
    ['more than eight marks on a letter', `a${'\u0301'.repeat(10)}b`, `a${'\u0301'.repeat(8)}\\u0301\\u0301b`],
    ['an annotation', 'a\ufff9b', 'a\\ufff9b'],
    ['a carriage return without a line feed', 'a\rb\r\nc', 'a\\u000db\r\nc'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a paragraph separator', 'a\u2029b', 'a\\u2029b'],
  ];
  for (const [name, text, expected] of shown)
    it(`shows ${name}`, () => {
      expect(showInvisible(text)).to.equal(expected);
    });

  for (const text of [
    'a b\tc\r\nd',
    'é e\u0301',
    '❤\ufe0f 1\ufe0f\u20e3 👩\u200d👩\u200d👧 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈',
    'می\u200cخواهم',
    'क्\u200dष',
    'a\u0301\u0302\u0303\u0323 ב\u05bc\u05b8\u0591',
    '葛\u{e0100}城市',
  ])
    it(`leaves ${text} unchanged`, () => {
      expect([showInvisible(text), removeInvisible(text)]).to.deep.equal([text, text]);
    });
});

describe('removeInvisible()', () => {
  it('leaves flags unchanged', () => {
    const flags = `🏴${tags('gbeng\x7f')} 🏴${tags('gbsct\x7f')} 🏴${tags('gbwls\x7f')}`;
    expect(removeInvisible(flags)).to.equal(flags);
  });

  it('keeps lines apart', () => {
    expect(removeInvisible('a\rb\u2028c\u2029d\r\ne')).to.equal('a\nb\nc\nd\r\ne');
  });

  it('removes tags, also after a flag', () => {
    expect(removeInvisible(`a${tags('Pay')}b\u200b🏴${tags('pay\x7f')}`)).to.equal('ab🏴');
  });
});
