import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import { wordsOf } from '../components/support/mount.ts';
import { HOSTILE, showBlock, update, wordsIn } from './support/show.ts';

const EXTRA = { providerId: 'openai', qpsLimit: 1, currentQps: 1.5, queueLength: 3 };
const FACTS = '1.5 of 1 requests a second, 3 in the queue';
const limit = (extra: BlockOf<'action'>['extra'] = {}, more: Partial<BlockOf<'action'>> = {}) =>
  ({
    id: 'b',
    type: 'action',
    action_type: 'rate_limit',
    status: 'pending',
    extra: { ...EXTRA, ...extra },
    timestamp: Date.now(),
    ...more,
  }) as const;

describe('a rate limit', () => {
  it('says who asks to wait and counts down from the wait that was estimated', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 30_000 }));
    expect(wordsIn(element)).to.match(/^The provider openai asks to wait\. About (?:30|29) ?s left · /);
    expect(wordsIn(element)).to.contain(FACTS);
  });

  it('the countdown is of what is left, and ends at zero', async () => {
    const half = await showBlock(limit({ estimatedWaitTime: 50_000 }, { timestamp: Date.now() - 30_000 }));
    expect(wordsIn(half.element)).to.match(/About (?:20|19) ?s left/);
    const over = await showBlock(limit({ estimatedWaitTime: 1000 }, { timestamp: Date.now() - 30_000 }));
    expect(wordsIn(over.element)).to.match(/About 0 ?s left/);
  });

  it('without an estimate no time is named', async () => {
    const { element } = await showBlock(limit());
    expect(wordsIn(element)).to.equal(`The provider openai asked to wait. · ${FACTS}`);
  });

  it('newer numbers show in the same line', async () => {
    const { chat, element } = await showBlock(limit({ estimatedWaitTime: 30_000 }));
    update(chat, [limit({ queueLength: 1 })]);
    await waitUntil(() => wordsOf(chat).includes('1 in the queue'));
    expect(element.isConnected).to.equal(true);
  });

  it('beyond what is waited for it is a notice with the time', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 120_000 }, { status: 'error' }));
    expect(element.getAttribute('role')).to.equal('group');
    expect(wordsIn(element)).to.match(/^The provider openai is over its limit: 2 ?m 0 ?s to wait\. /);
    expect(wordsIn(element)).to.contain(FACTS);
  });

  it('over, it is one line without a clock', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 30_000 }, { status: 'success' }));
    expect(wordsIn(element)).to.contain('The provider openai asked to wait.');
    expect(element.querySelector('agent-chat-elapsed')).to.equal(null);
  });

  it('a hostile provider is text', async () => {
    const { element } = await showBlock(limit({ providerId: `\u202E${HOSTILE}` }));
    expect(wordsIn(element)).to.contain(`The provider ${HOSTILE} asked`);
    expect(element.querySelector('img')).to.equal(null);
  });
});
