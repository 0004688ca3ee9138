/** Who has a conversation where the Web Locks API is missing. */
import { expect } from '@open-wc/testing';
import { ChannelLocks, type LockMessage } from '../../../src/storage/tabs/channel-locks.ts';

describe('ChannelLocks', () => {
  it('rule 106: a tab that was too busy to answer learns that another one has taken its conversation', async () => {
    const unread: LockMessage[] = [];
    const late: LockMessage[] = [];
    const lost: string[] = [];
    const busy = new ChannelLocks(
      (message) => late.push(message),
      (thread) => lost.push(thread),
    );
    const other = new ChannelLocks(
      (message) => unread.push(message),
      (thread) => lost.push(`the other: ${thread}`),
    );
    expect(await busy.take('T')).to.equal(true);
    late.length = 0;
    other.receive({ type: 'here' });
    expect(await other.take('T')).to.equal(true);
    for (const message of unread) busy.receive(message);
    for (const message of late) other.receive(message);
    expect(lost).to.deep.equal(['T']);
    expect(await other.take('U')).to.equal(true);
    expect(lost).to.deep.equal(['T']);
  });
});
