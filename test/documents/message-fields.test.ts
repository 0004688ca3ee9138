/**
 * The source document on the data of a conversation's UI, in its order. Its page: `docs/protocols/message-field.md`.
 *
 * Counted field by field, the document has 128 things. 68 test cases existed; the others are the single fields of each
 * event, values of other types, several calls, and the notes on speed, safety and browsers.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { importConversation } from '../../src/conversation/import.ts';
import { adapter as messageField } from '../../src/protocols/message-field/message-field.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { has, inside, mount, wordsOf } from '../components/support/mount.ts';
import { showBlock, wordsIn } from '../renderers/support/show.ts';
import { makeChat } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { bareBlock, call, text, thought, type ExpectedFields } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { sse } from '../support/play-body.ts';
import { blocksOf, messagesOf, requestBody, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

const project_id = 'p-3';
const start = (id: string, more: object = {}) => ({
  type: 'message_start',
  message_id: id,
  tool_call_id: null,
  role: 'assistant',
  project_id,
  ...more,
});
const field = (id: string, field_name: string, field_value: unknown) => ({
  type: 'message_field',
  message_id: id,
  field_name,
  field_value,
});
const delta = (id: string, field_name: string, piece: string) => ({
  type: 'message_field_delta',
  message_id: id,
  field_name,
  delta: piece,
  project_id,
});
const result = (id: string, content: string, more: object = {}) => ({
  type: 'message_result',
  message_id: id,
  project_id,
  message: { id, role: 'assistant', content, thinking: false, ...more },
});

const toolCall = (name: string, args: string | null = '{"q":"lakes"}') => ({
  id: 'use_1',
  type: 'function',
  function: { name, arguments: args },
});
const answer = (id: string, content: string) => result(id, content, { role: 'tool', tool_call_id: 'use_1' });
/** A call of a tool, with its result, as the document streams it. */
const used = (name: string, found = 'Three lakes') => [
  start('a'),
  field('a', 'tool_calls[0]', toolCall(name, null)),
  delta('a', 'tool_calls[0].function.arguments', '{"q":'),
  delta('a', 'tool_calls[0].function.arguments', '"lakes"}'),
  result('a', '', { tool_calls: [toolCall(name)] }),
  start('t', { role: 'tool', tool_call_id: 'use_1' }),
  answer('t', found),
];
const shownCall = (name: string, more: ExpectedFields = {}, details: ExpectedFields = {}): ExpectedFields =>
  call('use_1', name, { params: '{"q":"lakes"}', response: 'Three lakes', ...more }, details);

const gives = (says: string, events: readonly object[], ...blocks: readonly ExpectedFields[]): Thing => [
  says,
  async () => expect(await blocksOf(messageField, sse(...events))).to.deep.equal(blocks),
];

const SWITCHES = [
  'run_with_another_model',
  'request_web_knowledge',
  'speed_mode',
  'use_webpage_capture_screen',
  'use_browser_use',
  'use_python_workspace',
  'use_browser_use_test_mode',
  'use_terminal_use',
  'dataframe_enhanced',
  'enable_jupyter',
];
const body = (
  ...given: Parameters<typeof requestBody> extends readonly [unknown, unknown, ...infer Rest] ? Rest : never
) => requestBody(messageField, [{ role: 'user', text: 'Hi' }], ...given);

/** Fields of a message that the server needs back unchanged. */
const OPAQUE: Readonly<Record<string, unknown>> = {
  action: { type: 'open' },
  recommend_actions: [{ label: 'More', text: 'Tell me more' }],
  is_prompt: true,
  render_template: 'card',
  session_state: { step: 2 },
  message_type: 'answer',
  thinking_blocks: [{ thinking: 'Hm' }],
  response_id: 'resp_1',
  reasoning_id: 'rs_1',
  reasoning_encrypted_content: 'gAAA',
  cogen_id: 'co_1',
  _updatetime: '2026-01-02T03:04:05',
};

/** The request of a page that sets fields of the body. */
async function sentWith(fields: ExpectedFields): Promise<ExpectedFields> {
  const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], {
    protocol: 'message-field',
    body: fields,
  });
  await chat.send('Hi');
  return server.bodies[0] as ExpectedFields;
}

/** The messages of the request after a reply. */
async function historyAfter(...events: readonly object[]): Promise<readonly ExpectedFields[]> {
  const { chat, server } = makeChat([stream(sse(...events))], { protocol: 'message-field' });
  await chat.send('Hi');
  await chat.send('And?');
  return (server.bodies[1] as { messages: readonly ExpectedFields[] }).messages;
}

/** The next request after a reply with this field. */
async function sentBack(name: string): Promise<unknown> {
  const reply = sse(start('a'), result('a', 'Hello', { [name]: OPAQUE[name] }));
  const { chat, server } = makeChat([stream(reply)], { protocol: 'message-field' });
  await chat.send('Hi');
  await chat.send('And?');
  const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
  return messages.find(({ role }) => role === 'assistant')?.[name];
}

walkDocument('the document on message fields', 128, [
  [
    'the request',
    [
      'models has the model of the page',
      async () => expect((await body({ model: 'large' }))['models']).to.deep.equal(['large']),
    ],
    ['models is empty without one', async () => expect((await body())['models']).to.deep.equal([])],
    ['type', async () => expect((await body())['type']).to.equal('agent')],
    [
      'type is set by the page in body, like every other field',
      async () => expect(await sentWith({ type: 'writer' })).to.include({ type: 'writer' }),
    ],
    [
      'project_id is the conversation',
      async () => expect((await body({ turn: { threadId: 'p-3' } }))['project_id']).to.equal('p-3'),
    ],
    [
      'project_id of the server is used from then on',
      async () => {
        const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], { protocol: 'message-field' });
        await chat.send('Hi');
        await chat.send('And?');
        expect((server.bodies[1] as ExpectedFields)['project_id']).to.equal('p-3');
      },
    ],
    ...SWITCHES.map((name): Thing => [`${name} is off`, async () => expect((await body())[name]).to.equal(false)]),
    ...SWITCHES.map((name): Thing => [
      `${name} is turned on by the page`,
      async () => expect(await sentWith({ [name]: true })).to.include({ [name]: true }),
    ]),
    [
      'the page turns a switch on in body',
      async () => {
        const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], {
          protocol: 'message-field',
          body: { speed_mode: true },
        });
        await chat.send('Hi');
        expect([
          (server.bodies[0] as ExpectedFields)['speed_mode'],
          (server.bodies[0] as ExpectedFields)['enable_jupyter'],
        ]).to.deep.equal([true, false]);
      },
      'there is no property per switch, since they belong to one product',
    ],
    [
      'custom_tools has the tools of the page',
      async () => {
        const tool = { name: 'pick', description: 'Picks', parameters: { type: 'object' } };
        expect((await body({ tools: [tool] }))['custom_tools']).to.deep.equal([{ type: 'function', function: tool }]);
      },
    ],
    ['custom_tools is empty without tools', async () => expect((await body())['custom_tools']).to.deep.equal([])],
    [
      'writingContent has the text of the page',
      async () => expect(await sentWith({ writingContent: 'A draft' })).to.include({ writingContent: 'A draft' }),
    ],
    ['writingContent is null', async () => expect((await body())['writingContent']).to.equal(null)],
    [
      'no other field is sent',
      async () =>
        expect(Object.keys(await body()).sort()).to.deep.equal(
          ['models', 'type', 'project_id', ...SWITCHES, 'custom_tools', 'writingContent', 'messages'].sort(),
        ),
    ],
    [
      'the request is one JSON document, the answer is a stream of events',
      async () => {
        const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], { protocol: 'message-field' });
        await chat.send('Hi');
        const { init, headers } = server.asked[0] ?? {};
        expect([init?.method, headers?.get('content-type'), headers?.get('accept')]).to.deep.equal([
          'POST',
          'application/json',
          'text/event-stream',
        ]);
      },
    ],
    [
      'messages has the history',
      async () =>
        expect((await body())['messages']).to.deep.equal([{ id: 'm1', role: 'user', content: 'Hi', thinking: false }]),
    ],
  ],
  [
    'messages',
    [
      'id, role, content, thinking, project_id',
      async () => {
        const [only] = await messagesOf(messageField, sse(start('a'), result('a', 'Hello')));
        expect(only).to.deep.include({ blocks: [text('Hello')] });
        expect(only?.['metadata']).to.deep.include({ messageId: 'a', projectId: 'p-3' });
      },
    ],
    gives(
      'role user is an echo, not an answer',
      [start('u', { role: 'user' }), result('u', 'Hi', { role: 'user' }), start('a'), result('a', 'Hello')],
      text('Hello'),
    ),
    gives('role tool is the result of a call', used('web_search'), shownCall('web_search')),
    gives(
      'thinking makes the content reasoning',
      [start('a'), field('a', 'thinking', true), delta('a', 'content', 'Hm'), result('a', 'Hm', { thinking: true })],
      thought('Hm'),
    ),
    ...(['id', 'role', 'content', 'thinking'] as const).map((name): Thing => [
      `${name} of a message comes back`,
      async () => {
        const expected = { id: 'a', role: 'assistant', content: 'Hello', thinking: false };
        expect((await historyAfter(start('a'), result('a', 'Hello')))[1]?.[name]).to.deep.equal(expected[name]);
      },
    ]),
    [
      'thinking: true comes back as true',
      async () =>
        expect(
          (await historyAfter(start('a'), result('a', 'Hm', { thinking: true }), start('b'), result('b', 'Yes')))[1],
        ).to.deep.include({ thinking: true }),
    ],
    [
      'tool_call_id of a result comes back',
      async () =>
        expect(
          (await historyAfter(...used('web_search'), start('b'), result('b', 'Done'))).find(
            ({ role }) => role === 'tool',
          ),
        ).to.deep.include({ tool_call_id: 'use_1', content: 'Three lakes' }),
    ],
    gives('a message without optional fields', [result('a', 'Hello')], text('Hello')),
    gives(
      'a content that is null is empty',
      [
        start('a'),
        {
          ...result('a', ''),
          message: { ...result('a', '').message, content: null, tool_calls: [toolCall('web_search')] },
        },
        answer('t', 'Three lakes'),
      ],
      shownCall('web_search'),
    ),
    [
      'recommend_actions may be texts',
      async () => {
        const [only] = await messagesOf(
          messageField,
          sse(start('a'), result('a', 'Hello', { recommend_actions: ['More'] })),
        );
        expect(only?.['suggestions']).to.deep.equal([{ label: 'More', prompt: 'More' }]);
      },
    ],
    [
      'recommend_actions are buttons, which send their text',
      async () => {
        const asked: unknown[] = [];
        const { chat } = await mount({
          protocol: 'message-field',
          fetch: (_url, { body: sent } = {}) => {
            asked.push(JSON.parse(sent as string));
            const more = [{ label: 'Larger lakes', text: 'Tell me more' }];
            const reply = sse(start('a'), result('a', 'Hello', { recommend_actions: more }));
            return Promise.resolve(new Response(reply, { headers: { 'content-type': 'text/event-stream' } }));
          },
        });
        await chat.send('Hi');
        const suggestion = await inside<HTMLButtonElement>(chat, 'button[part~="suggestion"]');
        expect(wordsIn(suggestion)).to.contain('Larger lakes').and.contain('Tell me more');
        suggestion.click();
        await waitUntil(() => asked.length === 2, 'it is sent', { timeout: 10_000 });
        const { messages } = asked[1] as { messages: readonly ExpectedFields[] };
        expect(messages.at(-1)?.['content']).to.equal('Tell me more');
      },
    ],
    gives(
      'thinking_blocks as one text',
      [start('a'), result('a', 'Hello', { thinking_blocks: 'Hm' })],
      thought('Hm'),
      text('Hello'),
    ),
    gives(
      'each of several thinking_blocks is a paragraph',
      [
        start('a'),
        field('a', 'thinking_blocks[0]', { thinking: 'First the boats' }),
        field('a', 'thinking_blocks[1]', { thinking: '' }),
        delta('a', 'thinking_blocks[1].thinking', 'then the piers'),
        result('a', 'Hello', { thinking_blocks: [{ thinking: 'First the boats' }, { thinking: 'then the piers' }] }),
      ],
      thought('First the boats\n\nthen the piers'),
      text('Hello'),
    ),
    [
      'the encrypted reasoning is never shown',
      async () => {
        const blocks = await blocksOf(
          messageField,
          sse(start('a'), result('a', 'Hello', { reasoning_encrypted_content: 'gAAA' })),
        );
        expect(JSON.stringify(blocks)).not.to.contain('gAAA');
      },
    ],
    ...Object.keys(OPAQUE).map((name): Thing => [
      `${name} is sent back unchanged`,
      async () => expect(await sentBack(name)).to.deep.equal(OPAQUE[name]),
    ]),
    gives(
      'action and render_template are not shown',
      [start('a'), result('a', 'Hello', { action: { type: 'open' }, render_template: 'card' })],
      text('Hello'),
    ),
    [
      'recommend_actions are suggestions',
      async () => {
        const [only] = await messagesOf(
          messageField,
          sse(start('a'), result('a', 'Hello', { recommend_actions: OPAQUE['recommend_actions'] })),
        );
        expect(only?.['suggestions']).to.deep.equal([{ label: 'More', prompt: 'Tell me more' }]);
      },
    ],
    gives(
      'thinking_blocks are reasoning',
      [start('a'), result('a', 'Hello', { thinking_blocks: [{ thinking: 'Hm' }] })],
      thought('Hm'),
      text('Hello'),
    ),
  ],
  [
    'calls of tools',
    gives('id, type, function with name and arguments as JSON text', used('web_search'), shownCall('web_search')),
    [
      'the result of a call is awaited: it stays open',
      async () => {
        const [only] = await messagesOf(
          messageField,
          sse(start('a'), result('a', '', { tool_calls: [toolCall('web_search')] })),
        );
        expect(only?.['blocks']).to.deep.equal([
          call('use_1', 'web_search', { params: '{"q":"lakes"}' }, { status: 'loading' }),
        ]);
      },
    ],
    gives(
      'two calls of one message, answered in the other order',
      [
        start('a'),
        field('a', 'tool_calls[0]', toolCall('web_search', null)),
        field('a', 'tool_calls[1]', { ...toolCall('crawler', null), id: 'use_2' }),
        delta('a', 'tool_calls[1].function.arguments', '{"url":1}'),
        delta('a', 'tool_calls[0].function.arguments', '{"q":"lakes"}'),
        result('a', '', {
          tool_calls: [toolCall('web_search'), { ...toolCall('crawler', '{"url":1}'), id: 'use_2' }],
        }),
        start('t2', { role: 'tool', tool_call_id: 'use_2' }),
        result('t2', 'A page', { role: 'tool', tool_call_id: 'use_2' }),
        start('t1', { role: 'tool', tool_call_id: 'use_1' }),
        result('t1', 'Three lakes', { role: 'tool', tool_call_id: 'use_1' }),
      ],
      shownCall('web_search'),
      call('use_2', 'crawler', { params: '{"url":1}', response: 'A page' }),
    ),
    gives(
      'the result of a tool is streamed too',
      [
        start('a'),
        result('a', '', { tool_calls: [toolCall('terminal')] }),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        delta('t', 'content', 'Three '),
        delta('t', 'content', 'lakes'),
        answer('t', 'Three lakes'),
      ],
      shownCall('terminal'),
    ),
    gives(
      'the tool_call_id and the role of message_start are enough',
      [
        start('a'),
        result('a', '', { tool_calls: [toolCall('terminal')] }),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        result('t', 'Three lakes', { role: undefined }),
      ],
      shownCall('terminal'),
    ),
    gives(
      'a result without a tool_call_id belongs to the only open call',
      [
        start('b'),
        result('b', '', { tool_calls: [{ ...toolCall('terminal'), id: 'use_2' }] }),
        start('s', { role: 'tool' }),
        delta('s', 'content', 'Two '),
        result('s', 'Two lakes', { role: 'tool' }),
      ],
      call('use_2', 'terminal', { params: '{"q":"lakes"}', response: 'Two lakes' }),
    ),
    [
      'of two open calls none is chosen for a result without a tool_call_id',
      async () => {
        const calls = [toolCall('terminal'), { ...toolCall('terminal'), id: 'use_2' }];
        const body = sse(start('a'), result('a', 'x', { tool_calls: calls }), start('t', { role: 'tool' }));
        const blocks = await blocksOf(messageField, body + sse(result('t', 'Lost', { role: 'tool' })));
        expect(JSON.stringify(blocks)).not.to.contain('Lost');
      },
    ],
    gives(
      'a text that goes on after the result of its call keeps the result',
      [
        start('a'),
        delta('a', 'content', 'I look'),
        field('a', 'tool_calls[0]', toolCall('terminal')),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        answer('t', 'Three lakes'),
        delta('a', 'content', ' and see.'),
        result('a', 'I look and see.', { tool_calls: [toolCall('terminal')] }),
      ],
      text('I look and see.'),
      shownCall('terminal'),
    ),
    [
      'the message of a result comes back with its id and its other fields',
      async () => {
        const more = { role: 'tool', tool_call_id: 'use_1', _updatetime: '2026-01-02', session_state: { page: 2 } };
        const search = used('web_search').slice(0, -1);
        const history = await historyAfter(...search, result('t', 'Three lakes', more), start('b'), result('b', 'Yes'));
        const sent = { id: 't', content: 'Three lakes', thinking: false, project_id, ...more };
        expect(history[2]).to.deep.equal(sent);
      },
    ],
    [
      'a call and its result are part of the next request',
      async () => {
        const { chat, server } = makeChat([stream(sse(...used('web_search'), start('b'), result('b', 'Done')))], {
          protocol: 'message-field',
        });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'user']);
        expect(messages[1]?.['tool_calls']).to.deep.equal([toolCall('web_search')]);
      },
    ],
    ...[
      { where: 'the last message of the reply', after: [], started: true },
      { where: 'followed by the answer', after: [result('b', 'Done')], started: true },
      { where: 'beside the streamed fields of a message that never started', after: [], started: false },
    ].map(({ where, after, started }): Thing => [
      `a call of the server's own tool without a result, ${where}, is not for the page`,
      async () => {
        const call = [start('a'), field('a', 'tool_calls[0]', toolCall('web_search', null))];
        const events = [...call.slice(started ? 0 : 1), result('a', '', { tool_calls: [toolCall('web_search')] })];
        const tools = [{ name: 'page_title', description: '', parameters: {}, execute: () => 'Lakes' }];
        const { chat, server } = makeChat([stream(sse(...events, ...after))], {
          protocol: 'message-field',
          tools,
        });
        const reply = await chat.send('Hi');
        const blocks = chat.messages.flatMap((message) => message.blocks);
        expect(
          blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.status, block.tool_call.response]] : [])),
        ).to.deep.equal([['success', undefined]]);
        expect([reply.status, reply.finish, server.bodies.length]).to.deep.equal(['complete', 'complete', 1]);
      },
    ]),
    [
      'a result that is never declared complete, before a complete answer',
      async () => {
        const begun = used('web_search').slice(0, -1);
        const body = sse(...begun, field('t', 'content', 'Three lakes'), start('b'), result('b', 'Done'));
        const [message, answered] = await messagesOf(messageField, body);
        expect(message?.['blocks']).to.deep.equal([shownCall('web_search', {}, { extra: { remote: true } })]);
        expect([answered?.['status'], answered?.['blocks']]).to.deep.equal(['complete', [text('Done')]]);
      },
    ],
    [
      'a call of a custom tool runs in the page, also beside a call of the server',
      async () => {
        const own = { ...toolCall('page_title'), id: 'use_2' };
        const { chat, server } = makeChat(
          [
            stream(sse(start('a'), result('a', '', { tool_calls: [toolCall('web_search'), own] }))),
            stream(sse(start('b'), result('b', 'Done'))),
          ],
          {
            protocol: 'message-field',
            tools: [{ name: 'page_title', description: '', parameters: {}, execute: () => 'Lakes' }],
          },
        );
        await chat.send('Hi');
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages.slice(2).map(({ tool_call_id, content }) => [tool_call_id, content])).to.deep.equal([
          ['use_2', 'Lakes'],
        ]);
      },
    ],
  ],
  [
    'events',
    [
      'message_field sets a field',
      async () =>
        expect(
          await blocksOf(messageField, sse(start('a'), field('a', 'content', 'Hello'), result('a', 'Hello'))),
        ).to.deep.equal([text('Hello')]),
    ],
    ...(
      [
        ['message_start', start('a')],
        ['message_field', field('a', 'content', 'x')],
        ['message_field_delta', delta('a', 'content', 'x')],
        ['message_result', result('a', 'x')],
      ] as const
    ).map(([name, event]): Thing => [
      `${name} needs its message_id`,
      async () => {
        const { message_id: _missing, ...rest } = event;
        const body = sse(start('b'), rest, result('b', 'Hello'));
        expect(await warningsAbout(messageField, body)).to.deep.equal(['malformed']);
        expect(await blocksOf(messageField, body)).to.deep.equal([text('Hello')]);
      },
    ]),
    ...(['field_name', 'delta'] as const).map((name): Thing => [
      `message_field_delta needs ${name}`,
      async () => {
        const { [name]: _missing, ...rest } = delta('a', 'content', 'x');
        expect(await warningsAbout(messageField, sse(start('a'), rest, result('a', 'y')))).to.deep.equal(['malformed']);
      },
    ]),
    [
      'message_result needs its message',
      async () => {
        const { message: _missing, ...rest } = result('a', 'x');
        expect(await warningsAbout(messageField, sse(start('a'), rest, result('a', 'y')))).to.deep.equal(['malformed']);
      },
    ],
    gives(
      'message_field without project_id, and with it',
      [start('a'), { ...field('a', 'content', 'x'), project_id }, result('a', 'x')],
      text('x'),
    ),
    ...([null, 7, true, 'text', ['list'], { an: 'object' }] as const).map((value): Thing => [
      `field_value may be ${JSON.stringify(value)}`,
      async () => {
        const history = await historyAfter(start('a'), field('a', 'session_state', value), {
          ...result('a', 'x', { session_state: value }),
        });
        expect(history[1]?.['session_state']).to.deep.equal(value);
      },
    ]),
    gives(
      'message_start without tool_call_id',
      [{ ...start('a'), tool_call_id: undefined }, result('a', 'x')],
      text('x'),
    ),
    gives(
      'a delta to a value that is null begins it',
      [start('a'), field('a', 'content', null), delta('a', 'content', 'x'), result('a', 'x')],
      text('x'),
    ),
    [
      'a field is set where it is, before the message is complete',
      async () => {
        const [only] = await messagesOf(messageField, sse(start('a'), field('a', 'content', 'Hello')));
        expect(only).to.deep.include({ status: 'interrupted', blocks: [text('Hello')] });
      },
    ],
    gives(
      'an event of another type is left out',
      [start('a'), { type: 'message_sparkle', message_id: 'a' }, result('a', 'x')],
      text('x'),
    ),
    [
      'message_field of the project, before any message, is no error',
      async () =>
        expect(
          await warningsAbout(messageField, sse(field('p-3', '_updatetime', '2026'), start('a'), result('a', 'x'))),
        ).to.deep.equal([]),
    ],
    gives('message_start with tool_call_id null', [start('a'), result('a', 'x')], text('x')),
    gives(
      'message_field_delta adds to a field',
      [start('a'), delta('a', 'content', 'Good '), delta('a', 'content', 'day'), result('a', 'Good day')],
      text('Good day'),
    ),
    gives(
      'message_field_delta without project_id',
      [
        start('a'),
        { type: 'message_field_delta', message_id: 'a', field_name: 'content', delta: 'x' },
        result('a', 'x'),
      ],
      text('x'),
    ),
    gives(
      'message_result replaces what came before',
      [start('a'), delta('a', 'content', 'Good'), result('a', 'Better')],
      text('Better'),
    ),
    gives('message_result without a start is a message', [result('a', 'Hello')], text('Hello')),
    [
      'a message without its result was cut off',
      async () =>
        expect((await messagesOf(messageField, sse(start('a'), delta('a', 'content', 'x'))))[0]?.['status']).to.equal(
          'interrupted',
        ),
    ],
    [
      'each of the four is detected',
      async () => {
        for (const event of [start('a'), field('a', 'content', 'x'), delta('a', 'content', 'x'), result('a', 'x')]) {
          expect(await findProtocol(sse(event), protocols.list())).to.equal('message-field');
        }
      },
    ],
    [
      'lines follow each other without a blank line',
      async () => {
        const lines = [start('a'), delta('a', 'content', 'Hi'), result('a', 'Hi')]
          .map((event) => `data: ${JSON.stringify(event)}\n`)
          .join('');
        expect(await blocksOf(messageField, lines)).to.deep.equal([text('Hi')]);
      },
    ],
  ],
  [
    'flows',
    gives(
      'a call: its frame with arguments null, then the arguments in pieces',
      used('web_search'),
      shownCall('web_search'),
    ),
    gives(
      'a path reaches into lists and objects',
      [
        start('a'),
        field('a', 'tool_calls[0]', toolCall('')),
        field('a', 'tool_calls[0].function.name', 'web_search'),
        result('a', '', { tool_calls: [toolCall('web_search')] }),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        answer('t', 'Three lakes'),
      ],
      shownCall('web_search'),
    ),
    [
      'the document’s snippets, which have no message_start',
      async () => {
        const snippet = sse(delta('x', 'content', 'Good'), delta('x', 'content', ' day'));
        expect(await warningsAbout(messageField, snippet)).to.deep.equal(['refused']);
      },
      'the document’s own client ignores fields of messages that have not started',
    ],
    [
      'a complete message after such snippets, with which nothing is missing',
      async () => {
        const snippet = [delta('x', 'content', 'Good'), delta('x', 'content', ' day'), result('x', 'Good day')];
        expect(await warningsAbout(messageField, sse(...snippet))).to.deep.equal([]);
        expect(await blocksOf(messageField, sse(...snippet))).to.deep.equal([text('Good day')]);
      },
    ],
    [
      'a question comes back with the id that the server has given it',
      async () => {
        const echo = [start('u-1', { role: 'user' }), result('u-1', 'Hi', { role: 'user' })];
        const { chat, server } = makeChat([stream(sse(...echo, start('a'), result('a', 'Hello')))], {
          protocol: 'message-field',
        });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages.slice(0, 2).map(({ id, content }) => [id, content])).to.deep.equal([
          ['u-1', 'Hi'],
          ['a', 'Hello'],
        ]);
      },
    ],
    [
      'a question comes back with the fields that the server has given it, and with its own text',
      async () => {
        const fields = { is_prompt: true, session_state: { step: 1 } };
        const echo = [start('u-1', { role: 'user' }), result('u-1', 'Hi [masked]', { role: 'user', ...fields })];
        const { chat, server } = makeChat([stream(sse(...echo, start('a'), result('a', 'Hello')))], {
          protocol: 'message-field',
        });
        await chat.send('Hi 123');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages[0]).to.deep.equal({
          id: 'u-1',
          role: 'user',
          content: 'Hi 123',
          thinking: false,
          project_id,
          ...fields,
        });
      },
    ],
    [
      'a question comes back with that id when its answer is made anew',
      async () => {
        const body = sse(start('u-1', { role: 'user' }), start('a'), result('a', 'Hello'));
        const { chat, server } = makeChat([stream(body)], { protocol: 'message-field' });
        await chat.send('Hi');
        await chat.regenerate();
        const { messages } = server.bodies[1] as { messages: readonly ExpectedFields[] };
        expect(messages.map(({ id }) => id)).to.deep.equal(['u-1']);
      },
    ],
    [
      'the history of the project, which a page restores',
      async () => {
        const stored = [
          { id: 'h1', role: 'user', content: 'Which lakes?', thinking: false },
          { id: 'h2', role: 'assistant', content: '', thinking: false, tool_calls: [toolCall('web_search')] },
          { id: 'h3', role: 'tool', content: 'Three lakes', thinking: false, tool_call_id: 'use_1' },
          { id: 'h4', role: 'assistant', content: 'Hm', thinking: true },
          {
            id: 'h6',
            role: 'assistant',
            content: '',
            tool_calls: [{ ...toolCall('think', '{"thought":"So"}'), id: 'use_2' }],
          },
          { id: 'h7', role: 'tool', content: 'Logged', tool_call_id: 'use_2' },
          { id: 'h5', role: 'assistant', content: 'These.', thinking: false },
        ];
        const { path } = importConversation(stored, 'openai-messages');
        const { chat, server } = makeChat([stream(sse(result('b', 'Yes')))], { protocol: 'message-field' });
        chat.messages = path;
        await chat.send('And?');
        const { messages } = server.bodies[0] as { messages: readonly ExpectedFields[] };
        expect(messages.map(({ id, role, content }) => [id, role, content]).slice(0, -1)).to.deep.equal([
          ['h1', 'user', 'Which lakes?'],
          ['h2', 'assistant', ''],
          [messages[2]?.['id'], 'tool', 'Three lakes'],
          ['h4', 'assistant', 'Hm'],
          ['h6', 'assistant', ''],
          [messages[5]?.['id'], 'tool', 'Logged'],
          ['h5', 'assistant', 'These.'],
        ]);
        expect(messages.map(({ thinking }) => thinking)).to.deep.equal([
          false,
          false,
          false,
          true,
          false,
          false,
          false,
          false,
        ]);
        expect(messages[1]?.['tool_calls']).to.deep.equal([toolCall('web_search')]);
        expect(chat.messages[2]?.blocks.map(bareBlock)).to.deep.equal([thought('Hm')]);
      },
      'a stored call of `think` is shown as a call, because other servers have tools of that name',
    ],
  ],
  [
    'tools',
    ...['web_search', 'crawler', 'terminal', 'python', 'browser'].map((name) =>
      gives(`${name} is a call`, used(name), shownCall(name)),
    ),
    gives('a tool of any other name is a call', used('draw_map'), shownCall('draw_map')),
    [
      'the result of think is not shown',
      async () => {
        const blocks = await blocksOf(
          messageField,
          sse(
            start('a'),
            result('a', '', { tool_calls: [toolCall('think', '{"thought":"Hm"}')] }),
            start('t', { role: 'tool', tool_call_id: 'use_1' }),
            answer('t', 'Your thought has been logged.'),
          ),
        );
        expect(blocks).to.deep.equal([thought('Hm')]);
      },
    ],
    [
      'the result of think comes back with its id and its content',
      async () => {
        const history = await historyAfter(
          ...used('think', 'Your thought has been logged.'),
          start('b'),
          result('b', 'x'),
        );
        expect(history.find(({ role }) => role === 'tool')).to.deep.equal({
          id: 't',
          role: 'tool',
          thinking: false,
          project_id,
          content: 'Your thought has been logged.',
          tool_call_id: 'use_1',
        });
      },
    ],
    gives(
      'think is reasoning',
      [
        start('a'),
        field('a', 'tool_calls[0]', toolCall('think', null)),
        delta('a', 'tool_calls[0].function.arguments', '{"thought":"First the map"}'),
        result('a', 'Here.', { tool_calls: [toolCall('think', '{"thought":"First the map"}')] }),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        answer('t', ''),
      ],
      text('Here.'),
      thought('First the map'),
    ),
    [
      'a call is a row with its arguments',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          tool_call: { id: 'u', name: 'web_search', params: '{"q":"lakes"}', response: 'r' },
        });
        expect(wordsIn(element)).to.contain('Web search').and.contain('lakes');
      },
    ],
    gives(
      'a failed tool, by its text',
      used('terminal', 'Error: command not found'),
      shownCall('terminal', { response: 'Error: command not found' }, { status: 'error' }),
    ),
  ],
  [
    'suggestions for the client',
    [
      'EventSource',
      async () => expect((await body())['messages']).to.have.length(1),
      'it cannot send a body, so the request is a POST with fetch',
    ],
    [
      'a map of messages by id: two grow side by side',
      async () => {
        const messages = await messagesOf(
          messageField,
          sse(
            start('a'),
            start('b'),
            delta('a', 'content', 'A'),
            delta('b', 'content', 'B'),
            delta('a', 'content', 'a'),
            result('a', 'Aa'),
            result('b', 'B'),
          ),
        );
        expect(messages.map(({ blocks }) => blocks)).to.deep.equal([[text('Aa')], [text('B')]]);
      },
    ],
    [
      'a path to a list that does not exist yet makes it',
      async () => {
        const history = await historyAfter(
          start('a'),
          field('a', 'session_state.steps[1].name', 'second'),
          result('a', 'x', { session_state: { steps: [null, { name: 'second' }] } }),
        );
        expect(history[1]?.['session_state']).to.deep.equal({ steps: [null, { name: 'second' }] });
      },
    ],
    [
      'the UI is updated before the message is complete',
      async () => {
        let write: ((body: string) => void) | undefined;
        const open = new ReadableStream<Uint8Array>({
          start: (controller) => {
            write = (body) => {
              controller.enqueue(new TextEncoder().encode(body));
            };
          },
        });
        const { chat } = await mount({
          protocol: 'message-field',
          fetch: () => Promise.resolve(new Response(open, { headers: { 'content-type': 'text/event-stream' } })),
        });
        void chat.send('Hi');
        write?.(sse(start('a'), delta('a', 'content', 'Half a lake')));
        await waitUntil(() => wordsOf(chat).includes('Half a lake'), 'the text comes', { timeout: 10_000 });
        expect(chat.status).to.equal('streaming');
        chat.stop();
      },
      'the sample updates it at message_result only, but asks for a typewriter and live tools further below',
    ],
    [
      'many deltas are few renders: one text',
      async () => {
        const pieces = Array.from({ length: 60 }, () => delta('a', 'content', 'x'));
        expect(await blocksOf(messageField, sse(start('a'), ...pieces, result('a', 'x'.repeat(60))))).to.deep.equal([
          text('x'.repeat(60)),
        ]);
      },
    ],
    [
      'a lost connection keeps the text and can be tried again',
      async () => {
        const { chat } = await mount({
          protocol: 'message-field',
          fetch: () =>
            Promise.resolve(
              new Response(sse(start('a'), delta('a', 'content', 'Half')), {
                headers: { 'content-type': 'text/event-stream' },
              }),
            ),
        });
        await chat.send('Hi');
        expect(chat.messages.at(-1)).to.deep.include({ status: 'interrupted' });
        await waitUntil(() => has(chat, '[part~="block-error"] button, .line button'), 'a button comes', {
          timeout: 10_000,
        });
      },
      'resuming is not described, so the turn is sent again',
    ],
    [
      'an unreadable frame does not end the answer',
      async () => {
        const broken = `data: {"type":"mess\n\n${sse(start('a'), result('a', 'x'))}`;
        expect(await warningsAbout(messageField, broken)).to.deep.equal(['malformed']);
        expect(await blocksOf(messageField, broken)).to.deep.equal([text('x')]);
      },
    ],
    [
      'a tool that fails is marked, and the answer goes on',
      async () => {
        const reply = sse(...used('terminal', 'Error: no such lake'), start('b'), result('b', 'I try another.'));
        const blocks = (await messagesOf(messageField, reply)).flatMap(
          (message) => message['blocks'] as readonly ExpectedFields[],
        );
        expect(blocks.map(({ type, status }) => [type, status])).to.deep.equal([
          ['tool_call', 'error'],
          ['content', undefined],
        ]);
      },
    ],
    [
      'a path that reaches a prototype is refused',
      async () => {
        expect(
          await warningsAbout(messageField, sse(start('a'), field('a', '__proto__.polluted', true), result('a', 'x'))),
        ).to.deep.equal(['refused']);
      },
    ],
    [
      'long conversations are virtual',
      async () => {
        const { chat } = await mount();
        chat.messages = Array.from(
          { length: 300 },
          (_, index) => ({ role: index % 2 ? 'assistant' : 'user', text: 'words '.repeat(40) }) as const,
        );
        await inside(chat, 'agent-chat-message');
        await waitUntil(() => chat.renderRoot.querySelectorAll('agent-chat-message').length < 300, 'it shrinks', {
          timeout: 10_000,
        });
      },
    ],
    [
      'every message has the id of the server',
      async () => {
        const messages = await messagesOf(
          messageField,
          sse(start('a'), result('a', 'A'), start('b'), result('b', 'B')),
        );
        expect(messages.map(({ metadata }) => (metadata as ExpectedFields)['messageId'])).to.deep.equal(['a', 'b']);
      },
    ],
    [
      'every message has a time',
      async () => {
        const { chat } = makeChat([stream(sse(start('a'), result('a', 'A', { _updatetime: '2020-01-02T03:04:05' })))], {
          protocol: 'message-field',
        });
        const { timestamp } = await chat.send('Hi');
        expect(Math.abs(Date.now() - timestamp)).to.be.below(60_000);
      },
      'it is the time of arrival, because _updatetime has no time zone; that field is stored and sent back',
    ],
    gives(
      'thinking, a call and text are three blocks of one message',
      [
        start('a'),
        field('a', 'thinking_blocks', 'Hm'),
        delta('a', 'content', 'I look.'),
        field('a', 'tool_calls[0]', toolCall('web_search')),
        result('a', 'I look.', { thinking_blocks: 'Hm', tool_calls: [toolCall('web_search')] }),
        start('t', { role: 'tool', tool_call_id: 'use_1' }),
        answer('t', 'Three lakes'),
      ],
      thought('Hm'),
      text('I look.'),
      shownCall('web_search'),
    ),
    [
      'sensitive words can be masked before they are sent',
      async () => {
        const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], {
          protocol: 'message-field',
          redact: (words: string) => words.replaceAll('1234', '****'),
        });
        await chat.send('My code is 1234');
        expect(JSON.stringify(server.bodies[0])).to.contain('****').and.not.contain('1234');
      },
    ],
    [
      'the length of what a user enters is limited',
      async () => {
        const { chat } = await mount({ protocol: 'message-field', limits: { inputLength: 10 } });
        const input = await inside<HTMLTextAreaElement>(chat, '[part="input"]');
        input.value = 'x'.repeat(11);
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await chat.updateComplete;
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        await chat.updateComplete;
        expect(chat.messages).to.deep.equal([]);
      },
    ],
    [
      'without server-sent events the same events are read as lines',
      async () => {
        const lines = [start('a'), delta('a', 'content', 'Hi'), result('a', 'Hi')]
          .map((event) => `${JSON.stringify(event)}\n`)
          .join('');
        expect(await blocksOf(messageField, lines)).to.deep.equal([text('Hi')]);
      },
      'fetch streams in every supported browser, so there is no polling',
    ],
    [
      'it fits a phone',
      async () => {
        const { chat } = await mount({ protocol: 'message-field' });
        chat.style.cssText = 'display: block; inline-size: 320px; block-size: 560px';
        chat.messages = [
          { role: 'user', text: 'x'.repeat(300) },
          { role: 'assistant', text: `| ${'a column | '.repeat(20)}\n|${'-|'.repeat(20)}` },
        ];
        await inside(chat, 'agent-chat-message article');
        const transcript = await inside(chat, '[part="transcript"]');
        expect(transcript.scrollWidth).to.be.at.most(transcript.clientWidth);
      },
    ],
    [
      'a tool of the page asks for permission',
      async () => {
        const call1 = { ...toolCall('pick', '{}') };
        const { chat } = await mount({
          protocol: 'message-field',
          tools: [{ name: 'pick', description: 'Picks', needsApproval: true, execute: () => 'picked' }],
          fetch: () =>
            Promise.resolve(
              new Response(sse(start('a'), result('a', '', { tool_calls: [call1] })), {
                headers: { 'content-type': 'text/event-stream' },
              }),
            ),
        });
        void chat.send('Hi');
        await waitUntil(() => chat.status === 'awaiting-action', 'it asks', { timeout: 10_000 });
        chat.stop();
      },
    ],
  ],
]);
