/** The local server adds the user's keys to the requests that it forwards: only its own page may use it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, start, type AgentServer, type Started } from './support/command.ts';
import { openSite, type Site } from './support/site.ts';

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function sendRequest(port: number, path: string, headers: http.OutgoingHttpHeaders, method = 'POST'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Sends a request that a client of Node would refuse, and returns the beginning of the answer. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (data: Buffer) => {
      resolve(data.toString());
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      resolve('');
    });
  });
}

describe('the local server of the command', () => {
  let command: Started;
  let agent: AgentServer;
  let site: Site;
  let requestCount = 0;
  let keys: (string | undefined)[] = [];
  let [address, token] = ['', ''];
  let port = 0;
  let right: http.OutgoingHttpHeaders;

  before(async () => {
    agent = await serve((request, response) => {
      const status = /\/status-(\d{3})/.exec(request.url ?? '')?.[1];
      if (status !== undefined) {
        const upgrade = status === '101' ? 'Upgrade: other\r\nConnection: upgrade\r\n' : 'Content-Length: 2\r\n';
        request.socket.end(`HTTP/1.1 ${status} Odd\r\n${upgrade}\r\nok`);
        return;
      }
      // The command itself checks how the server would answer a browser's preflight.
      if (request.method !== 'OPTIONS') {
        requestCount++;
        keys.push(request.headers.authorization);
      }
      if (request.headers['x-agent-chat-own'] !== undefined) keys.push('the own header');
      response
        .writeHead(200, {
          ...{ 'set-cookie': 'a=1', 'clear-site-data': '"cookies"', refresh: '9;url=/evil', link: '</a>; rel=preload' },
          'access-control-allow-origin': '*',
        })
        .end('Secret');
    });
    command = start([`${agent.origin}/agent`, '--no-open', '-H', 'authorization: Bearer $TOKEN'], {
      TOKEN: 'the-key-of-the-user',
    });
    [, address = '', token = ''] = await command.until(/^Open (\S+\/-\/(\S+)\/)/m);
    port = Number(new URL(address).port);
    right = {
      host: `127.0.0.1:${String(port)}`,
      origin: `http://127.0.0.1:${String(port)}`,
      'x-agent-chat-token': token,
    };
    site = await openSite({ pages: { '/evil': '<p>Another page</p>' } });
  });
  after(async () => {
    await command.stop();
    await Promise.all([agent.close(), site.close()]);
  });

  it('forwards the requests of its own page', async () => {
    const { status, body, headers } = await sendRequest(port, '/agent', right);
    assert.deepEqual([status, body], [200, 'Secret']);
    // The browser would apply these to all servers of this machine, or to the page.
    for (const name of ['set-cookie', 'clear-site-data', 'refresh', 'link'])
      assert.equal(headers[name], undefined, name);
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  it('adds the user’s keys only to requests with the page’s own header', async () => {
    keys = [];
    await sendRequest(port, '/upload', right);
    await sendRequest(port, '/upload', { ...right, 'x-agent-chat-own': '1' });
    await sendRequest(port, '/agent', { ...right, 'x-agent-chat-own': token });
    assert.deepEqual(keys, [undefined, undefined, 'Bearer the-key-of-the-user']);
  });

  const wrong: Readonly<Record<string, (own: http.OutgoingHttpHeaders) => http.OutgoingHttpHeaders>> = {
    'no token': ({ host, origin }) => ({ host, origin }),
    'a wrong token': (own) => ({ ...own, 'x-agent-chat-token': 'x'.repeat(32) }),
    'an empty token': (own) => ({ ...own, 'x-agent-chat-token': '' }),
    'the name localhost': (own) => ({ ...own, host: `localhost:${String(port)}` }),
    'a name that resolves to this machine (DNS rebinding)': (own) => ({
      ...own,
      host: `evil.example:${String(port)}`,
      origin: `http://evil.example:${String(port)}`,
    }),
    'another port as host': (own) => ({ ...own, host: '127.0.0.1:1' }),
    'another origin': (own) => ({ ...own, origin: 'https://evil.example' }),
    'the origin of another port': (own) => ({ ...own, origin: 'http://127.0.0.1:1' }),
    'a sandboxed page': (own) => ({ ...own, origin: 'null' }),
    'a browser that names another site': ({ origin: _origin, ...own }) => ({ ...own, 'sec-fetch-site': 'cross-site' }),
    'another port of the same site': ({ origin: _origin, ...own }) => ({ ...own, 'sec-fetch-site': 'same-site' }),
  };
  for (const [name, headers] of Object.entries(wrong)) {
    it(`refuses ${name}`, async () => {
      const before = requestCount;
      assert.equal((await sendRequest(port, '/agent', headers(right))).status, 403);
      assert.equal((await sendRequest(port, '/agent', headers(right), 'GET')).status, 403);
      const socket = {
        ...headers(right),
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'YQ==',
        'sec-websocket-version': '13',
      };
      assert.equal((await sendRequest(port, '/agent', socket, 'GET')).status, 403);
      assert.equal(requestCount, before, 'nothing was passed on');
    });
  }

  it('shows its page only with the token, and never in a frame', async () => {
    const { host } = right;
    assert.equal((await sendRequest(port, '/-/', { host }, 'GET')).status, 403);
    assert.equal((await sendRequest(port, `/-/${'x'.repeat(32)}/`, { host }, 'GET')).status, 403);
    assert.equal((await sendRequest(port, `/-/${token}/`, { host: 'evil.example' }, 'GET')).status, 403);
    assert.equal((await sendRequest(port, `/-/${'x'.repeat(32)}/lines`, { host }, 'GET')).status, 403);
    const { status, headers, body } = await sendRequest(port, `/-/${token}/`, { host }, 'GET');
    assert.equal(status, 200);
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.doesNotMatch(body, /the-key-of-the-user/);
  });

  it('serves no file outside of the build', async () => {
    for (const path of [
      '/-/dist/../package.json',
      '/-/dist/%2e%2e/package.json',
      '/-/dist/..%2fpackage.json',
      '/-/dist//etc/passwd',
    ])
      assert.notEqual((await sendRequest(port, path, { host: right.host }, 'GET')).status, 200, path);
  });

  it('survives malformed targets', async () => {
    const host = `127.0.0.1:${String(port)}`;
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: YQ==\r\n';
    for (const target of ['http://[', '//[', '/\\['])
      for (const more of ['', upgrade]) {
        const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
        assert.match(answer, /^HTTP\/1\.1 (?:400|403|404)/, target);
      }
    assert.equal((await sendRequest(port, '/agent', right)).status, 200);
  });

  for (const [status, expected] of [
    ['000', 502],
    ['099', 502],
    ['101', 502],
    ['199', 502],
    ['299', 299],
    ['999', 999],
  ] as const)
    it(`survives the status ${status} of its server`, async () => {
      assert.equal((await sendRequest(port, `/status-${status}`, right)).status, expected);
      const upgrade = { ...right, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'YQ==' };
      if (status !== '101')
        assert.equal((await sendRequest(port, `/status-${status}`, upgrade, 'GET')).status, expected);
      assert.equal((await sendRequest(port, '/agent', right)).status, 200);
    });

  it('survives handshakes that are reset', async () => {
    const handshake = `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    for (let index = 0; index < 40; index++) {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(handshake);
      if (index % 2 === 0) socket.write('x'.repeat(200_000));
      await sleep(index % 3);
      socket.resetAndDestroy();
    }
    assert.equal((await sendRequest(port, '/agent', right)).status, 200);
  });

  it('forwards only to its one server, whatever a path names', async () => {
    const before = requestCount;
    for (const path of ['//evil.example/x', 'http://evil.example/x', '/\\evil.example'])
      assert.equal((await sendRequest(port, path, right)).status, 200, path);
    assert.equal(requestCount, before + 3);
  });

  it('can’t be used by a page of another origin in a browser', async () => {
    const page = await site.open();
    await page.goto(`${site.origin}/evil`);
    const before = requestCount;
    const results = await page.evaluate(
      async ({ port, token }) => {
        const url = `http://127.0.0.1:${String(port)}/agent`;
        const tries = Promise.allSettled([
          fetch(url, { method: 'POST', mode: 'no-cors' }),
          fetch(url, { method: 'POST', headers: { 'x-agent-chat-token': token } }),
          fetch(`http://127.0.0.1:${String(port)}/-/${token}/`),
        ]);
        const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/agent?agent-chat-token=${token}`);
        const opened = await new Promise((resolve) => {
          socket.onopen = () => {
            resolve(true);
          };
          socket.onerror = () => {
            resolve(false);
          };
        });
        return [
          opened,
          ...(await tries).map((answer) => (answer.status === 'fulfilled' ? answer.value.type : 'failed')),
        ];
      },
      { port, token },
    );
    assert.deepEqual(results, [false, 'failed', 'failed', 'failed']);
    assert.equal(requestCount, before, 'nothing was passed on');
    await page.close();
  });

  it('listens on 127.0.0.1 only', async () => {
    const refused = await new Promise((resolve) => {
      const socket = net.connect({ host: '::1', port });
      socket.on('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.on('error', () => {
        resolve(true);
      });
    });
    assert.equal(refused, true);
  });
});
