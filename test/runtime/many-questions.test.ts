/** Many questions in one reply: the work for each must not grow with the square of their number. */
import { expect } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import { QuestionIds } from '../../src/runtime/question-ids.ts';
import { makeChat, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';
import { says, wireAgent } from './support/wire-agent.ts';

const COUNT = 120;
const many = <Item>(item: (index: number) => Item): Item[] => Array.from({ length: COUNT }, (_, index) => item(index));

/** Counts the elements of the lists on which `some` is called, and the addresses that are parsed. */
async function workOf(act: () => Promise<unknown>): Promise<{ readonly compared: number; readonly addresses: number }> {
  const work = { compared: 0, addresses: 0 };
  const { some } = Array.prototype;
  const { canParse } = URL;
  Object.assign(Array.prototype, {
    some(this: unknown[], ...values: Parameters<typeof some>): boolean {
      work.compared += this.length;
      return some.apply(this, values);
    },
  });
  Object.assign(URL, {
    canParse(...values: Parameters<typeof canParse>): boolean {
      work.addresses++;
      return canParse.apply(URL, values);
    },
  });
  try {
    await act();
  } finally {
    Object.assign(Array.prototype, { some });
    Object.defineProperty(Array.prototype, 'some', { enumerable: false });
    Object.assign(URL, { canParse });
  }
  return work;
}

const kinds: readonly (readonly [name: string, question: (index: number) => Omit<LLMAgentEventData, 'eventId'>])[] = [
  ['equal ones', () => ({ ask: { action_type: 'confirmation', content: 'Sure?' } })],
  [
    'permissions',
    (index: number) => ({
      tool_call: 'permission-required',
      tool_call_id: `c${String(index)}`,
      tool_call_name: 'write',
      tool_call_params: '{}',
      permission_request: {
        toolName: 'write',
        serverName: 'files',
        permissionType: 'write',
        description: 'Write?',
      },
      request: { id: `q${String(index)}` },
    }),
  ],
];

describe('rule 95: many questions in one reply', () => {
  for (const [name, question] of kinds)
    it(name, async () => {
      const { chat } = makeChat([stream(says(...many(question)))], { protocol: wireAgent });
      const asked = (): number => chat.messages.at(-1)?.blocks.filter(({ type }) => type === 'action').length ?? 0;
      const { compared, addresses } = await workOf(async () => {
        void chat.send('Hi');
        await until(chat, () => asked() === COUNT);
      });
      chat.stop();
      expect(compared).to.be.lessThan(10 * COUNT * COUNT);
      expect(addresses).to.be.lessThan(40 * COUNT);
    });

  it('are remembered up to a limit, and no id is given twice', () => {
    const ids = new QuestionIds();
    const none = new Set<string>();
    const first = ids.next('first', none, 'm.1');
    expect(ids.next('first', none, 'm.1')).to.equal(first);
    const shown = ids.next('shown', none, 'm.1');
    const given = new Set([first, shown]);
    for (let index = 0; index < 5000; index++) given.add(ids.next(`other ${String(index)}`, new Set([shown]), 'm.1'));
    expect(given.size).to.equal(5002);
    expect(ids.next('shown', none, 'm.1')).to.equal(shown);
    expect([...given]).not.to.include(ids.next('first', none, 'm.1'));
  });
});
