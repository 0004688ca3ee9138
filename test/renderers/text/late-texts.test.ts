import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { LooseBlock } from '../../support/messages.ts';
import { find } from '../../components/support/mount.ts';
import { showBlocks } from '../support/show.ts';

describe('late texts', () => {
  it('rule 60: hundreds of texts that come at once are not all rendered in one frame', async () => {
    const chat = await showBlocks([{ id: 'first', type: 'content', content: 'Hello' }]);
    const count = 400;
    const blocks = Array.from({ length: count }, (_, index): LooseBlock => {
      return { id: String(index), type: 'content', format: 'markdown', content: `Text *${String(index)}*` };
    });
    await nextFrame();
    const { now } = performance;
    let calls = 0;
    // Each look at the clock takes a millisecond.
    performance.now = () => now.call(performance) + calls++;
    const [message] = chat.messages;
    chat.messages = [{ ...message, id: 'm', role: 'assistant', blocks }] as never;
    const drawn = (): readonly string[] =>
      [...find(chat, 'article').querySelectorAll('.prose em')].map(({ textContent }) => textContent);
    await waitUntil(() => chat.renderRoot.querySelectorAll('.prose').length === count);
    const atFirst = drawn().length;
    performance.now = now;
    expect(atFirst).to.be.above(10).and.below(count);
    await waitUntil(() => drawn().length === count);
    expect(drawn().at(-1)).to.equal(String(count - 1));
  });
});
