/** `agent-chat-element check <url>`: tools of the page, lost connections, refusals, exposed headers, timing, sockets. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import { bodyOf, runCommand, serve, type AgentServer } from './support/command.ts';

interface Result {
  readonly code: number;
  readonly findings: readonly { readonly id: string; readonly level: string; readonly text: string }[];
}

interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (response: http.ServerResponse, request: Received) => void;

const json = (delta: object, finish_reason: string | null = null): string =>
  JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
const chunk = (delta: object, finish_reason: string | null = null): string => `data: ${json(delta, finish_reason)}\n\n`;
const END = chunk({}, 'stop') + 'data: [DONE]\n\n';
const OPEN = { 'access-control-allow-origin': '*' };
const SSE = { 'content-type': 'text/event-stream', ...OPEN };
const say = (response: http.ServerResponse, text: string): void => {
  response.writeHead(200, SSE).end(chunk({ content: text }) + END);
};
const refuse = (
  response: http.ServerResponse,
  status: number,
  body: string,
  headers: http.OutgoingHttpHeaders = OPEN,
): void => {
  response.writeHead(status, headers).end(body);
};

const listIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : [];
const messagesIn = ({ body }: Received) => listIn(body['messages']);
const offersTool = ({ body }: Received): boolean => listIn(body['tools']).length > 0;
const endsWithTool = (request: Received): boolean => messagesIn(request).at(-1)?.['role'] === 'tool';
const CALL = chunk(
  {
    tool_calls: [
      { index: 0, id: 'c1', type: 'function', function: { name: 'agent_chat_check_clock', arguments: '{}' } },
    ],
  },
  'tool_calls',
);

describe('the check command, beyond the first reply', () => {
  let agent: AgentServer;
  let answer: Answer;
  const requests: Received[] = [];
  const sockets = new WebSocketServer({ noServer: true });

  before(async () => {
    agent = await serve((request, response) => {
      void bodyOf(request).then((text) => {
        if (request.method === 'OPTIONS')
          return response.writeHead(204, { ...OPEN, 'access-control-allow-headers': '*' }).end();
        const body = text === '' ? {} : (JSON.parse(text) as Received['body']);
        const received = { path: request.url ?? '', headers: request.headers, body };
        requests.push(received);
        answer(response, received);
        return undefined;
      });
    });
  });
  after(async () => {
    for (const client of sockets.clients) client.terminate();
    await agent.close();
  });
  beforeEach(() => {
    requests.length = 0;
    answer = (response) => {
      say(response, 'Hello there.');
    };
  });

  const check = async (path: string, ...more: readonly string[]): Promise<Result> => {
    const url = path.startsWith('ws:') ? path : agent.origin + path;
    const { code, output, notes } = await runCommand(['check', url, '--json', ...more]);
    assert.equal(notes, '');
    return { code, ...(JSON.parse(output) as Omit<Result, 'code'>) };
  };
  const lineOf = ({ findings }: Result, id: string): string => {
    const lines = findings.filter((finding) => finding.id === id).map(({ level, text }) => `${level}: ${text}`);
    assert.equal(lines.length, 1, JSON.stringify(findings));
    return lines[0] ?? '';
  };

  describe('a tool round', () => {
    it('is complete if the agent answers the result of its call', async () => {
      answer = (response, request) => {
        if (!offersTool(request) || endsWithTool(request)) say(response, 'It is noon.');
        else response.writeHead(200, SSE).end(`${CALL}data: [DONE]\n\n`);
      };
      const result = await check('/v1/chat/completions');
      assert.match(lineOf(result, 'tool-round'), /^ok: The agent called a tool/);
      const round = requests.find(endsWithTool);
      assert.ok(round);
      assert.deepEqual(
        messagesIn(round).map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      );
      assert.equal(messagesIn(round).at(-1)?.['content'], '12:34');
    });

    it('fails if the result is refused', async () => {
      answer = (response, request) => {
        if (!offersTool(request)) say(response, 'Hello.');
        else if (endsWithTool(request)) refuse(response, 400, 'Unknown role');
        else response.writeHead(200, SSE).end(`${CALL}data: [DONE]\n\n`);
      };
      const result = await check('/v1/chat/completions');
      assert.match(lineOf(result, 'tool-round'), /^failure: .*refused with 400: Unknown role/);
      assert.equal(result.code, 1);
    });

    it('is a warning if the offer is refused, and can’t be told if the agent calls nothing', async () => {
      answer = (response, request) => {
        if (offersTool(request)) refuse(response, 400, 'No tools');
        else say(response, 'Hello.');
      };
      assert.match(lineOf(await check('/v1/chat/completions'), 'tool-round'), /^warning: .*with 400: No tools/);
      answer = (response) => {
        say(response, 'Hello.');
      };
      assert.match(lineOf(await check('/v1/chat/completions'), 'tool-round'), /^ok: The agent did not call/);
    });
  });

  describe('a lost connection', () => {
    const WORDS = ['One ', 'two ', 'three ', 'four.'];
    const event = (id: number, name: string, data: unknown): string =>
      `id: ${String(id)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const EVENTS = [
      event(0, 'metadata', { run_id: 'r' }),
      ...WORDS.map((content, index) =>
        event(index + 1, 'messages', [{ type: 'AIMessageChunk', id: 'm', content }, { langgraph_node: 'agent' }]),
      ),
    ];
    /** A LangGraph server that continues after the event with this offset to the last one that the client has. */
    const graph =
      (offset: number | undefined): Answer =>
      (response, { path, headers }) => {
        if (path === '/threads') {
          response.writeHead(200, { 'content-type': 'application/json', ...OPEN }).end('{"thread_id":"t"}');
        } else if (path.endsWith('/runs/stream')) {
          response.writeHead(200, { ...SSE, 'content-location': '/threads/t/runs/r' }).end(EVENTS.join(''));
        } else if (offset === undefined) refuse(response, 404, 'No such run');
        else {
          const last = Number(headers['last-event-id']);
          response.writeHead(200, SSE).end(EVENTS.slice(last + 1 + offset).join(''));
        }
      };

    it('continues after the last event', async () => {
      answer = graph(0);
      const result = await check('', '--protocol', 'langgraph');
      assert.match(lineOf(result, 'resume'), /^ok: A reply continues .* after the last event/);
    });

    it('names the words that come twice', async () => {
      answer = graph(-1);
      const result = await check('', '--protocol', 'langgraph');
      assert.match(lineOf(result, 'resume'), /^failure: .*repeats .*"One"/);
      assert.equal(result.code, 1);
    });

    it('warns of a gap', async () => {
      answer = graph(EVENTS.length);
      assert.match(lineOf(await check('', '--protocol', 'langgraph'), 'resume'), /^warning: /);
    });

    it('has nothing to complain about if the server stores no replies, or the protocol can’t continue', async () => {
      answer = graph(undefined);
      assert.match(lineOf(await check('', '--protocol', 'langgraph'), 'resume'), /^ok: .*answered 404/);
      answer = (response) => {
        say(response, 'Hello.');
      };
      assert.match(lineOf(await check('/v1/chat/completions'), 'resume'), /^ok: The protocol has no way/);
    });
  });

  describe('an error', () => {
    const refusing =
      (...[status, body, headers]: [number, string, http.OutgoingHttpHeaders?]): Answer =>
      (response, request) => {
        if (messagesIn(request).length === 0) refuse(response, status, body, headers);
        else say(response, 'Hello.');
      };

    it('has a text and can be read by a page', async () => {
      answer = refusing(422, '{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}');
      const result = await check('/agent');
      assert.match(lineOf(result, 'error-form'), /^ok: Refused with 422 .*Field required/);
      assert.deepEqual(
        result.findings.filter(({ level }) => level !== 'ok'),
        [],
      );
    });

    it('is a warning without a text, and without CORS headers', async () => {
      answer = refusing(500, '', {});
      const result = await check('/agent');
      assert.match(lineOf(result, 'error-form'), /^warning: .*with 500, without a text/);
      assert.match(lineOf(result, 'cors-origin'), /^warning: Pages of another origin can't read errors/);
    });

    it('is a warning if the connection breaks', async () => {
      answer = (response, request) => {
        if (messagesIn(request).length === 0) response.destroy();
        else say(response, 'Hello.');
      };
      assert.match(lineOf(await check('/agent'), 'error-form'), /^warning: .*has no answer/);
    });
  });

  describe('response headers', () => {
    it('have to be exposed if the widget reads them', async () => {
      const headers = { ...OPEN, 'retry-after': '5' };
      answer = (response) => {
        refuse(response, 429, '', headers);
      };
      const hidden = await check('/agent');
      assert.match(lineOf(hidden, 'cors-exposed'), /^warning: .*can't see retry-after/);
      assert.match(JSON.stringify(hidden), /Missing: Access-Control-Expose-Headers: retry-after/);
      answer = (response) => {
        refuse(response, 429, '', { ...headers, 'access-control-expose-headers': 'Retry-After' });
      };
      const { findings } = await check('/agent');
      assert.deepEqual(findings.filter(({ id }) => id === 'cors-exposed').length, 0);
    });

    it('need not be exposed if the protocol is recognised without', async () => {
      answer = (response) => {
        const parts = [
          { type: 'start' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Hi' },
        ];
        response
          .writeHead(200, { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' })
          .end([...parts, { type: 'finish' }].map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''));
      };
      assert.match(lineOf(await check('/agent'), 'exposed'), /^ok: x-vercel-ai-ui-message-stream need not be exposed/);
    });
  });

  describe('time', () => {
    /** After some thought, in one piece. */
    const atOnce =
      (count: number): Answer =>
      (response) => {
        const events = Array.from({ length: count }, () => chunk({ content: 'word ' })).join('') + END;
        setTimeout(() => response.writeHead(200, SSE).end(events), 700);
      };

    it('does not blame a short reply that comes after some thought', async () => {
      answer = atOnce(5);
      const result = await check('/agent');
      assert.match(lineOf(result, 'delivery'), /^ok: .*can't be told/);
      assert.equal(result.code, 0);
    });

    it('names what goes on when the time is over', async () => {
      const going = (piece: string): Answer => {
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
        answer = going(piece);
        const { findings } = await check('/agent', '--timeout', '1.5');
        assert.deepEqual(
          findings.filter(({ level }) => level === 'failure').map((finding) => finding.id),
          [id],
          JSON.stringify(findings),
        );
      }
    });

    it('counts the comments that keep a connection alive', async () => {
      answer = (response) => {
        response.writeHead(200, SSE).end(`: ping\n\n: ping\n\n${chunk({ content: 'Hello' })}${END}`);
      };
      assert.match(lineOf(await check('/agent'), 'silence'), /^ok: .*with 2 comments/);
    });
  });

  describe('a WebSocket', () => {
    it('is checked in every version of Node, with the headers', async () => {
      const keys: string[] = [];
      agent.server.on('upgrade', (request: http.IncomingMessage, socket, head) => {
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
      const result = await check(`${agent.origin.replace('http', 'ws')}/socket`, '-H', 'x-api-key: of-the-user');
      assert.match(lineOf(result, 'protocol'), /openai-chat .* framed as messages/);
      assert.deepEqual([result.code, keys[0]], [0, 'of-the-user'], JSON.stringify(result.findings));
    });

    it('says that the server has none', async () => {
      const plain = await serve((_request, response) => response.writeHead(200).end());
      const result = await check(`${plain.origin.replace('http', 'ws')}/socket`);
      await plain.close();
      assert.match(lineOf(result, 'unreachable'), /answered 200 and opened no WebSocket/);
    });
  });

  it('stops at a limit of messages, without blaming the server for what could not be tried', async () => {
    for (const limit of [1, 2, 3, 4]) {
      requests.length = 0;
      answer = (response) => {
        if (requests.length > limit) refuse(response, 429, '', { ...OPEN, 'retry-after': '5' });
        else say(response, 'Hello.');
      };
      const { code, findings } = await check('/v1/chat/completions');
      const wrong = findings.filter(({ level }) => level !== 'ok').map(({ id }) => id);
      assert.deepEqual([code, wrong], [0, limit === 1 ? ['rate-limit'] : []], JSON.stringify(findings));
    }
  });

  it('prints a proposed mapping once', async () => {
    answer = (response) => {
      response.writeHead(200, SSE).end('data: {"kind":"w","zzy":"Hello "}\n\n'.repeat(20));
    };
    const { output, notes } = await runCommand(['check', `${agent.origin}/agent`]);
    assert.equal((output + notes).match(/"text":"zzy"/g)?.length, 1, output + notes);
  });
});
