/**
 * Serves the four other reference formats with Node's own HTTP server: `node backends/reference-formats/server.ts`
 * (Node 22.18 and later), or with tsx. Copy it with the file of your format, and replace the answer in that file. Each
 * file is one flow with everything that its format supports: reasoning, tools that succeed and fail, sources, a
 * permission, several agents.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { agentscopeMessages } from './agentscope-messages.ts';
import { decide, deepchatEvents } from './deepchat-events.ts';
import { messageFields } from './message-fields.ts';
import { phaseEvents } from './phase-events.ts';
import { isRecord, type Body } from './body.ts';

/** In bytes. */
const MAX_LENGTH = 1_000_000;

const flows: Readonly<Record<string, (body: Body) => AsyncIterable<string>>> = {
  '/phase-events': phaseEvents,
  '/message-fields': messageFields,
  '/deepchat-events': deepchatEvents,
  '/agentscope-messages': agentscopeMessages,
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const flow = flows[new URL(request.url ?? '/', 'http://localhost').pathname];
  if (!flow) return refuse(response, 404);
  if (request.method !== 'POST') return refuse(response, 405);
  const body = await readBody(request);
  if (!body) return refuse(response, 400);
  // The decision for a stream that is still open comes as a separate request without messages.
  if (body.messages.length === 0 && body.permissions) return refuse(response, decide(body.permissions) ? 204 : 410);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  for await (const chunk of flow(body)) {
    // The user has stopped the reply or has disconnected.
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<Body | undefined> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > MAX_LENGTH) return undefined;
  }
  try {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) return undefined;
    const messages: unknown = body['messages'] ?? [];
    return Array.isArray(messages) ? { ...body, messages: messages.filter(isRecord) } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${String(address.port)}`);
});
