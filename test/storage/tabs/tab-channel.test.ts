import { expect, waitUntil } from '@open-wc/testing';
import { TabChannel } from '../../../src/storage/tabs/tab-channel.ts';
import type { TabMessage } from '../../../src/storage/tabs/tab-message.ts';

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

  describe('with locks that do not respond', () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { request } = navigator.locks;
    before(() => {
      navigator.locks.request = ((...args: Parameters<typeof request>) =>
        answered.then(() => request.apply(navigator.locks, args))) as typeof request;
    });
    after(() => {
      Reflect.deleteProperty(navigator.locks, 'request');
    });
    const soon = (promise: Promise<boolean>): Promise<boolean | string> =>
      Promise.race([promise, new Promise<string>((resolve) => setTimeout(resolve, 2000, 'waits'))]);

    it('waits for them once, and again when they respond', async () => {
      const channel = new TabChannel('locks test', () => undefined);
      const other = new TabChannel('locks test', () => undefined);
      expect(await channel.take('T', { wait: true })).to.equal(true);
      channel.release('T');
      for (const wait of [true, false])
        for (const thread of ['T', 'U']) expect(await soon(channel.take(thread, { wait }))).to.equal(true);
      answer();
      await waitUntil(async () => {
        const { held = [], pending: waiting = [] } = await navigator.locks.query();
        return [...held, ...waiting].every(({ name = '' }) => !name.includes('locks test'));
      });
      await waitUntil(async () => (await other.take('T', { wait: false })) && other.holds('T'));
      expect(await channel.take('T', { wait: false })).to.equal(false);
      other.close();
      channel.close();
    });
  });

  for (const waits of [
    [false, true],
    [true, false],
    [true, true],
  ])
    it(`does not wait for a lock that it gets by another request (${waits.join(', then ')})`, async () => {
      const channel = new TabChannel('twice test', () => undefined);
      const late = new Promise<string>((resolve) => setTimeout(resolve, 2000, 'waits'));
      const taken = waits.map((wait) => Promise.race([channel.take('T', { wait }), late]));
      expect(await Promise.all(taken)).to.deep.equal([true, true]);
      channel.close();
    });

  it('does not get a lock after it was closed', async () => {
    for (const wait of [true, false]) {
      const channel = new TabChannel('close test', () => undefined);
      const taken = channel.take(`T${String(wait)}`, { wait });
      channel.close();
      expect(await taken).to.equal(false);
    }
    const later = new TabChannel('close test', () => undefined);
    for (const thread of ['Ttrue', 'Tfalse']) expect(await later.take(thread, { wait: false })).to.equal(true);
    later.close();
  });
});
