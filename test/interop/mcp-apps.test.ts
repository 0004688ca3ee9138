/** MCP Apps through AG-UI's middleware: the tool names its app, and the widget reaches its server through the endpoint. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toAppReference, toFetchedApp } from '../../src/renderers/mcp-app/read-resource.ts';
import { connectApp } from '../../src/runtime/chat/request-app.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { textMessage } from './support/ag-ui-server.ts';
import { APP, mcpAppsServer, type McpAppsServer } from './support/mcp-apps-server.ts';
import { inShort, pendingActions, realChat, received, shows, until } from './support/real-chat.ts';

const callCart = (id: number): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'cart' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: JSON.stringify({ id }) },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];

describe('MCP Apps by AG-UI’s middleware', () => {
  let server: McpAppsServer;
  before(async () => {
    server = await mcpAppsServer();
  });
  after(() => server.close());

  for (const protocol of ['ag-ui', 'auto'])
    it(`a tool names its app, with its arguments and its result, with protocol="${protocol}"`, async () => {
      server.play([...callCart(7), ...textMessage('m', 'Here it is.')]);
      const { chat, errors } = realChat({ endpoint: server.url, protocol });
      const reply = await chat.send('Show my cart');
      assert.deepEqual(inShort(reply), ['success: cart({"id":7}) → Cart 7', 'Here it is.', 'ui']);
      assert.deepEqual(errors, []);
      const block = reply.blocks.find(({ type }) => type === 'ui');
      const named = toAppReference(block?.type === 'ui' ? block.ui : undefined);
      assert.ok(named);
      assert.deepEqual([named.uri, named.arguments], [APP.uri, { id: 7 }]);
      assert.deepEqual((named.result as { content: unknown }).content, [{ type: 'text', text: 'Cart 7' }]);
      const ui = reply.blocks.find(({ type }) => type === 'ui');
      assert.ok(ui);
      const actions: string[] = [];
      const connection = connectApp({ chat, act: (action) => actions.push(action) > 0 }, reply, ui);
      const options = { isAutomatic: true, signal: new AbortController().signal };
      const about = { uri: named.uri, ...(named.server && { server: named.server }) };
      const answer = await connection({ method: 'resources/read', params: { uri: named.uri }, ...about }, options);
      assert.equal(toFetchedApp(named, answer)?.text, APP.html);
      const params = { name: 'cart', arguments: { id: 8 } };
      const called = await connection({ method: 'tools/call', params, ...about }, { ...options, isAutomatic: false });
      assert.deepEqual((called as { content: unknown }).content, [{ type: 'text', text: 'Cart 8' }]);
      assert.deepEqual(actions, ['ui-tool']);
      assert.deepEqual(errors, []);
      const unknown = connection({ method: 'resources/read', params: { uri: 'ui://other' }, ...about }, options);
      await assert.rejects(unknown, /MCP request failed/);
      assert.equal(errors.length, 1);
    });

  for (const protocol of ['ag-ui', 'auto'])
    describe(`with protocol="${protocol}"`, () => {
      const chatWith = (settings: ChatSettings = {}) => realChat({ endpoint: server.url, protocol, ...settings });

      it('answers, and the next turn has the history with the result of the tool', async () => {
        server.play(callCart(7), textMessage('m2', 'Yes.'));
        const { chat, errors } = chatWith();
        assert.deepEqual(inShort(await chat.send('Show my cart')), ['success: cart({"id":7}) → Cart 7', 'ui']);
        assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
        assert.deepEqual(
          server.histories[1]?.map(([role]) => role),
          ['user', 'assistant', 'tool', 'user'],
        );
        assert.match(JSON.stringify(server.histories[1]), /Cart 7/);
        assert.deepEqual(errors, []);
      });

      it('shows why a tool has failed', async () => {
        server.play([...callCart(0), ...textMessage('m', 'There is none.')]);
        const { chat, errors } = chatWith();
        const reply = await chat.send('Show my cart');
        assert.match(inShort(reply)[0] ?? '', /cart\({"id":0}\) → .*No such cart\./);
        assert.deepEqual([reply.status, errors], ['complete', []]);
      });

      it('asks for permission if its agent does, and the agent hears the answer', async () => {
        const interrupts = [{ id: 'i1', reason: 'confirmation', message: 'Empty the cart?' }];
        server.play(
          [...textMessage('m', 'One moment.'), { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } }],
          textMessage('m2', 'Done.'),
        );
        const { chat, errors } = chatWith();
        const sending = chat.send('Empty it');
        const [question] = await pendingActions(chat);
        assert.equal(question?.content, 'Empty the cart?');
        await chat.respond(question.id, 'granted');
        await sending;
        await until(chat, () => chat.status === 'idle');
        assert.deepEqual(chat.messages.flatMap(inShort).at(-1), 'Done.');
        assert.deepEqual(server.inputs[1]?.resume, [
          { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
        ]);
        assert.deepEqual(errors, []);
      });

      it('is informed of a stop, and then answers the next turn', async () => {
        const [start, first, ...rest] = textMessage('m', 'Once ', 'upon');
        server.play([start ?? {}, first ?? {}, new Promise(() => undefined), ...rest], textMessage('m2', 'Yes.'));
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
        server.play([...textMessage('m', 'Half'), { type: 'RUN_ERROR', message: 'Overloaded.' }]);
        const reply = await chatWith().chat.send('Hi');
        assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: Overloaded.'], 'error']);
      });
    });
});
