import { expect } from '@open-wc/testing';
import { triggerAt } from '../../../src/components/composer/autocomplete-trigger.ts';

describe('triggerAt()', () => {
  for (const [text, kind, query] of [
    ['/', 'command', ''],
    ['/su', 'command', 'su'],
    ['@', 'mention', ''],
    ['ask @an', 'mention', 'an'],
    ['(@an', 'mention', 'an'],
    ['first line\n@b', 'mention', 'b'],
  ] as const) {
    it(`finds the ${kind} "${query}" in ${JSON.stringify(text)}`, () => {
      const trigger = triggerAt(text, text.length);
      expect(trigger).to.include({ kind, query });
      expect(text.slice(trigger?.start, trigger?.end)).to.equal(`${kind === 'command' ? '/' : '@'}${query}`);
    });
  }
  for (const text of ['', 'a/b', 'see /etc', 'me@example', '@anna ', '/sum up', 'a@']) {
    it(`finds nothing in ${JSON.stringify(text)}`, () => {
      expect(triggerAt(text, text.length)).to.equal(undefined);
    });
  }
  it('reads only the text before the caret', () => {
    expect(triggerAt('@an rest', 3)).to.deep.equal({ kind: 'mention', query: 'an', start: 0, end: 3 });
    expect(triggerAt('@an rest', 8)).to.equal(undefined);
  });
});
