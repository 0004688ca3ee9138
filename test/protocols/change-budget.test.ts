import { expect } from '@open-wc/testing';
import { isAffordable } from '../../src/protocols/shared/change-budget.ts';

describe('isAffordable()', () => {
  const large = 'x'.repeat(1_000_000);
  for (const { name, document, changes, expected } of [
    { name: 'a few changes of a large document', document: large, changes: 99, expected: true },
    { name: 'rule 95: many changes of a large document', document: large, changes: 1000, expected: false },
    { name: 'many changes of a small document', document: { a: 1 }, changes: 100_000, expected: true },
    { name: 'changes of nothing', document: undefined, changes: 1000, expected: true },
  ]) {
    it(name, () => {
      expect(isAffordable(document, changes)).to.equal(expected);
    });
  }
});
