/** `agent-chat-element <url>`: from a URL to a conversation, for typical servers. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { bodyOf, runCommand, serve, start, type AgentServer, type Started } from './support/command.ts';
import { openSite, type Site } from './support/site.ts';

const KEY = 'a-key-of-the-user-1234';

const chunk = (delta: object, finish_reason: string | null = null): string =>
  JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
const events = (...texts: readonly string[]): string =>
  [...texts.map((content) => chunk({ content })), chunk({}, 'stop'), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');

describe('the command, with an address', () => {
  const seen: { path: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  let agent: AgentServer;
  let elsewhere: AgentServer;
  let closed: () => void = () => undefined;
  let lose: () => unknown = () => undefined;
  let site: Site;
  let snippet: string | undefined;
  const sockets = new WebSocketServer({ noServer: true });
  const commands: Started[] = [];

  before(async () => {
    elsewhere = await serve((_request, response) => response.end('Elsewhere'));
    agent = await serve((request, response) => {
      void answer(request, response);
    });
    agent.server.on('upgrade', (request, socket, head) => {
      seen.push({ path: request.url ?? '', headers: request.headers, body: '' });
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('message', () => {
          for (const text of [chunk({ content: 'By socket.' }), chunk({}, 'stop')]) client.send(text);
        });
      });
    });
    site = await openSite({ pages: { '/pasted': '<p>Another page</p>' } });
  });
  after(async () => {
    for (const command of commands) await command.stop();
    for (const client of sockets.clients) client.terminate();
    await Promise.all([agent.close(), elsewhere.close(), site.close()]);
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://agent');
    const body = await bodyOf(request);
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    const stream = { 'content-type': 'text/event-stream' };
    if (/^\/(?:open|own)$/.test(pathname) && request.method === 'OPTIONS') response.writeHead(204, OPEN).end();
    else if (request.method === 'OPTIONS') response.writeHead(405).end();
    else if (pathname === '/plain') response.writeHead(200, stream).end(events('Hello ', 'there.'));
    else if (pathname === '/open') response.writeHead(200, { ...stream, ...OPEN }).end(events('Hello ', 'page.'));
    else if (pathname === '/own') {
      const own = ['One ', 'two'].map((zzy) => `data: ${JSON.stringify({ "it's": { zzy } })}\n\n`);
      response.writeHead(200, { ...stream, ...OPEN }).end(own.join(''));
    } else if (pathname === '/echo') response.writeHead(200, stream).end(events(`Your key is ${KEY}.`));
    else if (pathname === '/denied')
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"No."}');
    else if (pathname === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in');
    else if (pathname === '/held')
      setTimeout(
        () => response.writeHead(200, stream).end(events(...'All of it at once, late. '.repeat(4).split(/(?<= )/))),
        700,
      );
    else if (pathname === '/moved') response.writeHead(307, { location: `${elsewhere.origin}/taken` }).end();
    else if (pathname === '/list-apps')
      response.writeHead(200, { 'content-type': 'application/json' }).end('["harbor"]');
    else if (pathname === '/hangs') {
      response.writeHead(200, stream).write(`data: ${chunk({ content: 'Wait' })}\n\n`);
      response.on('close', () => {
        closed();
      });
    } else if (pathname === '/lost') {
      response.writeHead(200, stream).write(`data: ${chunk({ content: 'Half' })}\n\n`);
      lose = () => response.destroy();
    } else response.writeHead(404).end();
  }
  const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };

  const begin = async (path: string, ...more: readonly string[]) => {
    const url = path.startsWith('ws:') ? path : agent.origin + path;
    const command = start([url, '--no-open', ...more], { TOKEN: KEY });
    commands.push(command);
    const [, address = ''] = await command.until(/^Open (\S+)/m);
    return { command, address };
  };
  const visit = async (address: string) => {
    const page = await site.open();
    await page.goto(address);
    await page.locator('agent-chat [part=input]').waitFor();
    return page;
  };
  /** Sends a message from the page, and returns the reply's status and text. */
  const sendMessage = async (address: string): Promise<string> => {
    const page = await visit(address);
    const reply = await page.evaluate(async () => {
      const { status, blocks = [] } = (await document.querySelector('agent-chat')?.send('Hi')) ?? {};
      return `${status ?? ''}: ${blocks.map((block) => ('content' in block ? block.content : block.type)).join('')}`;
    });
    await page.close();
    return reply;
  };

  it('shows the reply of a server without CORS headers, and names the missing headers', async () => {
    const { command, address } = await begin(
      '/plain',
      '--header',
      'authorization: Bearer $TOKEN',
      '--body',
      '{"top_k":3}',
    );
    assert.equal(await sendMessage(address), 'complete: Hello there.');
    const request = seen.findLast(({ path, body }) => path === '/plain' && body !== '');
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(request.headers.origin, undefined, 'a server that checks it would refuse');
    assert.equal(
      Object.keys(request.headers).some((name) => name.includes('token')),
      false,
    );
    assert.equal((JSON.parse(request.body) as { top_k?: number }).top_k, 3);
    await command.until(/The protocol is openai-chat/);
    await command.until(
      /Access-Control-Allow-Origin: https:\/\/your-page\.example\n\s+Access-Control-Allow-Headers: authorization, content-type/,
    );
    for (const name of ['HTML', 'React', 'Vue', 'Svelte', 'Angular'])
      await command.until(new RegExp(`To paste, ${name}`));
    assert.doesNotMatch(command.output(), new RegExp(KEY));
  });

  it('prints a snippet that works on a page of another origin', async () => {
    const { command, address } = await begin('/open');
    assert.equal(await sendMessage(address), 'complete: Hello page.');
    await command.until(/Pages of another origin can use it/);
    [, snippet] = await command.until(/^\s+(<agent-chat .*<\/agent-chat>)$/m);
    const page = await site.open();
    await page.goto(`${site.origin}/pasted`);
    const text = await page.evaluate(async (code) => {
      await customElements.whenDefined('agent-chat');
      const range = document.createRange();
      document.body.append(range.createContextualFragment(code));
      const { blocks = [] } = (await document.querySelector('agent-chat')?.send('Hi')) ?? {};
      return blocks.map((block) => ('content' in block ? block.content : '')).join('');
    }, snippet ?? '');
    await page.close();
    assert.equal(text, 'Hello page.');
  });

  it('reads a custom format with a mapping, and prints a snippet that contains it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
    const file = join(folder, 'mapping.json');
    const mapping = {
      id: 'own',
      request: { body: { message: '{text}' } },
      events: [{ text: "it's.zzy" }],
      end: 'stream',
    };
    await writeFile(file, JSON.stringify(mapping));
    const { command, address } = await begin('/own', '--mapping', file);
    assert.equal(await sendMessage(address), 'complete: One two');
    await command.until(/✓ The protocol is own, described by the mapping/);
    const [, code = ''] = await command.until(/^\s+(<agent-chat [^]*?<\/agent-chat>)$/m);
    await command.until(/\[protocol\]="protocol"/);
    assert.doesNotMatch(command.output(), /unknown format|Save it as a file/);
    const page = await site.open();
    await page.goto(`${site.origin}/pasted`);
    const text = await page.evaluate(async (pasted) => {
      await customElements.whenDefined('agent-chat');
      document.body.append(document.createRange().createContextualFragment(pasted));
      const { blocks = [] } = (await document.querySelector('agent-chat')?.send('Hi')) ?? {};
      return blocks.map((block) => ('content' in block ? block.content : '')).join('');
    }, code);
    await page.close();
    await rm(folder, { recursive: true });
    assert.equal(text, 'One two');
  });

  it('shows the exchange and the stream inspector on the page', async () => {
    const { address } = await begin('/plain');
    const page = await visit(address);
    await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('li[data-kind=ok]', { hasText: 'The protocol is openai-chat' }).waitFor();
    await page.locator('li[data-kind=advice] pre', { hasText: 'Access-Control-Allow-Origin' }).waitFor();
    await page.locator('agent-chat .inspector').waitFor();
    await page.close();
  });

  it('masks a key that the server repeats in what it prints', async () => {
    const { command, address } = await begin('/echo', '--header', 'x-api-key: $TOKEN');
    assert.equal(await sendMessage(address), `complete: Your key is ${KEY}.`);
    await command.until(/The protocol is openai-chat/);
    assert.doesNotMatch(command.output(), new RegExp(KEY));
  });

  it('advises a header if the server wants credentials', async () => {
    const { command, address } = await begin('/denied');
    await sendMessage(address);
    await command.until(/401 application\/json/);
    await command.until(/--header 'authorization: Bearer \$TOKEN'/);
  });

  it('reports that a web page answered', async () => {
    const { command, address } = await begin('/page');
    await sendMessage(address);
    await command.until(/answered with a web page/);
  });

  it('reports that something buffers the events, in the terminal and on the page', async () => {
    const { command, address } = await begin('/held');
    const page = await visit(address);
    await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('li[data-kind=problem]', { hasText: 'X-Accel-Buffering: no' }).waitFor();
    await page.close();
    await command.until(/26 events came together after \d+ ms/);
  });

  it('reports a connection that is lost, and not one that the user closed', async () => {
    const { command, address } = await begin('/lost');
    const page = await visit(address);
    await page.evaluate(() => void document.querySelector('agent-chat')?.send('Hi'));
    // The question alone is not enough.
    await page.locator('agent-chat [part~=block-content]', { hasText: 'Half' }).waitFor();
    lose();
    await page.waitForFunction(() => document.querySelector('agent-chat')?.messages.at(-1)?.status === 'interrupted');
    await page.close();
    await command.until(/✗ The connection was lost after 1 events/);
    assert.doesNotMatch(command.output(), /No answer/);
  });

  it('follows no redirect', async () => {
    const { command, address } = await begin('/moved', '--header', 'authorization: Bearer $TOKEN');
    await sendMessage(address);
    await command.until(new RegExp(`redirects to ${elsewhere.origin}/taken`));
    assert.equal(seen.filter(({ path }) => path === '/taken').length, 0);
  });

  it('forwards a WebSocket, with the headers', async () => {
    const { command, address } = await begin(
      `${agent.origin.replace('http', 'ws')}/socket`,
      '--header',
      'authorization: Bearer $TOKEN',
    );
    assert.equal(await sendMessage(address), 'complete: By socket.');
    const request = seen.findLast(({ path }) => path.startsWith('/socket'));
    assert.equal(request?.path, '/socket');
    assert.equal(request.headers.authorization, `Bearer ${KEY}`);
    await command.until(/The protocol is openai-chat/);
  });

  it('closes the connection to the server when the user stops', async () => {
    const { command, address } = await begin('/hangs');
    const page = await visit(address);
    const stopped = new Promise<void>((resolve) => (closed = resolve));
    await page.evaluate(() => void document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('agent-chat [part~=block-content]').waitFor();
    await page.evaluate(() => document.querySelector('agent-chat')?.stop());
    await stopped;
    await page.close();
    assert.doesNotMatch(command.output(), /connection was lost/);
  });

  it('finds the endpoint of a server from its root', async () => {
    const { command } = await begin('/');
    await command.until(/Found http:\S+\/apps\/harbor, by the app harbor/);
  });

  it('opens a demo without an address', async () => {
    const command = start(['demo', '--no-open']);
    commands.push(command);
    const [, address = ''] = await command.until(/^Open (\S+)/m);
    const page = await visit(address);
    await page.evaluate(() => void document.querySelector('agent-chat')?.send('Hi'));
    await page.waitForFunction(() => document.querySelector('agent-chat')?.messages.at(-1)?.role === 'assistant');
    await page.close();
  });

  it('exits with 2 after a usage error', async () => {
    for (const args of [
      ['--nope'],
      ['http://127.0.0.1:1', '--header', 'x: $NOT_SET_ANYWHERE'],
      ['http://127.0.0.1:1/a', '--protocol', 'nope'],
      ['http://127.0.0.1:1/a', '--tools', 'no-such-file.js', '--no-open'],
      ['http://127.0.0.1:1/a', '--port', new URL(agent.origin).port, '--no-open'],
      ['chekc', 'http://127.0.0.1:1/a'],
      ['record', 'http://127.0.0.1:1/a', 'without', 'quotes'],
      ['check', 'http://127.0.0.1:1/a', '--timeout', 'long'],
    ]) {
      const { code, notes } = await runCommand(args);
      assert.equal(code, 2, notes);
      assert.doesNotMatch(notes, /\n\s+at /);
    }
  });
});
