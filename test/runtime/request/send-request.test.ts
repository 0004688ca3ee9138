import { expect } from '@open-wc/testing';
import type { ChatSettings } from '../../../src/runtime/chat-settings.ts';
import { defaultLimits } from '../../../src/runtime/limits.ts';
import { pageAddress } from '../../../src/runtime/request/page-address.ts';
import { sendRequest, type SendRequestOptions } from '../../../src/runtime/request/send-request.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}
type Wire = NonNullable<Awaited<ReturnType<SendRequestOptions['build']>>>;

const URL_OF_PAGE = 'https://agent.example/run';
const wire = (init: Wire['init'], more: Partial<Wire> = {}): Wire => ({ url: URL_OF_PAGE, init, ...more });

/** Sends one request; the server answers with these statuses, one after the other. */
async function sentBy(
  request: Wire,
  settings: ChatSettings,
  more: Partial<SendRequestOptions> = {},
  ...statuses: number[]
) {
  const sent: Sent[] = [];
  const result = sendRequest({
    settings: {
      ...settings,
      fetch: (url, init = {}) => {
        sent.push({ url: url instanceof Request ? url.url : url.toString(), init });
        return Promise.resolve(new Response('', { status: statuses[sent.length - 1] ?? 200 }));
      },
    },
    context: { url: URL_OF_PAGE, protocol: undefined, conversation: [], threadId: 't' },
    endpoint: pageAddress(URL_OF_PAGE),
    limits: defaultLimits,
    signal: new AbortController().signal,
    build: () => Promise.resolve(request),
    ...more,
  });
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { sent, error };
}
const bodies = (sent: readonly Sent[]): readonly unknown[] => sent.map(({ init }) => init.body);
const header = (sent: readonly Sent[], name: string): readonly (string | null)[] =>
  sent.map(({ init }) => new Headers(init.headers).get(name));

describe('a request', () => {
  it('is a POST unless the adapter says otherwise, and never follows a redirect', async () => {
    const { sent } = await sentBy(wire({ body: {} }), {});
    const { method, redirect, credentials, cache, referrerPolicy } = sent[0]?.init ?? {};
    expect([method, redirect, credentials, cache, referrerPolicy]).to.deep.equal([
      'POST',
      'manual',
      'same-origin',
      'no-store',
      'no-referrer',
    ]);
  });

  it('has the page’s body merged into that of the adapter, only if it starts the turn', async () => {
    const settings = { body: { user: 'u' } };
    const merged = await sentBy(wire({ body: { a: 1 } }), settings);
    expect(bodies(merged.sent)).to.deep.equal(['{"a":1,"user":"u"}']);
    const text = await sentBy(wire({ body: '{"a":1}' }), settings);
    expect(bodies(text.sent)).to.deep.equal(['{"a":1,"user":"u"}']);
    const beside = await sentBy(wire({ body: { a: 1 } }), settings, { isSideRequest: true });
    expect(bodies(beside.sent)).to.deep.equal(['{"a":1}']);
    const trigger = { url: URL_OF_PAGE, init: {} } as unknown as NonNullable<Wire['trigger']>;
    const triggered = await sentBy(wire({ body: { a: 1 } }, { trigger }), settings);
    expect(bodies(triggered.sent)).to.deep.equal(['{"a":1}']);
    const read = await sentBy(wire({ method: 'GET' }), settings);
    expect(bodies(read.sent)).to.deep.equal([undefined]);
  });

  it('has one content type, in whichever case the adapter or the page names it', async () => {
    const type = async (headers: Record<string, string>, settings: ChatSettings = {}): Promise<unknown> =>
      header((await sentBy(wire({ headers, body: {} }), settings)).sent, 'content-type');
    expect(await type({})).to.deep.equal(['application/json']);
    expect(await type({ 'Content-Type': 'application/json' })).to.deep.equal(['application/json']);
    expect(await type({ 'CONTENT-TYPE': 'text/plain' })).to.deep.equal(['text/plain']);
    const ofPage = { headers: { 'Content-type': 'text/csv' } };
    expect(await type({ 'CONTENT-TYPE': 'text/plain' }, ofPage)).to.deep.equal(['text/csv']);
    const elsewhere = await sentBy(wire({ body: {} }, { url: 'https://other.example/run' }), ofPage);
    expect(header(elsewhere.sent, 'content-type')).to.deep.equal(['application/json']);
  });

  it('keeps other bodies as they are', async () => {
    for (const body of ['plain', '[1]', 'null']) {
      const { sent } = await sentBy(wire({ body }), { body: { user: 'u' } });
      expect(bodies(sent)).to.deep.equal([body]);
    }
    const form = new FormData();
    const { sent } = await sentBy(wire({ body: form }), { body: { user: 'u' } });
    expect(sent[0]?.init.body).to.equal(form);
    expect(header(sent, 'content-type')).to.deep.equal([null]);
  });

  it('loses a field of the adapter that the page sets to null, and merges the fields that may be merged', async () => {
    const own = { a: 1, b: 2, config: { x: 1, z: 3 }, other: { x: 1 } };
    const { sent } = await sentBy(wire({ body: own }, { mergedFields: ['config'] }), {
      body: { b: null, config: { y: 2, z: null }, other: { y: 2 }, more: null },
    });
    expect(JSON.parse(sent[0]?.init.body as string)).to.deep.equal({
      a: 1,
      config: { x: 1, y: 2 },
      other: { y: 2 },
      more: null,
    });
  });

  it('has the page’s header instead of the adapter’s, in any spelling', async () => {
    const headers = { authorization: 'page', 'X-Own': 'own' };
    const { sent } = await sentBy(wire({ body: {}, headers: { Authorization: 'adapter', accept: 'text/plain' } }), {
      headers,
    });
    expect(header(sent, 'authorization')).to.deep.equal(['page']);
    expect(header(sent, 'x-own')).to.deep.equal(['own']);
    expect(header(sent, 'accept')).to.deep.equal(['text/plain']);
    expect(header(sent, 'content-type')).to.deep.equal(['application/json']);
  });

  it('takes nothing of the page to another server, and reports that', async () => {
    const reports: unknown[] = [];
    const url = 'https://other.example/run';
    const { sent } = await sentBy(wire({ body: { a: 1 } }, { url }), {
      headers: { authorization: 'page' },
      body: { user: 'u' },
      credentials: 'include',
      report: (report) => reports.push(report),
    });
    expect(header(sent, 'authorization')).to.deep.equal([null]);
    expect(bodies(sent)).to.deep.equal(['{"a":1}']);
    expect(sent[0]?.init.credentials).to.equal('omit');
    expect(reports).to.deep.equal([{ sink: 'request', url, reason: 'foreign-server' }]);
  });
});

describe('a request that was not authorized', () => {
  const fresh = () => {
    let count = 0;
    return () => ({ authorization: `token ${String(++count)}` });
  };

  it('is sent once more with new headers, and not a third time', async () => {
    const { sent, error } = await sentBy(wire({ body: {} }), { headers: fresh() }, {}, 401, 401, 200);
    expect(header(sent, 'authorization')).to.deep.equal(['token 1', 'token 2']);
    expect(error).to.have.property('status', 401);
  });

  it('is not repeated with the same headers, with fixed ones, or after another status', async () => {
    const same = await sentBy(wire({ body: {} }), { headers: () => ({ authorization: 'same' }) }, {}, 401, 200);
    expect(same.sent).to.have.length(1);
    const fixed = await sentBy(wire({ body: {} }), { headers: { authorization: 'fixed' } }, {}, 401, 200);
    expect(fixed.sent).to.have.length(1);
    const forbidden = await sentBy(wire({ body: {} }), { headers: fresh() }, {}, 403, 200);
    expect(forbidden.sent).to.have.length(1);
    expect(forbidden.error).to.have.property('status', 403);
  });
});

describe('a redirect', () => {
  it('is an error that does not contain the query', async () => {
    for (const status of [301, 302, 307, 308]) {
      const { sent, error } = await sentBy(
        wire({ body: {} }, { url: `${URL_OF_PAGE}?key=secret` }),
        {},
        {},
        status,
        200,
      );
      expect(sent).to.have.length(1);
      expect(error).to.have.property('reason', 'redirect');
      expect((error as Error).message)
        .to.include(URL_OF_PAGE)
        .and.not.include('secret');
    }
  });
});
