import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import type { ChatSettings, RequestContext } from '../../src/runtime/chat-settings.ts';
import { lines, makeChat } from './support/make-chat.ts';
import { completionOf, session, status, stream } from './support/scripted-server.ts';

const hello = stream(session('Hello.'));

describe('the request', () => {
  it('has the required fetch options', async () => {
    const { chat, server } = makeChat([hello], { endpoint: '/agent?x=1' });
    await chat.send('Hi');
    const { url, init } = server.asked[0] ?? {};
    expect(url).to.equal(new URL('/agent?x=1', location.href).href);
    expect(init).to.include({
      method: 'POST',
      credentials: 'same-origin',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  });

  it('uses the page’s credentials mode', async () => {
    const { chat, server } = makeChat([hello], { credentials: 'include' });
    await chat.send('Hi');
    expect(server.asked[0]?.init.credentials).to.equal('include');
  });

  it('reports the mistake on the console if a function of the page makes it invalid', async () => {
    const fault = new ReferenceError('token is not defined');
    const said: unknown[][] = [];
    const { warn } = console;
    console.warn = (...words: unknown[]) => said.push(words);
    try {
      const { chat } = makeChat([], {
        headers: () => {
          throw fault;
        },
      });
      await chat.send('Hello');
    } finally {
      console.warn = warn;
    }
    expect(said).to.deep.equal([['<agent-chat>: The page’s function `headers` failed: token is not defined', fault]]);
  });

  it('has the page’s headers and body, which win over the adapter’s', async () => {
    const { chat, server } = makeChat([hello], {
      headers: { accept: 'x/y', authorization: 'Bearer k' },
      body: { messages: 'mine', tenant: 7 },
    });
    await chat.send('Hi');
    const [asked] = server.asked;
    expect(asked?.headers.get('accept')).to.equal('x/y');
    expect(asked?.headers.get('authorization')).to.equal('Bearer k');
    expect(asked?.headers.get('content-type')).to.equal('application/json');
    expect(asked?.body).to.deep.equal({ messages: 'mine', tenant: 7 });
  });

  const forms: readonly { readonly name: string; readonly headers: ChatSettings['headers'] }[] = [
    { name: 'an object', headers: { 'X-Tenant': '7', Accept: 'x/y', 'Content-Type': 'application/json' } },
    { name: 'Headers', headers: new Headers({ 'X-Tenant': '7', Accept: 'x/y' }) },
    {
      name: 'pairs',
      headers: [
        ['X-Tenant', '7'],
        ['Accept', 'x/y'],
      ],
    },
    { name: 'a function that returns Headers', headers: () => new Headers({ 'X-Tenant': '7', Accept: 'x/y' }) },
    {
      name: 'undefined values',
      headers: { 'X-Tenant': '7', Accept: 'x/y', authorization: undefined, 'x-token': null },
    },
  ];
  for (const { name, headers } of forms) {
    it(`accepts headers as ${name}`, async () => {
      const { chat, server } = makeChat([hello], { headers });
      await chat.send('Hi');
      const sent = server.asked[0]?.headers;
      expect(sent?.get('x-tenant')).to.equal('7');
      expect(sent?.get('accept')).to.equal('x/y');
      expect(sent?.get('content-type')).to.equal('application/json');
      expect(sent?.has('authorization')).to.equal(false);
      expect(sent?.has('x-token')).to.equal(false);
    });
  }

  it('retries once after a 401 with other Headers', async () => {
    let count = 0;
    const { chat, server } = makeChat([status(401), hello], {
      headers: () => new Headers({ authorization: `token ${String(++count)}` }),
    });
    await chat.send('Hi');
    expect(server.asked.map(({ headers }) => headers.get('authorization'))).to.deep.equal(['token 1', 'token 2']);
  });

  it('omits fields that the page sets to null; elsewhere null is a value', async () => {
    const { chat, server } = makeChat([hello], { body: { messages: null, tenant: null } });
    await chat.send('Hi');
    expect(server.asked[0]?.body).to.deep.equal({ tenant: null });
  });

  it('calls functions before every request, with its address', async () => {
    const told: RequestContext[] = [];
    let count = 0;
    const { chat, server } = makeChat([hello], {
      headers: (context) => {
        told.push(context);
        return Promise.resolve({ 'x-count': String(++count) });
      },
      body: ({ threadId }) => ({ threadId }),
    });
    await chat.send('Hi');
    await chat.send('And?');
    expect(server.asked.map(({ headers }) => headers.get('x-count'))).to.deep.equal(['1', '2']);
    expect(server.asked[0]?.body).to.deep.include({ threadId: chat.threadId });
    expect(told[1]).to.include({ protocol: 'agent-session', threadId: chat.threadId });
    expect(told[1]?.conversation.map(({ role }) => role)).to.include.members(['user', 'assistant']);
  });

  it('has the page’s context where the protocol defines it', async () => {
    const settings = { protocol: 'openai-chat', model: 'm', system: 'Be brief.', context: () => ({ order: 7 }) };
    const { chat, server } = makeChat([stream(completionOf('Hello.'))], settings);
    await chat.send('Hi');
    const { model, messages } = server.bodies[0] as { model: string; messages: { role: string; content: string }[] };
    expect(model).to.equal('m');
    expect(messages.map(({ role }) => role)).to.deep.equal(['system', 'user']);
    expect(messages[0]?.content).to.contain('Be brief.').and.to.contain('"order":7');
  });

  it('transformRequest is applied last', async () => {
    const { chat, server } = makeChat([hello], {
      headers: { 'x-a': '1' },
      transformRequest: ({ init, ...request }) =>
        Promise.resolve({ ...request, url: '/elsewhere', init: { ...init, body: '{"mine":true}' } }),
    });
    await chat.send('Hi');
    expect(server.asked[0]?.url).to.equal(new URL('/elsewhere', location.href).href);
    expect(server.asked[0]?.body).to.deep.equal({ mine: true });
    expect(server.asked[0]?.headers.get('x-a')).to.equal('1');
  });

  it('the result of transformRequest is validated too', async () => {
    const { chat, server } = makeChat([hello], {
      transformRequest: (request) => ({ ...request, url: 'http://agent.example/chat' }),
    });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: bad-endpoint');
    expect(server.asked).to.deep.equal([]);
  });

  it('changed settings apply to the next request', async () => {
    const { chat, server, set } = makeChat([hello]);
    await chat.send('Hi');
    set({ endpoint: '/other' });
    await chat.send('And?');
    expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/agent', '/other']);
  });
});

describe('transformEvent', () => {
  const rows: readonly {
    readonly name: string;
    readonly change: (event: LLMAgentEvent) => LLMAgentEvent | readonly LLMAgentEvent[] | null;
    readonly words: string;
  }[] = [
    {
      name: 'changes an event',
      change: (event) =>
        event.type === 'response' && event.data.content
          ? { ...event, data: { ...event.data, content: event.data.content.toUpperCase() } }
          : event,
      words: 'HELLO.',
    },
    {
      name: 'splits one',
      change: (event) => (event.type === 'response' && event.data.content ? [event, event] : event),
      words: 'Hello.Hello.',
    },
    {
      name: 'removes one',
      change: (event) => (event.type === 'response' && event.data.content ? null : event),
      words: '',
    },
  ];
  for (const { name, change, words } of rows) {
    it(name, async () => {
      const { chat, told } = makeChat([hello], { transformEvent: change });
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.equal(`assistant complete: ${words}`);
      const heard = told.events.map((event) => (event.type === 'response' ? (event.data.content ?? '') : ''));
      expect(heard.join('')).to.equal(words);
    });
  }
});

describe('a 401', () => {
  const token = (...tokens: readonly string[]): (() => Readonly<Record<string, string>>) => {
    const left = [...tokens];
    return () => ({ authorization: left.shift() ?? 'none' });
  };
  const rows = [
    {
      name: 'is retried once with new headers',
      headers: token('old', 'new'),
      asked: ['old', 'new'],
      end: 'complete: Hello.',
    },
    {
      name: 'is not retried with the same headers',
      headers: token('old', 'old'),
      asked: ['old'],
      end: 'error: error: unauthorized',
    },
    {
      name: 'is not retried with static headers',
      headers: { authorization: 'old' },
      asked: ['old'],
      end: 'error: error: unauthorized',
    },
  ];
  for (const { name, headers, asked, end } of rows) {
    it(name, async () => {
      const { chat, server, told } = makeChat([status(401), hello], { headers });
      await chat.send('Hi');
      expect(server.asked.map((request) => request.headers.get('authorization'))).to.deep.equal(asked);
      expect(lines(chat).at(-1)).to.equal(`assistant ${end}`);
      expect(told.errors.map(({ kind }) => kind)).to.deep.equal(end.startsWith('error') ? ['auth'] : []);
    });
  }

  it('that repeats ends the reply', async () => {
    const { chat, server } = makeChat([status(401)], { headers: token('a', 'b', 'c') });
    await chat.send('Hi');
    expect(server.asked).to.have.length(2);
    expect(lines(chat).at(-1)).to.equal('assistant error: error: unauthorized');
  });

  it('a 403 is not retried', async () => {
    const { chat, server } = makeChat([status(403)], { headers: token('a', 'b') });
    await chat.send('Hi');
    expect(server.asked).to.have.length(1);
    expect(lines(chat).at(-1)).to.equal('assistant error: error: forbidden');
  });
});

describe('the addresses of requests', () => {
  for (const endpoint of [
    'http://agent.example/chat',
    'javascript:alert(1)',
    'ftp://agent.example',
    'ws://agent.example',
  ]) {
    it(`${endpoint} is refused`, async () => {
      const { chat, server } = makeChat([hello], { endpoint });
      await chat.send('Hi');
      expect(server.asked).to.deep.equal([]);
      expect(lines(chat).at(-1)).to.equal('assistant error: error: bad-endpoint');
    });
  }

  for (const code of [301, 302, 303, 307, 308]) {
    it(`a redirect with ${String(code)} is refused`, async () => {
      const { chat, server } = makeChat([status(code, '', { location: 'https://elsewhere.example/' })], {
        retry: 'auto',
      });
      await chat.send('Hi');
      expect(server.asked).to.have.length(1);
      expect(lines(chat).at(-1)).to.equal('assistant error: error: redirect');
    });
  }
});
