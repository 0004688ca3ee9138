/** Functions of the page that throw, reject, return nonsense, never settle or answer after a stop. */
import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import { agentOf } from '../agents/support/agent.ts';
import { lines, makeChat, until, type Made } from './support/make-chat.ts';
import { session, stream } from './support/scripted-server.ts';

const END = 'data: {"type":"session_end","data":{"status":"completed"}}\n\n';
const reply = stream(session('Yes.') + END);
const never = (): Promise<never> => new Promise(() => undefined);
const broken = (): never => {
  throw new Error('Broken');
};
const rejecting = (): Promise<never> => Promise.reject(new Error('Broken'));

const HOOKS = ['headers', 'body', 'context', 'fetch', 'transformRequest', 'redact'] as const;
type Hook = (typeof HOOKS)[number];

const withHook = (hook: Hook, act: () => unknown): Made => makeChat([reply], { [hook]: act });

/** The user's text is in the transcript with what became of it, and the next message is sent. */
async function expectUnspoiled({ chat, set }: Made, hook: Hook): Promise<void> {
  expect(['complete', 'failed']).to.include(chat.messages[0]?.status);
  expect(lines(chat)[0]).to.match(/: First$/);
  expect(['idle', 'error']).to.include(chat.status);
  const { chat: _, ...other } = makeChat([reply]);
  set({ [hook]: hook === 'fetch' ? other.server.fetch : undefined });
  expect((await chat.send('Second')).status).to.equal('complete');
  expect(lines(chat).slice(-2)).to.deep.equal(['user complete: Second', 'assistant complete: Yes.']);
}

describe('a function of the page', () => {
  it('that stops the turn while it starts sends nothing', async () => {
    const made: Made = makeChat([reply], {
      redact: (text) => {
        made.chat.stop();
        return text;
      },
    });
    expect((await made.chat.send('First')).status).to.equal('cancelled');
    expect([made.server.asked.length, made.chat.busy]).to.deep.equal([0, false]);
    await expectUnspoiled(made, 'redact');
  });

  for (const hook of HOOKS) {
    for (const [name, act] of [
      ['throws', broken],
      ['rejects', rejecting],
      ['returns a number', () => 7],
      ['returns null', () => null],
      ['resolves with nothing', () => Promise.resolve()],
    ] as const) {
      // The rejection of a promise that nobody waits for is the page's.
      if (hook === 'redact' && act === rejecting) continue;
      it(`that ${name} leaves the text and a working chat: ${hook}`, async () => {
        const made = withHook(hook, act);
        await made.chat.send('First');
        if (hook === 'redact') expect(made.server.asked).to.have.length(0);
        await expectUnspoiled(made, hook);
      });
    }
    if (hook === 'redact') continue;

    it(`that never settles ends with a stop: ${hook}`, async () => {
      const made = withHook(hook, never);
      const sent = made.chat.send('First');
      await until(made.chat, ({ status }) => status === 'connecting');
      made.chat.stop();
      await sent;
      await expectUnspoiled(made, hook);
    });

    it(`that answers after the stop sends nothing and changes nothing: ${hook}`, async () => {
      const late = Promise.withResolvers<unknown>();
      const made = withHook(hook, () => late.promise);
      const sent = made.chat.send('First');
      await until(made.chat, ({ status }) => status === 'connecting');
      made.chat.stop();
      await sent;
      const before = lines(made.chat);
      late.resolve(hook === 'fetch' ? new Response(session('Late.') + END) : {});
      for (let count = 0; count < 50; count++) await Promise.resolve();
      expect([made.server.asked.length, lines(made.chat)]).to.deep.equal([0, before]);
      await expectUnspoiled(made, hook);
    });
  }
});

describe('the error of a function of the page', () => {
  for (const name of ['headers', 'body', 'context', 'transformRequest'] as const) {
    for (const [how, act] of [
      ['throws', broken],
      ['rejects', rejecting],
    ] as const) {
      it(`names the function of a request that ${how}: ${name}`, async () => {
        const { chat, told, server } = makeChat([reply], { [name]: act });
        await chat.send('First');
        expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([
          ['protocol', `The page’s function \`${name}\` failed: Broken`],
        ]);
        expect(server.asked).to.have.length(0);
        expect(lines(chat).at(-1)).to.contain('error: page-function');
      });
    }
  }

  for (const [what, value] of [
    ['a number', 7],
    ['an object without a request', {}],
    ['an object without an address', { init: {} }],
  ] as const) {
    it(`names the function of a request that returns ${what}: transformRequest`, async () => {
      const { chat, told, server } = makeChat([reply], { transformRequest: () => value as never });
      await chat.send('First');
      expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([
        ['protocol', 'The page’s function `transformRequest` failed: It returned no request.'],
      ]);
      expect(server.asked).to.have.length(0);
    });
  }

  for (const [how, source, problem] of [
    ['throws', broken, 'Broken'],
    ['rejects', rejecting, 'Broken'],
    ['returns nothing', () => undefined, 'It must return a Response.'],
  ] as const) {
    it(`names the function of a poll that ${how}`, async () => {
      const { chat, told } = makeChat([reply], { poll: { source: source as never, interval: 0 } });
      await chat.send('First');
      expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([
        ['protocol', `The page’s function \`poll.source\` failed: ${problem}`],
      ]);
    });
  }

  for (const [name, settings] of Object.entries({
    transformEvent: (fail) => ({ transformEvent: fail }),
    redact: (fail) => ({ redact: fail }),
    'poll.source': (fail) => ({ poll: { source: fail, interval: 0 } }),
    'an agent in the page': (fail) => ({ agents: [agentOf('own', { answer: fail })], agent: 'own' }),
  } satisfies Record<string, (fail: () => never) => object>)) {
    it(`does not show the keys that were sent: ${name}`, async () => {
      const key = 'page-key-of-12-letters';
      const headers = { Authorization: `Bearer ${key}` };
      const { chat, told, set } = makeChat([reply, reply], { headers });
      await chat.send('First');
      set(
        settings(() => {
          throw new Error(`No answer for ${key}`);
        }),
      );
      await chat.send('Second');
      expect(told.errors.map(({ message }) => message).join())
        .to.contain('No answer for ')
        .and.not.to.contain(key);
      expect(lines(chat).join()).not.to.contain(key);
      expect(String(told.errors[0]?.cause)).not.to.contain(key);
    });
  }

  for (const [what, value] of [
    ['a promise', Promise.resolve(null)],
    ['nothing', undefined],
    ['a text', 'text'],
    ['an object without a type', {}],
  ] as const) {
    it(`names the function that returns ${what}: transformEvent`, async () => {
      const { chat, told } = makeChat([reply], { transformEvent: () => value as never });
      await chat.send('First');
      expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([
        ['protocol', 'The page’s function `transformEvent` failed: It must return an event, a list of events or null.'],
      ]);
    });
  }

  it('is the page’s own if it throws a ChatError', async () => {
    const error = new ChatError('auth', 'Sign in.');
    const { chat, told } = makeChat([reply], { headers: () => Promise.reject(error) });
    await chat.send('First');
    expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([['auth', 'Sign in.']]);
  });

  for (const name of ['transformEvent', 'redact'] as const) {
    it(`names the function, whether or not there is an answer: ${name}`, async () => {
      const { chat, told, server } = makeChat([reply], { [name]: broken });
      await chat.send('First');
      expect(told.errors.map(({ kind, message }) => [kind, message])).to.deep.equal([
        ['protocol', `The page’s function \`${name}\` failed: Broken`],
      ]);
      expect(server.asked).to.have.length(name === 'redact' ? 0 : 1);
      expect(lines(chat).at(-1)).to.contain('error: page-function');
    });
  }
});
