import { expect } from '@open-wc/testing';
import { toPlainHeaders } from '../../src/runtime/plain-headers.ts';

describe('the headers that a page sets', () => {
  const rows: readonly { name: string; headers: unknown; expected: object }[] = [
    { name: 'none', headers: undefined, expected: {} },
    { name: 'null', headers: null, expected: {} },
    { name: 'an object keeps its spelling', headers: { 'X-Key': 'a' }, expected: { 'X-Key': 'a' } },
    { name: 'Headers', headers: new Headers({ 'X-Key': 'a' }), expected: { 'x-key': 'a' } },
    { name: 'pairs', headers: [['X-Key', 'a']], expected: { 'X-Key': 'a' } },
    { name: 'a number', headers: { 'X-Tenant': 7 }, expected: { 'X-Tenant': '7' } },
    // A page without a token yet; "Bearer undefined" would be sent otherwise.
    { name: 'undefined and null are left out', headers: { a: undefined, b: null, c: '' }, expected: { c: '' } },
  ];
  for (const { name, headers, expected } of rows)
    it(name, () => {
      expect(toPlainHeaders(headers as Parameters<typeof toPlainHeaders>[0])).to.deep.equal(expected);
    });
});
