/** `agent-chat-element check <url>`: time, replies that do not end, limits, WebSockets. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import {
  CheckedAgent,
  chunk,
  END,
  json,
  lineOf,
  OPEN,
  refuse,
  answerText,
  SSE,
  type Answer,
} from './support/checked-agent.ts';
import { runCommand, serve } from './support/command.ts';

describe('the check command, over time', () => {
  const sockets = new WebSocketServer({ noServer: true });
  after(() => {
    for (const client of sockets.clients) client.terminate();
  });
  let agent: CheckedAgent;
  beforeEach(async () => {
    agent = await CheckedAgent.start();
  });
  afterEach(() => agent.server.close());

  describe('time', () => {
    /** After a delay, in one piece. */
    const atOnce =
      (count: number): Answer =>
      (response) => {
        const events = Array.from({ length: count }, () => chunk({ content: 'word ' })).join('') + END;
        setTimeout(() => response.writeHead(200, SSE).end(events), 700);
      };

    it('does not blame a short reply that arrives after a delay', async () => {
      agent.answer = atOnce(5);
      const result = await agent.check('/agent');
      assert.match(lineOf(result, 'delivery'), /^ok: .*can't be told/);
      assert.equal(result.code, 0);
    });

    it('names the content that still arrives at the time limit', async () => {
      const keepsSending = (piece: string): Answer => {
        return (response) => {
          response.writeHead(200, SSE).write(chunk({ content: 'Hello' }));
          const timer = setInterval(() => response.write(piece), 50);
          response.on('close', () => {
            clearInterval(timer);
          });
        };
      };
      for (const [piece, id] of [
        [chunk({ content: ' and on' }), 'endless'],
        [': ping\n\n', 'only-comments'],
        ['data', 'too-long'],
      ] as const) {
        agent.answer = keepsSending(piece);
        const { findings } = await agent.check('/agent', '--timeout', '1.5');
        assert.deepEqual(
          findings.filter(({ level }) => level === 'failure').map((finding) => finding.id),
          [id],
          JSON.stringify(findings),
        );
      }
    });

    it('counts the comments that keep a connection alive', async () => {
      agent.answer = (response) => {
        response.writeHead(200, SSE).end(`: ping\n\n: ping\n\n${chunk({ content: 'Hello' })}${END}`);
      };
      assert.match(lineOf(await agent.check('/agent'), 'silence'), /^ok: .*with 2 comments/);
    });
  });

  describe('a WebSocket', () => {
    it('is checked in every version of Node, with the headers', async () => {
      const keys: string[] = [];
      agent.server.server.on('upgrade', (request: http.IncomingMessage, socket, head) => {
        sockets.handleUpgrade(request, socket, head, (client) => {
          keys.push(String(request.headers['x-api-key']));
          client.on('message', () => {
            client.ping();
            client.once('pong', () => {
              // A long message has a length of eight bytes.
              for (const content of ['Hello', 'x'.repeat(70_000)]) client.send(json({ content }));
              client.send(json({}, 'stop'));
            });
          });
        });
      });
      const result = await agent.check(
        `${agent.server.origin.replace('http', 'ws')}/socket`,
        '-H',
        'x-api-key: of-the-user',
      );
      assert.match(lineOf(result, 'protocol'), /openai-chat .* framed as messages/);
      assert.deepEqual([result.code, keys[0]], [0, 'of-the-user'], JSON.stringify(result.findings));
    });

    it('reports that the server has none', async () => {
      const plain = await serve((_request, response) => response.writeHead(200).end());
      const result = await agent.check(`${plain.origin.replace('http', 'ws')}/socket`);
      await plain.close();
      assert.match(lineOf(result, 'unreachable'), /answered 200 and opened no WebSocket/);
    });
  });

  it('warns of a server that continues after the connection was closed', async () => {
    let free = Promise.resolve();
    agent.answer = (response) => {
      response.on('close', () => {
        if (!response.writableFinished) free = new Promise((resolve) => setTimeout(resolve, 2500));
      });
      void free.then(() => {
        response.writeHead(200, SSE).write(chunk({ content: 'Hello' }));
        setTimeout(() => response.end(END), 100);
      });
    };
    const result = await agent.check('/v1/chat/completions');
    assert.match(lineOf(result, 'disconnect'), /^warning: .*seems to continue/);
  });

  it('names a server without TLS', async () => {
    const { output } = await runCommand(['check', agent.server.origin.replace('http', 'https'), '--json']);
    assert.match(output, /does not speak TLS/);
    assert.match(output, /Use http:/);
  });

  it('stops at a limit of messages, without blaming the server for untested features', async () => {
    for (const limit of [1, 2, 3, 4]) {
      agent.requests.length = 0;
      agent.answer = (response) => {
        if (agent.requests.length > limit) refuse(response, 429, '', { ...OPEN, 'retry-after': '5' });
        else answerText(response, 'Hello.');
      };
      const { code, findings } = await agent.check('/v1/chat/completions');
      const wrong = findings.filter(({ level }) => level !== 'ok').map(({ id }) => id);
      assert.deepEqual([code, wrong], [0, limit === 1 ? ['rate-limit'] : []], JSON.stringify(findings));
    }
  });

  it('prints a proposed mapping once', async () => {
    agent.answer = (response) => {
      response.writeHead(200, SSE).end('data: {"kind":"w","zzy":"Hello "}\n\n'.repeat(20));
    };
    const { output, notes } = await runCommand(['check', `${agent.server.origin}/agent`]);
    assert.equal((output + notes).match(/"text":"zzy"/g)?.length, 1, output + notes);
  });
});
