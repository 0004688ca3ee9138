import { expect } from '@open-wc/testing';
import { readConversation, readSummaries } from '../../../src/storage/stores/validate-stored.ts';

describe('data returned by a store', () => {
  it('readSummaries() returns the valid summaries of a list', () => {
    const rows = [
      { id: 'a', title: 'A', updated: 1 },
      { id: 'b', title: 7, updated: 'yesterday' },
      { id: 3, title: null },
      { title: 'without an id' },
      null,
      'text',
    ];
    expect(readSummaries(rows)).to.deep.equal([
      { id: 'a', title: 'A', updated: 1 },
      { id: 'b', title: '', updated: 0 },
      { id: '3', title: '', updated: 0 },
    ]);
    for (const none of [undefined, null, {}, 'text', 7]) expect(readSummaries(none)).to.deep.equal([]);
  });

  it('readConversation() returns the fields that have the right type', () => {
    const odd = { id: 'other', title: ['x'], updated: Number.NaN, messages: 'none', leaf: {}, protocol: {}, state: 0 };
    expect(readConversation('t', odd)).to.deep.equal({
      version: 1,
      id: 't',
      title: '',
      updated: 0,
      messages: [],
      state: 0,
    });
    for (const none of [undefined, null, [], 'text', 7]) expect(readConversation('t', none)).to.equal(undefined);
  });
});
