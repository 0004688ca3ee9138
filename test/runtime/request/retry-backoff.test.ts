import { expect } from '@open-wc/testing';
import { ChatError, type ChatErrorOptions, type ErrorKind } from '../../../src/errors.ts';
import { parseRetryAfter } from '../../../src/runtime/request/retry-after.ts';
import { backoff, waitBeforeRetry, type RetryRule } from '../../../src/runtime/request/retry-backoff.ts';
import { NOW } from '../../support/play-body.ts';
import { lines, makeChat, until } from '../support/make-chat.ts';
import { completionOf, session, status, stream, unreachable } from '../support/scripted-server.ts';

interface Row {
  readonly name: string;
  readonly kind?: ErrorKind;
  readonly error: ChatErrorOptions;
  /** The wait under each rule; undefined: the user decides. */
  readonly auto: number | undefined;
  readonly safe: number | undefined;
  readonly attempt?: number;
}

/** Source: `docs/security.md`, rule 17. */
const rows: readonly Row[] = [
  { name: 'no network', kind: 'network', error: { retryable: true }, auto: 500, safe: undefined },
  { name: 'a redirect', error: {}, auto: undefined, safe: undefined },
  { name: 'silence', kind: 'timeout', error: { retryable: true }, auto: undefined, safe: undefined },
  { name: '400', error: { status: 400 }, auto: undefined, safe: undefined },
  { name: '401', error: { status: 401 }, auto: undefined, safe: undefined },
  { name: '404', error: { status: 404 }, auto: undefined, safe: undefined },
  { name: '408', error: { status: 408, retryable: true }, auto: 500, safe: undefined },
  { name: '409', error: { status: 409, retryable: true }, auto: 500, safe: undefined },
  { name: '429', error: { status: 429, retryable: true }, auto: 500, safe: 500 },
  {
    name: '429 of an account without credit',
    error: { status: 429, retryable: false, code: 'insufficient_quota' },
    auto: undefined,
    safe: undefined,
  },
  { name: '500', error: { status: 500, retryable: true }, auto: 500, safe: undefined },
  { name: '503', error: { status: 503, retryable: true }, auto: 500, safe: 500 },
  { name: 'a second time', error: { status: 503, retryable: true }, auto: 1000, safe: 1000, attempt: 1 },
  { name: 'a third time', error: { status: 503, retryable: true }, auto: undefined, safe: undefined, attempt: 2 },
  { name: 'Retry-After', error: { status: 429, retryable: true, retryAfter: 20_000 }, auto: 20_000, safe: 20_000 },
  { name: 'Retry-After: 0', error: { status: 429, retryable: true, retryAfter: 0 }, auto: 0, safe: 0 },
  {
    name: 'Retry-After of a minute',
    error: { status: 429, retryable: true, retryAfter: 60_000 },
    auto: 60_000,
    safe: 60_000,
  },
  {
    name: 'Retry-After over a minute',
    error: { status: 429, retryable: true, retryAfter: 60_001 },
    auto: undefined,
    safe: undefined,
  },
];

describe('backoff()', () => {
  it('doubles the wait with each attempt, up to 8 seconds', () => {
    expect([0, 1, 2, 3, 4, 5].map(backoff)).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000]);
  });
});

describe('waitBeforeRetry()', () => {
  for (const { name, kind = 'http', error, attempt = 0, ...expected } of rows) {
    it(name, () => {
      const problem = new ChatError(kind, name, error);
      const wait = (rule: RetryRule): number | undefined => waitBeforeRetry(problem, rule, attempt, 0);
      expect({ auto: wait('auto'), safe: wait('safe') }).to.deep.equal(expected);
      expect(wait('off')).to.equal(undefined);
    });
  }

  it('subtracts up to a quarter, so that clients don’t all retry together', () => {
    const busy = new ChatError('http', 'busy', { status: 503, retryable: true });
    expect([0, 0.5, 1].map((chance) => waitBeforeRetry(busy, 'safe', 0, chance))).to.deep.equal([500, 437.5, 375]);
  });
});

const headers: readonly {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly wait: number | undefined;
}[] = [
  { name: 'no header', headers: {}, wait: undefined },
  { name: 'seconds', headers: { 'retry-after': '7' }, wait: 7000 },
  { name: 'fractions of a second', headers: { 'retry-after': '0.5' }, wait: 500 },
  { name: 'a negative number', headers: { 'retry-after': '-1' }, wait: undefined },
  { name: 'words', headers: { 'retry-after': 'soon' }, wait: undefined },
  { name: 'nothing', headers: { 'retry-after': '' }, wait: undefined },
  { name: 'a date', headers: { 'retry-after': new Date(NOW + 9000).toUTCString() }, wait: 9000 },
  { name: 'a past date', headers: { 'retry-after': new Date(NOW - 9000).toUTCString() }, wait: 0 },
  { name: 'milliseconds, which win', headers: { 'retry-after-ms': '1500', 'retry-after': '7' }, wait: 1500 },
  { name: 'invalid milliseconds', headers: { 'retry-after-ms': 'x', 'retry-after': '7' }, wait: 7000 },
];

describe('parseRetryAfter()', () => {
  for (const row of headers) {
    it(row.name, () => {
      expect(parseRetryAfter(new Headers(row.headers), NOW)).to.equal(row.wait);
    });
  }
});

describe('a retried request', () => {
  const busy = status(429, '', { 'retry-after': '30' });

  it('waits as long as the server asks, reports it, and continues immediately on request', async () => {
    const { chat, server, told } = makeChat([busy, stream(session('Hello.'))], { retry: 'safe' });
    const before = Date.now();
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'reconnecting');
    const { wait } = chat.store.state;
    expect(wait?.attempt).to.equal(1);
    expect(wait?.error.kind).to.equal('rate-limit');
    expect(wait?.until).to.be.within(before + 30_000, Date.now() + 30_000);
    expect(lines(chat)).to.deep.equal(['user sending: Hi', 'assistant streaming: ']);
    wait?.now();
    await sent;
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect(server.bodies[1]).to.deep.equal(server.bodies[0]);
    expect([told.errors, chat.store.state.wait]).to.deep.equal([[], undefined]);
  });

  it('fails after two more attempts', async () => {
    const { chat, server, told } = makeChat([busy], { retry: 'safe' });
    chat.store.subscribe(() => {
      chat.store.state.wait?.now();
    });
    await chat.send('Hi');
    expect(server.asked).to.have.length(3);
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: rate-limit']);
    expect(told.errors[0]).to.deep.include({ kind: 'rate-limit', status: 429, retryAfter: 30_000, retryable: true });
  });

  it('a stop ends the wait', async () => {
    const { chat, server } = makeChat([busy], { retry: 'safe' });
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'reconnecting');
    chat.stop();
    expect((await sent).status).to.equal('cancelled');
    expect([chat.status, chat.store.state.wait, server.asked.length]).to.deep.equal(['idle', undefined, 1]);
  });

  const defaults = [
    { name: 'an agent is not retried after a failure', settings: {}, asked: 1 },
    { name: 'nor one whose protocol is not known yet', settings: { protocol: 'auto' }, asked: 1 },
    { name: 'a model’s provider is', settings: { protocol: 'openai-chat' }, asked: 2 },
    {
      name: 'the page’s setting wins over both',
      settings: { protocol: 'openai-chat', retry: 'off' as const },
      asked: 1,
    },
  ];
  for (const { name, settings, asked } of defaults) {
    it(name, async () => {
      const script = [unreachable, stream(completionOf('Hello.'))];
      const { chat, server } = makeChat(script, { retry: undefined, ...settings });
      chat.store.subscribe(() => {
        chat.store.state.wait?.now();
      });
      await chat.send('Hi');
      expect(server.asked).to.have.length(asked);
    });
  }

  it('rule 17: never after the reply has begun', async () => {
    const { chat, server } = makeChat([stream(session('Half', false))], { retry: 'auto' });
    await chat.send('Hi');
    expect(server.asked).to.have.length(1);
    expect(lines(chat).at(-1)).to.equal('assistant interrupted: Half | error: cut');
  });
});
