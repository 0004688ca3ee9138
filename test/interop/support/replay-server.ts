/** A server on loopback that answers with bodies of the test, and records the requests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface Replay {
  readonly origin: string;
  /** Sets the bodies of the next requests, in order; the last one answers all further requests. */
  serve(...bodies: readonly (string | Uint8Array)[]): void;
  /** The requests since the last call of `serve`. */
  readonly sent: readonly unknown[];
  close(): Promise<void>;
}

export async function replayServer(contentType = 'text/event-stream'): Promise<Replay> {
  let waiting: (string | Uint8Array)[] = [];
  let sent: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      sent.push(body);
      response.writeHead(200, { 'content-type': contentType });
      response.end(waiting.length > 1 ? waiting.shift() : waiting[0]);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    serve(...bodies) {
      waiting = [...bodies];
      sent = [];
    },
    get sent() {
      return sent;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
