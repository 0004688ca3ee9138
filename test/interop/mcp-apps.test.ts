/** MCP Apps through AG-UI's middleware: the tool names its app, and the page reads it through the same endpoint. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toAppReference, toFetchedApp } from '../../src/renderers/mcp-app/read-resource.ts';
import { textMessage } from './support/ag-ui-server.ts';
import { APP, mcpAppsServer, type McpAppsServer } from './support/mcp-apps-server.ts';
import { inShort, realChat } from './support/real-chat.ts';

/** What a page passes as `mcp`: `docs/guides/ui-blocks.md` has the same function. */
async function throughMiddleware(url: string, method: string, params: object, server: object): Promise<unknown> {
  const body = {
    threadId: 'apps',
    runId: 'apps',
    messages: [],
    tools: [],
    context: [],
    state: {},
    forwardedProps: { __proxiedMCPRequest: { ...server, method, params } },
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
  const last = JSON.parse(events.at(-1)?.slice(5) ?? '{}') as { readonly result?: unknown };
  return last.result;
}

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
      const { id, hash } = named.server ?? {};
      const answer = await throughMiddleware(
        server.url,
        'resources/read',
        { uri: named.uri },
        { serverId: id, serverHash: hash },
      );
      assert.equal(toFetchedApp(named, answer)?.text, APP.html);
    });
});
