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
    ({ id }) => {
      if (id === 0) throw new Error('No such cart.');
      return { content: [{ type: 'text', text: `Cart ${String(id)}` }] };
    },
  );
  server.registerResource('cart', APP.uri, { mimeType: 'text/html;profile=mcp-app' }, () => ({
    contents: [{ uri: APP.uri, mimeType: 'text/html;profile=mcp-app', text: APP.html }],
  }));
  return server;
}

/** The events of one run, without its start and a successful end. A promise delays those after it. */
type Script = readonly (object | Promise<unknown>)[];

const ENDS: ReadonlySet<unknown> = new Set(['RUN_FINISHED', 'RUN_ERROR']);

/** Answers with scripted events, whatever it is asked. */
class ScriptedAgent extends AbstractAgent {
  readonly #script: Script;
  constructor(script: Script) {
    super();
    this.#script = script;
  }
  override run({ threadId, runId }: RunAgentInput): Observable<BaseEvent> {
    const ids = { threadId, runId };
    const script = this.#script;
    async function* events(): AsyncGenerator<object> {
      yield { type: 'RUN_STARTED', ...ids };
      let isEnded = false;
      for (const event of script) {
        if (event instanceof Promise) {
          await event;
          continue;
        }
        isEnded = 'type' in event && ENDS.has(event.type);
        yield isEnded ? { ...ids, ...event } : event;
      }
      if (!isEnded) yield { type: 'RUN_FINISHED', ...ids };
    }
    return from(events()) as Observable<BaseEvent>;
  }
}

export interface McpAppsServer {
  readonly url: string;
  /** The messages of the runs that the agent has started since `play`, as role and content. */
  readonly histories: readonly (readonly (readonly [role: string, content: unknown])[])[];
  readonly inputs: readonly RunAgentInput[];
  /** Requests that were aborted. */
  readonly aborted: number;
  /** Sets the events of the next runs, in order. */
  play(...runs: readonly Script[]): void;
  close(): Promise<void>;
}

export async function mcpAppsServer(): Promise<McpAppsServer> {
  const tools = await listen((request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    void shop()
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  let waiting: Script[] = [];
  let inputs: RunAgentInput[] = [];
  let aborted = 0;
  const middleware = new MCPAppsMiddleware({
    mcpServers: [{ type: 'http', url: `${addressOf(tools)}/mcp`, serverId: 'shop' }],
  });
  const agent = await listen((request, response) => {
    void json(request).then((body) => {
      const input = body as RunAgentInput;
      // The middleware answers requests of an app itself.
      const isApp = Object.keys((input.forwardedProps ?? {}) as object).length > 0;
      if (!isApp) inputs.push(input);
      const encoder = new EventEncoder();
      response.writeHead(200, { 'content-type': encoder.getContentType() });
      const running = middleware.run(input, new ScriptedAgent(isApp ? [] : (waiting.shift() ?? []))).subscribe({
        next: (event) => response.write(encoder.encode(event)),
        complete: () => response.end(),
        error: () => response.destroy(),
      });
      response.on('close', () => {
        if (!response.writableFinished) aborted++;
        running.unsubscribe();
      });
    });
  });
  return {
    url: `${addressOf(agent)}/agent`,
    get inputs() {
      return inputs;
    },
    get histories() {
      return inputs.map(({ messages }) => messages.map(({ role, content }) => [role, content] as const));
    },
    get aborted() {
      return aborted;
    },
    play(...runs) {
      waiting = [...runs];
      inputs = [];
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
