import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { longerCopy } from '../../../src/storage/records/serialize-thread.ts';

describe('longerCopy()', () => {
  const copy = (content: string): { readonly messages: readonly ChatMessage[] } => ({
    messages: [
      {
        id: 'a',
        role: 'assistant',
        status: 'streaming',
        timestamp: 1,
        blocks: [{ id: 'b', type: 'content', status: 'success', timestamp: 1, content }],
      },
    ],
  });
  const short = copy('One');
  const long = copy('One two');
  it('returns the copy with more text', () => expect(longerCopy(short, long)).to.equal(long));
  it('returns the first copy when both have the same text', () =>
    expect(longerCopy(long, copy('One two'))).to.equal(long));
});
