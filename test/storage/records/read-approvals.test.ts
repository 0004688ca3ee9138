import { expect } from '@open-wc/testing';
import { readApprovals } from '../../../src/storage/records/read-approvals.ts';

const approval = { agent: '/agent', server: 'shop', tool: 'order', since: 1 };

describe('stored approvals', () => {
  it('keep what they apply to', () => {
    const stored = [
      approval,
      { ...approval, page: true, description: 'Pays', question: 'Pay?' },
      { ...approval, access: 'read' },
    ];
    expect(readApprovals(structuredClone(stored))).to.deep.equal(stored);
  });

  for (const [name, broken] of [
    ['no list', { 0: approval }],
    ['no tool', [{ ...approval, tool: undefined }]],
    ['a page that is no mark', [{ ...approval, page: 'true' }]],
    ['an access that is no text', [{ ...approval, access: ['read'] }]],
    ['a question that is no text', [{ ...approval, question: {} }]],
    ['no access but null', [{ ...approval, access: null }]],
    ['nothing', [null]],
  ] as const) {
    it(`with ${name} do not count`, () => {
      expect(readApprovals(broken)).to.deep.equal([]);
    });
  }
});
