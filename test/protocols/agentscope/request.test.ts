import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { adapter as agentscope } from '../../../src/protocols/agentscope/agentscope.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../../../src/protocols/core/adapter.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, toolBlock, user, type LooseBlock } from '../../support/messages.ts';
import { decodeContext, emptyTurn, requestOptions } from '../../support/play-body.ts';
import { block } from './streams.ts';

const runtime = (...input: readonly object[]): object => ({ input, session_id: 'thread', stream: true });
const textMessage = (role: string, text: string): object => ({
  role,
  type: 'message',
  content: [{ type: 'text', text }],
});
const permission = (more: Partial<Answer>): Answer => ({
  decision: 'granted',
  blockId: 'm2.1',
  actionType: 'tool_call_permission',
  ...more,
});

describe('agentscope, request', () => {
  testRequests(agentscope, [
    {
      name: 'only the new message: the session has the others',
      messages: [user('hi'), assistant('Hello', { metadata: { sessionId: 's1' } }), user('more')],
      turn: { text: 'more' },
      options: { model: 'm' },
      body: { ...runtime(textMessage('user', 'more')), session_id: 's1', model: 'm' },
    },
    {
      name: 'the system text and the page context first, the page’s tools',
      messages: [user('hi')],
      turn: { text: 'hi' },
      options: {
        system: 'Be kind.',
        context: 'page 2',
        tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }],
      },
      body: {
        ...runtime(
          textMessage('system', 'Be kind.\n\nContext of the page the user is on:\npage 2'),
          textMessage('user', 'hi'),
        ),
        tools: [{ type: 'function', function: { name: 'f', description: 'Does f', parameters: { type: 'object' } } }],
      },
    },
    {
      name: 'attachments',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'audio', data: 'AA', mimeType: 'audio/wav' },
            { kind: 'video', url: 'https://a.example/v.mp4' },
            { kind: 'file', data: 'AA', mimeType: 'application/pdf', name: 'a.pdf' },
          ],
        }),
      ],
      turn: { text: 'look' },
      body: runtime({
        role: 'user',
        type: 'message',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', image_url: 'data:image/png;base64,AA' },
          { type: 'audio', data: 'data:audio/wav;base64,AA', format: 'wav' },
          { type: 'video', video_url: 'https://a.example/v.mp4' },
          { type: 'file', file_url: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
        ],
      }),
    },
    {
      name: 'answers to confirmations of an MCP server',
      messages: [user('hi'), assistant('x')],
      turn: {
        answers: [
          permission({ extra: { requestId: 'ap1' } }),
          permission({ extra: { requestId: 'ap2' }, decision: 'denied', note: 'Too far' }),
        ],
      },
      body: runtime(
        {
          role: 'user',
          type: 'mcp_approval_response',
          content: [{ type: 'data', data: { approval_request_id: 'ap1', approve: true } }],
        },
        {
          role: 'user',
          type: 'mcp_approval_response',
          content: [{ type: 'data', data: { approval_request_id: 'ap2', approve: false, reason: 'Too far' } }],
        },
      ),
    },
    {
      name: 'the results of the page’s tools, and none of the server’s own',
      messages: [
        user('hi'),
        assistant([toolBlock('own', 'g', '{}', 'x'), toolBlock('c1', 'f', '{}', 'ok')], {
          metadata: { clientCalls: ['c1'] },
        }),
      ],
      body: runtime({
        role: 'tool',
        type: 'function_call_output',
        content: [{ type: 'data', data: { call_id: 'c1', name: 'f', output: 'ok' } }],
      }),
    },
  ]);
});

const base = 'https://a.example/api';
const query = 'agent_id=ag';
const turnOf = (messages: readonly MessageInput[], more: Partial<Turn> = {}): Turn => ({
  ...emptyTurn,
  messages: conversation(...messages),
  ...more,
});
/** A server of version 2 that sends the same response to every preparatory request. */
function serverAt(url: string, json: unknown = {}) {
  const asked: WireRequest[] = [];
  const options: RequestOptions = {
    ...requestOptions,
    url,
    headers: { 'X-User-ID': 'u' },
    ask: (request) => {
      asked.push(request);
      return Promise.resolve({ headers: new Headers(), json });
    },
  };
  return { asked, options };
}
const inputOf = async (turn: Turn, options: RequestOptions): Promise<unknown> =>
  ((await agentscope.request(turn, options)).trigger?.init.body as { input: unknown }).input;

describe('agentscope, request to version 2', () => {
  for (const url of [`${base}/chat/?${query}&session_id=s1`, `${base}/sessions/s1/stream?${query}`]) {
    it(`opens the stream and then starts the run: ${url}`, async () => {
      const { options, asked } = serverAt(url);
      const request = await agentscope.request(turnOf([user('hi')], { text: 'hi' }), {
        ...options,
        context: { page: 2 },
      });
      expect(request.url).to.equal(`${base}/sessions/s1/stream?${query}`);
      expect(request.init).to.deep.equal({
        method: 'GET',
        headers: { accept: 'text/event-stream', 'X-User-ID': 'u' },
      });
      expect(request.trigger).to.deep.equal({
        url: `${base}/chat/?${query}`,
        init: {
          method: 'POST',
          headers: { 'X-User-ID': 'u' },
          body: {
            agent_id: 'ag',
            session_id: 's1',
            input: {
              name: 'user',
              role: 'user',
              content: [{ type: 'text', text: 'hi' }],
              metadata: { context: { page: 2 } },
            },
          },
        },
      });
      expect(asked).to.deep.equal([]);
    });
  }

  it('creates a session if there is none, and keeps an existing one', async () => {
    const { options, asked } = serverAt(`${base}/chat`, { session_id: 's/2' });
    const told = { ...options, body: { agent_id: 'ag' } };
    const first = await agentscope.request(turnOf([user('hi')], { text: 'hi' }), told);
    expect(asked.map(({ url, init }) => [url, init.body])).to.deep.equal([
      [`${base}/sessions/?${query}`, { agent_id: 'ag' }],
    ]);
    expect(first.url).to.equal(`${base}/sessions/s%2F2/stream?${query}`);
    expect(first.trigger?.init.body).to.include({ session_id: 's/2' });
    const next = turnOf([user('hi'), assistant('x', { metadata: { sessionId: 's3' } }), user('more')], {
      text: 'more',
    });
    expect((await agentscope.request(next, told)).url).to.equal(`${base}/sessions/s3/stream?${query}`);
    expect(asked).to.have.length(1);
  });

  it('uses the session of the first attempt when a request is repeated', async () => {
    const { options, asked } = serverAt(`${base}/chat`, { session_id: 's/2' });
    const told = { ...options, body: { agent_id: 'ag' } };
    const turn = turnOf([user('hi')], { text: 'hi' });
    const { providerState, url } = await agentscope.request(turn, told);
    const repeated = await agentscope.request(turn, { ...told, providerState });
    expect(repeated.url).to.equal(url);
    expect(repeated.trigger?.init.body).to.include({ session_id: 's/2' });
    expect(asked).to.have.length(1);
  });

  it('stops a run that has not answered yet', async () => {
    const { options } = serverAt(`${base}/chat`, { session_id: 's/2' });
    const told = { ...options, body: { agent_id: 'ag' } };
    const turn = turnOf([user('hi')], { text: 'hi' });
    const { providerState } = await agentscope.request(turn, told);
    const context = { ...decodeContext(), turn, providerState };
    let metadata = {};
    for await (const events of agentscope.decode(chunksOf([]), context))
      for (const event of events) if (event.type === 'response') metadata = { ...metadata, ...event.data.metadata };
    const stopped = turnOf([user('hi'), assistant([], { metadata })]);
    expect((await agentscope.cancel?.(stopped, told))?.url).to.equal(`${base}/sessions/s%2F2/interrupt?${query}`);
  });

  it('sends files as data', async () => {
    const { options } = serverAt(`${base}/sessions/s1/stream?${query}`);
    const attachments = [
      { kind: 'image' as const, data: 'AA', mimeType: 'image/png', name: 'a.png' },
      { kind: 'video' as const, url: 'https://a.example/v.mp4' },
    ];
    const input = await inputOf(turnOf([user('look', { attachments })], { text: 'look' }), options);
    expect((input as { content: unknown }).content).to.deep.equal([
      { type: 'text', text: 'look' },
      { type: 'data', source: { type: 'base64', data: 'AA', media_type: 'image/png' }, name: 'a.png' },
      { type: 'data', source: { type: 'url', url: 'https://a.example/v.mp4', media_type: 'video/*' } },
    ]);
  });

  const kept = block('k', 'f', '{"x":1}');
  const extra = { replyId: 'rp', toolCall: JSON.stringify(kept) };
  const card = (id: string, more: LooseBlock = {}): LooseBlock => ({
    id,
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'granted',
    tool_call: { id, name: 'f', params: '{"x":1}' },
    ...more,
  });
  const parked = [
    user('hi'),
    assistant(
      ['k', 'l', 'm'].map((id) => card(id)),
      { metadata: { sessionId: 's1', replyId: 'rp', dialect: 'native' } },
    ),
  ];

  it('answers with the original call, or with the arguments that the user has changed', async () => {
    const { options } = serverAt(`${base}/sessions/s1/stream?${query}`);
    const call = (id: string) => ({ ...kept, id });
    const about = (id: string) => ({ ...extra, toolCall: JSON.stringify(call(id)) });
    const answers = [
      permission({ blockId: 'k', extra: about('k') }),
      permission({ blockId: 'l', extra: about('l'), decision: 'denied' }),
      permission({ blockId: 'm', extra: about('m'), arguments: { x: 2 } }),
    ];
    expect(await inputOf(turnOf(parked, { answers }), options)).to.deep.equal({
      type: 'USER_CONFIRM_RESULT',
      reply_id: 'rp',
      confirm_results: [
        { confirmed: true, tool_call: call('k'), rules: null },
        { confirmed: false, tool_call: call('l'), rules: null },
        { confirmed: true, tool_call: { ...call('m'), input: '{"x":2}' }, rules: null },
      ],
    });
  });

  for (const [name, shown] of [
    ['another tool', { tool_call: { id: 'k', name: 'get_time', params: '{"x":1}' } }],
    ['other arguments', { tool_call: { id: 'k', name: 'f', params: '{}' } }],
    ['a question of another kind', { action_type: 'question', content: 'Like it?' }],
  ] as const) {
    for (const [language, arguments_] of [
      ['python', undefined],
      ['python', { x: 2 }],
      ['java', undefined],
    ] as const) {
      it(`rule 83: refuses a stored call whose card shows ${name}: ${language} ${JSON.stringify(arguments_)}`, async () => {
        const { options } = serverAt(`${base}/sessions/s1/stream?${query}`);
        const dialect = language === 'java' ? language : 'native';
        const messages = [
          user('hi'),
          assistant([card('k', shown)], { metadata: { sessionId: 's1', replyId: 'rp', dialect } }),
        ];
        const answer = permission({
          blockId: 'k',
          extra,
          ...(arguments_ !== undefined && { arguments: arguments_ }),
        });
        const sent = JSON.stringify(await inputOf(turnOf(messages, { answers: [answer] }), options));
        expect(sent).to.contain('"confirmed":false').and.not.to.contain('"confirmed":true');
      });
    }
  }

  it('answers two agents one after the other', async () => {
    const { options, asked } = serverAt(`${base}/sessions/s1/stream?${query}`);
    const answers = [permission({ extra: { ...extra, replyId: 'worker' } }), permission({ extra })];
    expect(await inputOf(turnOf(parked, { answers }), options)).to.include({ reply_id: 'rp' });
    expect(asked.map(({ init }) => (init.body as { input: object }).input)).to.have.nested.property(
      '[0].reply_id',
      'worker',
    );
  });

  it('answers Java’s events in their spelling', async () => {
    const call = { id: 'k', name: 'f', input: { x: 1 } };
    const java = [user('hi'), assistant([card('k')], { metadata: { dialect: 'java' } })];
    const answers = [
      permission({ blockId: 'k', extra: { replyId: 'rp', toolCall: JSON.stringify(call) }, arguments: '{"x":2}' }),
    ];
    const { init } = await agentscope.request(turnOf(java, { answers }), requestOptions);
    expect((init.body as { input: unknown }).input).to.deep.equal({
      type: 'USER_CONFIRM_RESULT',
      replyId: 'rp',
      confirmResults: [{ confirmed: true, toolCall: { ...call, input: { x: 2 } }, rules: null }],
    });
  });

  it('sends the results of the page’s tools, errors as errors', async () => {
    const { options } = serverAt(`${base}/sessions/s1/stream?${query}`);
    const blocks = [
      toolBlock('a', 'f', '{}', 'ok'),
      toolBlock('b', 'f', '{}', 'No', true),
      toolBlock('c', 'g', '{}', 'x'),
    ];
    const metadata = { replyId: 'rp', dialect: 'native', clientCalls: ['a', 'b'] };
    expect(await inputOf(turnOf([user('hi'), assistant(blocks, { metadata })]), options)).to.deep.equal({
      type: 'EXTERNAL_EXECUTION_RESULT',
      reply_id: 'rp',
      execution_results: [
        { type: 'tool_result', id: 'a', name: 'f', output: 'ok', state: 'success' },
        { type: 'tool_result', id: 'b', name: 'f', output: 'No', state: 'error' },
      ],
    });
  });

  it('interrupts the session, and resumes a running run', async () => {
    const { options } = serverAt(`${base}/chat/?${query}`, { status: 'running' });
    const turn = turnOf(parked);
    expect(agentscope.cancel?.(turn, options)).to.deep.equal({
      url: `${base}/sessions/s1/interrupt?${query}`,
      init: { method: 'POST', headers: { 'X-User-ID': 'u' } },
    });
    const resumption = await agentscope.resume?.(turn, options);
    expect(resumption?.request.url).to.equal(`${base}/sessions/s1/stream?${query}`);
    expect(resumption?.from).to.equal('start');
    const idle = serverAt(`${base}/chat/?${query}`, { status: 'idle' });
    expect(await agentscope.resume?.(turn, idle.options)).to.equal(undefined);
  });

  it('has nothing to interrupt at other endpoints', async () => {
    expect(agentscope.cancel?.(turnOf(parked), requestOptions)).to.equal(undefined);
    expect(await agentscope.resume?.(turnOf(parked), requestOptions)).to.equal(undefined);
  });
});
