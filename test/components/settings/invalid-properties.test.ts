/** Any value that a page sets: the widget warns and continues to work. */
import { expect } from '@open-wc/testing';
import { AgentChatSettings } from '../../../src/components/settings/agent-chat-properties.ts';
import { ChatError } from '../../../src/errors.ts';
import { mount, warningsOf } from '../support/mount.ts';
import { errorsOf, expectWorking, outcomeOf, reply, set, VALUES, describeOutcome } from '../support/wrong-values.ts';

const PROPERTIES = [...Object.keys(AgentChatSettings.properties), 'messages'];

/** Replies with these settings wait for the user, or take as long as real ones. */
const SLOW: readonly string[] = ['consent', 'demo'];

// A warning appears once on a page, so these come before the table.
describe('an invalid value that is reported', () => {
  for (const [name, value] of [
    ['agents', {}],
    ['agents', [null]],
    ['without', ['delete']],
    ['locale', 5],
    ['headers', 5],
    ['fetch', {}],
    ['maxToolRounds', -1],
  ] as const)
    it(`${name} = ${JSON.stringify(value)} is reported once`, async () => {
      const warnings = await warningsOf(async () => {
        const { chat } = await mount();
        set(chat, name, value);
        await chat.updateComplete;
        set(chat, name, value);
        await chat.updateComplete;
      });
      expect(warnings.length).to.equal(1);
      expect(warnings[0]).to.contain(name);
    });
});

describe('an invalid value of a property', () => {
  for (const name of PROPERTIES)
    it(`${name} leaves a widget that works`, async () => {
      const wrong: string[] = [];
      const errors = await errorsOf(async () => {
        const { chat } = await mount({ fetch: reply, persist: 'none' });
        const before: unknown = Reflect.get(chat, name);
        for (const [label, value] of VALUES) {
          set(chat, name, value);
          await chat.updateComplete;
          const outcome = SLOW.includes(name) ? undefined : await outcomeOf(chat.send('Hello'));
          if (outcome !== undefined && !(outcome instanceof ChatError))
            wrong.push(`${label}: ${describeOutcome(outcome)}`);
          set(chat, name, before);
          chat.clear();
        }
        await expectWorking(chat);
      });
      expect({ wrong, errors }).to.deep.equal({ wrong: [], errors: [] });
    });

  it('during a reply does not affect the reply', async () => {
    const errors = await errorsOf(async () => {
      const { chat, agent } = await mount({ persist: 'none' });
      // An invalid `persist` counts as not set: the conversation is stored, and then another endpoint interrupts a reply.
      const before = PROPERTIES.filter((name) => name !== 'messages' && name !== 'persist').map(
        (name) => [name, Reflect.get(chat, name)] as const,
      );
      const sent = chat.send('Hello');
      await agent.heard(1);
      for (const [, value] of VALUES) {
        for (const [name] of before) set(chat, name, value);
        await chat.updateComplete;
      }
      for (const [name, usual] of before) set(chat, name, usual);
      agent.end('Hello.');
      expect((await sent).status).to.equal('complete');
    });
    expect(errors).to.deep.equal([]);
  });
});
