import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter, Answer, RequestOptions, Turn, WireRequest } from '../../src/protocols/core/adapter.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { discoverAgents } from '../../src/runtime/tools/discover-agents.ts';
import { sendAdapterRequest } from '../../src/runtime/request/send-adapter-request.ts';
import { defaultLimits } from '../../src/runtime/limits.ts';
import { pageAddress } from '../../src/runtime/request/page-address.ts';
import { startTurn } from '../../src/runtime/chat/run-turn.ts';
import type { FrameStream } from '../../src/transport/frame.ts';
import { pollReply } from '../../src/runtime/request/poll.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { FakeSocket } from '../support/fake-socket.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { ScriptedServer, session, status, stream, type Answerer, type Asked } from './support/scripted-server.ts';
import { wireAgent } from './support/wire-agent.ts';

const OWN = 'https://api.example';
const ELSEWHERE = 'https://elsewhere.example';

/** The addresses of each protocol's requests, in each way that it offers. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  a2a: ['/.well-known/agent-card.json', '/v1/message:stream', '/message:send', '/rpc'],
  'ag-ui': ['/agent', '/agent/a/run', '/api/copilotkit'],
  adk: ['/run_sse', '/'],
  agentcore: ['/invocations'],
  agno: ['/agents/a/runs', '/teams/a'],
  agentscope: ['/process', '/chat/?agent_id=a', '/sessions/s1/stream?agent_id=a'],
  'cloudflare-agents': ['/agents/chat/room'],
  coze: ['/v3/chat', '/v1/workflows/chat'],
  dify: ['/v1/chat-messages', '/v1/workflows/run', '/v1/completion-messages'],
  eve: ['/eve/v1/session', '/'],
  flowise: ['/api/v1/prediction/f1', '/other'],
  'gemini-interactions': ['/v1beta/interactions'],
  gemini: ['/v1beta/models/gemini:streamGenerateContent', '/v1beta'],
  mastra: ['/api/agents/a/stream', '/api/agents/a'],
  langgraph: ['/', '/threads/t1', '/runs/stream', '/threads/t1/stream/events'],
  'openai-assistants': ['/v1/threads/runs', '/v1/threads/t1/runs'],
  'openai-responses': ['/v1/responses'],
};

/** Values that a server may send as an id or an address. */
const HOSTILE = [`${ELSEWHERE}/x`, '//elsewhere.example/x', '\\\\elsewhere.example\\x', '@elsewhere.example', '..'];

/** An id with a path traversal, in each spelling that a browser, a proxy or a server may accept. */
const CLIMBING = [
  ...[
    '..',
    '.',
    '../..',
    ' ..',
    '..%20',
    '%20..',
    '..%3bx',
    'a%7fb',
    '..\\..',
    'x/../../admin',
    '%2e%2e',
    '%25%32%65%25%32%65',
    '.%2E',
    '%252e%252e',
    '..%2f..',
    '..%5c',
    '..;x=1',
    '..?x',
    '..#x',
    '..?',
    '.%3Fx',
    '..;\u2028x',
  ],
  ...['..;/admin', '.. ', '', '\u0000', 'a\nb', '..\t', '\ud800', 'x'.repeat(5000)],
];

/** Real ids of servers, which are only names. */
const HARMLESS = ['a b', 'a/b', 'a?b#c', 'a%20b', '...', 'x..y', '.hidden', 'a:b@c', 'ümlaut', '会话', 'a;b', '100%'];

/** The `metadata` keys in which adapters store their ids and addresses. */
const FACTS = [
  'url taskId contextId tenant binding dialect conversationId chatId messageId openAiThread openAiRun responseId',
  'chatMessageId sessionId replyId runId threadId id streamUrl location endpoint server',
  'interactionId requestId userId appName chatKitThread chatKitUserItem',
].flatMap((line) => line.split(' '));

const message = (role: ChatMessage['role'], said: string, metadata: ChatMessage['metadata'] = {}): ChatMessage => ({
  id: `${role}1`,
  role,
  status: 'interrupted',
  blocks: [
    { id: 'b1', type: 'content', status: 'success', timestamp: 1, content: said, format: 'text' },
    {
      id: 'b2',
      type: 'file',
      status: 'success',
      timestamp: 1,
      name: 'a.txt',
      mimeType: 'text/plain',
      data: 'aGk=',
    },
  ],
  finish: 'tool_use',
  timestamp: 1,
  metadata,
});

/** A conversation in which all metadata is controlled by an attacker. */
function turnOf(value: string, answers: readonly Answer[] = [], more: ChatMessage['metadata'] = {}): Turn {
  const facts = { ...Object.fromEntries(FACTS.map((name) => [name, value])), ...more };
  const metadata = {
    ...facts,
    copilotKit: { agent: value, single: false },
    version: '1.0',
    background: true,
    responseSequence: 1,
    interrupts: [],
  };
  const messages = [message('user', 'Hi'), message('assistant', 'Hello', metadata)];
  return { text: answers.length > 0 ? '' : 'Go on', messages, threadId: value, answers };
}

const answerOf = (value: string): Answer => ({
  decision: 'granted',
  blockId: 'b1',
  actionType: 'interrupt',
  toolCallId: value,
  extra: Object.fromEntries([...FACTS, 'formToken', 'nodeId', 'requestId', 'interruptId'].map((name) => [name, value])),
});

/** Every preparatory request is answered with an attacker's addresses and ids. */
const answersWith =
  (value: string, url = value) =>
  (asked: Asked): Response =>
    new Response(
      JSON.stringify(
        asked.url.endsWith('/list-apps')
          ? [value]
          : {
              ...Object.fromEntries([...FACTS, 'thread_id', 'session_id'].map((name) => [name, value])),
              name: 'Agent',
              agents: { [value]: {} },
              url: undefined,
              supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: value }],
              data: { id: value },
              result: { kind: 'task', id: value, contextId: value, status: { state: 'working' } },
            },
      ),
      { headers: { location: `${ELSEWHERE}/x`, 'content-location': `${ELSEWHERE}/x`, link: `<${ELSEWHERE}/x>` } },
    );

/**
 * Sends one request of an adapter. A refused request must not have been sent.
 * @param url - the address from the server, if its protocol has one
 * @returns the requests
 */
async function askedBy(
  adapter: Adapter,
  [name, make]: readonly [string, Way],
  path: string,
  { value, url = value }: { readonly value: string; readonly url?: string },
): Promise<readonly URL[]> {
  const server = new ScriptedServer(answersWith(value, url));
  FakeSocket.made.length = 0;
  const answers = name === 'send an answer' ? [answerOf(value)] : [];
  const turn = turnOf(value, answers, { url, binding: 'http' });
  const settings = { ...SETTINGS, fetch: server.fetch };
  const way = { settings, limits, turn, url: pageAddress(path, OWN), adapter, signal };
  await sendAdapterRequest(way, (options) => make(adapter, turn, options)).catch((error: unknown) => {
    expect(String(error)).to.match(/^ChatError/);
  });
  const sockets = FakeSocket.made.map((socket) => socket.url.replace(/^ws/, 'http'));
  return [...server.asked.map((asked) => asked.url), ...sockets].map((address) => new URL(address));
}

/** A socket that no server accepts. */
class RefusedSocket extends FakeSocket {
  constructor(url: string) {
    super(url);
    queueMicrotask(() => {
      this.hangUp();
    });
  }
}
const { WebSocket: realSocket } = globalThis;
before(() => {
  Object.assign(globalThis, { WebSocket: RefusedSocket });
});
after(() => {
  Object.assign(globalThis, { WebSocket: realSocket });
});

type Way = (
  adapter: Adapter,
  turn: Turn,
  options: RequestOptions,
) => WireRequest | undefined | Promise<WireRequest | undefined>;

const WAYS: Readonly<Record<string, Way>> = {
  send: (adapter, turn, options) => adapter.request(turn, options),
  'send an answer': (adapter, turn, options) => adapter.request(turn, options),
  cancel: (adapter, turn, options) => adapter.cancel?.(turn, options),
  resume: async (adapter, turn, options) =>
    (await adapter.resume?.(turn, { ...options, lastEventId: turn.threadId }))?.request,
  feedback: (adapter, turn, options) =>
    adapter.feedback?.({ message: turn.messages.at(-1)!, value: 'up', id: turn.threadId }, turn, options),
};

const SECRET = 'secret-of-the-page';
const SETTINGS: ChatSettings = {
  headers: { authorization: SECRET },
  body: { user: SECRET },
  context: { user: SECRET },
  credentials: 'include',
};

const textOf = ({ body }: RequestInit): string => (typeof body === 'string' ? body : '');

/** The requests that have sent something of the page to another server. */
const leaks = (asked: readonly Asked[], own: string): readonly string[] =>
  asked
    .filter(({ url }) => new URL(url).origin !== own)
    .filter(
      ({ url, init, headers }) =>
        [...headers.values(), url, textOf(init)].some((text) => text.includes(SECRET)) || init.credentials !== 'omit',
    )
    .map(({ url }) => url);

const signal = new AbortController().signal;
const limits = defaultLimits;

describe('the page’s headers, body, context and cookies are sent only to its endpoint’s origin', () => {
  for (const { id, load } of protocols.list()) {
    for (const path of ENDPOINTS[id] ?? ['/agent']) {
      for (const way of Object.entries(WAYS)) {
        it(`${id} at ${path}: ${way[0]}`, async () => {
          const adapter = await load();
          for (const value of HOSTILE) {
            const asked = await askedBy(adapter, way, path, { value });
            expect([...new Set(asked.map(({ origin }) => origin))].join(), value).to.be.oneOf([OWN, '']);
          }
        });
      }
    }
  }

  for (const { id, load } of protocols.list()) {
    for (const path of ENDPOINTS[id] ?? ['/agent']) {
      // The addresses of an agent card are complete.
      if (path.endsWith('agent-card.json')) continue;
      for (const way of Object.entries(WAYS)) {
        it(`each request has the query of the endpoint, which a proxy may need: ${id} at ${path}: ${way[0]}`, async () => {
          const query = `${path.includes('?') ? '&' : '?'}apikey=a%20b&tenant=7`;
          const asked = await askedBy(await load(), way, path + query, { value: 'id1' });
          for (const { href, searchParams } of asked)
            expect([searchParams.get('apikey'), searchParams.get('tenant')], href).to.deep.equal(['a b', '7']);
        });
      }
    }
  }

  it('the table has every protocol whose addresses are more than the endpoint', () => {
    expect(Object.keys(ENDPOINTS).filter((id) => !protocols.get(id))).to.deep.equal([]);
  });

  it('an adapter of the page sends none of them to another server', async () => {
    const server = new ScriptedServer(answersWith(''), stream(''));
    const elsewhere: Adapter = {
      ...wireAgent,
      async request(_turn, { ask, headers = {} }) {
        await ask({ url: `${ELSEWHERE}/card`, init: { method: 'GET', headers } });
        return { url: `${ELSEWHERE}/run`, init: { headers: { ...headers, 'x-own': '1' }, body: { text: 'Hi' } } };
      },
    };
    const turn = turnOf('x');
    const settings = { ...SETTINGS, fetch: server.fetch };
    await sendAdapterRequest(
      { settings, limits, turn, url: pageAddress('/a', OWN), adapter: elsewhere, signal },
      (options) => elsewhere.request(turn, options),
    );
    expect(server.asked).to.have.length(2);
    expect(leaks(server.asked, OWN)).to.deep.equal([]);
    expect(server.asked.at(-1)?.headers.get('x-own')).to.equal('1');
    expect(server.asked.at(-1)?.body).to.deep.equal({ text: 'Hi' });
  });

  for (const address of [
    'http://api.example/run',
    'https://api.example:8443/run',
    'https://api.example.elsewhere.example/run',
    'https://api.example@elsewhere.example/run',
    'https:\\\\elsewhere.example/run',
    '//elsewhere.example/run',
    'https://sub.api.example/run',
    'https://api.example./run',
  ]) {
    it(`${address} is another server`, async () => {
      const server = new ScriptedServer(stream(''));
      const adapter: Adapter = { ...wireAgent, request: () => ({ url: address, init: { body: {} } }) };
      const settings = { ...SETTINGS, fetch: server.fetch };
      const turn = turnOf('x');
      await sendAdapterRequest({ settings, limits, turn, url: pageAddress('/a', OWN), adapter, signal }, (options) =>
        adapter.request(turn, options),
      ).catch(() => undefined);
      expect(leaks(server.asked, OWN)).to.deep.equal([]);
    });
  }

  it('polling uses the address of the page, with its headers', async () => {
    const server = new ScriptedServer(status(200));
    const settings = { ...SETTINGS, fetch: server.fetch };
    const context = { url: `${OWN}/a`, protocol: undefined, conversation: [], threadId: '' };
    const open = (): Promise<FrameStream> =>
      Promise.resolve({
        framing: 'sse',
        batches: (async function* () {
          /* no frames */
        })(),
      });
    const options = {
      ...{ settings, context, limits, signal, open },
      silenceFrom: () => -Infinity,
      wait: () => Promise.resolve(),
    };
    for await (const _answer of pollReply({ source: '/reply', interval: 0 }, options)) break;
    expect(server.asked.map(({ url, headers }) => [url, headers.get('authorization')])).to.deep.equal([
      [`${OWN}/reply`, SECRET],
    ]);
  });

  for (const url of [`${ELSEWHERE}/put`, `${OWN}/account/delete?yes=1`, '/account/delete', 'put']) {
    it(`ChatKit’s address for a file receives the file, and nothing of the page: ${url}`, async () => {
      const chatKit = await protocols.get('chatkit')?.load();
      if (!chatKit) throw new Error('There is no ChatKit adapter.');
      const own = { 'x-own': '1', authorization: 'signed' };
      const upload_descriptor = { url, method: 'PUT', headers: own };
      const server = new ScriptedServer(
        () => new Response(JSON.stringify({ id: 'file', upload_descriptor })),
        stream(''),
        stream(''),
      );
      const turn = { ...turnOf('x'), messages: [message('user', 'Hi')] };
      await sendAdapterRequest(
        {
          settings: { ...SETTINGS, fetch: server.fetch },
          limits,
          turn,
          url: pageAddress('/api/chatkit', OWN),
          adapter: chatKit,
          signal,
        },
        (options) => chatKit.request(turn, options),
      );
      const [register, upload, run] = server.asked;
      expect(register?.headers.get('authorization')).to.equal(SECRET);
      expect(upload?.url).to.equal(new URL(url, `${OWN}/api/chatkit`).href);
      expect(leaks(server.asked.slice(1, 2), '')).to.deep.equal([]);
      expect(upload?.headers.get('x-own')).to.equal('1');
      expect(run?.headers.get('authorization')).to.equal(SECRET);
    });
  }

  it('a manifest is fetched from the page’s address, and can’t lead to another server', async () => {
    const server = new ScriptedServer(
      () => new Response(JSON.stringify(HOSTILE.map((endpoint, index) => ({ id: String(index), endpoint })))),
    );
    const settings = { ...SETTINGS, fetch: server.fetch };
    const found = await discoverAgents(pageAddress('/agents.json', OWN), settings);
    expect(new Set(found.map(({ endpoint }) => new URL(endpoint).origin))).to.deep.equal(new Set([OWN]));
    expect(server.asked.map(({ url }) => url)).to.deep.equal([`${OWN}/agents.json`]);
  });

  it('a redirect is not followed', async () => {
    const { chat, server } = makeChat([status(307, '', { location: `${ELSEWHERE}/x` })], SETTINGS);
    await chat.send('Hi');
    expect(server.asked.map(({ init }) => init.redirect)).to.deep.equal(['manual']);
  });

  it('a redirect brings no key of the endpoint’s query into the conversation', async () => {
    const { chat } = makeChat([status(307, '', { location: `${ELSEWHERE}/x` })], {
      ...SETTINGS,
      endpoint: `${OWN}/a?key=${SECRET}`,
    });
    await chat.send('Hi');
    expect(JSON.stringify(chat.messages)).to.include(`${OWN}/a redirects`).and.not.include(SECRET);
  });

  for (const [protocol, path, reply] of [
    ['adk', '/run_sse', 'data: {"invocationId":"i","author":"a","actions":{"artifactDelta":{"report.pdf":0}}}\n\n'],
    [
      'openai-assistants',
      '/v1/threads/runs',
      `event: thread.message.delta\ndata: ${JSON.stringify({
        id: 'm1',
        object: 'thread.message.delta',
        delta: { content: [{ index: 0, type: 'image_file', image_file: { file_id: 'f1' } }] },
      })}\n\n`,
    ],
  ] as const) {
    it(`a file of the reply brings no key of the endpoint’s query into the conversation: ${protocol}`, async () => {
      const answer: Answerer = (asked) =>
        new URL(asked.url).pathname === path
          ? stream(reply)(asked)
          : Response.json({ id: 's1', appName: 'a', events: [] });
      const { chat } = makeChat([answer, answer, answer], {
        ...SETTINGS,
        protocol,
        endpoint: `${OWN}${path}?key=${SECRET}`,
        body: { appName: 'a' },
      });
      await chat.send('Hi');
      expect(JSON.stringify(chat.messages))
        .to.match(/report\.pdf|files\/f1/)
        .and.not.include(SECRET);
    });
  }

  it('an imported conversation brings no address', async () => {
    const { chat, server } = makeChat([stream(session('Hi'))], {
      ...SETTINGS,
      endpoint: `${OWN}/rpc`,
      protocol: 'a2a',
    });
    const facts = { url: `${ELSEWHERE}/rpc`, version: '1.0', taskId: 't1', protocol: 'a2a', endpoint: ELSEWHERE };
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Hello', status: 'interrupted', agentId: ELSEWHERE, metadata: facts },
    ];
    await chat.resume();
    await chat.send('Go on');
    await chat.rate(chat.messages.at(-1)!.id, { value: 'up' });
    expect(new Set(server.asked.map(({ url }) => new URL(url).origin))).to.deep.equal(new Set([OWN]));
  });
});

describe('an imported conversation leads to no other address of the endpoint’s server', () => {
  const facts = {
    version: '1.0',
    taskId: 't1',
    contextId: 'c1',
    openAiThread: 'admin',
    openAiRun: 'r1',
    tenant: 'root',
  };
  const card = {
    supportedInterfaces: [{ url: `${OWN}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
  };

  for (const [id, path, expected] of [
    ['a2a', '/rpc', ['/rpc']],
    ['a2a', '/v1/message:stream', ['/v1/message:stream', '/v1/tasks/t1', '/v1/tasks/t1:cancel']],
    ['a2a', '/.well-known/agent-card.json', ['/.well-known/agent-card.json', '/rpc']],
    ['openai-assistants', '/v1/threads/mine/runs', ['/v1/threads/mine/runs', '/v1/threads/mine/runs/r1/cancel']],
    ['openai-assistants', '/chat', ['/chat']],
  ] as const) {
    it(`${id} at ${path}`, async () => {
      const adapter = (await protocols.get(id)?.load())!;
      for (const binding of ['rpc', 'http']) {
        const metadata = { ...facts, url: `${OWN}/admin/delete?all=1`, binding };
        const written = [message('user', 'Hi'), message('assistant', 'Hello', metadata)];
        const messages = written.map((one) => ({ ...one, blocks: one.blocks.slice(0, 1) }));
        for (const make of Object.values(WAYS)) {
          for (const text of ['', 'Go on']) {
            const turn: Turn = { text, messages, threadId: 't', answers: [] };
            const server = new ScriptedServer(() => new Response(JSON.stringify(card)));
            const way = { settings: { ...SETTINGS, fetch: server.fetch }, limits, turn, adapter, signal };
            await sendAdapterRequest({ ...way, url: pageAddress(path, OWN) }, (options) =>
              make(adapter, turn, options),
            );
            expect(expected).to.include.members(server.asked.map(({ url }) => new URL(url).pathname));
          }
        }
      }
    });
  }
});

describe('a server’s id as a path segment', () => {
  const ID = 'id-of-the-server';
  const withId: string[] = [];

  for (const { id, load } of protocols.list()) {
    for (const path of ENDPOINTS[id] ?? ['/agent']) {
      for (const way of Object.entries(WAYS)) {
        it(`${id} at ${path}: ${way[0]}`, async () => {
          const adapter = await load();
          const ask = async (value: string): Promise<readonly string[]> =>
            (await askedBy(adapter, way, path, { value, url: `${OWN}/rpc` })).map(({ pathname }) => pathname);
          const plain = await ask(ID);
          if (!plain.some((one) => one.includes(ID))) return;
          withId.push(`${id}: ${way[0]}`);
          // Requests without the id may be sent before it is refused, or if there is none.
          const fine = [...plain, ...(await ask('')).filter((one) => !one.includes('//')), new URL(path, OWN).pathname];
          for (const value of CLIMBING) expect(fine, JSON.stringify(value)).to.include.members(await ask(value));
          for (const value of HARMLESS) {
            expect(await ask(value)).to.deep.equal(plain.map((one) => one.replaceAll(ID, encodeURIComponent(value))));
          }
        });
      }
    }
  }

  it('is checked in every protocol that has one', () => {
    expect([...new Set(withId)].sort()).to.deep.equal(
      [
        ...['adk: send', 'adk: send an answer', 'ag-ui: cancel', 'ag-ui: send', 'ag-ui: send an answer'],
        ...['a2a: cancel', 'a2a: resume', 'a2a: send', 'a2a: send an answer'],
        ...['agentscope: cancel', 'agentscope: resume', 'agentscope: send', 'agentscope: send an answer'],
        ...['agno: cancel', 'eve: cancel', 'eve: resume', 'eve: send', 'eve: send an answer'],
        ...['gemini-interactions: cancel', 'gemini-interactions: resume'],
        ...['ai-sdk: resume', 'dify: cancel', 'dify: feedback', 'dify: send an answer'],
        ...['flowise: cancel', 'flowise: feedback', 'flowise: send'],
        ...['langgraph: cancel', 'langgraph: resume', 'langgraph: send', 'langgraph: send an answer'],
        ...['openai-assistants: cancel', 'openai-assistants: send', 'openai-assistants: send an answer'],
        ...['openai-responses: cancel', 'openai-responses: resume'],
      ].sort(),
    );
  });
});

describe('rule 22: the page’s headers, body, context and `transformRequest`', () => {
  const fieldsOf = (key: string): ChatSettings => ({
    endpoint: `https://${key}.example`,
    headers: { authorization: key },
    body: { key },
    context: { key },
    transformRequest: (request) => ({ ...request, url: `${request.url}?last=${key}` }),
  });
  const event = (data: object): string =>
    `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...data } })}\n\n`;
  const asking = stream(
    event({
      tool_call: 'permission-required',
      tool_call_id: 'c',
      tool_call_params: '{}',
      permission_request: { toolName: 'pay', serverName: '', permissionType: 'write', description: '' },
      finish: 'tool_use',
    }),
  );
  const done = stream(event({ content: 'Done.', finish: 'complete' }));
  const make = (script: Parameters<typeof makeChat>[0], options?: Parameters<typeof makeChat>[2]) =>
    makeChat(script, { protocol: 'deepchat-events', ...fieldsOf('a') }, options);
  /** The host of each request, and whose fields it has. */
  const sent = ({ asked }: ScriptedServer): readonly string[] =>
    asked.map(({ url, init, headers }) => {
      const { host, searchParams } = new URL(url);
      const text = textOf(init);
      const body = /"key":"(.)"\}$/.exec(text)?.[1];
      const context = /\\"key\\":\\"(.)\\"/.exec(text)?.[1];
      return `${host}: ${[headers.get('authorization'), body, context, searchParams.get('last')].join('')}`;
    });

  it('of another endpoint are not sent with a message that waits for its code', async () => {
    let load: () => void = () => undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    const { chat, server, set } = make([done], { prepareTurn: () => loaded.then(() => startTurn) });
    const reply = chat.send('Hello');
    set(fieldsOf('b'));
    load();
    await reply;
    await chat.send('And?');
    expect(sent(server)).to.deep.equal(['a.example: aaaa', 'b.example: bbbb']);
  });

  it('of another endpoint are not sent with the answer to a restored question', async () => {
    const first = make([asking]);
    void first.chat.send('Hello');
    await until(first.chat, isAsking);
    const { chat, server, set } = make([done]);
    const stored = JSON.parse(JSON.stringify(first.chat.messages)) as ChatMessage[];
    chat.messages = stored.map((one) => (one.role === 'user' ? one : { ...one, agentId: 'https://a.example/' }));
    await import('../../src/runtime/chat/earlier-reply-chunk.ts').then(() => Promise.resolve());
    set(fieldsOf('b'));
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(1);
    expect(sent(server)).to.deep.equal(['a.example: aaaa']);
    chat.stop();
    first.chat.stop();
  });

  it('of another endpoint are not sent with the answer to a question', async () => {
    const { chat, server, set } = make([asking, done]);
    const reply = chat.send('Hello');
    await until(chat, isAsking);
    set(fieldsOf('b'));
    void chat.respond(pending(chat).id, 'granted');
    await reply;
    expect(sent(server)).to.deep.equal(['a.example: aaaa', 'a.example: aaaa']);
  });

  it('of another list of agents are not sent to an agent of the first one', async () => {
    const agents = (id: string) => [{ id, name: id, endpoint: `https://${id}.example`, protocol: 'deepchat-events' }];
    const { chat, server, set } = makeChat([asking, done], { ...fieldsOf('a'), endpoint: '', agents: agents('a') });
    const reply = chat.send('Hello');
    await until(chat, isAsking);
    set({ ...fieldsOf('b'), endpoint: '', agents: agents('b') });
    void chat.respond(pending(chat).id, 'granted');
    await reply;
    expect(sent(server)).to.deep.equal(['a.example: aaaa', 'a.example: aaaa']);
  });

  it('are the current ones when the user answers a question, for example after a new sign-in', async () => {
    const { chat, server, set } = make([asking, done]);
    const reply = chat.send('Hello');
    await until(chat, isAsking);
    set({ ...fieldsOf('b'), endpoint: 'https://a.example' });
    void chat.respond(pending(chat).id, 'granted');
    await reply;
    expect(sent(server)).to.deep.equal(['a.example: aaaa', 'a.example: bbbb']);
  });

  it('that the page has withdrawn are not sent with an answer', async () => {
    const { chat, server, set } = make([asking, done]);
    const reply = chat.send('Hello');
    await until(chat, isAsking);
    set({ headers: undefined, body: undefined, context: undefined, transformRequest: undefined });
    void chat.respond(pending(chat).id, 'granted');
    await reply;
    expect(server.asked[1]?.headers.get('authorization')).to.equal(null);
    expect(JSON.stringify(server.bodies[1])).not.to.contain('key');
  });

  it('are the current ones for the result of a tool that has signed the user in', async () => {
    const login = event({ tool_call: 'start', tool_call_id: 'x', tool_call_name: 'login', finish: 'tool_use' });
    const made = make([stream(login), done]);
    const tool = (key: string) => ({
      name: 'login',
      description: '',
      execute: () => {
        made.set({ ...fieldsOf(key), endpoint: 'https://a.example' });
        return '';
      },
    });
    made.set({ tools: [tool('b')] });
    await made.chat.send('Hello');
    expect(sent(made.server)).to.deep.equal(['a.example: aaaa', 'a.example: bbbb']);
  });
});
