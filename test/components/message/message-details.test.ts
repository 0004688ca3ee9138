import { expect, waitUntil } from '@open-wc/testing';
import { find, has, inside, mount } from '../support/mount.ts';

const DAY = 86_400_000;
const days = (chat: Awaited<ReturnType<typeof mount>>['chat']): readonly (string | null)[] =>
  [...chat.renderRoot.querySelectorAll('.day')].map(({ textContent }) => textContent);

describe('the time of a message', () => {
  it('is shown beside its actions, and expands to model, duration and tokens', async () => {
    const { chat } = await mount();
    chat.messages = [
      {
        role: 'assistant',
        text: 'Hello.',
        timestamp: Date.UTC(2026, 0, 5, 12, 2),
        usage: { prompt_tokens: 1200, completion_tokens: 30, total_tokens: 1230 },
        metadata: { model: 'large', startTime: 1000, endTime: 4000 },
      },
    ] as unknown as typeof chat.messages;
    const facts = await inside<HTMLDetailsElement>(chat, 'details.written');
    expect(facts.querySelector('time')?.getAttribute('datetime')).to.equal('2026-01-05T12:02:00.000Z');
    facts.open = true;
    const words = [...facts.querySelectorAll('dt, dd')].map(({ textContent }) => textContent.trim());
    expect(words.slice(0, 2)).to.deep.equal(['Model', 'large']);
    expect(words.slice(2)).to.deep.equal(['Time taken', '3\u202fs', 'Tokens', '1,200 input, 30 output']);
  });

  for (const { name, metadata, shown } of [
    {
      name: 'session events',
      metadata: { summary: { duration_ms: 3000, tool_calls: 2 } },
      shown: ['Time taken', '3\u202fs', 'Tool calls', '2'],
    },
    { name: 'phase events', metadata: { stats: { totalTokens: 9, iterations: 4 } }, shown: ['Steps', '4'] },
    {
      name: 'a server whose counts are no numbers',
      metadata: { summary: { duration_ms: 'long' }, stats: 7, model: 'm' },
      shown: ['Model', 'm'],
    },
  ]) {
    it(`has the counts of ${name}`, async () => {
      const { chat } = await mount();
      chat.messages = [
        { role: 'assistant', text: 'Hello.', timestamp: 1, metadata },
      ] as unknown as typeof chat.messages;
      const facts = await inside<HTMLDetailsElement>(chat, 'details.written');
      expect([...facts.querySelectorAll('dt, dd')].map(({ textContent }) => textContent.trim())).to.deep.equal(shown);
    });
  }

  it('has no details when nothing more is known, and is the current time when it is invalid', async () => {
    const { chat } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hi', timestamp: 1 },
      { role: 'assistant', text: 'Hello.', timestamp: Number.NaN },
    ] as unknown as typeof chat.messages;
    await inside(chat, '.written');
    expect(has(chat, 'details.written')).to.equal(false);
    expect(chat.renderRoot.querySelectorAll('.written')).to.have.length(2);
    expect(chat.messages[1]?.timestamp).to.be.greaterThan(1);
  });

  it('days are named where there are several', async () => {
    const { chat } = await mount();
    const now = Date.now();
    chat.messages = [
      { role: 'user', text: 'One', timestamp: now - DAY },
      { role: 'assistant', text: 'Two', timestamp: now - DAY },
      { role: 'user', text: 'Three', timestamp: now },
    ] as unknown as typeof chat.messages;
    await inside(chat, '.day');
    await waitUntil(() => days(chat).length === 2);
    expect(days(chat)).to.deep.equal(['Yesterday', 'Today']);
    expect(find(chat, '.day').getAttribute('role')).to.equal('separator');
  });

  it('a conversation of one day names none', async () => {
    const { chat } = await mount();
    chat.messages = [
      { role: 'user', text: 'One' },
      { role: 'assistant', text: 'Two' },
    ] as unknown as typeof chat.messages;
    await inside(chat, '.written');
    expect(days(chat)).to.deep.equal([]);
  });
});
