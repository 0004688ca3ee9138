/** Serves the proxy with Node's own HTTP server, without a package. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { proxy } from './proxy.js';

const { OPENAI_API_KEY: key, MODEL: model = 'gpt-5-mini', UPSTREAM: upstream, PORT: port = '8787' } = process.env;
if (!key) throw new Error('Set OPENAI_API_KEY.');

/** Replace it with your session check: without it, anyone who can reach this port can send requests. */
const signedIn = () => true;

const server = createServer(async (incoming, outgoing) => {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  try {
    const request = new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
      method: incoming.method,
      headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((item) => [name, item]),
      ),
      ...(incoming.method === 'POST' && { body: Readable.toWeb(incoming), duplex: 'half' }),
      signal: left.signal,
    });
    const response = await proxy(request, { key, model, ...(upstream && { upstream }), signedIn });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
    else outgoing.end();
  } catch (error) {
    if (left.signal.aborted) return;
    console.error(error);
    // A reply that has started is interrupted, so that nobody takes it for a complete one.
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"That went wrong."}}');
  }
});

server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
