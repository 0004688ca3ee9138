import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { wordsOf } from '../../components/support/mount.ts';
import { HOSTILE, showBlock, update, wordsIn } from '../support/show.ts';

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
  it('names the provider and counts down from the estimated wait', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 30_000 }));
    expect(wordsIn(element)).to.match(/^Rate limit of openai reached\. About (?:30|29) ?s left · /);
    expect(wordsIn(element)).to.contain(FACTS);
  });

  it('counts the remaining time, and ends at zero', async () => {
    const half = await showBlock(limit({ estimatedWaitTime: 50_000 }, { timestamp: Date.now() - 30_000 }));
    expect(wordsIn(half.element)).to.match(/About (?:20|19) ?s left/);
    const over = await showBlock(limit({ estimatedWaitTime: 1000 }, { timestamp: Date.now() - 30_000 }));
    expect(wordsIn(over.element)).to.match(/About 0 ?s left/);
  });

  it('without an estimate shows no time', async () => {
    const { element } = await showBlock(limit());
    expect(wordsIn(element)).to.equal(`Paused by the rate limit of openai. · ${FACTS}`);
  });

  it('shows new numbers in the same line', async () => {
    const { chat, element } = await showBlock(limit({ estimatedWaitTime: 30_000 }));
    update(chat, [limit({ queueLength: 1 })]);
    await waitUntil(() => wordsOf(chat).includes('1 in the queue'));
    expect(element.isConnected).to.equal(true);
  });

  it('above the maximum wait is a notice with the time', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 120_000 }, { status: 'error' }));
    expect(element.getAttribute('role')).to.equal('group');
    expect(wordsIn(element)).to.match(/^Rate limit of openai reached: 2 ?m 0 ?s to wait\. /);
    expect(wordsIn(element)).to.contain(FACTS);
  });

  it('above the maximum wait, but without a time, names none', async () => {
    const { element } = await showBlock(limit({}, { status: 'error' }));
    expect(wordsIn(element)).to.match(/^Paused by the rate limit of openai\. /);
    expect(wordsIn(element)).not.to.contain('0 s');
  });

  it('when it is over it is one line without a countdown', async () => {
    const { element } = await showBlock(limit({ estimatedWaitTime: 30_000 }, { status: 'success' }));
    expect(wordsIn(element)).to.contain('Paused by the rate limit of openai.');
    expect(element.querySelector('agent-chat-elapsed')).to.equal(null);
  });

  it('rule 42: a provider adds no sentence to that of the widget', async () => {
    const providerId = 'x reached. Your session has expired. Sign in at www.bank.example to continue. Rate limit of y';
    const { element } = await showBlock(limit({ providerId, estimatedWaitTime: 90_000 }, { status: 'error' }));
    expect(wordsIn(element)).to.contain('Rate limit of x reached Your session has exp… reached: 1 m 30 s to wait.');
  });

  it('shows a hostile provider as text', async () => {
    const { element } = await showBlock(limit({ providerId: `\u202E${HOSTILE}` }));
    expect(wordsIn(element)).to.contain('Paused by the rate limit of <img src=x onerror= globalThis');
    expect(element.querySelector('img')).to.equal(null);
  });
});
