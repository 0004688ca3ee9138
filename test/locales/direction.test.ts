import { expect } from '@open-wc/testing';
import { directionOfWords } from '../../src/locales/direction-of-words.ts';
import { isRightToLeft } from '../../src/locales/direction.ts';

describe('the direction', () => {
  for (const [words, direction] of [
    ['Orders', 'ltr'],
    ['١٢ – الطلبات and more', 'rtl'],
    ['**שלום**', 'rtl'],
    ['2026: 订单', 'ltr'],
    ['𞤀𞤣𞤤𞤢𞤥', 'rtl'],
    ['12 %', undefined],
    ['', undefined],
  ] as const)
    it(`of "${words}" is ${direction ?? 'that of what is around it'}`, () => {
      expect(directionOfWords(words)).to.equal(direction);
    });

  it('of a language is that of its script', () => {
    const tags = ['ar', 'ar-EG', 'he', 'fa-IR', 'az-Arab-IR', 'ks-Deva', 'de', 'zh-TW', 'zh-Hans-CN'];
    expect(tags.filter(isRightToLeft)).to.deep.equal(['ar', 'ar-EG', 'he', 'fa-IR', 'az-Arab-IR']);
  });
});
