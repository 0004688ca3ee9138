/** MCP Apps through AG-UI's middleware: the tool names its app, and the widget reaches its server through the endpoint. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toAppReference, toFetchedApp } from '../../src/renderers/mcp-app/read-resource.ts';
import { connectApp } from '../../src/runtime/chat/request-app.ts';
import { textMessage } from './support/ag-ui-server.ts';
import { APP, mcpAppsServer, type McpAppsServer } from './support/mcp-apps-server.ts';
import { inShort, realChat } from './support/real-chat.ts';

describe('MCP Apps by AG-UI’s middleware', () => {
  let server: McpAppsServer;
  before(async () => {
    server = await mcpAppsServer();
  });
  after(() => server.close());

  for (const protocol of ['ag-ui', 'auto'])
    it(`a tool names its app, with its arguments and its result, with protocol="${protocol}"`, async () => {
      server.play([
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'cart' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"id":7}' },
        { type: 'TOOL_CALL_END', toolCallId: 'c1' },
        ...textMessage('m', 'Here it is.'),
      ]);
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
});
