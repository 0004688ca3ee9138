/** The source document on the data of a conversation's UI, in its order. Its page: `docs/protocols/message-field.md`. */
import { expect, waitUntil } from '@open-wc/testing';
import { messageField } from '../../src/protocols/message-field.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { has, inside, mount } from '../components/support/mount.ts';
import { showBlock, wordsIn } from '../renderers/support/show.ts';
import { makeChat } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { call, text, thought, type Bare } from '../support/bare.ts';
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
const shownCall = (name: string, more: Bare = {}, details: Bare = {}): Bare =>
  call('use_1', name, { params: '{"q":"lakes"}', response: 'Three lakes', ...more }, details);

const gives = (says: string, events: readonly object[], ...blocks: readonly Bare[]): Thing => [
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

/** The next request after a reply with this field. */
async function sentBack(name: string): Promise<unknown> {
  const reply = sse(start('a'), result('a', 'Hello', { [name]: OPAQUE[name] }));
  const { chat, server } = makeChat([stream(reply)], { protocol: 'message-field' });
  await chat.send('Hi');
  await chat.send('And?');
  const { messages } = server.bodies[1] as { messages: readonly Bare[] };
  return messages.find(({ role }) => role === 'assistant')?.[name];
}

walkDocument('the document on message fields', 65, [
  [
    'the request',
    [
      'models has the model of the page',
      async () => expect((await body({ model: 'large' }))['models']).to.deep.equal(['large']),
    ],
    ['type', async () => expect((await body())['type']).to.equal('agent')],
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
        expect((server.bodies[1] as Bare)['project_id']).to.equal('p-3');
      },
    ],
    ...SWITCHES.map((name): Thing => [`${name} is off`, async () => expect((await body())[name]).to.equal(false)]),
    [
      'the page turns a switch on in body',
      async () => {
        const { chat, server } = makeChat([stream(sse(start('a'), result('a', 'x')))], {
          protocol: 'message-field',
          body: { speed_mode: true },
        });
        await chat.send('Hi');
        expect([(server.bodies[0] as Bare)['speed_mode'], (server.bodies[0] as Bare)['enable_jupyter']]).to.deep.equal([
          true,
          false,
        ]);
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
    ['writingContent is null', async () => expect((await body())['writingContent']).to.equal(null)],
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
      'a call and its result are part of the next request',
      async () => {
        const { chat, server } = makeChat([stream(sse(...used('web_search'), start('b'), result('b', 'Done')))], {
          protocol: 'message-field',
        });
        await chat.send('Hi');
        await chat.send('And?');
        const { messages } = server.bodies[1] as { messages: readonly Bare[] };
        expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'user']);
        expect(messages[1]?.['tool_calls']).to.deep.equal([toolCall('web_search')]);
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
        expect(await warningsAbout(messageField, snippet)).to.deep.equal(['refused', 'refused']);
      },
      'the document’s own client ignores fields of messages that have not started',
    ],
  ],
  [
    'tools',
    ...['web_search', 'crawler', 'terminal', 'python', 'browser'].map((name) =>
      gives(`${name} is a call`, used(name), shownCall(name)),
    ),
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
