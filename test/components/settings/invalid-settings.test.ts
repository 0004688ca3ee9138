/**
 * Settings may come from the page's back end. Invalid values are reported on the console once and have no other effect.
 */
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, mount, next, warningsOf, wordsOf } from '../support/mount.ts';

interface Row {
  readonly name: string;
  set(chat: AgentChat): void;
  /** The console warning; undefined where the value is ignored silently. */
  readonly said: RegExp | undefined;
}

const property =
  (name: string, value: unknown) =>
  (chat: AgentChat): void => {
    Object.assign(chat, { [name]: value });
  };
const rows: readonly Row[] = [
  {
    name: 'a list of empty renderers',
    said: undefined,
    set: (chat) => {
      Object.assign(chat, { renderers: null });
    },
  },
  { name: 'renderers from JSON', set: property('renderers', { content: {} }), said: /renderers/ },
  {
    name: 'suggestions="[null]"',
    set(chat) {
      chat.setAttribute('suggestions', '[null]');
    },
    said: /suggestions/,
  },
  {
    name: 'suggestions="{}"',
    set(chat) {
      chat.setAttribute('suggestions', '{}');
    },
    said: /suggestions/,
  },
  { name: 'a suggestion without a prompt', set: property('suggestions', [{ label: 'One' }]), said: /suggestions/ },
  { name: 'suggestions as one string', set: property('suggestions', 'x'), said: /suggestions/ },
  ...['suggestions', 'strings', 'participants', 'agents', 'limits', 'heading', 'mode'].map((name) => ({
    name: `${name} = null`,
    set: property(name, null),
    said: undefined,
  })),
  { name: 'strings that are numbers', set: property('strings', { agent: 7 }), said: /strings/ },
  { name: 'strings as one string', set: property('strings', 'x'), said: /strings/ },
];

/** The errors that reach the window during an action. */
async function errorsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const errors: string[] = [];
  const note = (event: Event): void => {
    event.preventDefault();
    errors.push(event instanceof ErrorEvent ? event.message : String((event as PromiseRejectionEvent).reason));
  };
  addEventListener('error', note);
  addEventListener('unhandledrejection', note);
  try {
    await act();
  } finally {
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
  }
  return errors;
}

describe('an invalid setting', () => {
  for (const { name, set, said } of rows) {
    it(`${name} leaves a widget that works`, async () => {
      let warnings: readonly string[] = [];
      const errors = await errorsOf(async () => {
        warnings = await warningsOf(async () => {
          const { chat, agent } = await mount();
          set(chat);
          await chat.updateComplete;
          const sent = chat.send('Hello');
          await agent.heard(1);
          agent.end('Hello to you.');
          expect((await sent).status).to.equal('complete');
          await waitUntil(() => wordsOf(chat).includes('Hello to you.'));
          chat.clear();
          await chat.updateComplete;
          expect(find(chat, '[part="input"]')).to.be.instanceOf(HTMLTextAreaElement);
        });
      });
      expect(errors).to.deep.equal([]);
      expect(warnings.length).to.equal(said ? 1 : 0);
      if (said) expect(warnings[0]).to.match(said);
    });
  }

  it('keeps the valid suggestions of a list', async () => {
    const { chat } = await mount();
    await warningsOf(async () => {
      Object.assign(chat, { suggestions: [null, 'One', { label: 'Two', prompt: 'Two' }, 7] });
      await chat.updateComplete;
    });
    expect(
      [...chat.renderRoot.querySelectorAll('.starter')].map((starter) => starter.textContent.trim()),
    ).to.deep.equal(['One', 'Two']);
  });
});

describe('invalid messages', () => {
  const odd: readonly { readonly name: string; readonly messages: unknown }[] = [
    { name: 'a list of empty entries', messages: [null] },
    { name: 'words', messages: ['x'] },
    { name: 'no role', messages: [{}] },
    { name: 'an unknown role', messages: [{ role: 'robot', text: 'x' }] },
    { name: 'no blocks', messages: [{ role: 'assistant', blocks: null }] },
    { name: 'invalid blocks', messages: [{ role: 'assistant', blocks: [null, 7, 'x', {}] }] },
    { name: 'blocks of unknown types', messages: [{ role: 'assistant', blocks: [{ type: 'nope' }] }] },
    { name: 'a block without its content', messages: [{ role: 'assistant', blocks: [{ type: 'content' }] }] },
    { name: 'invalid suggestions', messages: [{ role: 'assistant', text: 'x', suggestions: [null, 7] }] },
    { name: 'an invalid name', messages: [{ role: 'assistant', text: 'x', name: 7 }] },
    { name: 'an invalid text', messages: [{ role: 'assistant', text: 7 }] },
  ];
  for (const { name, messages } of odd) {
    it(`${name}: the rest of the conversation is shown`, async () => {
      const errors = await errorsOf(async () => {
        const { chat, agent } = await mount();
        await warningsOf(async () => {
          Object.assign(chat, {
            messages: [
              { role: 'user', text: 'Before.' },
              ...(messages as unknown[]),
              { role: 'assistant', text: 'Behind.' },
            ],
          });
          await waitUntil(() => wordsOf(chat).includes('Behind.'));
          expect(wordsOf(chat)).to.contain('Before.');
          const ended = next(chat, 'agent-chat-message');
          void chat.send('Hello');
          await agent.heard(1);
          agent.end('Hello to you.');
          await ended;
          await waitUntil(() => wordsOf(chat).includes('Hello to you.'));
        });
      });
      expect(errors).to.deep.equal([]);
    });
  }
});
