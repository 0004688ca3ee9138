import { expect } from '@open-wc/testing';
import { createMessageRedactor, redactAnswer } from '../../../src/runtime/masking/redact-for-sending.ts';

describe('a redacted answer', () => {
  it('has no text of the user unchanged, however deep in a form', () => {
    let payload: unknown = 'Ann';
    for (let depth = 0; depth < 60; depth++) payload = depth % 2 === 0 ? { value: payload } : [payload];
    const answer = { decision: 'answered', blockId: 'b', actionType: 'question', payload } as const;
    const redacted = redactAnswer(answer, (text) => text.replaceAll('Ann', 'A.'));
    expect(JSON.stringify(redacted.payload)).to.contain('"A."').and.not.to.contain('Ann');
  });
});

describe('rule 121: what the user has entered into a surface', () => {
  const pressed = (data: object) =>
    ({
      role: 'user',
      id: 'u',
      status: 'sending',
      timestamp: 0,
      blocks: [{ type: 'content', id: 'c', status: 'success', timestamp: 0, content: 'Book, Ann', format: 'text' }],
      metadata: { data },
    }) as const;
  const redact = createMessageRedactor((text) => text.replaceAll('Ann', 'A.'));

  it('is redacted, also in lists and in the data of the surface', () => {
    const { blocks, metadata } = redact(
      pressed({
        surfaceId: 's',
        name: 'book',
        context: { name: 'Ann', guests: ['Ann', 2] },
        dataModel: { form: { name: 'Ann', isNew: true } },
      }),
    );
    expect(blocks[0]).to.include({ content: 'Book, A.' });
    expect(metadata).to.deep.equal({
      data: {
        surfaceId: 's',
        name: 'book',
        context: { name: 'A.', guests: ['A.', 2] },
        dataModel: { form: { name: 'A.', isNew: true } },
      },
    });
  });

  it('has no field that was not there', () => {
    expect(redact(pressed({ surfaceId: 's', name: 'book' })).metadata).to.deep.equal({
      data: { surfaceId: 's', name: 'book' },
    });
  });

  it('is not what the page sends with a message', () => {
    expect(redact(pressed({ context: { customer: 'Ann' } })).metadata).to.deep.equal({
      data: { context: { customer: 'Ann' } },
    });
  });
});
