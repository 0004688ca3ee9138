import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { has, inside, mount, next } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, showBlocks, wordsIn } from '../support/show.ts';

const failure = (more: Partial<BlockOf<'error'>> = {}) =>
  ({ type: 'error', status: 'error', content: 'Provider disconnected', ...more }) as const;

describe('an error', () => {
  it('is a labelled notice with the agent’s text', async () => {
    const { element } = await showBlock(failure());
    expect([element.getAttribute('role'), element.getAttribute('aria-label')]).to.deep.equal([
      'group',
      'Something went wrong',
    ]);
    expect(wordsIn(element)).to.equal('Something went wrong Provider disconnected');
    expect(element.querySelector('button')).to.equal(null);
  });

  it('with a known reason has a text in the user’s language', async () => {
    const { element } = await showBlock(failure({ content: 'fetch failed', extra: { reason: 'dropped' } }));
    expect(wordsIn(element)).to.match(/^The connection to the agent was lost\./);
    expect(wordsIn(element)).not.to.contain('fetch failed');
  });

  it('says that the partial answer is kept, if there is one', async () => {
    const chat = await showBlocks([{ type: 'content', content: 'Half' }, failure()]);
    expect(wordsIn(await inside(chat, '[part~="block-error"]'))).to.contain('The partial answer is kept above.');
    const { element } = await showBlock(failure());
    expect(wordsIn(element)).not.to.contain('kept');
  });

  it('offers nothing while the reply continues, until it fails', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Hi');
    await agent.heard(1);
    const offered = (): readonly string[] => {
      const text = wordsIn(chat.renderRoot.querySelector('[part~="block-error"]') ?? document.createElement('p'));
      return ['Slow', 'Try again', 'kept above'].filter((words) => text.includes(words));
    };
    const becomes = (...words: readonly string[]) =>
      waitUntil(() => offered().join() === words.join(), `${words.join()} instead of ${offered().join()}`, {
        timeout: 5000,
      });
    agent.say({ type: 'content', data: { content: 'Half of it' } });
    await inside(chat, '[part~="block-content"]');
    agent.say({ type: 'error', data: { error_type: 'timeout', message: 'Slow', recoverable: true } });
    await becomes('Slow');
    agent.say({ type: 'content', data: { content: 'Here it is' } });
    await becomes('Slow');
    agent.say({ type: 'session_end', data: { status: 'error' } });
    await becomes('Slow', 'Try again', 'kept above');
    await sent;
  });

  for (const [name, message, expected] of [
    ['in the middle of a stream', { status: 'streaming' }, false],
    ['after which the stream only has to close', { status: 'streaming', finish: 'error' }, true],
    ['of a reply that has ended', { status: 'error', finish: 'error' }, true],
  ] as const) {
    it(`${name} ${expected ? 'is' : 'is not'} the end of the reply`, async () => {
      const blocks = [{ type: 'content', content: 'Half' }, failure({ extra: { recoverable: true } })] as const;
      const chat = await showBlocks(blocks, { message });
      const notice = await inside(chat, '[part~="block-error"]');
      expect(wordsIn(notice)).to.contain('Provider disconnected');
      expect(wordsIn(notice).includes('The partial answer is kept above.')).to.equal(expected);
      expect(notice.querySelector('button') !== null).to.equal(expected);
    });
  }

  it('from which the agent has recovered at the end of a complete reply offers nothing', async () => {
    const blocks = [{ type: 'content', content: 'All of it' }, failure({ extra: { recoverable: true } })] as const;
    const chat = await showBlocks(blocks, { message: { status: 'complete' } });
    const notice = await inside(chat, '[part~="block-error"]');
    expect([wordsIn(notice).includes('kept above'), notice.querySelector('button')]).to.deep.equal([false, null]);
  });

  it('before the last one of a failed reply offers nothing', async () => {
    const recoverable = { extra: { recoverable: true } };
    const chat = await showBlocks([failure({ id: 'one', ...recoverable }), failure({ id: 'two', ...recoverable })], {
      message: { status: 'error', finish: 'error' },
    });
    await inside(chat, '[part~="block-error"] button');
    const notices = [...chat.renderRoot.querySelectorAll('[part~="block-error"]')];
    expect(notices.map((notice) => notice.querySelectorAll('button').length)).to.deep.equal([0, 1]);
  });

  it('shows code and status under Details', async () => {
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
    ['that can be retried', { recoverable: true }, true],
    ['of a lost connection', { reason: 'dropped' }, true],
    ['of an answer that was cut off', { reason: 'cut' }, true],
    ['that can’t be retried', { recoverable: false }, false],
    ['without this information', {}, false],
    ['of a missing sign-in', { reason: 'unauthorized' }, false],
  ];
  for (const [name, extra, expected] of retries) {
    it(`${name} ${expected ? 'offers' : 'does not offer'} to try again`, async () => {
      const { element } = await showBlock(failure({ ...(extra && { extra }) }));
      expect(element.querySelector('button') !== null).to.equal(expected);
    });
  }

  it('sends the same turn when the user tries again', async () => {
    const { chat, agent } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', status: 'error', finish: 'error', blocks: [failure({ extra: { recoverable: true } })] },
    ];
    const actionEvent = next(chat, 'agent-chat-action');
    named(await inside(chat, '[part~="block-error"]'), 'Try again').click();
    expect((await actionEvent).detail.action).to.equal('retry');
    await agent.heard(1);
    agent.end('Hello.');
    await waitUntil(() => chat.status === 'idle');
    expect(chat.messages.map(({ role, status }) => `${role} ${status}`)).to.deep.equal([
      'user complete',
      'assistant complete',
    ]);
  });

  it('shows hostile texts, codes and reasons as text', async () => {
    const { chat, element } = await showBlock(
      failure({ content: HOSTILE, extra: { code: HOSTILE, reason: '__proto__' } }),
    );
    expect(wordsIn(element)).to.contain(HOSTILE);
    expect(element.querySelector('dd')?.textContent).to.equal(HOSTILE);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });
});
