/** `agent-chat-element check <url>`: tools of the page, lost connections, refusals, exposed headers. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  CheckedAgent,
  chunk,
  lineOf,
  OPEN,
  refuse,
  answerText,
  SSE,
  type Answer,
  type Received,
} from './support/checked-agent.ts';

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
  let agent: CheckedAgent;
  beforeEach(async () => {
    agent = await CheckedAgent.start();
  });
  afterEach(() => agent.server.close());

  describe('a tool round', () => {
    it('is complete if the agent answers the result of its call', async () => {
      agent.answer = (response, request) => {
        if (!offersTool(request) || endsWithTool(request)) answerText(response, 'It is noon.');
        else response.writeHead(200, SSE).end(`${CALL}data: [DONE]\n\n`);
      };
      const result = await agent.check('/v1/chat/completions');
      assert.match(lineOf(result, 'tool-round'), /^ok: The agent called a tool/);
      const round = agent.requests.find(endsWithTool);
      assert.ok(round);
      assert.deepEqual(
        messagesIn(round).map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      );
      assert.equal(messagesIn(round).at(-1)?.['content'], '12:34');
    });

    it('fails if the result is refused', async () => {
      agent.answer = (response, request) => {
        if (!offersTool(request)) answerText(response, 'Hello.');
        else if (endsWithTool(request)) refuse(response, 400, 'Unknown role');
        else response.writeHead(200, SSE).end(`${CALL}data: [DONE]\n\n`);
      };
      const result = await agent.check('/v1/chat/completions');
      assert.match(lineOf(result, 'tool-round'), /^failure: .*refused with 400: Unknown role/);
      assert.equal(result.code, 1);
    });

    it('is a warning if the offer is refused, and undecided if the agent calls nothing', async () => {
      agent.answer = (response, request) => {
        if (offersTool(request)) refuse(response, 400, 'No tools');
        else answerText(response, 'Hello.');
      };
      assert.match(lineOf(await agent.check('/v1/chat/completions'), 'tool-round'), /^warning: .*with 400: No tools/);
      agent.answer = (response) => {
        answerText(response, 'Hello.');
      };
      assert.match(lineOf(await agent.check('/v1/chat/completions'), 'tool-round'), /^ok: The agent did not call/);
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
      agent.answer = graph(0);
      const result = await agent.check('', '--protocol', 'langgraph');
      assert.match(lineOf(result, 'resume'), /^ok: A reply continues .* after the last event/);
    });

    it('names the repeated text', async () => {
      agent.answer = graph(-1);
      const result = await agent.check('', '--protocol', 'langgraph');
      assert.match(lineOf(result, 'resume'), /^failure: .*repeats .*"One"/);
      assert.equal(result.code, 1);
    });

    it('warns of a gap', async () => {
      agent.answer = graph(EVENTS.length);
      assert.match(lineOf(await agent.check('', '--protocol', 'langgraph'), 'resume'), /^warning: /);
    });

    it('reports nothing if the server stores no replies, or the protocol can’t continue', async () => {
      agent.answer = graph(undefined);
      assert.match(lineOf(await agent.check('', '--protocol', 'langgraph'), 'resume'), /^ok: .*answered 404/);
      agent.answer = (response) => {
        answerText(response, 'Hello.');
      };
      assert.match(lineOf(await agent.check('/v1/chat/completions'), 'resume'), /^ok: The protocol has no way/);
    });
  });

  describe('an error', () => {
    const refusing =
      (...[status, body, headers]: [number, string, http.OutgoingHttpHeaders?]): Answer =>
      (response, request) => {
        if (messagesIn(request).length === 0) refuse(response, status, body, headers);
        else answerText(response, 'Hello.');
      };

    it('has a text and can be read by a page', async () => {
      agent.answer = refusing(422, '{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}');
      const result = await agent.check('/agent');
      assert.match(lineOf(result, 'error-form'), /^ok: Refused with 422 .*Field required/);
      assert.deepEqual(
        result.findings.filter(({ level }) => level !== 'ok'),
        [],
      );
    });

    it('is a warning without a text, and without CORS headers', async () => {
      agent.answer = refusing(500, '', {});
      const result = await agent.check('/agent');
      assert.match(lineOf(result, 'error-form'), /^warning: .*with 500, without a text/);
      assert.match(lineOf(result, 'cors-origin'), /^warning: Pages of another origin can't read errors/);
    });

    it('is a warning if the connection breaks', async () => {
      agent.answer = (response, request) => {
        if (messagesIn(request).length === 0) response.destroy();
        else answerText(response, 'Hello.');
      };
      assert.match(lineOf(await agent.check('/agent'), 'error-form'), /^warning: .*has no answer/);
    });
  });

  describe('response headers', () => {
    it('have to be exposed if the widget reads them', async () => {
      const headers = { ...OPEN, 'retry-after': '5' };
      agent.answer = (response) => {
        refuse(response, 429, '', headers);
      };
      const hidden = await agent.check('/agent');
      assert.match(lineOf(hidden, 'cors-exposed'), /^warning: .*can't see retry-after/);
      assert.match(JSON.stringify(hidden), /Missing: Access-Control-Expose-Headers: retry-after/);
      agent.answer = (response) => {
        refuse(response, 429, '', { ...headers, 'access-control-expose-headers': 'Retry-After' });
      };
      const { findings } = await agent.check('/agent');
      assert.deepEqual(findings.filter(({ id }) => id === 'cors-exposed').length, 0);
    });

    it('need not be exposed if the protocol is recognised without them', async () => {
      agent.answer = (response) => {
        const parts = [
          { type: 'start' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Hi' },
        ];
        response
          .writeHead(200, { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' })
          .end([...parts, { type: 'finish' }].map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''));
      };
      assert.match(
        lineOf(await agent.check('/agent'), 'exposed'),
        /^ok: x-vercel-ai-ui-message-stream need not be exposed/,
      );
    });
  });
});
