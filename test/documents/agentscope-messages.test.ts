/** The source document on AgentScope's messages, in its order. Its page: `docs/protocols/agentscope-msg.md`. */
import { expect } from '@open-wc/testing';
import { importConversation } from '../../src/conversation/import.ts';
import {
  createMsg,
  createMsgBlock,
  createMsgSource,
  formatMsgs,
  getTextContent,
  getToolCalls,
  hasToolCall,
  msg,
  type Msg,
} from '../../src/model.ts';
import { agentscopeMsg } from '../../src/protocols/agentscope-msg.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { showBlock, wordsIn } from '../renderers/support/show.ts';
import { makeChat } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { call, text, thought, type Bare } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { PIXEL } from '../support/pixel.ts';
import { sse } from '../support/play-body.ts';
import { blocksOf, messagesOf, requestBody, walkDocument, type Thing } from './support/walk.ts';

/** A message as the document's builder makes it: only the given fields. */
const built = (role: Msg['role'], ...content: readonly object[]): object => ({ role, content });
const plays = async (...messages: readonly object[]): Promise<readonly Bare[]> =>
  (await messagesOf(agentscopeMsg, sse(...messages))).filter(({ blocks }) => (blocks as readonly unknown[]).length > 0);
const gives = (says: string, content: readonly object[], ...blocks: readonly Bare[]): Thing => [
  says,
  async () => {
    expect((await plays(built('ASSISTANT', ...content)))[0]?.['blocks']).to.deep.equal(blocks);
  },
];
const use = createMsgBlock.toolUse('call_1', 'find_train', { to: 'Bergen' });
const result = createMsgBlock.toolResult('call_1', 'The 9:40');
const photo = createMsgSource.url('https://photos.example/lake.jpg');
const train = (more: Bare = {}, details: Bare = {}): Bare =>
  call('call_1', 'find_train', { params: '{"to":"Bergen"}', ...more }, details);

/** The serialized sample, field by field. */
const sample = {
  name: 'user',
  role: 'USER',
  content: [
    { type: 'text', text: 'Which lake is this?' },
    { type: 'image', source: { type: 'url', url: 'https://photos.example/lake.jpg' } },
  ],
  metadata: {},
  id: 'msg_7',
  timestamp: '2026-01-15T10:30:00Z',
};

walkDocument('the document on AgentScope’s messages', 38, [
  [
    'principles',
    gives(
      'content is composed of blocks',
      [createMsgBlock.thinking('Hm'), createMsgBlock.text('Hello')],
      thought('Hm'),
      text('Hello'),
    ),
    [
      'the role says where a message comes from',
      async () => {
        expect(
          await plays(
            built('SYSTEM', createMsgBlock.text('s')),
            built('USER', createMsgBlock.text('u')),
            built('ASSISTANT', createMsgBlock.text('a')),
          ),
        ).to.have.length(1);
      },
    ],
    [
      'metadata has anything else, and comes back',
      async () => {
        const [imported] = importConversation([{ ...sample, metadata: { mood: 'calm' } }], 'agentscope-msgs').path;
        const { messages } = await requestBody(agentscopeMsg, [imported as never]);
        expect((messages as Bare[])[0]?.['metadata']).to.deep.equal({ mood: 'calm' });
      },
    ],
    [
      'messages are serialized as JSON',
      () => expect(msg.parse(JSON.parse(JSON.stringify(sample)))).to.deep.equal(sample),
    ],
  ],
  [
    'the fields of a message',
    ...(['name', 'metadata', 'id', 'timestamp'] as const).map((field): Thing => [
      `${field} may be absent`,
      async () => {
        const { [field]: _absent, ...rest } = { ...sample, role: 'ASSISTANT', name: 'North' };
        expect(await plays(rest)).to.have.length(1);
      },
    ]),
    [
      'name is the speaker',
      async () => expect((await plays({ ...sample, role: 'ASSISTANT', name: 'North' }))[0]?.['name']).to.equal('North'),
    ],
    [
      'timestamp may be a number, as Java writes an Instant',
      () => {
        expect(msg.parse({ ...sample, timestamp: 1_768_473_000 }).timestamp).to.equal('2026-01-15T10:30:00.000Z');
      },
    ],
    [
      'two messages without an id are two',
      async () => {
        expect(
          await plays(
            built('ASSISTANT', createMsgBlock.text('One.')),
            built('ASSISTANT', createMsgBlock.text('Another.')),
          ),
        ).to.have.length(2);
      },
    ],
  ],
  [
    'roles',
    ...(['SYSTEM', 'USER', 'ASSISTANT', 'TOOL'] as const).map((role): Thing => [
      `${role} becomes the role of a model in lower case`,
      () => {
        const content = role === 'TOOL' ? [result] : [createMsgBlock.text('x')];
        expect(formatMsgs([createMsg({ role, content })])[0]?.role).to.equal(role.toLowerCase());
      },
    ]),
    ['lower case is accepted too', async () => expect(await plays({ ...sample, role: 'assistant' })).to.have.length(1)],
  ],
  [
    'blocks',
    gives('TextBlock', [{ type: 'text', text: 'Good day' }], text('Good day')),
    gives('ImageBlock with an address', [createMsgBlock.image(photo)], {
      type: 'image',
      url: 'https://photos.example/lake.jpg',
    }),
    gives('ImageBlock with data', [createMsgBlock.image(createMsgSource.base64('image/png', PIXEL))], {
      type: 'image',
      image_data: { data: PIXEL, mimeType: 'image/png' },
    }),
    gives(
      'the media type as the builder spells it',
      [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: PIXEL } }],
      { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } },
    ),
    gives('ImageBlock with a file of the server', [createMsgBlock.image(createMsgSource.url('file:///srv/lake.jpg'))], {
      type: 'image',
      url: 'file:///srv/lake.jpg',
      name: 'lake.jpg',
    }),
    [
      'a file of the server is named, never requested',
      async () => {
        const { element } = await showBlock({ type: 'image', url: 'file:///srv/lake.jpg', name: 'lake.jpg' });
        expect([element.querySelector('img'), wordsIn(element).includes('lake.jpg')]).to.deep.equal([null, true]);
      },
    ],
    gives('AudioBlock', [createMsgBlock.audio(createMsgSource.base64('audio/wav', 'UklGRg=='))], {
      type: 'audio',
      data: 'UklGRg==',
      mimeType: 'audio/wav',
    }),
    gives('VideoBlock', [createMsgBlock.video(createMsgSource.url('https://v.example/a.mp4'))], {
      type: 'video',
      url: 'https://v.example/a.mp4',
    }),
    gives('ThinkingBlock', [createMsgBlock.thinking('Let me see')], thought('Let me see')),
    gives(
      'the <think> tags of a model are reasoning',
      [createMsgBlock.text('<think>Hm</think>Yes.')],
      thought('Hm'),
      text('Yes.'),
    ),
    gives('ToolUseBlock with id, name and input', [use], train({}, { status: 'loading' })),
    gives('an unknown block is not shown', [{ type: 'hologram', depth: 3 }, createMsgBlock.text('x')], text('x')),
  ],
  [
    'results of tools',
    [
      'a result is matched by toolUseId',
      async () => {
        expect((await plays(built('ASSISTANT', use), built('TOOL', result)))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40' }),
        ]);
      },
    ],
    [
      'a call of the agent’s own tool without a result is not for the page',
      async () => {
        const { chat, server } = makeChat([stream(sse(built('ASSISTANT', use)))], {
          protocol: 'agentscope-msg',
          tools: [{ name: 'page_title', description: '', parameters: {}, execute: () => 'Trains' }],
        });
        const { status, finish, blocks } = await chat.send('Hi');
        expect([status, finish, server.bodies.length]).to.deep.equal(['complete', 'complete', 1]);
        expect(
          blocks.map((block) => [block.status, block.type === 'tool_call' && block.tool_call.response]),
        ).to.deep.equal([['success', undefined]]);
      },
    ],
    [
      'a call of a tool of the page runs there',
      async () => {
        const { chat, server } = makeChat(
          [stream(sse(built('ASSISTANT', use))), stream(sse(built('ASSISTANT', createMsgBlock.text('At 9:40.'))))],
          {
            protocol: 'agentscope-msg',
            tools: [{ name: 'find_train', description: '', parameters: {}, execute: () => 'The 9:40' }],
          },
        );
        await chat.send('Hi');
        expect(JSON.stringify(server.bodies[1])).to.contain('The 9:40');
      },
    ],
    [
      'ToolResultBlock.error is a failure',
      async () => {
        const failed = built('TOOL', createMsgBlock.toolError('call_1', 'No trains'));
        expect((await plays(built('ASSISTANT', use), failed))[0]?.['blocks']).to.deep.equal([
          train({ response: 'No trains' }, { status: 'error' }),
        ]);
      },
    ],
    [
      'its text alone is a failure too',
      async () => {
        const failed = built('TOOL', createMsgBlock.toolResult('call_1', '列车查询失败：系统繁忙'));
        expect(
          ((await plays(built('ASSISTANT', use), failed))[0]?.['blocks'] as readonly Bare[])[0]?.['status'],
        ).to.equal('error');
      },
    ],
    [
      'a nameless TOOL message loses nothing',
      async () => {
        const messages = [built('ASSISTANT', createMsgBlock.text('I look it up'), use), built('TOOL', result)];
        expect((await plays(...messages))[0]?.['blocks']).to.deep.equal([
          text('I look it up'),
          train({ response: 'The 9:40' }),
        ]);
      },
    ],
  ],
  [
    'building messages',
    [
      'textContent is one text block',
      () => expect(createMsg({ textContent: 'a' })).to.deep.equal(createMsg({ content: [createMsgBlock.text('a')] })),
    ],
    [
      'a message of several media',
      () => {
        const mixed = createMsg({
          name: 'user',
          content: [createMsgBlock.text('Which lake?'), createMsgBlock.image(photo)],
        });
        expect(msg.parse(mixed)).to.deep.equal(mixed);
      },
    ],
    [
      'a message with a call, and its result',
      () => {
        const messages = [
          createMsg({ role: 'ASSISTANT', content: [use] }),
          createMsg({ role: 'TOOL', content: [result] }),
        ];
        expect(messages.map((message) => msg.parse(message))).to.deep.equal(messages);
      },
    ],
  ],
  [
    'serialization',
    [
      'the sample is imported',
      () => {
        const [message] = importConversation([sample], 'agentscope-msgs').path;
        expect(message).to.deep.include({ role: 'user', name: 'user' });
      },
    ],
    [
      'the sample is detected as an answer',
      async () => {
        expect(await findProtocol(JSON.stringify({ ...sample, role: 'ASSISTANT' }), protocols.list())).to.equal(
          'agentscope-msg',
        );
      },
    ],
    [
      'the conversation is sent as messages of that form',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [{ role: 'user', text: 'Hi' }]);
        expect(msg.safeParse((messages as unknown[])[0]).success).to.equal(true);
      },
    ],
  ],
  [
    'several agents',
    [
      'each name is a message of its own',
      async () => {
        const spoken = (name: string, words: string) => ({ ...built('ASSISTANT', createMsgBlock.text(words)), name });
        expect((await plays(spoken('North', 'Yes'), spoken('South', 'No'))).map(({ name }) => name)).to.deep.equal([
          'North',
          'South',
        ]);
      },
    ],
    [
      'a formatter names the speakers for a model',
      () => {
        const spoken = (name: string, textContent: string) => createMsg({ name, role: 'ASSISTANT', textContent });
        expect(formatMsgs([spoken('North', 'Yes'), spoken('South', 'No')])).to.deep.equal([
          { role: 'user', content: '[North]: Yes' },
          { role: 'user', content: '[South]: No' },
        ]);
      },
    ],
    [
      'the endpoint gets them unformatted',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [{ role: 'assistant', name: 'North', text: 'Yes' }]);
        expect((messages as Msg[])[0]).to.deep.include({ name: 'North', role: 'ASSISTANT' });
      },
      'an AgentScope endpoint formats them itself, and formatting twice would name the speaker twice',
    ],
  ],
  [
    'extraction',
    [
      'all text',
      () =>
        expect(
          getTextContent(createMsg({ content: [createMsgBlock.text('a'), use, createMsgBlock.text('b')] })),
        ).to.equal('ab'),
    ],
    ['the calls', () => expect(getToolCalls(createMsg({ content: [use, result] }))).to.deep.equal([use])],
    [
      'whether there is one',
      () =>
        expect([createMsg({ content: [use] }), createMsg({ textContent: 'a' })].map(hasToolCall)).to.deep.equal([
          true,
          false,
        ]),
    ],
  ],
  [
    'transport',
    [
      'is not described: one message per frame, an array, or one under msg',
      async () => {
        const message = { ...sample, role: 'ASSISTANT', content: [createMsgBlock.text('a')] };
        for (const body of [sse(message), sse([message]), sse({ msg: message, last: true })]) {
          expect(await blocksOf(agentscopeMsg, body)).to.deep.equal([text('a')]);
        }
      },
    ],
  ],
]);
