import { expect } from '@open-wc/testing';
import { redactAnswer } from '../../../src/runtime/masking/redact-for-sending.ts';

describe('a redacted answer', () => {
  it('has no text of the user unchanged, however deep in a form', () => {
    let payload: unknown = 'Ann';
    for (let depth = 0; depth < 60; depth++) payload = depth % 2 === 0 ? { value: payload } : [payload];
    const answer = { decision: 'answered', blockId: 'b', actionType: 'question', payload } as const;
    const redacted = redactAnswer(answer, (text) => text.replaceAll('Ann', 'A.'));
    expect(JSON.stringify(redacted.payload)).to.contain('"A."').and.not.to.contain('Ann');
  });
});
