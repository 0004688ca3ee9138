import { expect, waitUntil } from '@open-wc/testing';
import { find, inside, mount } from '../../components/support/mount.ts';
import { HOSTILE, showBlock, update, wordsIn } from '../support/show.ts';

const progress = (current: number, total: number, message = '744 of 1,204 rows') =>
  ({ id: 'b', type: 'progress', status: 'loading', progress: { current, total, message } }) as const;

describe('progress', () => {
  it('is a labelled bar with a text', async () => {
    const { element } = await showBlock(progress(744, 1204));
    const bar = element.querySelector('progress');
    expect([bar?.value, bar?.max, bar?.getAttribute('aria-label')]).to.deep.equal([744, 1204, '744 of 1,204 rows']);
    expect(wordsIn(element)).to.equal('744 of 1,204 rows');
  });

  it('updates the same bar', async () => {
    const { chat, element } = await showBlock(progress(1, 4));
    const bar = element.querySelector('progress');
    update(chat, [progress(2, 4, 'Half')]);
    await waitUntil(() => bar?.value === 2);
    expect(element.querySelector('progress')).to.equal(bar);
    expect(wordsIn(element)).to.equal('Half');
  });

  for (const [name, current, total, position] of [
    ['above its maximum is full', 9, 4, 1],
    ['below zero is empty', -1, 4, 0],
    ['with a maximum of zero does not divide by it', 0, 0, 0],
  ] as const) {
    it(name, async () => {
      const { element } = await showBlock(progress(current, total));
      expect(element.querySelector('progress')?.position).to.equal(position);
    });
  }

  it('has a mark when the task has failed', async () => {
    const { element } = await showBlock({ ...progress(1, 4), status: 'error' });
    expect(element.querySelector('.icon')).not.to.equal(null);
    expect(wordsIn(element)).to.equal('744 of 1,204 rows · Failed');
    expect((await showBlock(progress(1, 4))).element.querySelector('.icon')).to.equal(null);
  });

  it('shows hostile text as text', async () => {
    const { element } = await showBlock(progress(1, 2, HOSTILE));
    expect(wordsIn(element)).to.equal(HOSTILE);
    expect(element.querySelector('img')).to.equal(null);
  });
});

describe('a plan', () => {
  it('is a list of steps with their states, the active one marked as current', async () => {
    const { element } = await showBlock({
      type: 'plan',
      plan: [
        { title: 'Collect', state: 'done' },
        { title: 'Lay out', state: 'active' },
        { title: 'Print', state: 'pending' },
        { title: 'Post', state: 'failed' },
      ],
    });
    expect(element.localName).to.equal('ol');
    expect(
      [...element.querySelectorAll('li')].map((step) => [
        wordsIn(step),
        step.dataset['state'],
        step.getAttribute('aria-current'),
      ]),
    ).to.deep.equal([
      ['Collect', 'done', 'false'],
      ['Lay out', 'active', 'step'],
      ['Print', 'pending', 'false'],
      ['Post', 'failed', 'false'],
    ]);
  });

  it('shows its progress in one line, which collapses the steps', async () => {
    const { chat } = await showBlock({
      type: 'plan',
      plan: [
        { title: 'Collect', state: 'done' },
        { title: 'Lay out', state: 'active' },
      ],
    });
    const line = find<HTMLButtonElement>(chat, '.plan-line');
    expect(wordsIn(line)).to.equal('Plan 1 of 2 done Lay out');
    line.click();
    await waitUntil(() => line.getAttribute('aria-expanded') === 'false');
    expect(find(chat, '.plan').checkVisibility()).to.equal(false);
  });

  it('its line sticks to the view while the answer streams, and scrolls back to the steps', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    void chat.send('Hello');
    await agent.heard(1);
    const plan = [{ title: 'Collect', state: 'active' }] as const;
    agent.say({ type: 'response', data: { eventId: 'e', plan } });
    const line = await inside(chat, '.plan-line');
    agent.say({ type: 'response', data: { eventId: 'e', content: 'A line of it.\n\n'.repeat(60) } });
    const list = find(chat, '[part="transcript"]');
    await waitUntil(() => list.scrollHeight > 2 * list.clientHeight && list.scrollTop > list.clientHeight);
    const inView = (element: Element): boolean =>
      element.getBoundingClientRect().top >= list.getBoundingClientRect().top - 1;
    await waitUntil(() => inView(line));
    expect(inView(find(chat, '.plan'))).to.equal(false);
    line.click();
    await waitUntil(() => inView(find(chat, '.plan')));
    agent.say({ type: 'end', data: { eventId: 'e', userStop: false } });
    agent.hangUp();
    await waitUntil(() => chat.status === 'idle');
    expect(inView(find(chat, '.plan')), 'nothing moves on completion').to.equal(true);
  });

  it('shows hostile titles as text, without direction controls', async () => {
    const { element } = await showBlock({ type: 'plan', plan: [{ title: `\u202E${HOSTILE}`, state: 'done' }] });
    expect(wordsIn(element)).to.equal(HOSTILE);
    expect(element.querySelector('img')).to.equal(null);
  });
});
