/** What a page sets may come from its own back end: odd values are said on the console once, and cost nothing else. */
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../src/define.ts';
import { find, mount, next, warningsOf, wordsOf } from './support/mount.ts';

interface Row {
  readonly name: string;
  set(chat: AgentChat): void;
  /** What is said of it on the console; nothing where it is no more than left out. */
  readonly said: RegExp | undefined;
}

const property =
  (name: string, value: unknown) =>
  (chat: AgentChat): void => {
    Object.assign(chat, { [name]: value });
  };
const rows: readonly Row[] = [
  {
    name: 'renderers of nothing',
    said: undefined,
    set: (chat) => {
      Object.assign(chat, { renderers: null });
    },
  },
  { name: 'renderers of JSON', set: property('renderers', { content: {} }), said: /renderers/ },
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
  { name: 'suggestions of one word', set: property('suggestions', 'x'), said: /suggestions/ },
  ...['suggestions', 'strings', 'participants', 'agents', 'limits', 'heading', 'mode'].map((name) => ({
    name: `${name} = null`,
    set: property(name, null),
    said: undefined,
  })),
  { name: 'strings of numbers', set: property('strings', { agent: 7 }), said: /strings/ },
  { name: 'strings of one word', set: property('strings', 'x'), said: /strings/ },
];

/** What the window is told of as errors while something is done. */
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

describe('an odd setting', () => {
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

  it('what is right among the suggestions stays', async () => {
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

describe('odd messages', () => {
  const odd: readonly { readonly name: string; readonly messages: unknown }[] = [
    { name: 'a list of nothing', messages: [null] },
    { name: 'words', messages: ['x'] },
    { name: 'no role', messages: [{}] },
    { name: 'a role of its own', messages: [{ role: 'robot', text: 'x' }] },
    { name: 'no blocks', messages: [{ role: 'assistant', blocks: null }] },
    { name: 'blocks that are none', messages: [{ role: 'assistant', blocks: [null, 7, 'x', {}] }] },
    { name: 'blocks of types of their own', messages: [{ role: 'assistant', blocks: [{ type: 'nope' }] }] },
    { name: 'a block without its content', messages: [{ role: 'assistant', blocks: [{ type: 'content' }] }] },
    { name: 'suggestions that are none', messages: [{ role: 'assistant', text: 'x', suggestions: [null, 7] }] },
    { name: 'a name that is none', messages: [{ role: 'assistant', text: 'x', name: 7 }] },
    { name: 'text that is none', messages: [{ role: 'assistant', text: 7 }] },
  ];
  for (const { name, messages } of odd) {
    it(`${name}: the rest of the conversation stands`, async () => {
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
