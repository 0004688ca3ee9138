/**
 * Serves session events with Node's own HTTP server: `node backends/session-events/server.ts` (Node 22.18 and later),
 * or with tsx. Copy it with `streaming-engine.ts` and `session-events.ts`, and replace `runAgent`.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StreamingEngine } from './streaming-engine.ts';

/** In bytes. */
const MAX_LENGTH = 1_000_000;

/** Your agent. This one looks up stock, and fails on request. */
async function runAgent(engine: StreamingEngine, question: string): Promise<number> {
  await engine.emitThinking('The stock is in a table.', 'planning');
  await engine.emitToolCallStart('tool_1', 'read_stock', 'Read the stock', { depot: 'north' });
  await engine.emitToolCallProgress('tool_1', 0.5, 'Half of the rows');
  if (question.includes('fail')) throw new Error('The stock can’t be read.');
  const rows = [
    ['Chairs', 12],
    ['Tables', 3],
  ];
  await engine.emitToolCallEnd('tool_1', 'success', { result: { rows: rows.length } }, 40);
  await engine.emitData(
    'dataframe',
    { name: 'Stock', columns: ['Item', 'Count'], rows },
    { description: 'Depot north' },
  );
  await engine.emitContent('There are **12 chairs** ');
  await engine.emitContent('and 3 tables.', 'markdown', true);
  return 210;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages, session_id } = await readBody(request);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  const engine = new StreamingEngine(`req_${randomUUID()}`, { send: (frame) => send(response, frame) });
  await engine.emitSessionStart(session_id ?? `session_${randomUUID()}`);
  try {
    const tokens = await runAgent(engine, messages.at(-1)?.content ?? '');
    await engine.emitSessionEnd('completed', engine.summary(tokens));
  } catch (error) {
    console.error(error);
    await engine.emitError('execution', 'The agent could not finish.', undefined, true);
    await engine.emitSessionEnd('error', engine.summary(0));
  }
  response.end();
}

/** Resolves with false if the client has disconnected. Waits for a slow client. */
function send(response: ServerResponse, frame: string): boolean | Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(frame)) return true;
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve(!response.destroyed);
    };
    response.on('drain', settle).on('close', settle);
  });
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly session_id?: string;
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > MAX_LENGTH) throw new BadRequest(413, 'That is too long.');
  }
  try {
    const body = JSON.parse(text) as Partial<Body>;
    if (Array.isArray(body.messages)) return body as Body;
  } catch {
    // The answer is the same as for a body without messages.
  }
  throw new BadRequest(400, 'There are no messages.');
}

class BadRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  answer(request, response).catch((error: unknown) => {
    const refused = error instanceof BadRequest ? error : new BadRequest(500, 'That went wrong.');
    if (refused.status === 500) console.error(error);
    if (response.headersSent) response.destroy();
    else {
      response
        .writeHead(refused.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: refused.message } }));
    }
  });
});

server.listen(Number(process.env['PORT'] ?? '8787'), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`);
});
