/** The proxy that pages are told to copy, against a provider of the test's own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';

const PIECES = ['data: {"choices":[{"delta":{"content":"Hel', 'lo"}}]}\n\n', 'data: [DONE]\n\n'];

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Resolves when whoever asked has gone. */
  readonly gone: Promise<unknown>;
}

describe('the backend for Node', () => {
  const asked: Asked[] = [];
  let response: ServerResponse | undefined;
  const provider = createServer((request, answer) => {
    const gone = once(answer, 'close');
    void (async () => {
      let text = '';
      for await (const piece of request) text += String(piece);
      asked.push({ headers: request.headers, body: JSON.parse(text), gone });
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      response = answer;
      answer.write(PIECES[0]);
    })();
  });
  let proxy: ChildProcess;
  let address: string;

  before(async () => {
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const place = provider.address();
    const port = typeof place === 'object' ? place?.port : undefined;
    proxy = spawn(process.execPath, ['backends/node/server.js'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        OPENAI_API_KEY: 'secret',
        MODEL: 'small',
        PORT: '0',
        UPSTREAM: `http://127.0.0.1:${String(port)}/v1/chat/completions`,
      },
    });
    assert.ok(proxy.stdout);
    const [said] = (await once(proxy.stdout, 'data')) as [Buffer];
    address = said.toString().trim();
  });
  after(() => {
    proxy.kill();
    provider.closeAllConnections();
    provider.close();
  });

  const ask = (body: string, signal?: AbortSignal): Promise<Response> =>
    fetch(address, { method: 'POST', body, ...(signal && { signal }) });
  const turn = JSON.stringify({ model: 'the dearest', messages: [{ role: 'user', content: 'Hi' }], temperature: 2 });

  it('adds the key, decides what may be asked for, and passes the stream on piece by piece', async () => {
    const answer = await ask(turn);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    // The first piece is there while the provider is still writing.
    assert.equal((await reader?.read())?.value, PIECES[0]);
    for (const piece of PIECES.slice(1)) response?.write(piece);
    response?.end();
    let rest = '';
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) rest += read.value;
    assert.equal(rest, PIECES.slice(1).join(''));
    const { headers, body } = asked.at(-1) ?? {};
    assert.equal(headers?.authorization, 'Bearer secret');
    assert.deepEqual(body, { model: 'small', stream: true, messages: [{ role: 'user', content: 'Hi' }] });
  });

  it('ends the provider’s answer when the reader stops', async () => {
    const stop = new AbortController();
    const answer = await ask(turn, stop.signal);
    await answer.body?.getReader().read();
    stop.abort();
    await asked.at(-1)?.gone;
  });

  for (const { name, body, status } of [
    { name: 'no JSON', body: 'Hi', status: 400 },
    { name: 'no messages', body: '{"messages":"all"}', status: 400 },
    { name: 'more than fits', body: 'x'.repeat(1_000_001), status: 413 },
  ]) {
    it(`refuses ${name} without asking the provider`, async () => {
      const before = asked.length;
      assert.equal((await ask(body)).status, status);
      assert.equal(asked.length, before);
    });
  }

  it('refuses what is no POST', async () => {
    assert.equal((await fetch(address)).status, 405);
  });
});
