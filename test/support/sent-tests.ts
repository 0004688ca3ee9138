/**
 * Requests of adapters that need more than one address: the turn's request, the preparatory ones, and the cancel
 * request.
 */
import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import type { Adapter, FeedbackInput, RequestOptions, Turn, WireRequest } from '../../src/protocols/core/adapter.ts';
import { conversation } from './messages.ts';
import { emptyTurn, requestOptions } from './play-body.ts';

export interface Sent {
  readonly url: string;
  readonly method: string;
  /** JSON, or the fields of a form, with files as `name (type): text`; omitted without a body. */
  readonly body?: unknown;
}

interface SentRow {
  readonly name: string;
  readonly messages?: readonly MessageInput[];
  readonly turn?: Partial<Turn>;
  readonly options?: Partial<RequestOptions>;
  /** The server's responses to the preparatory requests, in their order. */
  readonly answers?: readonly unknown[];
  /** All requests in their order, the turn's own last. */
  readonly sent: readonly Sent[];
}

/** Each turn makes the requests of its test case. */
export function testSent(adapter: Adapter, rows: readonly SentRow[]): void {
  for (const { name, sent, ...row } of rows) {
    it(`sends: ${name}`, async () => {
      const { turn, options, asked } = setUp(row);
      const own = await adapter.request(turn, options);
      expect(await Promise.all([...asked, own].map(readable))).to.deep.equal(sent);
    });
  }
}

/** Each running reply is cancelled by the request of its test case, or by none. */
export function testCancel(
  adapter: Adapter,
  rows: readonly (Omit<SentRow, 'sent' | 'answers'> & { readonly sent: Sent | undefined })[],
): void {
  for (const { name, sent, ...row } of rows) {
    it(`cancel: ${name}`, async () => {
      const { turn, options } = setUp(row);
      const request = await adapter.cancel?.(turn, options);
      expect(request && (await readable(request))).to.deep.equal(sent);
    });
  }
}

/** Feedback on the last message is sent by the request of its test case, or by none. */
export function testFeedback(
  adapter: Adapter,
  rows: readonly (Omit<SentRow, 'sent' | 'answers'> & {
    readonly given: Omit<FeedbackInput, 'message'>;
    readonly sent: Sent | undefined;
  })[],
): void {
  for (const { name, given, sent, ...row } of rows) {
    it(`feedback: ${name}`, async () => {
      const { turn, options } = setUp(row);
      const message = turn.messages.at(-1);
      const request = message && adapter.feedback?.({ ...given, message }, turn, options);
      expect(request && (await readable(request))).to.deep.equal(sent);
    });
  }
}

function setUp({ messages = [], turn, options, answers = [] }: Omit<SentRow, 'name' | 'sent'>) {
  const asked: WireRequest[] = [];
  const ask: RequestOptions['ask'] = (request) => {
    asked.push(request);
    return Promise.resolve({ headers: new Headers(), json: answers[asked.length - 1] });
  };
  return {
    asked,
    turn: { ...emptyTurn, messages: conversation(...messages), ...turn },
    options: { ...requestOptions, ask, ...options },
  };
}

async function readable({ url, init: { method = 'POST', body } }: WireRequest): Promise<Sent> {
  if (body === undefined) return { url, method };
  return { url, method, body: await readBody(body) };
}

async function readBody(body: NonNullable<WireRequest['init']['body']>): Promise<unknown> {
  if (body instanceof Blob) return JSON.parse(await body.text());
  if (!(body instanceof FormData)) return JSON.parse(JSON.stringify(body));
  const fields = [...body].map(async ([name, value]) =>
    typeof value === 'string' ? [name, value] : [name, `${value.name} (${value.type}): ${await value.text()}`],
  );
  return Object.fromEntries((await Promise.all(fields)) as [string, string][]);
}
