import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import { has, inside, mount, next } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, showBlocks, wordsIn } from './support/show.ts';

const failure = (more: Partial<BlockOf<'error'>> = {}) =>
  ({ type: 'error', status: 'error', content: 'Provider disconnected', ...more }) as const;

describe('an error', () => {
  it('is a named notice with the agent’s own words', async () => {
    const { element } = await showBlock(failure());
    expect([element.getAttribute('role'), element.getAttribute('aria-label')]).to.deep.equal([
      'group',
      'Something went wrong',
    ]);
    expect(wordsIn(element)).to.equal('Something went wrong Provider disconnected');
    expect(element.querySelector('button')).to.equal(null);
  });

  it('of a reason that is known is in the reader’s words', async () => {
    const { element } = await showBlock(failure({ content: 'fetch failed', extra: { reason: 'dropped' } }));
    expect(wordsIn(element)).to.match(/^The connection to the agent was lost\./);
    expect(wordsIn(element)).not.to.contain('fetch failed');
  });

  it('says that what had arrived is kept, where something had', async () => {
    const chat = await showBlocks([{ type: 'content', content: 'Half' }, failure()]);
    expect(wordsIn(await inside(chat, '[part~="block-error"]'))).to.contain('What had arrived is kept above.');
    const { element } = await showBlock(failure());
    expect(wordsIn(element)).not.to.contain('kept');
  });

  it('code and status are behind Details', async () => {
    const { element } = await showBlock(failure({ extra: { code: 'server_error', status: 503 } }));
    const details = element.querySelector('details');
    expect(details?.open).to.equal(false);
    details?.querySelector('summary')?.click();
    await waitUntil(() => details?.open);
    expect([...(details?.querySelectorAll('dt, dd') ?? [])].map(wordsIn)).to.deep.equal([
      'Code',
      'server_error',
      'Status',
      '503',
    ]);
  });

  const retries: readonly (readonly [string, BlockOf<'error'>['extra'], boolean])[] = [
    ['that can be tried again', { recoverable: true }, true],
    ['of a connection that was lost', { reason: 'dropped' }, true],
    ['of an answer that was cut', { reason: 'cut' }, true],
    ['that says it cannot', { recoverable: false }, false],
    ['that says nothing about it', {}, false],
    ['of a missing sign-in', { reason: 'unauthorized' }, false],
  ];
  for (const [name, extra, expected] of retries) {
    it(`${name} ${expected ? 'offers' : 'does not offer'} to try again`, async () => {
      const { element } = await showBlock(failure({ ...(extra && { extra }) }));
      expect(element.querySelector('button') !== null).to.equal(expected);
    });
  }

  it('tried again, the same turn goes out', async () => {
    const { chat, agent } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', status: 'error', finish: 'error', blocks: [failure({ extra: { recoverable: true } })] },
    ];
    const told = next(chat, 'agent-chat-action');
    named(await inside(chat, '[part~="block-error"]'), 'Try again').click();
    expect((await told).detail.action).to.equal('retry');
    await agent.heard(1);
    agent.end('Hello.');
    await waitUntil(() => chat.status === 'idle');
    expect(chat.messages.map(({ role, status }) => `${role} ${status}`)).to.deep.equal([
      'user complete',
      'assistant complete',
    ]);
  });

  it('hostile words, codes and reasons are text', async () => {
    const { chat, element } = await showBlock(
      failure({ content: HOSTILE, extra: { code: HOSTILE, reason: '__proto__' } }),
    );
    expect(wordsIn(element)).to.contain(HOSTILE);
    expect(element.querySelector('dd')?.textContent).to.equal(HOSTILE);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });
});
