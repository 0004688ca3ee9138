import { expect } from '@open-wc/testing';
import { httpError } from '../../../src/runtime/request/http-error.ts';

const kinds: readonly (readonly [status: number, kind: string, reason: string, retryable: boolean])[] = [
  [400, 'http', 'refused', false],
  [401, 'auth', 'unauthorized', false],
  [403, 'auth', 'forbidden', false],
  [404, 'http', 'not-found', false],
  [408, 'timeout', 'server-timeout', true],
  [409, 'http', 'refused', true],
  [413, 'limit', 'too-large', false],
  [422, 'http', 'refused', false],
  [429, 'rate-limit', 'rate-limit', true],
  [500, 'http', 'server', true],
  [503, 'http', 'server', true],
];

describe('the error for a bad status', () => {
  for (const recoverable of [true, false])
    for (const type of ['application/json', 'text/event-stream'])
      it(`${String(recoverable)} of an error event in ${type} decides whether to try again`, async () => {
        const event = JSON.stringify({ type: 'error', data: { error_type: 'system', message: 'Full.', recoverable } });
        const body = type === 'application/json' ? event : `data: ${event}\n\n`;
        const response = new Response(body, { status: recoverable ? 400 : 503, headers: { 'content-type': type } });
        expect((await httpError(response, { secrets: [] })).retryable).to.equal(recoverable);
      });

  it('a code that repeats a sent key is masked', async () => {
    const response = new Response('{"error":{"message":"Full.","code":"key-of-the-page"}}', { status: 401 });
    expect((await httpError(response, { secrets: ['key-of-the-page'] })).code).to.equal('***');
  });

  for (const [status, kind, reason, retryable] of kinds) {
    it(`${String(status)} → ${kind}`, async () => {
      const error = await httpError(new Response(null, { status }), { secrets: [] });
      expect(error).to.include({ kind, reason, retryable, status, serverMessage: undefined });
      expect(error.message).to.equal(`The server answered ${String(status)}`);
    });
  }

  it('an account without credit is not retried', async () => {
    const body = '{"error":{"message":"You have no quota.","code":"insufficient_quota"}}';
    expect((await httpError(new Response(body, { status: 429 }), { secrets: [] })).retryable).to.equal(false);
  });

  it('has the wait time that the server asks for', async () => {
    const error = await httpError(new Response(null, { status: 429, headers: { 'retry-after': '7' } }), {
      secrets: [],
    });
    expect(error.retryAfter).to.equal(7000);
  });
});

interface Row {
  readonly name: string;
  readonly body: string;
  readonly message?: string;
  readonly code?: string;
}

/** Source: `docs/protocols/openai-chat.md`, and the vendor's page "Errors". */
const bodies: readonly Row[] = [
  { name: 'nothing', body: '' },
  { name: 'a web page', body: ' <html><h1>502</h1></html>' },
  { name: 'plain text', body: 'The queue is full.', message: 'The queue is full.' },
  {
    name: 'Zod’s issues',
    body: JSON.stringify({
      error: [
        { code: 'invalid_type', path: ['messages', 0, 'metadata'], message: 'Expected object' },
        { code: 'unrecognized_keys', path: [], message: 'Unrecognized key' },
      ],
    }),
    message: 'messages.0.metadata: Expected object; Unrecognized key',
  },
  {
    name: 'a Zod error, whose message is its issues as JSON',
    body: JSON.stringify({
      error: {
        name: 'ZodError',
        message: JSON.stringify([{ code: 'invalid_type', path: ['project_id'], message: 'Required' }], null, 2),
      },
    }),
    message: 'project_id: Required',
  },
  {
    name: 'GraphQL, where a field failed',
    body: '{"errors":[{"message":"Boom","path":["chat"],"locations":[{"line":1,"column":2}]}]}',
    message: 'Boom',
  },
  { name: 'a text that begins like a list', body: '{"error":"[chat] Boom"}', message: '[chat] Boom' },
  {
    name: 'an error object',
    body: '{"error":{"message":"Full.","code":"busy","type":"t"}}',
    message: 'Full.',
    code: 'busy',
  },
  {
    name: 'an error object with only a type',
    body: '{"error":{"message":"Full.","type":"t"}}',
    message: 'Full.',
    code: 't',
  },
  { name: 'a number as code', body: '{"error":{"message":"Full.","code":17}}', message: 'Full.', code: '17' },
  { name: 'an error string', body: '{"error":"Full."}', message: 'Full.' },
  { name: 'a message', body: '{"message":"Full.","code":"busy"}', message: 'Full.', code: 'busy' },
  { name: 'a detail', body: '{"detail":"Full."}', message: 'Full.' },
  {
    name: 'a list of errors',
    body: '{"detail":[{"loc":["body","x"],"msg":"missing"},{"msg":"odd"}]}',
    message: 'body.x: missing; odd',
  },
  { name: 'a list around the error', body: '[{"error":{"message":"Full."}}]', message: 'Full.' },
  {
    name: 'a nested error of another provider',
    body: '{"error":{"message":"x","metadata":{"raw":"{\\"error\\":\\"Full.\\"}"}}}',
    message: 'Full.',
  },
  {
    name: 'the error event of a session',
    body: '{"type":"error","data":{"error_type":"validation","message":"Full.","recoverable":true}}',
    message: 'Full.',
    code: 'validation',
  },
  {
    name: 'the error event of a phase',
    body: '{"type":"error","phase":"error","data":{"code":"BUSY","message":"Full."}}',
    message: 'Full.',
    code: 'BUSY',
  },
  {
    name: 'an error event without a code',
    body: '{"type":"error","data":{"eventId":"e","error":"Full."}}',
    message: 'Full.',
  },
  { name: 'a core event', body: '{"type":"error","error_message":"Full."}', message: 'Full.' },
  {
    name: 'an error event around an error object',
    body: '{"type":"error","error":{"type":"busy","message":"Full."}}',
    message: 'Full.',
    code: 'busy',
  },
  {
    name: 'server-sent events',
    body: 'event: status\ndata: {"text":"Searching"}\n\ndata: {"type":"error","data":{"error_type":"system","message":"Full.","details":{"stack_trace":"at x (y.js:1:1)"}}}\n\ndata: [DONE]\n\n',
    message: 'Full.',
    code: 'system',
  },
  {
    name: 'an event with its data in several lines, and CRLF',
    body: ': ping\r\n\r\nevent: error\r\ndata: {"error":\r\ndata: {"message":"Full."}}\r\n\r\n',
    message: 'Full.',
  },
  { name: 'an error event of plain text', body: 'event: error\ndata: Full.\n\n', message: 'Full.' },
  { name: 'an event of another form', body: 'data: {"message":"Full."}\n\n', message: 'Full.' },
  { name: 'a sentence that begins like an event', body: 'data: missing', message: 'data: missing' },
  { name: 'JSON without a message', body: '{"ok":false}' },
  { name: 'null', body: 'null' },
];

describe('the server’s message with a bad status', () => {
  for (const { name, body, message, code } of bodies) {
    it(name, async () => {
      const error = await httpError(new Response(body, { status: 500 }), { secrets: [] });
      expect([error.serverMessage, error.code]).to.deep.equal([message, code]);
    });
  }

  for (const [name, body, message] of [
    ['text', 'data: Full.\n\n', 'Full.'],
    ['a JSON document', '{"error":"Full."}', 'Full.'],
    ['events without an error', 'data: {"text":"a"}\n\ndata: {"text":"b"}\n\n', undefined],
  ] as const) {
    it(`in an event stream: ${name}`, async () => {
      const headers = { 'content-type': 'text/event-stream' };
      const error = await httpError(new Response(body, { status: 500, headers }), { secrets: [] });
      expect(error.serverMessage).to.equal(message);
    });
  }

  it('rule 18: never shows what we sent, nor anything that looks like a key', async () => {
    const body = 'Bad key Bearer abc123secret, or sk-live0123456789abcdef.';
    const { serverMessage, message } = await httpError(new Response(body, { status: 401 }), {
      secrets: ['Bearer abc123secret'],
    });
    for (const words of [serverMessage, message]) {
      expect(words).to.contain('***');
      expect(words).not.to.match(/abc123secret|sk-live/);
    }
  });

  it('is truncated to a readable length', async () => {
    const { serverMessage } = await httpError(new Response('x'.repeat(1e5), { status: 500 }), { secrets: [] });
    expect(serverMessage).to.have.length(2000);
  });
});
