/** The servers of session events that the protocol's page offers for copying, read by the chat as from a real server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inShort, realChat } from '../interop/support/real-chat.ts';
import { serversOf, type SpawnedServer } from './support/spawned-servers.ts';

const STOCK = [
  'thought: The stock is in a table.',
  'success: read_stock({"depot":"north"}) → {"rows":2}',
  'data: {"name":"Stock","columns":["Item","Count"],"rows":[["Chairs",12],["Tables",3]]}',
  'There are **12 chairs** and 3 tables.',
];

for (const { name, start } of serversOf('backends/session-events')) {
  describe(`session events from ${name}`, () => {
    let server: SpawnedServer;
    before(async () => {
      server = await start();
    });
    after(() => {
      server.child.kill();
    });
    const post = (body: string): Promise<Response> => fetch(server.address, { method: 'POST', body });

    for (const protocol of ['auto', 'agent-session'] as const) {
      it(`are read by the chat with protocol="${protocol}", and the session continues`, async () => {
        const { chat, sent, errors } = realChat({ endpoint: server.address, protocol });
        const reply = await chat.send('What is in stock?');
        assert.deepEqual([inShort(reply), reply.status], [STOCK, 'complete']);
        const { sessionId, summary } = reply.metadata ?? {};
        assert.deepEqual([(summary as { tool_calls: number }).tool_calls, reply.usage?.total_tokens], [1, 210]);
        await chat.send('And now?');
        assert.equal((sent[1]?.body as { session_id: unknown }).session_id, sessionId);
        assert.deepEqual(errors, []);
      });
    }

    it('an agent that throws is an error that can be retried, and its open call has failed', async () => {
      const { chat } = realChat({ endpoint: server.address, protocol: 'agent-session' });
      const reply = await chat.send('Please fail');
      assert.equal(reply.status, 'error');
      assert.deepEqual(inShort(reply).slice(1), [
        'error: read_stock({"depot":"north"}) → ',
        'error: The agent could not finish.',
      ]);
      assert.equal(reply.blocks.at(-1)?.extra?.['recoverable'], true);
    });

    it('the server answers others after a user has stopped', async () => {
      const stop = new AbortController();
      const answer = await fetch(server.address, {
        method: 'POST',
        body: '{"messages":[{"role":"user","content":"Hi"}]}',
        signal: stop.signal,
      });
      await answer.body?.getReader().read();
      stop.abort();
      assert.equal((await post('{"messages":[]}')).status, 200);
    });

    for (const { what, body, status } of [
      { what: 'invalid JSON', body: 'Hi', status: 400 },
      { what: 'no messages', body: '{"messages":"all"}', status: 400 },
      { what: 'a body that is too large', body: 'x'.repeat(1_000_001), status: 413 },
    ]) {
      it(`${what} is refused`, async () => {
        assert.equal((await post(body)).status, status);
      });
    }

    it('other methods than POST are refused', async () => {
      assert.equal((await fetch(server.address)).status, 405);
    });
  });
}
