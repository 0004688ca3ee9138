import { expect } from '@open-wc/testing';
import { readApprovals, storableApprovals } from '../../../src/storage/records/read-approvals.ts';

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

  it('rule 13: are none whose question contains a key: they apply until the page is left', () => {
    const approvals = ['Pay?', 'Pay with sk-1?'].map((question) => ({
      ...{ agent: 'a', server: '', tool: 'pay', page: true as const, since: 1 },
      question,
    }));
    const mask = (text: string): string => text.replace(/sk-\d/, '***');
    expect(storableApprovals(approvals, mask)).to.deep.equal(approvals.slice(0, 1));
  });
});
