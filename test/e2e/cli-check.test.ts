/** `agent-chat-element check <url>`: each fault has its line, and a server without faults has none. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bodyOf, runCommand, serve, type AgentServer } from './support/command.ts';

interface Result {
  readonly failures: number;
  readonly findings: readonly {
    readonly id: string;
    readonly level: string;
    readonly text: string;
    readonly docs?: string;
  }[];
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const END = chunk({}, 'stop') + 'data: [DONE]\n\n';
const SSE = { 'content-type': 'text/event-stream' };
const ALLOWED = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type, authorization' };

type Fault = (response: http.ServerResponse, body: string) => void;

/** Waits until the client's own clock has advanced far enough to notice the silence. */
const later = (run: () => void): void => {
  setTimeout(run, 700);
};

/** By the id of the expected finding. */
const FAULTS: Readonly<Record<string, Fault>> = {
  unauthorized: (response) => response.writeHead(401).end('{"error":"No."}'),
  'not-found': (response) => response.writeHead(404).end(),
  method: (response) => response.writeHead(405).end(),
  'rate-limit': (response) => response.writeHead(429).end(),
  status: (response) => response.writeHead(500).end('Boom'),
  redirect: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in'),
  empty: (response) => response.writeHead(200, SSE).end(),
  unsupported: (response) =>
    response.writeHead(200, SSE).end(Array.from({ length: 20 }, () => 'data: {"kind":"w","zzy":"Hello"}\n\n').join('')),
  foreign: (response) =>
    response.writeHead(200, { ...SSE, 'mcp-session-id': '1' }).end('data: {"jsonrpc":"2.0","result":{"tools":[]}}\n\n'),
  'content-type': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(chunk({ content: 'Hello' }) + END),
  'end-mark': (response) => response.writeHead(200, SSE).end(chunk({ content: 'Hello' })),
  'agent-error': (response) => response.writeHead(200, SSE).end('data: {"error":{"message":"Overloaded"}}\n\n'),
  compressed: (response) =>
    response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(gzipSync(chunk({ content: 'Hello' }) + END)),
  buffered: (response) => {
    later(() =>
      response.writeHead(200, SSE).end(Array.from({ length: 24 }, () => chunk({ content: 'word ' })).join('') + END),
    );
  },
  'unknown-frames': (response) =>
    response.writeHead(200, SSE).end(`${chunk({ content: 'Hello' })}data: {"odd":\n\n${END}`),
  'second-turn': (response, body) => {
    const { messages = [] } = JSON.parse(body) as { messages?: readonly unknown[] };
    if (messages.length > 1) response.writeHead(422).end('One message only');
    else response.writeHead(200, SSE).end(chunk({ content: 'Hello' }) + END);
  },
};

describe('the check command', () => {
  let agent: AgentServer;
  const bodies: string[] = [];
  before(async () => {
    agent = await serve((request, response) => {
      void (async () => {
        const body = await bodyOf(request);
        if (request.method === 'POST') bodies.push(body);
        const name = (request.url ?? '').slice(1);
        if (name === 'closed')
          response.writeHead(request.method === 'OPTIONS' ? 405 : 200, SSE).end(chunk({ content: 'Hi' }) + END);
        else if (request.method === 'OPTIONS') response.writeHead(204, ALLOWED).end();
        else {
          response.setHeader('access-control-allow-origin', '*');
          if (name === 'well') response.writeHead(200, SSE).end(chunk({ content: 'Hello' }) + END);
          else (FAULTS[name] ?? FAULTS['not-found'])?.(response, body);
        }
      })();
    });
  });
  after(() => agent.close());

  const check = async (address: string, ...more: readonly string[]): Promise<Result & { readonly code: number }> => {
    const { code, output } = await runCommand(['check', address, '--json', ...more], {
      TOKEN: 'a-key-of-the-user-1234',
    });
    return { code, ...(JSON.parse(output) as Result) };
  };
  const wrong = ({ findings }: Result) => findings.filter(({ level }) => level !== 'ok').map(({ id }) => id);

  it('finds no fault in a server without faults', async () => {
    const result = await check(`${agent.origin}/well`, '-H', 'authorization: Bearer $TOKEN');
    assert.deepEqual([result.code, wrong(result)], [0, []], JSON.stringify(result.findings));
    assert.doesNotMatch(JSON.stringify(result), /a-key-of-the-user/);
    const guide = await readFile('docs/guides/is-my-server-ready.md', 'utf8');
    assert.deepEqual(
      result.findings.map(({ id }) => id),
      [...guide.matchAll(/^\| `([\w-]+)` /gm)].map(([, id]) => id),
      'the guide lists the lines in their order',
    );
  });

  it('reports each fault by its own line, which the guide explains', async () => {
    const guide = await readFile('docs/guides/is-my-server-ready.md', 'utf8');
    // Two at a time: each is a process.
    const names = Object.keys(FAULTS);
    const work = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const result = await check(`${agent.origin}/${name}`);
        assert.deepEqual(wrong(result), [name], `${name}: ${JSON.stringify(result.findings)}`);
        assert.equal(result.code, result.failures > 0 ? 1 : 0);
        assert.match(guide, new RegExp(`^### ${name}$`, 'm'));
      }
    };
    await Promise.all([work(), work()]);
  });

  it('sends an adapter’s blob body with the fields of --body', async () => {
    bodies.length = 0;
    await check(`${agent.origin}/api/agents/clerk/stream`, '--body', '{"resourceId":"r"}');
    const { messages, resourceId } = JSON.parse(bodies[0] ?? '') as { messages: unknown; resourceId: unknown };
    assert.ok(Array.isArray(messages));
    assert.equal(resourceId, 'r');
  });

  it('warns of a server that pages of another origin may not use', async () => {
    const result = await check(`${agent.origin}/closed`);
    assert.deepEqual([result.code, wrong(result)], [0, ['cors-origin', 'cors-preflight']]);
  });

  it('reports that no server listens', async () => {
    const free = await serve(() => undefined);
    await free.close();
    const result = await check(free.origin);
    assert.deepEqual([result.code, wrong(result)], [1, ['unreachable']]);
  });

  it('prints a line for each finding, with its remedy and the link to its explanation', async () => {
    const { code, output } = await runCommand(['check', `${agent.origin}/end-mark`]);
    assert.equal(code, 1);
    assert.match(output, /^✗ end-mark: .+ → .+ \(docs\/guides\/is-my-server-ready\.md#end-mark\)$/m);
    assert.match(output, /^1 failures, 0 warnings$/m);
  });
});
