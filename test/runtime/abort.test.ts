import { expect } from '@open-wc/testing';
import type { Chat } from '../../src/runtime/chat.ts';
import { sleep, within } from '../../src/runtime/within.ts';
import { settled } from '../support/fake-delay.ts';
import { makeChat, until } from './support/make-chat.ts';
import { session, silent, status, stream, watchedBody, type Answerer } from './support/scripted-server.ts';

interface Left {
  /** By whom each was set. */
  readonly timers: readonly string[];
  readonly listeners: number;
}

/** Timers and listeners that somebody still has, while `act` runs and behind it. */
async function leftBy(act: () => Promise<unknown>): Promise<Left> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const { addEventListener: add, removeEventListener: remove } = AbortSignal.prototype;
  const timers = new Map<unknown, string>();
  const listeners = new Map<unknown, AbortSignal>();
  const fakes = {
    setTimeout: (...[run, milliseconds]: Parameters<typeof set>) => {
      const timer = set(() => {
        timers.delete(timer);
        if (typeof run === 'function') run();
      }, milliseconds);
      timers.set(timer, new Error(`A timer of ${String(milliseconds)} ms`).stack ?? '');
      return timer;
    },
    clearTimeout: (timer: number | undefined) => {
      timers.delete(timer);
      clear(timer);
    },
  };
  Object.assign(globalThis, fakes);
  Object.assign(AbortSignal.prototype, {
    addEventListener(this: AbortSignal, type: string, listener: EventListener, options?: AddEventListenerOptions) {
      listeners.set(listener, this);
      add.call(this, type, listener, options);
    },
    removeEventListener(this: AbortSignal, type: string, listener: EventListener) {
      listeners.delete(listener);
      remove.call(this, type, listener);
    },
  });
  try {
    await act();
    await settled();
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Object.assign(AbortSignal.prototype, { addEventListener: add, removeEventListener: remove });
  }
  // What has been aborted calls nobody any more.
  const held = [...listeners.values()].filter((signal) => !signal.aborted);
  // A widget of a file before, which shares the page, may have something left to say.
  const ours = [...timers.values()].filter((by) => !by.includes('Announcer'));
  return { timers: ours, listeners: held.length };
}

const NOTHING: Left = { timers: [], listeners: 0 };

describe('the end of a reply', () => {
  const busy = status(429, '', { 'retry-after': '30' });
  const stops: readonly {
    readonly name: string;
    readonly script: readonly Answerer[];
    readonly retry?: 'safe';
    readonly when: (chat: Chat) => boolean;
  }[] = [
    { name: 'while nothing has come', script: [silent], when: ({ messages }) => messages.length === 2 },
    {
      name: 'while it streams',
      script: [watchedBody([session('Half', false)]).response],
      when: (chat) => chat.status === 'streaming',
    },
    {
      name: 'while it waits to try again',
      script: [busy],
      retry: 'safe',
      when: (chat) => chat.status === 'reconnecting',
    },
  ];
  for (const { name, script, retry, when } of stops) {
    it(`a stop ${name} leaves no timer and no listener`, async () => {
      const left = await leftBy(async () => {
        const { chat } = makeChat(script, retry && { retry });
        const sent = chat.send('Hi');
        await until(chat, when);
        chat.stop();
        await sent;
      });
      expect(left).to.deep.equal(NOTHING);
    });
  }

  it('by itself leaves none either, after a wait that was cut short', async () => {
    const left = await leftBy(async () => {
      const { chat } = makeChat([busy, stream(session('Hello.'))], { retry: 'safe' });
      chat.store.subscribe(() => {
        chat.store.state.wait?.now();
      });
      await chat.send('Hi');
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('rule 19: aborts the request, and lets go of the body', async () => {
    const body = watchedBody([session('Half', false)]);
    const { chat, server } = makeChat([body.response]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    chat.stop();
    await sent;
    await settled();
    expect(server.asked[0]?.init.signal?.aborted).to.equal(true);
    expect(body.cancelled).to.equal(true);
  });

  it('a response that comes after it is let go, and changes nothing', async () => {
    const late = Promise.withResolvers<Response>();
    const body = watchedBody([session('Half', false)]);
    const { chat, server, told } = makeChat([() => late.promise]);
    const sent = chat.send('Hi');
    await server.heard(1);
    chat.stop();
    await sent;
    const before = chat.store.state;
    late.resolve(body.response());
    await settled();
    expect(chat.store.state).to.equal(before);
    expect([body.cancelled, told.errors]).to.deep.equal([true, []]);
  });

  it('before the page has its headers ready sends nothing', async () => {
    const headers = Promise.withResolvers<Record<string, string>>();
    const asked = Promise.withResolvers<undefined>();
    const { chat, server } = makeChat([silent], {
      headers: () => {
        asked.resolve(undefined);
        return headers.promise;
      },
    });
    const sent = chat.send('Hi');
    await asked.promise;
    chat.stop();
    await sent;
    headers.resolve({});
    await settled();
    expect(server.asked).to.deep.equal([]);
  });

  it('interrupted, it is one that the reader did not end', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    chat.interrupt();
    expect(await sent).to.include({ status: 'interrupted', finish: 'error' });
    expect(chat.status).to.equal('error');
  });
});

describe('within() and sleep()', () => {
  it('leave no timer when the promise was first, however it ended', async () => {
    const left = await leftBy(async () => {
      expect(await within(Promise.resolve(1), 1e6, true)).to.equal(1);
      await within(Promise.reject(new Error('x')), 1e6, true).catch(() => undefined);
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('a limit that no timer can hold is none', async () => {
    const left = await leftBy(async () => {
      const late = Promise.withResolvers<number>();
      const result = within(late.promise, Infinity, true);
      await new Promise((resolve) => setTimeout(resolve, 0));
      late.resolve(1);
      expect(await result).to.equal(1);
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('a sleep ends with its signal, at once where that is aborted already', async () => {
    const left = await leftBy(async () => {
      const controller = new AbortController();
      const sleeps = [sleep(1e6, controller.signal), sleep(1e6, AbortSignal.abort())];
      controller.abort();
      const ends = await Promise.allSettled(sleeps);
      expect(ends.map((end) => end.status)).to.deep.equal(['rejected', 'rejected']);
      await sleep(0, new AbortController().signal);
    });
    expect(left).to.deep.equal(NOTHING);
  });
});
