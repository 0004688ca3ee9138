/** An AG-UI agent behind the vendor's MCP Apps middleware, and the MCP server whose tool has an app. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { AbstractAgent } from '@ag-ui/client';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { MCPAppsMiddleware } from '@ag-ui/mcp-apps-middleware';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { from, type Observable } from 'rxjs';
import { z } from 'zod';
import type { Run } from './ag-ui-server.ts';

export const APP = { uri: 'ui://shop/cart', html: '<h1>Cart</h1>' };

function shop(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool(
    'cart',
    {
      description: 'Shows a cart',
      inputSchema: { id: z.number() },
      _meta: { ui: { resourceUri: APP.uri } },
    },
    ({ id }) => ({ content: [{ type: 'text', text: `Cart ${String(id)}` }] }),
  );
  server.registerResource('cart', APP.uri, { mimeType: 'text/html;profile=mcp-app' }, () => ({
    contents: [{ uri: APP.uri, mimeType: 'text/html;profile=mcp-app', text: APP.html }],
  }));
  return server;
}

/** Answers with scripted events, whatever it is asked. */
class ScriptedAgent extends AbstractAgent {
  readonly #events: Run;
  constructor(events: Run) {
    super();
    this.#events = events;
  }
  override run({ threadId, runId }: RunAgentInput): Observable<BaseEvent> {
    const ends = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => ({ type, threadId, runId }));
    return from([ends[0], ...this.#events, ends[1]] as unknown as BaseEvent[]);
  }
}

export interface McpAppsServer {
  readonly url: string;
  play(events: Run): void;
  close(): Promise<void>;
}

export async function mcpAppsServer(): Promise<McpAppsServer> {
  const tools = await listen((request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    void shop()
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  let events: Run = [];
  const middleware = new MCPAppsMiddleware({
    mcpServers: [{ type: 'http', url: `${addressOf(tools)}/mcp`, serverId: 'shop' }],
  });
  const agent = await listen((request, response) => {
    void json(request).then((input) => {
      const encoder = new EventEncoder();
      response.writeHead(200, { 'content-type': encoder.getContentType() });
      middleware.run(input as RunAgentInput, new ScriptedAgent(events)).subscribe({
        next: (event) => response.write(encoder.encode(event)),
        complete: () => response.end(),
        error: () => response.destroy(),
      });
    });
  });
  return {
    url: `${addressOf(agent)}/agent`,
    play(next) {
      events = next;
    },
    async close() {
      for (const server of [agent, tools]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

async function listen(handler: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(handler as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const addressOf = (server: Server): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
