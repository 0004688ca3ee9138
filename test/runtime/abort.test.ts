import { expect } from '@open-wc/testing';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { sleep, withTimeout } from '../../src/runtime/timeout.ts';
import { settled } from '../support/fake-delay.ts';
import { makeChat, until } from './support/make-chat.ts';
import { session, silent, status, stream, watchedBody, type Answerer } from './support/scripted-server.ts';

interface Left {
  /** The timer functions, and the code that set each timer. */
  readonly timers: readonly string[];
  readonly listeners: number;
}

/** Timers and listeners that are still registered, while `act` runs and afterwards. */
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
  // An aborted signal never fires its listeners again.
  const held = [...listeners.values()].filter((signal) => !signal.aborted);
  return { timers: [...timers.values()], listeners: held.length };
}

const NOTHING: Left = { timers: [], listeners: 0 };

describe('the end of a reply', () => {
  // The widget of an earlier test on this page may still do its idle work, in two steps of 50 ms (Safari).
  before(
    () =>
      new Promise((resolve) => {
        setTimeout(resolve, 200);
      }),
  );

  const busy = status(429, '', { 'retry-after': '30' });
  const stops: readonly {
    readonly name: string;
    readonly script: readonly Answerer[];
    readonly retry?: 'safe';
    readonly when: (chat: Chat) => boolean;
  }[] = [
    { name: 'before the first byte', script: [silent], when: ({ messages }) => messages.length === 2 },
    {
      name: 'while the reply streams',
      script: [watchedBody([session('Half', false)]).response],
      when: (chat) => chat.status === 'streaming',
    },
    {
      name: 'while it waits for a retry',
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

  it('a reply that ends normally leaves none either, after a shortened wait', async () => {
    const left = await leftBy(async () => {
      const { chat } = makeChat([busy, stream(session('Hello.'))], { retry: 'safe' });
      chat.store.subscribe(() => {
        chat.store.state.wait?.now();
      });
      await chat.send('Hi');
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('rule 19: aborts the request, and releases the body', async () => {
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

  it('a response that arrives after it is released, and changes nothing', async () => {
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

  it('sends nothing when it comes before the page has its headers ready', async () => {
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

  it('by a signal other than the user’s leaves an interrupted reply', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    chat.interrupt();
    expect(await sent).to.include({ status: 'interrupted', finish: 'error' });
    expect(chat.status).to.equal('error');
  });
});

describe('within() and sleep()', () => {
  it('leave no timer when the promise settles first, however it settles', async () => {
    const left = await leftBy(async () => {
      expect(await withTimeout(Promise.resolve(1), 1e6, 'stalled')).to.equal(1);
      await withTimeout(Promise.reject(new Error('x')), 1e6, 'stalled').catch(() => undefined);
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('a limit that is too long for a timer means no limit', async () => {
    const left = await leftBy(async () => {
      const late = Promise.withResolvers<number>();
      const result = withTimeout(late.promise, Infinity, 'stalled');
      await new Promise((resolve) => setTimeout(resolve, 0));
      late.resolve(1);
      expect(await result).to.equal(1);
    });
    expect(left).to.deep.equal(NOTHING);
  });

  it('a sleep ends with its signal, immediately if that is already aborted', async () => {
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
