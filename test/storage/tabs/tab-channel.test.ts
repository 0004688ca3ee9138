import { expect, waitUntil } from '@open-wc/testing';
import { TabChannel, type TabMessage } from '../../../src/storage/tabs/tab-channel.ts';

describe('TabChannel', () => {
  it('ignores messages of other code that are no objects', async () => {
    const heard: TabMessage[] = [];
    const channel = new TabChannel('tab-channel test', (message) => heard.push(message));
    const other = new BroadcastChannel('agent-chat 2 tab-channel test');
    for (const message of [null, undefined, 5, 'x', true, [null], { type: 'hello' }]) other.postMessage(message);
    await waitUntil(() => heard.length > 0);
    expect(heard).to.deep.equal([{ type: 'hello' }]);
    other.close();
    channel.close();
  });
});
