/**
 * The second half of the source document on message architecture: agents, their messages and responses, the registry, the
 * sample agents and the renderers of a page. Its page: `docs/protocols/deepchat-events.md`.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { askAgent } from '../../src/agents/page-agent.ts';
import { PageAgentRegistry } from '../../src/agents/registry.ts';
import { agentMessage, agentMessageContent, agentResponse, messageType, responseType } from '../../src/model.ts';
import type {
  AgentCapability,
  AgentMessage,
  AgentMessageContent,
  AgentMessageMetadata,
  AgentRegistry,
  AgentResponse,
  AgentResponseContent,
  AgentResponseMetadata,
  BaseAgent,
  ChatMessage,
  DataVisualization,
  ImageMetadata,
  LLMAgentEvent,
  ModelConfig,
  ResponseType,
} from '../../src/model.ts';
import { adapter as deepchatEvents } from '../../src/protocols/deepchat-events/deepchat-events.ts';
import { RendererRegistry } from '../../src/renderers/core/registry.ts';
import { defineRenderer } from '../../src/renderers/core/renderer.ts';
import { agentOf, say } from '../agents/support/agent.ts';
import { button, has, inside, mount, next, warningsOf, wordsOf } from '../components/support/mount.ts';
import { named, showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { makeChat, until, isAsking } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { bareBlock, failure, text, type ExpectedFields } from '../support/bare.ts';
import { chunksOf } from '../support/cuts.ts';
import { PIXEL } from '../support/pixel.ts';
import { playBody, playEvents, sse } from '../support/play-body.ts';
import { blocksOf, requestBody, walkDocument, type Thing } from './support/walk.ts';

const image = { data: PIXEL, mimeType: 'image/png' };

/** An agent that answers with given responses. */
function answering(...answers: readonly Partial<AgentResponse>[]): BaseAgent {
  return {
    id: 'north',
    name: 'North',
    description: 'Knows the way',
    capabilities: [{ type: 'search', description: 'Finds' }],
    async *processMessage({ id }: AgentMessage): AsyncGenerator<AgentResponse> {
      await Promise.resolve();
      for (const [index, answer] of answers.entries()) {
        yield {
          id: `r${String(index)}`,
          messageId: id,
          agentId: 'north',
          type: 'text',
          content: {},
          metadata: {},
          status: 'complete',
          timestamp: 1,
          ...answer,
        };
      }
    },
    getSupportedMessageTypes: () => ['text', 'code', 'data', 'command', 'file', 'image', 'structured_data'],
    getConfigurationSchema: () => ({}),
  };
}

/** The blocks of an answer of several responses. */
async function answeredAll(...answers: readonly Partial<AgentResponse>[]): Promise<readonly ExpectedFields[]> {
  const events = [];
  const asked: AgentMessage = { id: 'm', type: 'text', role: 'user', content: {}, metadata: {}, timestamp: 1 };
  const options = { eventId: 'e', signal: new AbortController().signal };
  for await (const batch of askAgent(answering(...answers), asked, options)) events.push(...batch);
  return playEvents(events).messages.flatMap(({ blocks }) => blocks.map(bareBlock));
}
const answered = (type: ResponseType, content: AgentResponseContent): Promise<readonly ExpectedFields[]> =>
  answeredAll({ type, content });
const responds = (type: ResponseType, content: AgentResponseContent, ...blocks: readonly ExpectedFields[]): Thing => [
  `a response of the type ${type}`,
  async () => {
    expect(await answered(type, content)).to.deep.equal(blocks);
  },
];

/** The messages of an answer of several responses that come over the wire. */
async function receivedMessages(...answers: readonly Partial<AgentResponse>[]): Promise<readonly ChatMessage[]> {
  const responses = [];
  const asked: AgentMessage = { id: 'm', type: 'text', role: 'user', content: {}, metadata: {}, timestamp: 1 };
  for await (const response of answering(...answers).processMessage(asked)) responses.push(response);
  return (await playBody(deepchatEvents, sse(...responses))).messages;
}
const received = async (answer: Partial<AgentResponse>): Promise<readonly ExpectedFields[]> =>
  (await receivedMessages(answer)).flatMap(({ blocks }) => blocks.map(bareBlock));

type ContentRow = readonly [name: string, content: AgentResponseContent, ...blocks: readonly ExpectedFields[]];
const unsaid = failure('The agent reports an error.', {});
const failedResponses: readonly ContentRow[] = [
  ['of text', { text: 'Half an' }, text('Half an'), unsaid],
  ['without content', {}, unsaid],
  ['of an error, once', { error: { code: 'E1', message: 'gone' } }, failure('gone', { code: 'E1' })],
  [
    'of a command that says so itself',
    { commandResult: { success: false, output: 'o' } },
    { type: 'command_result', status: 'error', commandResult: { success: false, output: 'o' } },
  ],
];
const customBlock = (data: unknown, dataType?: string): ExpectedFields => ({
  type: 'data',
  data: { data_type: 'custom', data, ...(dataType !== undefined && { metadata: { dataType } }) },
});
const otherContents: readonly ContentRow[] = [
  ['structured', { structured: { type: 'quote', data: { price: 3 } } }, customBlock({ price: 3 }, 'quote')],
  ['a field', { text: 'See:', quote: [1, 2] } as object, text('See:'), customBlock([1, 2], 'quote')],
  ['two fields', { quote: 1, trend: 'up', none: null } as object, customBlock({ quote: 1, trend: 'up' })],
];

const sends = (name: keyof AgentMessageContent, content: AgentMessageContent, type: string): Thing => [
  `content with ${name}`,
  async () => {
    const message = { role: 'user', text: 'x', metadata: { content } } as const;
    const { messages } = await requestBody(deepchatEvents, [message]);
    expect((messages as ExpectedFields[])[0]).to.deep.include({ type, content, role: 'user' });
  },
];

const code = { language: 'python', content: 'print(1)' };
/** Two agents of one server. */
const described = ['north', 'south'].map((id) => ({ id, name: id, endpoint: '/agents', protocol: 'deepchat-events' }));
const file = { name: 'a.txt', content: 'QQ==', mimeType: 'text/plain' };
const accepts = (content: object): unknown => agentMessageContent.safeParse(content).success;
const shownText = async (block: Parameters<typeof showBlock>[0]): Promise<string> =>
  wordsIn((await showBlock(block)).element);

/** The messages that an agent of the page gets, which answers with one word. */
function listener(more: Partial<BaseAgent> = {}) {
  const got: AgentMessage[] = [];
  const answer = (message: AgentMessage) => {
    got.push(message);
    return chunksOf([say('Fine.')]);
  };
  return { got, agent: agentOf('listener', { answer, ...more }) };
}

/** An agent as the document's two samples write it: it branches on what the message contains. */
class BranchingAgent implements BaseAgent {
  capabilities: AgentCapability[] = [
    { type: 'code_generation', description: 'Writes code' },
    { type: 'data_analysis', description: 'Reads numbers' },
  ];
  id = 'branching';
  name = 'Branching';
  description = 'Takes code, a query or words';
  async *processMessage(message: AgentMessage): AsyncGenerator<AgentResponse> {
    if (message.content.code) yield* this.#say(message, `code in ${message.content.code.language}`);
    else if (message.content.structured?.type === 'price_query') yield* this.#say(message, 'a query');
    else yield* this.#say(message, `words: ${message.content.text ?? ''}`);
  }
  async *#say({ id, timestamp }: AgentMessage, words: string): AsyncGenerator<AgentResponse> {
    await Promise.resolve();
    const part = { id: 'r', messageId: id, agentId: this.id, metadata: {}, timestamp };
    yield { ...part, type: 'text', content: { text: words }, status: 'complete' };
  }
  getSupportedMessageTypes = (): ('text' | 'code' | 'structured_data')[] => ['text', 'code', 'structured_data'];
  getConfigurationSchema = (): object => ({});
}
/** What that agent answers to a message of the page. */
async function branch(content: AgentMessageContent): Promise<unknown> {
  const { chat } = makeChat([], { endpoint: undefined, agents: [new BranchingAgent()] });
  return (await chat.send(content)).blocks.map(bareBlock);
}

const capabilities = [
  'tool_call',
  'reasoning',
  'search',
  'code_generation',
  'data_analysis',
  'image_processing',
] as const;

walkDocument('the document on message architecture: agents', 92, [
  [
    'agents',
    ...capabilities.map((type): Thing => [
      `an agent with the capability ${type} is found by it and by no other`,
      async () => {
        const registry = new PageAgentRegistry();
        const capability = { type, description: 'Does it', required_permissions: ['read'] };
        const one = { ...answering(), capabilities: [capability] };
        await registry.registerAgent(one);
        expect(
          capabilities.filter((other) => registry.getAgentsByCapability({ type: other }).length > 0),
        ).to.deep.equal([type]);
        expect(registry.getAgentsByCapability(capability)).to.deep.equal([one]);
        await registry.unregisterAgent(one.id);
        expect(registry.getAgentsByCapability(capability)).to.deep.equal([]);
      },
    ]),
    [
      'an agent with several capabilities is found once by each',
      async () => {
        const registry = new PageAgentRegistry();
        const one = { ...answering(), capabilities: capabilities.map((type) => ({ type, description: 'Does it' })) };
        await registry.registerAgent(one);
        expect(capabilities.map((type) => registry.getAgentsByCapability({ type }))).to.deep.equal(
          capabilities.map(() => [one]),
        );
      },
    ],
    [
      'id, name and description are shown where the user chooses an agent',
      async () => {
        const agents = [agentOf('a', { description: 'Knows ports' }), agentOf('b', { description: 'Knows roads' })];
        const { chat } = await mount({ agents });
        const header = await inside(chat, '[part="header"]');
        const choices = [...header.querySelectorAll('option')].map(({ value, text: name }) => [value, name]);
        expect(choices).to.deep.equal([
          ['a', 'The a'],
          ['b', 'The b'],
        ]);
        expect(wordsIn(header)).to.contain('Knows ports').and.not.contain('Knows roads');
      },
    ],
    [
      'processMessage gets the message and yields responses',
      async () => {
        const { agent: one, got } = listener();
        const { chat } = makeChat([], { endpoint: undefined, agents: [one] });
        const answer = await chat.send('Where to?');
        expect(got.map(({ content }) => content)).to.deep.equal([{ text: 'Where to?' }]);
        expect(answer.blocks.map(bareBlock)).to.deep.equal([text('Fine.')]);
      },
    ],
    [
      'what processMessage throws is an error of the answer',
      async () => {
        const answer = async function* (): AsyncGenerator<AgentResponse> {
          yield await Promise.resolve(say('First'));
          throw new Error('No map');
        };
        const { chat } = makeChat([], { endpoint: undefined, agents: [agentOf('a', { answer })] });
        const { blocks, status } = await chat.send('Hi');
        expect([status, ...blocks.map(bareBlock)]).to.deep.equal(['error', text('First'), failure('No map')]);
      },
    ],
    [
      'a message that the agent got is sent, also when its answer ends with an error',
      async () => {
        const error = { code: 'E42', message: 'No map' };
        const answer = () => chunksOf([say('First'), { ...say(''), type: 'error' as const, content: { error } }]);
        const { chat } = makeChat([], { endpoint: undefined, agents: [agentOf('a', { answer })] });
        const { status } = await chat.send('Hi');
        expect([status, chat.messages[0]?.status]).to.deep.equal(['error', 'complete']);
      },
    ],
    [
      'a message that the agent got is sent, also when the user stops the answer',
      async () => {
        const answer = async function* (): AsyncGenerator<AgentResponse> {
          yield await Promise.resolve(say('First'));
          await new Promise(() => undefined);
        };
        const { chat } = makeChat([], { endpoint: undefined, agents: [agentOf('a', { answer })] });
        const sent = chat.send('Hi');
        await until(chat, ({ messages }) =>
          messages.some(({ role, blocks }) => role === 'assistant' && blocks.length === 1),
        );
        chat.stop();
        const { status, metadata } = await sent;
        expect([status, metadata?.['agentMayContinue'], chat.messages[0]?.status]).to.deep.equal([
          'cancelled',
          undefined,
          'complete',
        ]);
      },
    ],
    [
      'getSupportedMessageTypes is compared with what the agent gets',
      async () => {
        const { agent: one } = listener({ id: 'only code', getSupportedMessageTypes: () => ['code'] });
        const { chat } = makeChat([], { endpoint: undefined, agents: [one] });
        const warnings = await warningsOf(() => chat.send('Hi'));
        expect(warnings[0]).to.contain('The agent "only code" gets "text"');
      },
      'the message is delivered with a warning, because the document does not say that another type is refused',
    ],
    [
      'getConfigurationSchema is a form, and its values are sent',
      async () => {
        const properties = { days: { type: 'integer', title: 'Days', default: 10 } };
        const { agent: one, got } = listener({
          id: 'with settings',
          getConfigurationSchema: () => ({ type: 'object', properties }),
        });
        const { chat } = await mount({ agents: [one] });
        button(chat, 'More').click();
        const menu = await inside(chat, '[role="menu"]');
        [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
          .find(({ textContent }) => textContent.includes('Settings of'))
          ?.click();
        const form = await inside(chat, 'dialog.agent-settings');
        expect(form.textContent).to.contain('Days');
        form.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
        await waitUntil(() => !has(chat, 'dialog.agent-settings'), 'the form closes');
        await chat.send('Hi');
        expect(got[0]?.metadata).to.deep.equal({ configuration: { days: 10 } });
      },
    ],
    [
      'required_permissions are asked for before the agent is used',
      async () => {
        const needing: AgentCapability[] = [
          { type: 'search', description: 'Finds', required_permissions: ['location'] },
        ];
        const { agent: one, got } = listener({ capabilities: needing });
        const { chat } = makeChat([], { endpoint: undefined, agents: [one] });
        const sent = chat.send('Hi');
        await until(chat, isAsking);
        const [question] = chat.messages.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'action');
        expect(got, 'nothing before the answer').to.deep.equal([]);
        expect(question).to.deep.include({ type: 'action', action_type: 'tool_call_permission', status: 'pending' });
        await chat.respond(question?.id ?? '', 'granted');
        await sent;
        expect(got).to.have.length(1);
      },
    ],
    [
      'the seven message types, and no eighth',
      () => {
        const all = ['text', 'code', 'data', 'command', 'file', 'image', 'structured_data', 'dance'];
        expect(all.filter((type) => messageType.safeParse(type).success)).to.deep.equal(all.slice(0, 7));
      },
    ],
    ...(['user', 'assistant', 'system', 'agent'] as const).map((role): Thing => [
      `the role ${role}`,
      () => {
        const one = { id: 'm', type: 'text', role, content: { text: 'a' }, metadata: {}, timestamp: 1 };
        expect(agentMessage.parse(one)).to.deep.equal(one);
      },
    ]),
    [
      'agentId of a message is the agent it is for',
      async () => {
        const first = listener({ id: 'first' });
        const second = listener({ id: 'second' });
        const { chat } = await mount({ agents: [first.agent, second.agent], agent: 'second' });
        await chat.send('Hi');
        expect([first.got.length, second.got[0]?.agentId]).to.deep.equal([0, 'second']);
      },
    ],
    ...(
      [
        ['the chosen one of several agents of one endpoint', { agents: described, agent: 'south' }, 'south'],
        ['the first agent, if none is chosen', { agents: described }, 'north'],
        ['the agent that the page names, without a list', { endpoint: '/agents', agent: 'south' }, 'south'],
        ['none, if the page names none', { endpoint: '/agents' }, undefined],
      ] as const
    ).map(([name, settings, id]): Thing => [
      `agentId of a message to a server is ${name}`,
      async () => {
        const answer = (content: object) => stream(JSON.stringify({ ...say(''), agentId: 'x', content }));
        const asks = { confirmation: { type: 'action', message: 'Go?' } };
        const script = [answer({ text: 'One' }), answer(asks), answer({ text: 'Two' }), answer({ text: 'Three' })];
        const { chat, server } = makeChat(script, { endpoint: undefined, protocol: 'deepchat-events', ...settings });
        await chat.send('Hi');
        void chat.send({ code });
        await until(chat, isAsking);
        const restored = makeChat(script.slice(2), {
          endpoint: undefined,
          protocol: 'deepchat-events',
          ...settings,
        });
        restored.chat.messages = chat.messages;
        for (const one of [chat, restored.chat]) {
          const question = one.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'action');
          await one.respond(question?.id ?? '', 'granted');
        }
        await until(restored.chat, ({ status }) => status === 'idle');
        const bodies = [...server.bodies, ...restored.server.bodies] as {
          readonly messages: readonly AgentMessage[];
        }[];
        expect(bodies.map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.agentId)).to.deep.equal([
          id,
          id,
          id,
          id,
        ]);
      },
    ]),
    ...(['json', 'csv', 'xml', 'yaml'] as const).map((format): Thing => [
      `data in the format ${format}, of any content, with an optional schema`,
      () => {
        expect([
          accepts({ data: { format, content: 'a' } }),
          accepts({ data: { format, content: [{ deep: 1 }], schema: {} } }),
        ]).to.deep.equal([true, true]);
      },
    ]),
    [
      'code needs a language, its file name is optional',
      () => expect([accepts({ code }), accepts({ code: { content: 'x' } })]).to.deep.equal([true, false]),
    ],
    [
      'a command needs its parameters',
      () =>
        expect([
          accepts({ command: { type: 'run', parameters: {} } }),
          accepts({ command: { type: 'run' } }),
        ]).to.deep.equal([true, false]),
    ],
    [
      'a file of the user is content with file',
      async () => {
        const upload = { type: 'file', name: 'a.txt', mimeType: 'text/plain', data: 'QQ==' } as const;
        const { messages } = await requestBody(deepchatEvents, [
          { role: 'user', blocks: [{ type: 'content', content: 'Read it' }, upload] },
        ]);
        expect((messages as ExpectedFields[])[0]).to.deep.include({ type: 'file', content: { text: 'Read it', file } });
      },
    ],
    [
      'an image of the user is content with image',
      async () => {
        const { messages } = await requestBody(deepchatEvents, [
          {
            role: 'user',
            blocks: [
              { type: 'content', content: 'See' },
              { type: 'image', image_data: image },
            ],
          },
        ]);
        expect((messages as ExpectedFields[])[0]).to.deep.include({ type: 'image', content: { text: 'See', image } });
      },
    ],
    sends('text', { text: 'hi' }, 'text'),
    sends('code', { code: { ...code, filename: 'a.py' } }, 'code'),
    sends('data', { data: { format: 'csv', schema: {}, content: 'a,b' } }, 'data'),
    sends('command', { command: { type: 'run', parameters: { a: 1 } } }, 'command'),
    sends('file', { file }, 'file'),
    sends('image', { image: { ...image, metadata: { width: 1 } } }, 'image'),
    sends('structured', { structured: { type: 'stock_query', data: { symbol: 'X' } } }, 'structured_data'),
    [
      'the texts before and after a call are paragraphs of one text',
      async () => {
        const blocks = [
          { type: 'content', content: 'I look.' },
          { type: 'tool_call', tool_call: { id: 'c', name: 'find_route' } },
          { type: 'content', content: '' },
          { type: 'content', content: '# The route' },
        ] as const;
        const { messages } = await requestBody(deepchatEvents, [{ role: 'assistant', blocks }]);
        expect((messages as ExpectedFields[])[0]?.['content']).to.deep.equal({ text: 'I look.\n\n# The route' });
      },
    ],
    [
      'a message has id, role, agentId, metadata and timestamp',
      async () => {
        const { messages } = await requestBody(deepchatEvents, [
          { role: 'assistant', text: 'a', agentId: 'north' },
          { role: 'user', text: 'b' },
        ]);
        expect((messages as ExpectedFields[])[0]).to.have.all.keys(
          'id',
          'type',
          'role',
          'agentId',
          'content',
          'metadata',
          'timestamp',
        );
      },
    ],
  ],
  [
    'responses',
    responds('text', { text: 'Hello' }, text('Hello')),
    responds('code', { code: { ...code, output: '1' } }, { type: 'code', code: { ...code, output: '1' } }),
    responds(
      'data',
      { data: { format: 'anything', content: { a: 1 } } },
      { type: 'data', data: { data_type: 'custom', data: { a: 1 } } },
    ),
    responds(
      'command_result',
      { commandResult: { success: false, output: 'o', error: 'e', exitCode: 2 } },
      {
        type: 'command_result',
        status: 'error',
        commandResult: { success: false, output: 'o', error: 'e', exitCode: 2 },
      },
    ),
    responds('file', { file }, { type: 'file', file, name: 'a.txt', mimeType: 'text/plain' }),
    responds('image', { image }, { type: 'image', image_data: image }),
    responds('error', { error: { code: 'E1', message: 'gone', details: { a: 1 } } }, failure('gone', { code: 'E1' })),
    responds(
      'progress',
      { progress: { current: 4, total: 4, message: 'all' } },
      { type: 'progress', progress: { current: 4, total: 4, message: 'all' }, extra: { responseId: 'r0' } },
    ),
    responds(
      'confirmation',
      { confirmation: { type: 'action', message: 'Go?', options: ['Yes', 'No'] } },
      {
        type: 'action',
        status: 'pending',
        action_type: 'confirmation',
        content: 'Go?',
        extra: { kind: 'action', options: [{ label: 'Yes' }, { label: 'No' }], responseId: 'r0' },
      },
    ),
    ...failedResponses.map(([name, content, ...blocks]): Thing => [
      `a response with the status error fails: ${name}`,
      async () => {
        const { type = 'text' } = content as { readonly type?: ResponseType };
        expect(await answeredAll({ type, content, status: 'error' })).to.deep.equal(blocks);
        expect(await received({ type, content, status: 'error' })).to.deep.equal(blocks);
      },
    ]),
    ...otherContents.map(([name, content, ...blocks]): Thing => [
      `content of a kind of its own is data for a renderer: ${name}`,
      async () => {
        expect(await answeredAll({ type: 'stock' as ResponseType, content })).to.deep.equal(blocks);
        expect(await received({ type: 'stock' as ResponseType, content })).to.deep.equal(blocks);
      },
    ]),
    [
      'the metadata of a response is that of its message, but for the id of the question',
      async () => {
        const metadata = { model: 'north-1', messageId: 'question', trace: { id: 7 } };
        const parts = ['Hel', 'lo'].map((words) => ({ content: { text: words }, metadata }));
        const [message, ...others] = await receivedMessages(...parts);
        expect(others).to.deep.equal([]);
        expect(message?.blocks.map(bareBlock)).to.deep.equal([text('Hello')]);
        expect(message?.metadata).to.deep.include({ model: 'north-1', trace: { id: 7 } });
        expect(message?.metadata?.['messageId']).not.to.equal('question');
      },
    ],
    [
      'the nine response types, and no tenth',
      () => {
        const all = [
          'text',
          'code',
          'data',
          'command_result',
          'file',
          'image',
          'error',
          'progress',
          'confirmation',
          'dance',
        ];
        expect(all.filter((type) => responseType.safeParse(type).success)).to.deep.equal(all.slice(0, 9));
      },
    ],
    ...(['id', 'messageId', 'agentId', 'type', 'content', 'metadata', 'status', 'timestamp'] as const).map(
      (field): Thing => [
        `a response needs ${field}`,
        () => {
          const whole = {
            id: 'r',
            messageId: 'm',
            agentId: 'a',
            type: 'text',
            content: { text: 'a' },
            metadata: {},
            status: 'complete',
            timestamp: 1,
          };
          const { [field]: _missing, ...rest } = whole;
          expect([whole, rest].map((one) => agentResponse.safeParse(one).success)).to.deep.equal([true, false]);
        },
      ],
    ),
    [
      'ResponseStatus is not defined by the document',
      () => {
        const status = ['pending', 'streaming', 'complete', 'error'];
        const part = { id: 'r', messageId: 'm', agentId: 'a', type: 'text', content: {}, metadata: {}, timestamp: 1 };
        expect(status.filter((one) => agentResponse.safeParse({ ...part, status: one }).success)).to.deep.equal(status);
      },
      'it has the four states of a message',
    ],
    [
      'responses of text continue one another',
      async () => {
        const two = [{ content: { text: 'Hel' } }, { content: { text: 'lo' } }];
        expect(await answeredAll(...two)).to.deep.equal([text('Hello')]);
      },
    ],
    [
      'code with an error has failed',
      async () => {
        expect(await answered('code', { code: { ...code, error: 'No x' } })).to.deep.equal([
          { type: 'code', status: 'error', code: { ...code, error: 'No x' } },
        ]);
      },
    ],
    [
      'code, its output and its error are shown',
      async () => {
        const words = await shownText({ type: 'code', status: 'error', code: { ...code, output: '1', error: 'No x' } });
        expect(words).to.contain('print(1)').and.contain('No x');
      },
    ],
    [
      'a command that succeeded',
      async () => {
        expect(await answered('command_result', { commandResult: { success: true, output: 'o' } })).to.deep.equal([
          { type: 'command_result', commandResult: { success: true, output: 'o' } },
        ]);
      },
    ],
    [
      'the output, error and exit code of a command are shown',
      async () => {
        const commandResult = { success: false, output: 'half way', error: 'no road', exitCode: 3 };
        const words = await shownText({ type: 'command_result', status: 'error', commandResult });
        expect(words).to.contain('half way').and.contain('no road').and.contain('3');
      },
    ],
    [
      'a file is shown with its name',
      async () => {
        const words = await shownText({ type: 'file', file, name: 'a.txt', mimeType: 'text/plain' });
        expect(words).to.contain('a.txt');
      },
    ],
    [
      'the content of data may be anything, also null, and the text beside it is shown',
      async () => {
        const data = { format: 'json', schema: null, content: null };
        const response = { ...say(''), content: { text: 'Nothing found.', data, code: null } };
        expect(await blocksOf(deepchatEvents, `data: ${JSON.stringify(response)}\n\n`)).to.deep.equal([
          text('Nothing found.'),
          { type: 'data', data: { data_type: 'custom', data: null } },
        ]);
        expect(await shownText({ type: 'data', data: { data_type: 'custom', data: null } })).to.equal('null');
      },
    ],
    [
      'a visualization may be only the name of its type, because the document does not define it',
      async () => {
        const data = { format: 'csv', content: 'day,km\n1,12', visualization: 'line' };
        const response = { ...say(''), content: { data } };
        const chart = { type: 'line', data: { columns: ['day', 'km'], rows: [['1', '12']] } };
        expect(await blocksOf(deepchatEvents, `data: ${JSON.stringify(response)}\n\n`)).to.deep.equal([
          { type: 'data', data: { data_type: 'chart', data: chart } },
        ]);
      },
    ],
    [
      'the types that the document names, without defining them, are records of any data',
      () => {
        const page = { tab: 'a' };
        const records: readonly [AgentMessageMetadata, AgentResponseMetadata, ModelConfig] = [page, page, page];
        const others: readonly [DataVisualization, ImageMetadata] = [page, page];
        const end: LLMAgentEvent = { type: 'end', data: { eventId: 'e' } };
        expect([...records, ...others, end.type]).to.deep.equal([page, page, page, page, page, 'end']);
        const structured: NonNullable<AgentMessageContent['structured']> = { type: 'quote', data: { symbol: 'N' } };
        // @ts-expect-error: it is checked before it is read.
        expect(structured.data.symbol).to.equal('N');
      },
      'what the document calls `any` is `unknown`, so that an agent can’t read what is not there',
    ],
    [
      'details of an error are for programs',
      async () => {
        const shown = await answered('error', { error: { code: 'E1', message: 'gone', details: { secret: 1 } } });
        expect(JSON.stringify(shown)).not.to.contain('secret');
      },
      'they may contain anything, so the user sees the message and the code',
    ],
    [
      'progress of one id is one block; left open at the end it has failed, like every open block',
      async () => {
        const step = (current: number): Partial<AgentResponse> => ({
          id: 'same',
          type: 'progress',
          content: { progress: { current, total: 4, message: 'Reading' } },
        });
        expect(await answeredAll(step(1), step(3))).to.deep.equal([
          {
            type: 'progress',
            status: 'error',
            progress: { current: 3, total: 4, message: 'Reading' },
            extra: { responseId: 'same' },
          },
        ]);
      },
    ],
    [
      'progress is shown as a bar with its message',
      async () => {
        const { element } = await showBlock({
          type: 'progress',
          status: 'loading',
          progress: { current: 1, total: 4, message: 'Reading' },
        });
        const bar = element.querySelector('progress');
        expect([wordsIn(element).includes('Reading'), bar?.value, bar?.max]).to.deep.equal([true, 1, 4]);
      },
    ],
    ...(['permission', 'action', 'data'] as const).map((type): Thing => [
      `a confirmation of the kind ${type}, without options`,
      async () => {
        expect((await answered('confirmation', { confirmation: { type, message: 'Go?' } }))[0]).to.deep.include({
          status: 'pending',
          action_type: 'confirmation',
          extra: { kind: type, options: [], responseId: 'r0' },
        });
      },
    ]),
    [
      'the options of a confirmation are buttons, and the chosen one goes to the agent',
      async () => {
        const asked: string[] = [];
        const answer = (message: AgentMessage) => {
          asked.push(message.content.text ?? '');
          const confirmation = { type: 'action', message: 'Which way?', options: ['North', 'South'] } as const;
          return chunksOf(
            asked.length === 1
              ? [{ ...say(''), type: 'confirmation' as const, content: { confirmation } }]
              : [say('Ok')],
          );
        };
        const { chat } = await mount({ agents: [agentOf('asking', { answer })] });
        void chat.send('Go');
        await waitUntil(() => wordsOf(chat).includes('South'), 'the options come', { timeout: 10_000 });
        named(chat.renderRoot, 'South').click();
        await waitUntil(() => asked.length === 2, 'the agent is asked again', { timeout: 10_000 });
        expect(asked[1]).to.equal('South');
      },
    ],
    [
      'data as CSV is a table',
      async () => {
        expect(await answered('data', { data: { format: 'csv', content: 'a,b\n1,2' } })).to.deep.equal([
          { type: 'data', data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: [['1', '2']] } } },
        ]);
      },
    ],
    ...[
      ['semicolons', 'a;b\n1,5;2'],
      ['tabs', 'a\tb\n1,5\t2'],
      ['semicolons in quotes', '"a";"b"\r\n"1,5";"2"'],
    ].map(([name, content]): Thing => [
      `data as CSV with ${name ?? ''} is a table`,
      async () => {
        expect(await answered('data', { data: { format: 'csv', content } })).to.deep.equal([
          { type: 'data', data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: [['1,5', '2']] } } },
        ]);
      },
    ]),
    [
      'data whose visualization is a table is a table',
      async () => {
        const content = [{ a: 1 }, { a: 2 }];
        expect(
          await answered('data', { data: { format: 'json', content, visualization: { type: 'table' } } }),
        ).to.deep.equal([{ type: 'data', data: { data_type: 'dataframe', data: content } }]);
      },
    ],
    ...(['yaml', 'xml'] as const).map((format): Thing => [
      `data as the text of ${format} is shown with its lines`,
      async () => {
        const content = format === 'yaml' ? 'lake:\n  depth: 12' : '<lake>\n  <depth/>\n</lake>';
        const [block] = await answered('data', { data: { format, content } });
        const { element } = await showBlock(block as unknown as Parameters<typeof showBlock>[0]);
        expect(element.querySelector('pre')?.textContent).to.equal(content);
      },
    ]),
    [
      'data as a list of rows is a table',
      async () => {
        expect((await answered('data', { data: { format: 'csv', content: [['a'], [1]] } }))[0]).to.deep.include({
          data: { data_type: 'dataframe', data: { columns: ['a'], rows: [[1]] } },
        });
      },
    ],
    [
      'data with a visualization is a chart',
      async () => {
        expect(
          (await answered('data', { data: { format: 'json', content: '[1,2]', visualization: { type: 'bar' } } }))[0],
        ).to.deep.include({ data: { data_type: 'chart', data: { type: 'bar', data: [1, 2] } } });
      },
    ],
  ],
  [
    'registry',
    [
      'registers, finds, lists and removes agents, with promises',
      async () => {
        const registry: AgentRegistry = new PageAgentRegistry();
        const one = answering();
        await registry.registerAgent(one);
        expect([registry.getAgent('north'), registry.getAllAgents()]).to.deep.equal([one, [one]]);
        await registry.unregisterAgent('north');
        expect(registry.getAgent('north')).to.equal(undefined);
      },
    ],
    [
      'registerAgent and unregisterAgent return promises',
      async () => {
        const registry: AgentRegistry = new PageAgentRegistry();
        const one = answering();
        expect(await registry.registerAgent(one).then(() => registry.getAgent('north'))).to.equal(one);
        expect(await registry.unregisterAgent('north').then(() => registry.getAllAgents())).to.deep.equal([]);
      },
    ],
    ['an unknown id is undefined', () => expect(new PageAgentRegistry().getAgent('nobody')).to.equal(undefined)],
    [
      'getAgentsByCapability takes a whole capability and compares its type',
      async () => {
        const registry: AgentRegistry = new PageAgentRegistry();
        const one = answering();
        await registry.registerAgent(one);
        expect(registry.getAgentsByCapability({ type: 'search', description: 'In other words' })).to.deep.equal([one]);
      },
    ],
    [
      'discovers agents',
      async () => {
        const one = answering();
        expect(await new PageAgentRegistry(() => Promise.resolve([one])).discoverAgents()).to.deep.equal([one]);
      },
    ],
  ],
  [
    'the sample agents',
    ['an agent that gets code', async () => expect(await branch({ code })).to.deep.equal([text('code in python')])],
    ['and plain text', async () => expect(await branch({ text: 'hello' })).to.deep.equal([text('words: hello')])],
    [
      'an agent that gets a query',
      async () =>
        expect(await branch({ structured: { type: 'price_query', data: { symbol: 'N' } } })).to.deep.equal([
          text('a query'),
        ]),
    ],
    [
      'and another query',
      async () => expect(await branch({ structured: { type: 'weather', data: {} } })).to.deep.equal([text('words: ')]),
    ],
    [
      'processMessage is written as `async`, without a star',
      async () => {
        const later = () => Promise.resolve(chunksOf([say('Later')]));
        // @ts-expect-error -- a promise of a generator is no generator: the sample does not compile against its own interface.
        const processMessage: BaseAgent['processMessage'] = later;
        const { chat } = makeChat([], { endpoint: undefined, agents: [{ ...answering(), processMessage }] });
        expect((await chat.send('Hi')).blocks.map(bareBlock)).to.deep.equal([text('Later')]);
      },
      'the samples contradict the interface: the types follow the interface, and what JavaScript returns is awaited',
    ],
  ],
  [
    'renderers of a page',
    [
      'are registered by message type',
      () => {
        const registry = new RendererRegistry();
        const renderer = defineRenderer({ type: 'structured_data', getProps: () => ({}), component: () => '' });
        registry.register(renderer);
        expect(registry.getRenderer('data')).to.equal(renderer);
      },
    ],
    [
      'may be for single agents',
      () => {
        const registry = new RendererRegistry();
        const renderer = defineRenderer({
          type: 'text',
          agentTypes: ['north'],
          getProps: () => ({}),
          component: () => '',
        });
        registry.register(renderer);
        expect([registry.getRenderer('text', 'north'), registry.getRenderer('text', 'south')]).to.deep.equal([
          renderer,
          undefined,
        ]);
      },
    ],
    [
      'a renderer without agentTypes is for all agents, and stays beside one for a single agent',
      () => {
        const registry = new RendererRegistry();
        const made = { type: 'text', getProps: () => ({}), component: () => '' } as const;
        const [all, north] = [defineRenderer(made), defineRenderer({ ...made, agentTypes: ['north'] })];
        registry.register(all);
        registry.register(north);
        expect(['north', 'south', undefined].map((id) => registry.getRenderer('text', id))).to.deep.equal([
          north,
          all,
          all,
        ]);
      },
    ],
    [
      'a type without a renderer gives undefined',
      () => expect(new RendererRegistry().getRenderer('image')).to.equal(undefined),
    ],
    ...(
      [
        ['text', 'content'],
        ['code', 'code'],
        ['data', 'data'],
        ['command', 'command_result'],
        ['file', 'file'],
        ['image', 'image'],
        ['structured_data', 'data'],
      ] as const
    ).map(([type, block]): Thing => [
      `a renderer of ${type} renders blocks of the type ${block}`,
      () => {
        const registry = new RendererRegistry();
        const renderer = defineRenderer({ type, getProps: () => ({}), component: () => '' });
        registry.register(renderer);
        expect(registry.getRenderer(block)).to.equal(renderer);
      },
    ]),
    [
      'the component is called with the props of getProps',
      async () => {
        const registry = new RendererRegistry();
        registry.register(
          defineRenderer({
            type: 'data',
            getProps: ({ data: { data } }) => ({ rows: (data as unknown[]).length }),
            component: ({ rows }) => `${String(rows)} rows`,
          }),
        );
        const chat = await showBlocks([{ type: 'data', data: { data_type: 'custom', data: [1, 2, 3] } }], {
          settings: { renderers: registry },
        });
        expect(wordsIn(await inside(chat, 'agent-chat-message article'))).to.contain('3 rows');
      },
    ],
    [
      'getProps gets the message',
      async () => {
        const renderers = new RendererRegistry();
        renderers.register(
          defineRenderer({
            type: 'content',
            getProps: (block, { message }) => `${message.role}: ${block.content}`,
            component: (props) => props,
          }),
        );
        const chat = await showBlocks([{ type: 'content', content: 'plain' }], { settings: { renderers } });
        expect(wordsIn(await inside(chat, 'agent-chat-message article'))).to.contain('assistant: plain');
      },
      'it gets the block first, because a message has several, and the message in its context',
    ],
    [
      'the toolbar reports what the user does',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          settings: { feedback: 'thumbs' },
          message: { status: 'complete' },
        });
        await inside(chat, '.toolbar .thumb-up');
        const heard = next(chat, 'agent-chat-feedback');
        named(chat.renderRoot, 'Good answer').click();
        expect((await heard).detail.value).to.equal('up');
      },
      'each action has an event of its own instead of one `action` event',
    ],
    [
      'the header of a message and its renderer get the agent',
      async () => {
        const registry = new RendererRegistry();
        registry.register(
          defineRenderer({
            type: 'content',
            agentTypes: ['north'],
            getProps: (_block, { message }) => message.agentId ?? '',
            component: (id) => `for ${id}`,
          }),
        );
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          settings: { renderers: registry, agents: [answering(), { ...answering(), id: 's', name: 'South' }] },
          message: { agentId: 'north' },
        });
        const words = wordsIn(await inside(chat, 'agent-chat-message article'));
        expect(words).to.contain('North').and.contain('for north');
      },
    ],
    [
      'the frame of a message has the agent’s name and a toolbar',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          settings: { agents: [answering(), { ...answering(), id: 's', name: 'South' }] },
          message: { agentId: 'north', status: 'complete' },
        });
        await inside(chat, '.toolbar');
        expect(has(chat, 'agent-chat-message article')).to.equal(true);
        expect(named(chat.renderRoot, 'Copy')).to.be.instanceOf(HTMLElement);
      },
    ],
  ],
]);
