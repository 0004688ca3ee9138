import { expect } from '@open-wc/testing';
import type { ChatSettings, OutgoingRequest } from '../../src/runtime/chat-settings.ts';
import { defaultLimits } from '../../src/runtime/limits.ts';
import { pageAddress } from '../../src/runtime/request/page-address.ts';
import { sendAdapterRequest } from '../../src/runtime/request/send-adapter-request.ts';
import { maskDisplayedText } from '../../src/safety/sent-secrets.ts';
import { sse } from '../support/play-body.ts';
import { makeChat } from './support/make-chat.ts';
import { ScriptedServer, session, status, stream, unreachable, type Asked } from './support/scripted-server.ts';
import { wireAgent } from './support/wire-agent.ts';

const OURS = 'our-own-secret-value';
const SHAPED = 'sk-abcdefghijklmnop';
const words = `denied for ${OURS} and ${SHAPED}`;

describe('rule 13: a key with any scheme, in any spelling', () => {
  const key = '9f8e7d6c5b/4a3928a1706f==';
  const scheme = { headers: { authorization: `Token ${key}` } };
  const spellings = {
    plain: key,
    'with escaped slashes': key.replaceAll('/', String.raw`\/`),
    'percent-encoded': encodeURIComponent(key),
  };
  for (const [name, spelling] of Object.entries(spellings)) {
    it(`${name}: is in no error`, async () => {
      const { chat, told } = makeChat(
        [status(500, JSON.stringify({ error: { message: `invalid token ${spelling} of yours` } }))],
        scheme,
      );
      await chat.send('Hi');
      const shown = JSON.stringify([chat.messages, told.errors.map(({ message }) => message)]);
      expect(shown).to.contain('invalid token *** of yours');
      expect(shown).not.to.contain('9f8e7d6c5b');
    });
  }
});

describe('rule 13: headers that a server chooses for an upload', () => {
  const OWN = 'https://api.example';
  const send = async (headers: Readonly<Record<string, string>>, withoutPageFields: boolean): Promise<void> => {
    const server = new ScriptedServer(stream('{}'));
    const way = {
      settings: { fetch: server.fetch, headers: { 'x-page-key': 'key-of-this-page-1' } },
      limits: defaultLimits,
      turn: { text: 'x', messages: [], threadId: 't', answers: [] },
      url: pageAddress('/a', OWN),
      adapter: wireAgent,
      signal: new AbortController().signal,
    };
    await sendAdapterRequest(way, async ({ ask }) => {
      await ask({ url: `${OWN}/upload`, withoutPageFields, init: { method: 'PUT', headers } });
      return { url: `${OWN}/a`, init: { body: {} } };
    });
  };

  it('are no keys: what they contain is shown as it is', async () => {
    await send({ 'x-session': 'the invoice of May' }, true);
    expect(maskDisplayedText('Pay the invoice of May?')).to.equal('Pay the invoice of May?');
  });

  it('do not replace the keys of the page, however many they are', async () => {
    await send({ 'x-other-key': 'key-of-an-adapter-1' }, false);
    const many = Array.from({ length: 500 }, (_, index) => [`x-key-${String(index)}`, `value-number-${String(index)}`]);
    await send(Object.fromEntries(many) as Record<string, string>, true);
    expect(maskDisplayedText('key-of-this-page-1 key-of-an-adapter-1')).to.equal('*** ***');
  });
});

/** Source: `docs/security.md`, rule 13. */
describe('rule 13: what a server says of its troubles', () => {
  const streams = [
    {
      name: 'an error event',
      protocol: 'agent-session',
      body: sse({ type: 'error', data: { error_type: 'x', message: words } }),
    },
    { name: 'an error chunk', protocol: 'openai-chat', body: sse({ error: { message: words, code: 'bad' } }) },
    {
      name: 'a failed tool call',
      protocol: 'deepchat-events',
      body: sse(
        {
          type: 'response',
          data: {
            eventId: 'e',
            tool_call: 'error',
            tool_call_id: 't',
            tool_call_response: words,
            tool_call_error: { message: words },
          },
        },
        { type: 'end', data: { eventId: 'e', userStop: false } },
      ),
    },
    { name: 'a stream of an unknown protocol', protocol: 'auto', body: sse({ odd: words }) },
    { name: 'a web page', protocol: 'agent-session', body: `<!doctype html><p>${words}` },
  ];
  const headers = [
    { name: 'headers', settings: { headers: { 'x-key': OURS } } },
    {
      name: 'transformRequest',
      settings: {
        transformRequest: (request: {
          readonly url: string;
          readonly init: RequestInit;
          readonly protocol: string | undefined;
        }) => ({
          ...request,
          conversation: [],
          init: { ...request.init, headers: { 'x-key': OURS } },
        }),
      },
    },
  ];
  const addresses = [
    { name: 'the query of the endpoint', settings: { endpoint: `/agent?access_token=${OURS}&lang=en` } },
    {
      name: 'a query of transformRequest',
      settings: {
        transformRequest: (request: {
          readonly url: string;
          readonly init: RequestInit;
          readonly protocol: string | undefined;
        }) => ({ ...request, conversation: [], url: `${request.url}?api-key=${OURS}` }),
      },
    },
  ];
  for (const { name, protocol, body } of streams) {
    for (const { name: way, settings } of [...headers, ...addresses]) {
      it(`${name}, without the credential sent by ${way}`, async () => {
        const { chat, told } = makeChat([stream(body)], { protocol, ...settings });
        await chat.send('Hi');
        const shown = JSON.stringify([chat.messages, told.events, told.errors.map(({ message }) => message)]);
        expect(shown).to.contain('denied for *** and ***');
        expect(shown).not.to.contain(OURS);
        expect(shown).not.to.contain(SHAPED);
      });
    }
  }
});

describe('rule 13: a value that `transformRequest` adds', () => {
  const transforms: Readonly<Record<string, NonNullable<ChatSettings['transformRequest']>>> = {
    'to the request that it gets': (request) => {
      Object.assign(request.init.headers ?? {}, { 'x-tenant': 'value-added-in-place' });
      return request;
    },
    'to a copy of the request': (request) => ({
      ...request,
      init: { ...request.init, headers: { 'x-tenant': 'value-added-to-a-copy' } },
    }),
  };
  for (const [name, transformRequest] of Object.entries(transforms)) {
    it(`${name} is in no error`, async () => {
      const repeated = ({ headers }: Asked): Response =>
        new Response(JSON.stringify({ error: { message: `no tenant ${headers.get('x-tenant') ?? ''}` } }), {
          status: 400,
        });
      const { chat, told } = makeChat([repeated], { transformRequest });
      await chat.send('Hi');
      const shown = JSON.stringify([chat.messages, told.errors.map(({ message }) => message)]);
      expect(shown).to.contain('no tenant ***');
      expect(shown).not.to.contain('value-added');
    });
  }
});

describe('rule 13: a key in the address of an endpoint', () => {
  const failures = [
    { name: 'a thread that is not created', protocol: 'langgraph', body: {} },
    { name: 'a card without an interface', protocol: 'a2a', path: '/.well-known/agent-card.json', body: { name: 'x' } },
    {
      name: 'a card of another server',
      protocol: 'a2a',
      path: '/.well-known/agent-card.json',
      body: { name: 'x', url: 'https://other.example/', preferredTransport: 'JSONRPC' },
    },
  ];
  for (const { name, protocol, path = '/agent', body } of failures) {
    it(`is in no error about ${name}`, async () => {
      const { chat, told } = makeChat([() => Response.json(body)], {
        protocol,
        endpoint: `https://agent.example${path}?k=${OURS}`,
      });
      await chat.send('Hi');
      expect(told.errors).to.have.length(1);
      expect(JSON.stringify([chat.messages, told.errors, told.events])).not.to.contain(OURS);
    });
  }

  it('is in no error about a poll', async () => {
    const { chat, told } = makeChat([status(202), unreachable], {
      poll: { source: `https://agent.example/poll?k=${OURS}`, interval: 0 },
    });
    await chat.send('Hi');
    expect(told.errors).to.have.length(1);
    expect(JSON.stringify([chat.messages, told.errors, told.events])).not.to.contain(OURS);
  });

  it('is shown as *** where a server repeats it, also as it was written', async () => {
    const key = 'a+secret/of=ours';
    const body = sse({ type: 'error', data: { error_type: 'x', message: `no ${key}, no ${encodeURIComponent(key)}` } });
    const { chat } = makeChat([stream(body)], { endpoint: `/agent?token=${encodeURIComponent(key)}` });
    await chat.send('Hi');
    expect(JSON.stringify(chat.messages)).to.contain('no ***, no ***');
  });

  it('leaves other parameters of the address as they are', async () => {
    const body = sse({ type: 'error', data: { error_type: 'x', message: 'about insurances, in javascript' } });
    const { chat } = makeChat([stream(body)], { endpoint: '/agent?keyword=insurances&code=javascript' });
    await chat.send('Hi');
    expect(JSON.stringify(chat.messages)).to.contain('about insurances, in javascript');
  });
});

describe('rule 13: a key in headers that the browser refuses', () => {
  const rows: readonly { name: string; headers: unknown }[] = [
    // As some encoders of base64 break their lines.
    { name: 'a line break in a value', headers: { authorization: `Basic abcd\n${OURS}` } },
    { name: 'a space in a name', headers: { [`key ${OURS}`]: 'x' } },
    { name: 'a function that returns the key itself', headers: () => Promise.resolve(`Bearer ${OURS}`) },
  ];
  for (const { name, headers } of rows)
    it(`${name}: is in no error`, async () => {
      const { chat, server, told } = makeChat([status(204)], { headers: headers as Record<string, string> });
      await chat.send('Hi');
      expect([told.errors.length, server.asked]).to.deep.equal([1, []]);
      expect(JSON.stringify([chat.messages, told.errors, told.events])).not.to.contain(OURS);
      expect(String(told.errors[0]?.cause)).not.to.contain(OURS);
    });
});

describe('headers that the browser refuses', () => {
  for (const { name, headers, expected } of [
    { name: 'letters outside of Latin-1', headers: { 'x-user': '张三' }, expected: /"x-user".*outside of Latin-1/ },
    { name: 'a line break', headers: { 'x-user': 'Ann\nMiller' }, expected: /"x-user".*line break/ },
    { name: 'a name that is none', headers: { 'x user': 'Ann' }, expected: /a name/ },
    { name: 'no object', headers: 'x-user: Ann', expected: /no object/ },
  ])
    it(`are reported with the reason: ${name}`, async () => {
      for (const settings of [
        { headers: headers as Record<string, string> },
        {
          transformRequest: (request: OutgoingRequest) => ({
            ...request,
            init: { ...request.init, headers: headers as Record<string, string> },
          }),
        },
      ]) {
        const { chat, server, told } = makeChat([status(204)], settings);
        await chat.send('Hi');
        expect(server.asked).to.deep.equal([]);
        expect(told.errors[0]?.message)
          .to.match(expected)
          .and.not.to.match(/张三|Ann/);
      }
    });
});

describe('rule 13: a function of the page that fails with a key that was sent', () => {
  /** All that an action writes to the console as warnings, with the stacks of errors. */
  async function consoleOf(act: () => Promise<unknown>): Promise<readonly string[]> {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (...values: readonly unknown[]) =>
      said.push(...values.map((value) => (value instanceof Error ? (value.stack ?? '') : String(value))));
    try {
      await act();
    } finally {
      console.warn = warn;
    }
    return said;
  }

  for (const name of ['headers', 'body', 'context', 'transformRequest'] as const)
    it(`shows it neither in the error nor in the console: ${name}`, async () => {
      let isExpired = false;
      const fail = (): never => {
        throw new Error(`expired: ${OURS}`);
      };
      const { chat, told } = makeChat([stream(session('Hi'))], {
        headers: () => (isExpired && name === 'headers' ? fail() : { authorization: `Bearer ${OURS}` }),
        ...(name !== 'headers' && {
          [name]: (request: unknown) => (isExpired ? fail() : name === 'transformRequest' ? request : {}),
        }),
      });
      await chat.send('Hi');
      isExpired = true;
      const said = await consoleOf(() => chat.send('Again'));
      expect(told.errors.map(({ message }) => message)).to.deep.equal([
        `The page’s function \`${name}\` failed: expired: ***`,
      ]);
      expect(JSON.stringify([chat.messages, told.errors, said])).not.to.contain(OURS);
      expect(String(told.errors[0]?.cause)).not.to.contain(OURS);
    });
});
