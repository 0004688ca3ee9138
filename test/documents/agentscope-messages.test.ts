/**
 * The source document on AgentScope's messages, in its order. Its page: `docs/protocols/agentscope-msg.md`.
 *
 * Counted field by field, the document has 95 things. 45 test cases existed; the others are the sources of each medium,
 * the required fields, every sample of the builders, what is sent back, and the formatter's other roles.
 */
import { expect, waitUntil } from '@open-wc/testing';
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
  type MsgBlock,
} from '../../src/model.ts';
import { knownBlocks } from '../../src/formats/agentscope-msg.ts';
import { adapter as agentscopeMsg } from '../../src/protocols/agentscope-msg/agentscope-msg.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { inside, mount, wordsOf } from '../components/support/mount.ts';
import { showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { makeChat } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { PIXEL } from '../support/pixel.ts';
import { ndjson, sse } from '../support/play-body.ts';
import { blocksOf, messagesOf, requestBody, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

/** A message as the document's builder makes it: only the given fields. */
const built = (role: Msg['role'], ...content: readonly object[]): object => ({ role, content });
const plays = async (...messages: readonly object[]): Promise<readonly ExpectedFields[]> =>
  (await messagesOf(agentscopeMsg, sse(...messages))).filter(({ blocks }) => (blocks as readonly unknown[]).length > 0);
const gives = (says: string, content: readonly object[], ...blocks: readonly ExpectedFields[]): Thing => [
  says,
  async () => {
    expect((await plays(built('ASSISTANT', ...content)))[0]?.['blocks']).to.deep.equal(blocks);
  },
];
const use = createMsgBlock.toolUse('call_1', 'find_train', { to: 'Bergen' });
const result = createMsgBlock.toolResult('call_1', 'The 9:40');
const photo = createMsgSource.url('https://photos.example/lake.jpg');
const imageOfResult = { type: 'image', url: 'https://photos.example/lake.jpg', extra: { dataId: 'call_1 0' } };
const train = (more: ExpectedFields = {}, details: ExpectedFields = {}): ExpectedFields =>
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

walkDocument('the document on AgentScope’s messages', 95, [
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
        expect((messages as ExpectedFields[])[0]?.['metadata']).to.deep.equal({ mood: 'calm' });
      },
    ],
    [
      'messages are serialized as JSON',
      () => expect(msg.parse(JSON.parse(JSON.stringify(sample)))).to.deep.equal(sample),
    ],
  ],
  [
    'the fields of a message',
    [
      'metadata and time of a streamed message come back with the next request',
      async () => {
        const streamed = { ...built('ASSISTANT', createMsgBlock.text('a')), id: 'm1', timestamp: sample.timestamp };
        const { chat, server } = makeChat([stream(sse({ ...streamed, metadata: { mood: 'calm' } }))], {
          protocol: 'agentscope-msg',
        });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages[1]).to.deep.include({ metadata: { mood: 'calm' }, timestamp: sample.timestamp });
      },
    ],
    [
      'metadata of the messages with results comes back too, in their messages',
      async () => {
        const call = (id: string) => createMsgBlock.toolUse(id, 'find_train', {});
        const answer = (id: string, metadata: Msg['metadata']) => ({
          ...built('TOOL', createMsgBlock.toolResult(id, 'At 9:40')),
          metadata,
        });
        const replies = [
          { ...built('ASSISTANT', call('a'), call('b'), call('c')), id: 'm1' },
          answer('c', { took: 3 }),
          answer('b', { took: 3 }),
          answer('a', {}),
        ];
        const { chat, server } = makeChat([stream(sse(...replies))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Msg[] };
        const sent = messages.flatMap(({ role, metadata, content }) =>
          role === 'TOOL' ? [[metadata, ...content.map(({ id }) => id)]] : [],
        );
        expect(sent).to.deep.equal([
          [{ part_of: 'm1' }, 'a'],
          [{ took: 3, part_of: 'm1' }, 'b', 'c'],
        ]);
      },
    ],
    [
      'so do their ids, names and times, unless a server uses an id again',
      async () => {
        const answer = (id: string, call: string) => ({
          ...built('TOOL', createMsgBlock.toolResult(call, 'At 9:40')),
          id,
          name: 'timetable',
          timestamp: sample.timestamp,
        });
        const replies = [
          { ...built('ASSISTANT', createMsgBlock.toolUse('a', 'find_train', {})), id: 'm1' },
          answer('m2', 'a'),
          { ...built('ASSISTANT', createMsgBlock.toolUse('b', 'find_train', {})), id: 'm3' },
          answer('m2', 'b'),
        ];
        const { chat, server } = makeChat([stream(sse(...replies))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Msg[] };
        expect(
          messages.flatMap(({ role, id, name, timestamp }) => (role === 'TOOL' ? [{ id, name, timestamp }] : [])),
        ).to.deep.equal(['m2', 'm3.1'].map((id) => ({ id, name: 'timetable', timestamp: sample.timestamp })));
      },
    ],
    ...([undefined, 'msg_1'] as const).map((id): Thing => [
      `the id of each message that is sent back is its own, also if every reply has ${id ?? 'none'}`,
      async () => {
        const reply = (words: string) =>
          stream(sse({ role: 'ASSISTANT', content: [createMsgBlock.text(words)], ...(id && { id }) }));
        const { chat, server } = makeChat([reply('One'), reply('Two'), reply('Three')], { protocol: 'agentscope-msg' });
        for (const words of ['a', 'b', 'c']) await chat.send(words);
        const { messages } = server.bodies[2] as { messages: readonly ExpectedFields[] };
        expect(new Set(messages.map((one) => one['id'])).size).to.equal(5);
      },
    ]),
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
    ...(['role', 'content'] as const).map((field): Thing => [
      `${field} is required`,
      async () => {
        const { [field]: _missing, ...rest } = { ...sample, role: 'ASSISTANT' };
        expect(msg.safeParse(rest).success).to.equal(false);
        const spoken = { ...built('ASSISTANT', createMsgBlock.text('Yes')), name: 'North' };
        expect(await plays(rest, spoken)).to.have.length(1);
        expect(await warningsAbout(agentscopeMsg, sse(rest, spoken))).to.deep.equal(['malformed']);
      },
    ]),
    ...(['name', 'metadata', 'id', 'timestamp'] as const).map((field): Thing => [
      `${field} may be null`,
      async () => expect(await plays({ ...sample, role: 'ASSISTANT', name: 'North', [field]: null })).to.have.length(1),
    ]),
    [
      'content may be null: the message has no parts',
      async () => {
        const empty = { ...sample, id: 'e', role: 'ASSISTANT', name: 'North', content: null };
        expect(msg.parse(empty).content).to.deep.equal([]);
        const spoken = { ...built('ASSISTANT', createMsgBlock.text('Yes')), id: 'e', name: 'North' };
        expect(await warningsAbout(agentscopeMsg, sse(empty, spoken))).to.deep.equal([]);
        expect((await plays(empty, spoken)).map(({ blocks }) => blocks)).to.deep.equal([[text('Yes')]]);
      },
    ],
    [
      'a nameless message is sent back with its role as its name',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [{ role: 'assistant', text: 'Yes' }]);
        expect((messages as Msg[])[0]).to.deep.include({ name: 'assistant', role: 'ASSISTANT' });
      },
    ],
    [
      'content is always a list in what is sent',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [{ role: 'user', text: 'Hi' }]);
        expect((messages as Msg[])[0]?.content).to.deep.equal([{ type: 'text', text: 'Hi' }]);
      },
    ],
    [
      'a text instead of a list is one text block',
      async () =>
        expect((await plays({ role: 'ASSISTANT', name: 'North', content: 'Yes' }))[0]?.['blocks']).to.deep.equal([
          text('Yes'),
        ]),
    ],
    [
      'an id that comes again is the same message, in its newer form',
      async () => {
        const grown = (words: string) => ({
          ...built('ASSISTANT', createMsgBlock.text(words)),
          name: 'North',
          id: 'msg_1',
        });
        expect((await plays(grown('Half'), grown('Half and whole'), grown('Better')))[0]?.['blocks']).to.deep.equal([
          text('Better'),
        ]);
      },
    ],
    [
      'timestamp in ISO 8601 is the time of an imported message',
      () => {
        const [message] = importConversation([sample], 'agentscope-msgs').path;
        expect(message?.timestamp).to.equal(Date.parse('2026-01-15T10:30:00Z'));
      },
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
    [
      'SYSTEM is the role of the page’s system text and context',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [{ role: 'user', text: 'Hi' }], {
          system: 'Be brief',
          context: 'Order 42 is open',
        });
        const [first, second] = messages as readonly ExpectedFields[];
        expect(first).to.deep.include({
          id: 'system',
          name: 'system',
          role: 'SYSTEM',
          content: [{ type: 'text', text: 'Be brief\n\nContext of the page the user is on:\nOrder 42 is open' }],
        });
        expect(second?.['role']).to.equal('USER');
      },
    ],
    [
      'SYSTEM is never shown as an answer',
      async () => expect(await plays(built('SYSTEM', createMsgBlock.text('Be brief')))).to.deep.equal([]),
    ],
    [
      'USER is an echo, not an answer',
      async () => expect(await plays(built('USER', createMsgBlock.text('Hi')))).to.deep.equal([]),
    ],
    [
      'TOOL is the result of a call, never a message of its own',
      async () => {
        expect(await plays(built('ASSISTANT', use), built('TOOL', result))).to.have.length(1);
      },
    ],
    [
      'ASSISTANT may ask for tools and speak in one message',
      async () =>
        expect((await plays(built('ASSISTANT', createMsgBlock.text('I look'), use)))[0]?.['blocks']).to.deep.equal([
          text('I look'),
          train({}, { status: 'loading' }),
        ]),
    ],
    [
      'another role is refused',
      async () =>
        expect(
          await warningsAbout(agentscopeMsg, sse(built('JUDGE' as 'USER', createMsgBlock.text('x')))),
        ).to.deep.equal(['malformed']),
    ],
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
    [
      'a file of the server goes back with its address',
      async () => {
        const image = createMsgBlock.image(createMsgSource.url('file:///srv/lake.jpg'));
        const { chat, server } = makeChat([stream(sse(built('ASSISTANT', image)))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Msg[] };
        expect(messages[1]?.content).to.deep.equal([image]);
      },
    ],
    [
      'an image without address and bytes is not sent',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [
          {
            role: 'assistant',
            blocks: [
              { type: 'content', content: 'Here' },
              { type: 'image', status: 'error' },
            ],
          },
        ]);
        expect((messages as Msg[])[0]?.content).to.deep.equal([createMsgBlock.text('Here')]);
      },
    ],
    [
      'a reply of nothing but a refused image is not sent back: a model would reject it',
      async () => {
        const image = createMsgBlock.image(createMsgSource.base64('image/svg+xml', btoa('<svg/>')));
        const replies = [
          { ...built('ASSISTANT', image), id: 'a' },
          { ...built('ASSISTANT', createMsgBlock.text('There')), id: 'b' },
        ];
        const { chat, server } = makeChat([stream(sse(...replies))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Msg[] };
        expect(messages.map(({ role, content }) => [role, content.length])).to.deep.equal([
          ['USER', 1],
          ['ASSISTANT', 1],
          ['USER', 1],
        ]);
      },
    ],
    [
      'a picture from a host with a long name does not widen a phone',
      async () => {
        const { chat } = await mount({ protocol: 'agentscope-msg' });
        chat.style.cssText = 'display: block; inline-size: 320px; block-size: 560px';
        const url = `https://${'h'.repeat(60)}.example.com/lake.jpg`;
        chat.messages = [{ role: 'assistant', blocks: [{ type: 'image', url }] }];
        await inside(chat, '.blocked');
        const transcript = await inside(chat, '[part="transcript"]');
        expect(transcript.scrollWidth).to.be.at.most(transcript.clientWidth);
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
    ...(['image', 'audio', 'video'] as const).flatMap((type): Thing[] => [
      gives(`${type} from https`, [{ type, source: { type: 'url', url: 'https://m.example/a' } }], {
        type,
        url: 'https://m.example/a',
      }),
      gives(
        `${type} as base64`,
        [{ type, source: { type: 'base64', media_type: `${type}/x`, data: 'UklGRg==' } }],
        type === 'image'
          ? { type, image_data: { data: 'UklGRg==', mimeType: 'image/x' } }
          : { type, data: 'UklGRg==', mimeType: `${type}/x` },
      ),
      gives(`${type} as a file of the server`, [{ type, source: { type: 'url', url: 'file:///srv/a.bin' } }], {
        type,
        url: 'file:///srv/a.bin',
        name: 'a.bin',
      }),
    ]),
    gives('an image without a source is not shown', [{ type: 'image' }, createMsgBlock.text('x')], text('x')),
    ...(['image', 'audio', 'video'] as const).flatMap((type): Thing[] => [
      gives(
        `${type} with null as its media type, by address`,
        [{ type, source: { type: 'url', url: 'https://m.example/a', mime_type: null } }],
        { type, url: 'https://m.example/a' },
      ),
      gives(
        `${type} with null in the other spelling of its media type`,
        [{ type, source: { type: 'base64', media_type: null, mediaType: `${type}/x`, data: 'UklGRg==' } }],
        type === 'image'
          ? { type, image_data: { data: 'UklGRg==', mimeType: 'image/x' } }
          : { type, data: 'UklGRg==', mimeType: `${type}/x` },
      ),
    ]),
    gives(
      'text and images in any order',
      [createMsgBlock.text('One'), createMsgBlock.image(photo), createMsgBlock.text('Two')],
      text('One'),
      { type: 'image', url: 'https://photos.example/lake.jpg' },
      text('Two'),
    ),
    [
      'two texts in a row are shown and sent back as two',
      async () => {
        const content = [createMsgBlock.text('Two ways lead there'), createMsgBlock.text('# By train')];
        const { chat, server } = makeChat([stream(sse(built('ASSISTANT', ...content)))], {
          protocol: 'agentscope-msg',
        });
        const { blocks } = await chat.send('Hi');
        expect(blocks.map((block) => block.type === 'content' && block.content)).to.deep.equal([
          'Two ways lead there',
          '# By train',
        ]);
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Msg[] };
        expect(messages[1]?.content).to.deep.equal(content);
      },
    ],
    [
      'the factory of the text block gives the serialized form',
      () => expect(createMsgBlock.text('Good day')).to.deep.equal({ type: 'text', text: 'Good day' }),
    ],
    [
      'the factories of the sources give the serialized forms',
      () =>
        expect([photo, createMsgSource.base64('image/png', PIXEL)]).to.deep.equal([
          { type: 'url', url: 'https://photos.example/lake.jpg' },
          { type: 'base64', media_type: 'image/png', data: PIXEL },
        ]),
    ],
    gives('ThinkingBlock', [createMsgBlock.thinking('Let me see')], thought('Let me see')),
    gives(
      'the <think> tags of a model are reasoning',
      [createMsgBlock.text('<think>Hm</think>Yes.')],
      thought('Hm'),
      text('Yes.'),
    ),
    [
      'thinking is kept: it is part of the next request',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [
          {
            role: 'assistant',
            blocks: [
              { type: 'reasoning_content', content: 'Hm' },
              { type: 'content', content: 'Yes' },
            ],
          },
        ]);
        expect((messages as Msg[])[0]?.content).to.deep.equal([
          { type: 'thinking', thinking: 'Hm' },
          { type: 'text', text: 'Yes' },
        ]);
      },
    ],
    gives('an open <think> tag is reasoning so far', [createMsgBlock.text('<think>Hm')], thought('Hm')),
    [
      'thinking is shown folded',
      async () => {
        const chat = await showBlocks(
          [
            { type: 'reasoning_content', content: 'A long way' },
            { type: 'content', content: 'Yes' },
          ],
          { message: { status: 'complete' } },
        );
        const summary = await inside(chat, 'button[aria-expanded], summary');
        expect(summary.getAttribute('aria-expanded') ?? String(summary.closest('details')?.open)).to.equal('false');
      },
    ],
    ...(['id', 'name'] as const).map((field): Thing => [
      `a ToolUseBlock without ${field} is not shown`,
      async () => {
        const { [field]: _missing, ...rest } = use;
        expect((await plays(built('ASSISTANT', rest, createMsgBlock.text('x'))))[0]?.['blocks']).to.deep.equal([
          text('x'),
        ]);
      },
    ]),
    gives(
      'input is an object of any depth',
      [createMsgBlock.toolUse('call_1', 'find_train', { to: { city: 'Bergen', via: [1, null] } })],
      train({ params: '{"to":{"city":"Bergen","via":[1,null]}}' }, { status: 'loading' }),
    ),
    gives(
      'input may be empty',
      [createMsgBlock.toolUse('call_1', 'find_train', {})],
      train({ params: '{}' }, { status: 'loading' }),
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
      'toolUseId of a result that is sent',
      async () => {
        const tool_call = { id: 'call_1', name: 'find_train', params: '{}', response: 'The 9:40' };
        const { messages } = await requestBody(agentscopeMsg, [
          { role: 'assistant', blocks: [{ type: 'tool_call', tool_call }] },
          { role: 'user', text: 'And?' },
        ]);
        const results = (messages as readonly Msg[]).flatMap(({ role, content }) => (role === 'TOOL' ? content : []));
        expect(results.map(({ id, toolUseId }) => [id, toolUseId])).to.deep.equal([['call_1', 'call_1']]);
      },
      'the id is also sent as `id`, which AgentScope itself reads',
    ],
    ...(['toolUseId', 'tool_use_id', 'tool_call_id', 'id'] as const).map((field): Thing => [
      `the id may be spelled ${field}`,
      async () => {
        const answer = { type: 'tool_result', [field]: 'call_1', output: [createMsgBlock.text('The 9:40')] };
        expect((await plays(built('ASSISTANT', use), built('TOOL', answer)))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40' }),
        ]);
      },
    ]),
    [
      'output is a list of blocks: each text is a line, an image is shown after the call',
      async () => {
        const answer = createMsgBlock.toolResult('call_1', [
          createMsgBlock.text('The 9:40'),
          createMsgBlock.text('Platform 3'),
          createMsgBlock.image(photo),
        ]);
        expect((await plays(built('ASSISTANT', use), built('TOOL', answer)))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40\nPlatform 3' }),
          imageOfResult,
        ]);
      },
    ],
    [
      'a result that overtakes its call belongs to it',
      async () => {
        const answer = createMsgBlock.toolResult('call_1', [createMsgBlock.text('Here')]);
        const messages = await plays(built('TOOL', answer), {
          ...built('ASSISTANT', use, createMsgBlock.text('So')),
          name: 'North',
        });
        expect(messages.map(({ name, blocks }) => [name, blocks])).to.deep.equal([
          ['North', [train({ response: 'Here' }), text('So')]],
        ]);
      },
      'the result of an unknown call is shown after the next message of an agent',
    ],
    [
      'an image of a result belongs to the agent that made the call, whoever spoke meanwhile',
      async () => {
        const answer = createMsgBlock.toolResult('call_1', [createMsgBlock.text('Here'), createMsgBlock.image(photo)]);
        const messages = await plays(
          { ...built('ASSISTANT', use), name: 'North' },
          { ...built('ASSISTANT', createMsgBlock.text('I wait')), name: 'South' },
          built('TOOL', answer),
          { ...built('ASSISTANT', createMsgBlock.text('I wait too')), name: 'South' },
        );
        expect(messages.map(({ name, blocks }) => [name, blocks])).to.deep.equal([
          ['North', [train({ response: 'Here' }), imageOfResult]],
          ['South', [text('I wait too')]],
        ]);
      },
    ],
    [
      'an image of a result stays when the text before its call changes',
      async () => {
        const grown = (words: string) => ({ ...built('ASSISTANT', createMsgBlock.text(words), use), id: 'm' });
        const answer = createMsgBlock.toolResult('call_1', [createMsgBlock.image(photo)]);
        expect((await plays(grown('One'), built('TOOL', answer), grown('Other')))[0]?.['blocks']).to.deep.equal([
          text('Other'),
          train({ response: '' }),
          imageOfResult,
        ]);
      },
    ],
    [
      'an image of a result is sent back in the result, not as a message of the agent',
      async () => {
        const output = [createMsgBlock.text('Here'), createMsgBlock.image(photo)];
        const replies = [
          { ...built('ASSISTANT', createMsgBlock.text('I look'), use), id: 'm' },
          built('TOOL', createMsgBlock.toolResult('call_1', output)),
          { ...built('ASSISTANT', createMsgBlock.text('A lake')), id: 'n' },
        ];
        const { chat, server } = makeChat([stream(sse(...replies))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly { role: string; content: ExpectedFields[] }[] };
        expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).to.deep.equal([
          ['USER', 'text'],
          ['ASSISTANT', 'text', 'tool_use'],
          ['TOOL', 'tool_result'],
          ['ASSISTANT', 'text'],
          ['USER', 'text'],
        ]);
        expect(messages[2]?.content[0]?.['output']).to.deep.equal(output);
      },
    ],
    [
      'a result in a message of the system, as AgentScope for Python sends it',
      async () => {
        const all = await plays(built('ASSISTANT', use), { ...built('SYSTEM', result), name: 'system' });
        expect(all.map(({ blocks }) => blocks)).to.deep.equal([[train({ response: 'The 9:40' })]]);
      },
    ],
    [
      'a result of the history in a message of the system is not shown',
      async () => expect(await plays(built('SYSTEM', result))).to.deep.equal([]),
    ],
    [
      'two calls are matched by their ids, in any order',
      async () => {
        const other = createMsgBlock.toolUse('call_2', 'find_ship', {});
        const messages = [
          built('ASSISTANT', use, other),
          built('TOOL', createMsgBlock.toolResult('call_2', 'At noon')),
          built('TOOL', result),
        ];
        expect((await plays(...messages))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40' }),
          call('call_2', 'find_ship', { params: '{}', response: 'At noon' }),
        ]);
      },
    ],
    [
      'a call without its result is still open at the end',
      async () =>
        expect((await messagesOf(agentscopeMsg, sse(built('ASSISTANT', use))))[0]).to.deep.include({
          finish: 'tool_use',
        }),
    ],
    ...[createMsgBlock.text('The 9:40'), [createMsgBlock.text('The 9:40')], 'The 9:40'].map((output): Thing => [
      `an output as ${Array.isArray(output) ? 'a list' : typeof output === 'string' ? 'text' : 'one block'}`,
      async () => {
        const answer = { type: 'tool_result', toolUseId: 'call_1', output };
        expect((await plays(built('ASSISTANT', use), built('TOOL', answer)))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40' }),
        ]);
      },
    ]),
    [
      'a message with a result that comes again is the same message too, in its newer form',
      async () => {
        const grown = (words: string, more: object = {}) => ({
          ...built('TOOL', { ...createMsgBlock.toolResult('call_1', words), ...more }),
          id: 'msg_2',
        });
        const asked = built('ASSISTANT', use);
        expect((await plays(asked, grown('The'), grown('The 9:40')))[0]?.['blocks']).to.deep.equal([
          train({ response: 'The 9:40' }),
        ]);
        const failed = grown('No trains', { state: 'error' });
        expect((await plays(asked, grown('The'), failed))[0]?.['blocks']).to.deep.equal([
          train({ response: 'No trains' }, { status: 'error' }),
        ]);
      },
    ],
    [
      'an output that is null is a result without text',
      async () => {
        const answer = { type: 'tool_result', toolUseId: 'call_1', output: null };
        expect((await plays(built('ASSISTANT', use), built('TOOL', answer)))[0]?.['blocks']).to.deep.equal([
          train({ response: '' }),
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
      'a call without a result, as after a stop, is not sent again: a model would reject it',
      async () => {
        const called = (id: string, response?: string) =>
          ({
            type: 'tool_call',
            status: response === undefined ? 'cancel' : 'success',
            tool_call: { id, name: 'find_train', params: '{}', ...(response !== undefined && { response }) },
          }) as const;
        const { messages } = await requestBody(agentscopeMsg, [
          { role: 'user', text: 'When?' },
          { role: 'assistant', blocks: [{ type: 'content', content: 'I look' }, called('a', 'At 9:40'), called('b')] },
          { role: 'assistant', blocks: [called('c')] },
          { role: 'user', text: 'And?' },
        ]);
        const sent = (messages as readonly Msg[]).map(({ role, content }) => [
          role,
          ...content.map(({ type, id, toolUseId }) => [type, id ?? toolUseId].filter(Boolean).join(' ')),
        ]);
        expect(sent).to.deep.equal([
          ['USER', 'text'],
          ['ASSISTANT', 'text', 'tool_use a'],
          ['TOOL', 'tool_result a'],
          ['USER', 'text'],
        ]);
      },
    ],
    [
      'a stopped call is not sent again if a later call with its id has a result',
      async () => {
        const called = (response?: string) =>
          ({
            type: 'tool_call',
            status: response === undefined ? 'cancel' : 'success',
            tool_call: { id: 'call_1', name: 'find_train', params: '{}', ...(response !== undefined && { response }) },
          }) as const;
        const { messages } = await requestBody(agentscopeMsg, [
          { role: 'user', text: 'When?' },
          { role: 'assistant', blocks: [{ type: 'content', content: 'I look' }, called()] },
          { role: 'user', text: 'Again' },
          { role: 'assistant', blocks: [called('At 9:40')] },
          { role: 'user', text: 'And?' },
        ]);
        const sent = (messages as readonly Msg[]).map(({ content }) => content.map(({ type }) => type).join(' '));
        expect(sent).to.deep.equal(['text', 'text', 'text', 'tool_use', 'tool_result', 'text']);
      },
    ],
    [
      'a result that is only an image is sent back without an empty text',
      async () => {
        const output = [createMsgBlock.image(photo)];
        const replies = [built('ASSISTANT', use), built('TOOL', createMsgBlock.toolResult('call_1', output))];
        const { chat, server } = makeChat([stream(sse(...replies))], { protocol: 'agentscope-msg' });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly { content: ExpectedFields[] }[] };
        expect(messages[2]?.content[0]?.['output']).to.deep.equal(output);
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
          ((await plays(built('ASSISTANT', use), failed))[0]?.['blocks'] as readonly ExpectedFields[])[0]?.['status'],
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
      'without a role a message is of the user, without metadata it has none',
      () => expect(createMsg({ textContent: 'a' })).to.deep.include({ role: 'USER', metadata: {} }),
    ],
    [
      'the builder leaves out what it is not given',
      () => expect(createMsg({ textContent: 'a' })).to.have.all.keys('role', 'content', 'metadata'),
    ],
    [
      'name, id and timestamp of the builder',
      () => {
        const fields = { name: 'North', id: 'msg_1', timestamp: '2026-01-15T10:30:00Z' };
        expect(createMsg({ ...fields, textContent: 'a' })).to.deep.include(fields);
      },
    ],
    [
      'textContent and content together are a compile error',
      () => {
        // @ts-expect-error -- a message has one or the other.
        const both = createMsg({ textContent: 'a', content: [] });
        expect(both.role).to.equal('USER');
      },
    ],
    [
      'an error of a tool is built with its state',
      () =>
        expect(createMsgBlock.toolError('call_1', 'No trains')).to.deep.equal({
          type: 'tool_result',
          toolUseId: 'call_1',
          output: [{ type: 'text', text: 'No trains' }],
          state: 'error',
        }),
      'the document shows no flag in the JSON; with the state a failure is known in any language',
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
    ...[sample, JSON.stringify(sample)].map((data): Thing => [
      `the sample is imported without a list, as ${typeof data === 'string' ? 'text' : 'an object'}`,
      () => {
        const { path } = importConversation(data, 'agentscope-msgs');
        expect(path.map(({ role, name }) => [role, name])).to.deep.equal([['user', 'user']]);
      },
    ]),
    [
      'each field of the sample arrives, and is sent again',
      async () => {
        const { path } = importConversation([sample], 'agentscope-msgs');
        expect(path[0]?.blocks?.map(({ type }) => type)).to.deep.equal(['content', 'image']);
        const { messages } = await requestBody(agentscopeMsg, path);
        expect((messages as Msg[])[0]).to.deep.include({ name: 'user', role: 'USER', content: sample.content });
      },
    ],
    ...(['text', 'image', 'tool_use', 'tool_result', 'thinking', 'audio', 'video'] as const).map((type): Thing => [
      `a block is known by its type ${type}`,
      () => {
        const all = {
          text: createMsgBlock.text('a'),
          image: createMsgBlock.image(photo),
          tool_use: use,
          tool_result: result,
          thinking: createMsgBlock.thinking('a'),
          audio: createMsgBlock.audio(photo),
          video: createMsgBlock.video(photo),
        };
        expect(all[type].type).to.equal(type);
        expect(knownBlocks({ content: [all[type]] })).to.deep.equal([all[type]]);
      },
    ]),
    [
      'an imported message that the user edits is sent with its name and metadata, but with an id and a time of its own',
      async () => {
        const { chat, server } = makeChat([stream(sse(built('ASSISTANT', createMsgBlock.text('Lake Orne'))))], {
          protocol: 'agentscope-msg',
        });
        const ada = { ...sample, name: 'Ada', metadata: { mood: 'calm' } };
        await chat.import(Promise.resolve(importConversation([ada], 'agentscope-msgs')));
        const [imported] = chat.messages;
        await chat.edit(imported?.id ?? '', 'Which lake is near?');
        const [{ messages }] = server.bodies as [{ messages: readonly Msg[] }];
        const [{ id, timestamp, ...sent } = {} as Msg, ...others] = messages;
        expect([id === sample.id, timestamp === sample.timestamp, others]).to.deep.equal([false, false, []]);
        const [, image] = sample.content;
        const content = [createMsgBlock.text('Which lake is near?'), image];
        expect(sent).to.deep.equal({ name: 'Ada', role: 'USER', content, metadata: { mood: 'calm' } });
      },
    ],
    [
      'a nameless message is imported',
      () =>
        expect(
          importConversation([built('ASSISTANT', createMsgBlock.text('a'))], 'agentscope-msgs').path,
        ).to.have.length(1),
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
      'each name is shown above its message',
      async () => {
        const { chat } = await mount({ protocol: 'agentscope-msg' });
        chat.messages = [
          { role: 'assistant', name: 'North', text: 'Yes' },
          { role: 'assistant', name: 'South', text: 'No' },
        ];
        await waitUntil(() => wordsOf(chat).includes('South'), 'the names come', { timeout: 10_000 });
        expect(wordsOf(chat)).to.contain('North');
      },
    ],
    [
      'the formatter leaves a single agent as it is',
      () =>
        expect(formatMsgs([createMsg({ name: 'North', role: 'ASSISTANT', textContent: 'Yes' })])).to.deep.equal([
          { role: 'assistant', content: 'Yes' },
        ]),
    ],
    [
      'the formatter keeps users, the system, calls and results',
      () => {
        const north = (content: readonly MsgBlock[]) => createMsg({ name: 'North', role: 'ASSISTANT', content });
        const messages = [
          createMsg({ role: 'SYSTEM', textContent: 'Be brief' }),
          createMsg({ name: 'user', textContent: 'When?' }),
          north([createMsgBlock.text('I look'), use]),
          createMsg({ role: 'TOOL', content: [result] }),
          createMsg({ name: 'South', role: 'ASSISTANT', textContent: 'Never' }),
        ];
        const tool_calls = [
          { id: 'call_1', type: 'function', function: { name: 'find_train', arguments: '{"to":"Bergen"}' } },
        ];
        expect(formatMsgs(messages)).to.deep.equal([
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'When?' },
          { role: 'user', content: '[North]: I look' },
          { role: 'assistant', content: null, tool_calls },
          { role: 'tool', tool_call_id: 'call_1', content: 'The 9:40' },
          { role: 'user', content: '[South]: Never' },
        ]);
      },
    ],
    [
      'the formatter keeps the image of a user',
      () =>
        expect(
          formatMsgs([createMsg({ content: [createMsgBlock.text('Which?'), createMsgBlock.image(photo)] })]),
        ).to.deep.equal([
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Which?' },
              { type: 'image_url', image_url: { url: 'https://photos.example/lake.jpg' } },
            ],
          },
        ]),
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
        ).to.equal('a\nb'),
    ],
    ['no text is an empty text', () => expect(getTextContent(createMsg({ content: [use] }))).to.equal('')],
    [
      'several calls, in their order',
      () => {
        const other = createMsgBlock.toolUse('call_2', 'find_ship', {});
        expect(getToolCalls(createMsg({ content: [use, createMsgBlock.text('a'), other] }))).to.deep.equal([
          use,
          other,
        ]);
      },
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
    ...[
      { error: 'The model is away' },
      {
        timestamp: 1_768_473_000,
        status: 500,
        error: 'Internal Server Error',
        message: 'The model is away',
        path: '/chat',
      },
      { error: { code: 'E1', message: 'The model is away' } },
    ].map((problem): Thing => [
      `an error of the server in the stream: ${Object.keys(problem).join(', ')}`,
      async () => {
        const body = sse(built('ASSISTANT', createMsgBlock.text('I look')), problem);
        const [only] = await messagesOf(agentscopeMsg, body);
        expect(only).to.deep.include({ status: 'error', blocks: [text('I look'), failure('The model is away')] });
      },
      'the document has no error; what a server sends instead must not look like the end of the answer',
    ]),
    ...['The model is away', '"The model is away"', '模型不可用：超时'].map((data): Thing => [
      `an event named error whose data is a text: ${data}`,
      async () => {
        const body = `${sse(built('ASSISTANT', createMsgBlock.text('I look')))}event: error\ndata: ${data}\n\n`;
        const [only] = await messagesOf(agentscopeMsg, body);
        expect(only).to.deep.include({
          status: 'error',
          blocks: [text('I look'), failure(data.replaceAll('"', ''))],
        });
        expect(await warningsAbout(agentscopeMsg, body)).to.deep.equal([]);
      },
    ]),
    [
      'an event named error',
      async () => {
        const body = `${sse(built('ASSISTANT', createMsgBlock.text('I look')))}event: error\ndata: {"detail":"Away"}\n\n`;
        const [only] = await messagesOf(agentscopeMsg, body);
        expect(only).to.deep.include({ status: 'error', blocks: [text('I look'), failure('Away')] });
      },
    ],
    ...['application/x-ndjson', 'text/event-stream', 'text/plain', 'application/json'].flatMap((type) =>
      (['agentscope-msg', 'auto'] as const).map((protocol): Thing => [
        `one message per line, sent as ${type}, protocol ${protocol}`,
        async () => {
          const lines = ndjson(
            built('ASSISTANT', createMsgBlock.text('I look'), use),
            built('TOOL', result),
            built('ASSISTANT', createMsgBlock.text('At 9:40.')),
          );
          const { chat } = await mount({
            protocol,
            fetch: () => Promise.resolve(new Response(lines, { headers: { 'content-type': type } })),
          });
          await chat.send('When?');
          expect(chat.detectedProtocol).to.equal('agentscope-msg');
          expect(chat.messages.slice(1).map(({ blocks }) => blocks.map((block) => block.type))).to.deep.equal([
            ['content', 'tool_call'],
            ['content'],
          ]);
        },
      ]),
    ),
  ],
]);
