/** TanStack AI: servers as its guide writes them, as server-sent events and as lines of JSON, named and detected. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { inShort, pendingActions, realChat, received, shows, until } from './support/real-chat.ts';
import { call, tanStackServer, text, type TanStackServer } from './support/tanstack-server.ts';

for (const form of ['sse', 'ndjson'] as const)
  for (const protocol of ['ag-ui', 'auto']) {
    describe(`TanStack AI as ${form}, with protocol="${protocol}"`, () => {
      let server: TanStackServer;
      before(async () => {
        server = await tanStackServer(form);
      });
      after(() => server.close());

      const chatWith = (settings: ChatSettings = {}) => realChat({ endpoint: server.url, protocol, ...settings });

      it('answers, and its next turn has the history', async () => {
        server.play(text('Hel', 'lo'), text('Yes.'));
        const { chat, errors } = chatWith();
        const reply = await chat.send('Hi');
        assert.deepEqual([inShort(reply), reply.status, reply.finish], [['Hello'], 'complete', 'complete']);
        assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
        assert.deepEqual(server.histories[1], [
          ['user', 'Hi'],
          ['assistant', 'Hello'],
          ['user', 'Sure?'],
        ]);
        assert.deepEqual(errors, []);
      });

      it('runs tools of the server', async () => {
        server.play(call('c1', 'weather', { city: 'Bergen' }), text('21 degrees.'));
        const { chat, errors } = chatWith();
        const reply = await chat.send('Weather?');
        assert.deepEqual(inShort(reply), [
          'success: weather({"city":"Bergen"}) → {"city":"Bergen","degrees":21}',
          '21 degrees.',
        ]);
        assert.deepEqual([reply.status, errors], ['complete', []]);
      });

      it('shows a tool of the server that has failed', async () => {
        server.play(call('c4', 'fail', {}), text('It failed.'));
        const reply = await chatWith().chat.send('Stock?');
        assert.deepEqual(inShort(reply), ['error: fail({}) → {"error":"The stock can’t be read."}', 'It failed.']);
        assert.equal(reply.status, 'complete');
      });

      it('has the page run tools of the page', async () => {
        server.play(text('Hello'), call('c2', 'where', {}), text('At home.'));
        const where = {
          name: 'where',
          description: '',
          parameters: { type: 'object' },
          execute: () => ({ at: 'home' }),
        };
        const { chat, errors } = chatWith({ tools: [where] });
        await chat.send('Hi');
        assert.deepEqual(inShort(await chat.send('Where?')), ['success: where({}) → {"at":"home"}', 'At home.']);
        assert.deepEqual(errors, []);
      });

      for (const decision of ['granted', 'denied'] as const)
        it(`asks for permission, and the server hears that it was ${decision}`, async () => {
          server.play(call('c3', 'book', { city: 'Oslo' }), text('Fine.'));
          const { chat, errors } = chatWith();
          const sending = chat.send('Book it');
          const [question] = await pendingActions(chat);
          assert.ok(question);
          void chat.respond(question.id, decision);
          await sending;
          await until(chat, () => chat.status === 'idle');
          const blocks = chat.messages.slice(1).flatMap(inShort);
          assert.deepEqual(blocks.at(-1), 'Fine.');
          assert.equal(
            blocks.some((block) => block.startsWith('success: book({"city":"Oslo"})')),
            decision === 'granted',
          );
          assert.deepEqual(errors, []);
        });

      it('is informed of a stop, and then answers the next turn', async () => {
        const [start, first, ...rest] = text('Once ', 'upon');
        server.play([start ?? {}, first ?? {}, new Promise(() => undefined), ...rest], text('Yes.'));
        const { chat, errors } = chatWith();
        const sending = chat.send('Tell');
        await shows(chat, 'Once ');
        const before = server.aborted;
        chat.stop();
        assert.equal((await sending).status, 'cancelled');
        await received(() => server.aborted > before);
        assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
        assert.deepEqual(errors, []);
      });

      it('reports an error after the text', async () => {
        server.play([...text('Half'), { type: 'RUN_ERROR', message: 'Overloaded.', code: 'busy' }]);
        const reply = await chatWith().chat.send('Hi');
        assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: Overloaded.'], 'error']);
      });
    });
  }

describe('TanStack AI with durability', () => {
  it('continues a reply whose connection has broken', async () => {
    const server = await tanStackServer('sse', true);
    const gate = Promise.withResolvers<undefined>();
    const [start, first, ...rest] = text('Once ', 'upon a time.');
    server.play([start ?? {}, first ?? {}, gate.promise, ...rest]);
    const { chat, errors, sent } = realChat({ endpoint: server.url, protocol: 'ag-ui' });
    const sending = chat.send('Tell');
    await shows(chat, 'Once ');
    server.cut();
    await until(chat, () => chat.status === 'reconnecting');
    chat.store.state.wait?.now();
    gate.resolve(undefined);
    const reply = await sending;
    assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['POST', 'GET'],
    );
    await server.close();
  });
});
