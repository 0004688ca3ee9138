/** The proxies that the guides offer for copying, with a provider that the test controls. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { inShort, realChat } from '../interop/support/real-chat.ts';
import { startBackend, type Backend, type Kind } from './support/backends.ts';

const PIECES = ['data: {"choices":[{"delta":{"content":"Hel', 'lo"}}]}\n\n', 'data: [DONE]\n\n'];

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly answer: ServerResponse;
  /** Resolves when the client has disconnected. */
  readonly disconnected: Promise<unknown>;
}

/**
 * FastAPI is not installed everywhere: `PYTHON=<one that has it> npx tsx scripts/e2e.ts backend` tests its proxy too.
 */
const kinds: readonly Kind[] = ['node', 'worker', 'deno', ...(process.env['PYTHON'] ? (['fastapi'] as const) : [])];

for (const kind of kinds) {
  describe(`the backend for ${kind}`, () => {
    const asked: Asked[] = [];
    const provider = createServer((request, answer) => {
      const disconnected = once(answer, 'close');
      void (async () => {
        let text = '';
        for await (const chunk of request) text += String(chunk);
        asked.push({ headers: request.headers, body: JSON.parse(text), answer, disconnected });
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        if (text.includes('All at once')) answer.end(PIECES.join(''));
        else answer.write(PIECES[0]);
      })();
    });
    let backend: Backend;

    before(async () => {
      provider.listen(0, '127.0.0.1');
      await once(provider, 'listening');
      const address = provider.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      backend = await startBackend(kind, {
        OPENAI_API_KEY: 'secret',
        MODEL: 'small',
        UPSTREAM: `http://127.0.0.1:${String(port)}/v1/chat/completions`,
      });
    });
    after(() => {
      backend.stop();
      provider.closeAllConnections();
      provider.close();
    });

    const ask = (body: string, signal?: AbortSignal): Promise<Response> =>
      backend.fetch(backend.address, { method: 'POST', body, ...(signal && { signal }) });
    const turn = JSON.stringify({ model: 'the dearest', messages: [{ role: 'user', content: 'Hi' }], temperature: 2 });

    it('adds the key, validates the request, and passes the stream on chunk by chunk', async () => {
      const answer = await ask(turn);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      // The first chunk arrives while the provider is still writing.
      assert.equal((await reader?.read())?.value, PIECES[0]);
      const { headers, body, answer: response } = asked.at(-1) ?? {};
      for (const chunk of PIECES.slice(1)) response?.write(chunk);
      response?.end();
      let received = '';
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) received += read.value;
      assert.equal(received, PIECES.slice(1).join(''));
      assert.equal(headers?.authorization, 'Bearer secret');
      assert.deepEqual(body, { model: 'small', stream: true, messages: [{ role: 'user', content: 'Hi' }] });
    });

    it('is detected and read by the chat', async () => {
      const { chat } = realChat({ endpoint: backend.address, protocol: 'auto', fetch: backend.fetch });
      const reply = await chat.send('All at once');
      assert.deepEqual([inShort(reply), reply.status], [['Hello'], 'complete']);
    });

    it('ends the provider’s reply when the user stops', async () => {
      const stop = new AbortController();
      const answer = await ask(turn, stop.signal);
      await answer.body?.getReader().read();
      stop.abort();
      const last = asked.at(-1);
      assert.ok(last);
      await last.disconnected;
    });

    for (const { name, body, status } of [
      { name: 'invalid JSON', body: 'Hi', status: 400 },
      { name: 'no messages', body: '{"messages":"all"}', status: 400 },
      { name: 'a body that is too large', body: 'x'.repeat(1_000_001), status: 413 },
    ]) {
      it(`refuses ${name} without a request to the provider`, async () => {
        const before = asked.length;
        assert.equal((await ask(body)).status, status);
        assert.equal(asked.length, before);
      });
    }

    it('answers a client that sends 64 MB, on the same connection too', async () => {
      for (let index = 0; index < 5; index++)
        assert.equal((await ask('x'.repeat(index === 0 ? 64_000_000 : 5_000_000))).status, 413);
    });

    it('refuses other methods than POST', async () => {
      assert.equal((await backend.fetch(backend.address)).status, 405);
    });

    it('reports that the provider does not answer', async () => {
      provider.close();
      provider.closeAllConnections();
      const answer = await ask(turn);
      assert.equal(answer.status, 502);
      assert.match(await answer.text(), /The provider does not answer\./);
    });
  });
}
