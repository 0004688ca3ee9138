/**
 * The pages of the five formats (`docs/protocols/`), sentence by sentence: the claims that no test of a document proves.
 */
import { expect } from '@open-wc/testing';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { adapter as agentPhase } from '../../src/protocols/agent-phase.ts';
import { adapter as agentSession } from '../../src/protocols/agent-session/agent-session.ts';
import { adapter as agentscopeMsg } from '../../src/protocols/agentscope-msg/agentscope-msg.ts';
import { adapter as deepchatEvents } from '../../src/protocols/deepchat-events/deepchat-events.ts';
import { adapter as messageField } from '../../src/protocols/message-field/message-field.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { showBlock, wordsIn } from '../renderers/support/show.ts';
import { lines, makeChat, until } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { text, thought, type ExpectedFields } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { PIXEL } from '../support/pixel.ts';
import { ndjson, playBody, sse } from '../support/play-body.ts';
import { blocksOf, messagesOf, requestBody, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

const detected = (body: string): Promise<string> => findProtocol(body, protocols.list());
const isDetected = (says: string, protocol: string, body: string): Thing => [
  `${says} is detected`,
  async () => expect(await detected(body)).to.equal(protocol),
];
const isNotDetected = (says: string, protocol: string, body: string): Thing => [
  `${says} is not detected`,
  async () => expect(await detected(body)).not.to.equal(protocol),
];

/** The five formats have no stop, no resuming; a reply of a stream that is open can be stopped in the widget. */
const noServerStop = (adapter: Adapter, opening: string): Thing[] => [
  [
    'no stop on the server: the chat says that the agent may still be working',
    async () => {
      const open = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(opening));
        },
      });
      const { chat, server } = makeChat(
        [() => new Response(open, { headers: { 'content-type': 'text/event-stream' } })],
        { protocol: adapter.id },
      );
      const sent = chat.send('Hi');
      await until(chat, () => /^assistant .*Half$/.test(lines(chat).at(-1) ?? ''));
      chat.stop();
      expect([(await sent).status, server.asked.length]).to.deep.equal(['cancelled', 1]);
      await until(chat, () => chat.messages.at(-1)?.metadata?.['agentMayContinue'] === true);
    },
  ],
  [
    'no resuming: a reply that is cut off stays as it is',
    async () => {
      const { chat, server } = makeChat([stream(opening)], { protocol: adapter.id });
      expect([(await chat.send('Hi')).status, server.asked.length]).to.deep.equal(['interrupted', 1]);
    },
  ],
];

/** A format without a place for attachments sends the text alone. */
const noAttachments = (adapter: Adapter): Thing => [
  'no attachments: only the text is sent',
  async () => {
    const upload = { type: 'file', name: 'a.txt', mimeType: 'text/plain', data: 'QQ==' } as const;
    const sent = await requestBody(adapter, [
      { role: 'user', blocks: [{ type: 'content', content: 'Read it' }, upload] },
    ]);
    expect(JSON.stringify(sent)).to.contain('Read it').and.not.contain('QQ==');
  },
];

/** A reply with a call of a tool that the page has under the same name; resolves with how often the page's tool ran. */
async function runsInPage(adapter: Adapter, body: string, next = body): Promise<number> {
  let runs = 0;
  const tools = [{ name: 'f', description: '', parameters: {}, execute: () => String(++runs) }];
  const { chat } = makeChat([stream(body), stream(next)], { protocol: adapter.id, tools });
  await chat.send('Hi');
  return runs;
}
const ownTools = (adapter: Adapter, body: string): Thing => [
  'a call of the agent is never handed to the page',
  async () => expect(await runsInPage(adapter, body)).to.equal(0),
];

/** A body whose optional fields are null results in the same blocks as one without them. */
const nullsAreMissing = (
  adapter: Adapter,
  write: (...events: readonly object[]) => string,
  ...events: ExpectedFields[]
): Thing => [
  'fields that are null count as missing',
  async () => {
    const body = write(...events);
    expect(await blocksOf(adapter, body)).to.deep.equal(
      await blocksOf(adapter, write(...events.map(withoutNullFields))),
    );
    expect(await warningsAbout(adapter, body)).to.deep.equal([]);
  },
];
const withoutNullFields = (event: ExpectedFields): ExpectedFields =>
  JSON.parse(JSON.stringify(event, (_name, value: unknown) => (value === null ? undefined : value))) as ExpectedFields;

const agent = (fields: object) => ({ type: 'response', data: { eventId: 'e1', ...fields } });
const end = { type: 'end', data: { eventId: 'e1', userStop: false } };
const limit = { providerId: 'north', qpsLimit: 5, currentQps: 7, queueLength: 3 };

const msg = (role: string, content: readonly object[], more: object = {}) => ({ role, content, ...more });
const says = (words: string) => [{ type: 'text', text: words }];
const use = { type: 'tool_use', id: 'call_1', name: 'find_train', input: {} };
const agentscopeResult = async (result: object): Promise<unknown> => {
  const answer = msg('TOOL', [{ type: 'tool_result', toolUseId: 'call_1', output: says('x'), ...result }]);
  const [only] = await messagesOf(agentscopeMsg, sse(msg('ASSISTANT', [use]), answer));
  return (only?.['blocks'] as readonly ExpectedFields[])[0]?.['status'];
};

const start = (id: string, more: object = {}) => ({
  type: 'message_start',
  message_id: id,
  role: 'assistant',
  ...more,
});
const result = (id: string, content: string, more: object = {}) => ({
  type: 'message_result',
  message_id: id,
  message: { id, role: 'assistant', content, thinking: false, ...more },
});
const field = (field_name: string, field_value: unknown) => ({
  type: 'message_field',
  message_id: 'a',
  field_name,
  field_value,
});
const fieldResult = async (more: object, content = 'x'): Promise<unknown> => {
  const tool_calls = [{ id: 'u', type: 'function', function: { name: 'f', arguments: '{}' } }];
  const [block] = await blocksOf(
    messageField,
    sse(result('a', '', { tool_calls }), result('t', content, { role: 'tool', tool_call_id: 'u', ...more })),
  );
  return block?.['status'];
};

const FAILURES = ['Error: no train', '[ERROR] no train', 'java.io.IOException: no train', '列车查询失败：系统繁忙'];

const sessionEvent = (type: string, data: object, metadata?: object) => ({ type, data, ...(metadata && { metadata }) });

walkDocument('the pages of the five formats', 71, [
  [
    'deepchat-events',
    ...(
      [
        ['text', { content: 'a' }],
        ['reasoning', { reasoning_content: 'a' }],
        ['tool_call_start', { tool_call_id: 'c', tool_call_name: 'f' }],
        ['image_data', { image_data: { data: PIXEL, mimeType: 'image/png' } }],
        ['rate_limit', { rate_limit: limit }],
      ] as const
    ).map(([type, fields]) =>
      isDetected(
        `a core event ${type} with its field`,
        'deepchat-events',
        sse({ type, ...fields }, { type: 'stop', stop_reason: 'complete' }),
      ),
    ),
    isDetected('an agent event with data.eventId', 'deepchat-events', sse(agent({ content: 'a' }), end)),
    isNotDetected('an error alone', 'deepchat-events', sse({ type: 'error', error_message: 'gone' })),
    [
      'an icon of a server that is an address is not shown',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          tool_call: { id: 'c', name: 'find_route', server_name: 'maps', server_icons: 'https://maps.example/i.png' },
        });
        expect([element.querySelector('img'), wordsIn(element).includes('i.png')]).to.deep.equal([null, false]);
      },
    ],
    [
      'maximum_tool_calls_reached asks whether to continue',
      async () => {
        const { element } = await showBlock({
          type: 'action',
          status: 'pending',
          action_type: 'maximum_tool_calls_reached',
        });
        expect(wordsIn(element)).to.contain('Continue');
        expect(element.querySelector('button')).not.to.equal(null);
      },
    ],
    ...([60_000, 60_001] as const).map((estimatedWaitTime): Thing => [
      `a rate limit of ${String(estimatedWaitTime)} ms is ${estimatedWaitTime > 60_000 ? '' : 'not '}severe`,
      async () => {
        const [block] = await blocksOf(deepchatEvents, sse(agent({ rate_limit: { ...limit, estimatedWaitTime } })));
        expect(block?.['status'] === 'error').to.equal(estimatedWaitTime > 60_000);
      },
    ]),
    [
      'parent: content of a sub-agent is inside the call that started it',
      async () => {
        const body = sse(
          agent({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'ask_north' }),
          agent({ content: 'Inside', parent: { tool_call_id: 'c', name: 'North' } }),
          agent({ tool_call: 'end', tool_call_id: 'c' }),
          agent({ content: 'Outside' }),
          end,
        );
        const blocks = (await playBody(deepchatEvents, body)).messages.flatMap((message) => message.blocks);
        const [called] = blocks;
        expect(blocks.map((block) => ('content' in block ? [block.content, block.parentId] : []))).to.deep.equal([
          [],
          ['Inside', called?.id],
          ['Outside', undefined],
        ]);
      },
    ],
    [
      'the answer to the limit of tool calls has only its decision',
      async () => {
        const { permissions } = await requestBody(deepchatEvents, [], {
          turn: { answers: [{ blockId: 'b', actionType: 'maximum_tool_calls_reached', decision: 'granted' }] },
        });
        expect(permissions).to.deep.equal([{ decision: 'granted' }]);
      },
    ],
    [
      'the complete history is sent as messages',
      async () => {
        const { messages } = await requestBody(deepchatEvents, [
          { role: 'user', text: 'a' },
          { role: 'assistant', text: 'b' },
          { role: 'user', text: 'c' },
        ]);
        expect(
          (messages as readonly { content: ExpectedFields }[]).map(({ content }) => content['text']),
        ).to.deep.equal(['a', 'b', 'c']);
      },
    ],
    ...noServerStop(deepchatEvents, sse(agent({ content: 'Half' }))),
    ownTools(deepchatEvents, sse(agent({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f' }), end)),
    [
      'a call of a model is for the page',
      async () => {
        const called = sse(
          { type: 'tool_call_start', tool_call_id: 'c', tool_call_name: 'f' },
          { type: 'tool_call_end', tool_call_id: 'c', tool_call_arguments_complete: '{}' },
          { type: 'stop', stop_reason: 'tool_use' },
        );
        const answered = sse({ type: 'text', content: 'Done' }, { type: 'stop', stop_reason: 'complete' });
        expect(await runsInPage(deepchatEvents, called, answered)).to.equal(1);
      },
    ],
    nullsAreMissing(
      deepchatEvents,
      sse,
      agent({
        tool_call: 'start',
        tool_call_id: 'c',
        tool_call_name: 'g',
        tool_call_params: '{}',
        tool_call_server_name: null,
        tool_call_server_icons: null,
        content: null,
      }),
      agent({ tool_call: 'end', tool_call_id: 'c', tool_call_response: 'r', rate_limit: null, image_data: null }),
      agent({ content: 'a', reasoning_content: null, totalUsage: null }),
      end,
    ),
  ],
  [
    'agentscope-msg',
    isDetected(
      'a message with name, role and content',
      'agentscope-msg',
      sse(msg('assistant', says('a'), { name: 'n' })),
    ),
    isDetected('a list of them', 'agentscope-msg', sse([msg('assistant', says('a'), { name: 'n' })])),
    isDetected('a message under msg', 'agentscope-msg', sse({ msg: msg('assistant', says('a'), { name: 'n' }) })),
    isDetected('a nameless message whose role is in capitals', 'agentscope-msg', sse(msg('ASSISTANT', says('a')))),
    isNotDetected(
      'a nameless message whose role is in small letters',
      'agentscope-msg',
      sse(msg('assistant', says('a'))),
    ),
    [
      'a message without a name has none in the chat',
      async () =>
        expect((await messagesOf(agentscopeMsg, sse(msg('ASSISTANT', says('a')))))[0]).not.to.have.property('name'),
    ],
    [
      'without an id, a message that continues the last one updates it',
      async () => {
        const body = sse(msg('ASSISTANT', says('Half')), msg('ASSISTANT', says('Half and whole')));
        expect(await blocksOf(agentscopeMsg, body)).to.deep.equal([text('Half and whole')]);
      },
    ],
    ...(['error', 'interrupted', 'denied'] as const).map((state): Thing => [
      `state ${state} is a failure`,
      async () => expect(await agentscopeResult({ state })).to.equal('error'),
    ]),
    [
      'state decides before the text',
      async () => expect(await agentscopeResult({ state: 'success', output: says('Error: no') })).to.equal(undefined),
    ],
    [
      'is_error decides before the text',
      async () => {
        expect(await agentscopeResult({ is_error: true })).to.equal('error');
        expect(await agentscopeResult({ is_error: false, output: says('Error: no') })).to.equal(undefined);
      },
    ],
    ...FAILURES.map((words): Thing => [
      `the text “${words}” is a failure`,
      async () => expect(await agentscopeResult({ output: says(words) })).to.equal('error'),
    ]),
    [
      'attachments are blocks of the message',
      async () => {
        const { messages } = await requestBody(agentscopeMsg, [
          {
            role: 'user',
            blocks: [
              { type: 'content', content: 'See' },
              { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } },
            ],
          },
        ]);
        expect((messages as readonly { content: unknown }[])[0]?.content).to.deep.equal([
          { type: 'text', text: 'See' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ]);
      },
    ],
  ],
  [
    'message-field',
    [
      'reasoning_content is reasoning',
      async () =>
        expect(
          await blocksOf(messageField, sse(start('a'), result('a', 'Yes', { reasoning_content: 'Hm' }))),
        ).to.deep.equal([thought('Hm'), text('Yes')]),
    ],
    ...(['recommend_actions', 'suggestions'] as const).map((name): Thing => [
      `session_state.${name} are suggestions`,
      async () => {
        const reply = sse(start('a'), result('a', 'Yes', { session_state: { [name]: ['More'] } }));
        expect((await messagesOf(messageField, reply))[0]?.['suggestions']).to.deep.equal([
          { label: 'More', prompt: 'More' },
        ]);
      },
    ]),
    ...(
      [
        ['is_error: true', { is_error: true }, 'error'],
        ['status: failed', { status: 'failed' }, 'error'],
        ['success: false', { success: false }, 'error'],
        ['success: true', { success: true }, undefined],
      ] as const
    ).map(([name, more, expected]): Thing => [
      `${name} decides about a result, before its text`,
      async () => expect(await fieldResult(more, expected ? 'x' : 'Error: no')).to.equal(expected),
    ]),
    ...FAILURES.map((words): Thing => [
      `the text “${words}” is a failure`,
      async () => expect(await fieldResult({}, words)).to.equal('error'),
    ]),
    ...(
      [
        ['steps[1023]', []],
        ['steps[1024]', ['refused']],
        [`a${'.b'.repeat(31)}`, []],
        [`a${'.b'.repeat(32)}`, ['refused']],
        ['constructor.x', ['refused']],
      ] as const
    ).map(([path, expected]): Thing => [
      `the path ${path.slice(0, 14)} (${String(path.split('.').length)} levels) is ${expected.length > 0 ? 'refused' : 'set'}, and the stream continues`,
      async () => {
        const body = sse(start('a'), field(path, 1), result('a', 'Yes'));
        expect(await warningsAbout(messageField, body)).to.deep.equal(expected);
        expect(await blocksOf(messageField, body)).to.deep.equal([text('Yes')]);
      },
    ]),
    ownTools(
      messageField,
      sse(
        start('a'),
        result('a', '', {
          tool_calls: [{ id: 'u', type: 'function', function: { name: 'g', arguments: '{}' } }],
        }),
      ),
    ),
    nullsAreMissing(
      messageField,
      sse,
      start('a', { agent: null, parent_id: null }),
      field('content', 'Yes'),
      result('a', 'Yes', { tool_calls: null, reasoning_content: null, session_state: null, recommend_actions: null }),
    ),
    ...noServerStop(messageField, sse(start('a'), field('content', 'Half'))),
    noAttachments(messageField),
  ],
  [
    'agent-phase',
    ...(['thinking', 'tool_calling', 'generating', 'completed', 'error'] as const).map((phase) =>
      isDetected(
        `the phase ${phase} with an object data`,
        'agent-phase',
        ndjson({ type: 'phase_change', phase, data: { message: 'Now' } }),
      ),
    ),
    isNotDetected(
      'another phase',
      'agent-phase',
      ndjson({ type: 'phase_change', phase: 'waxing', data: { message: 'Now' } }),
    ),
    ownTools(
      agentPhase,
      ndjson(
        { type: 'tool_start', phase: 'tool_calling', data: { toolName: 'f', params: {} } },
        { type: 'text', phase: 'generating', data: { content: 'a' } },
        { type: 'done', phase: 'completed', data: { finishReason: 'stop' } },
      ),
    ),
    nullsAreMissing(
      agentPhase,
      ndjson,
      { type: 'phase_change', phase: 'thinking', data: { message: null } },
      {
        type: 'tool_start',
        phase: 'tool_calling',
        data: { toolName: 'f', toolDescription: null, params: null },
      },
      { type: 'tool_end', phase: 'tool_calling', data: { toolName: 'f', success: true, summary: null, error: null } },
      { type: 'text', phase: 'generating', data: { content: 'a' } },
      {
        type: 'citation',
        phase: 'generating',
        data: { messageId: '7', index: null, content: null, senderName: null, senderId: null, timestamp: null },
      },
      { type: 'done', phase: 'completed', data: { finishReason: null, stats: null } },
    ),
    ...noServerStop(agentPhase, ndjson({ type: 'text', phase: 'generating', data: { content: 'Half' } })),
    noAttachments(agentPhase),
  ],
  [
    'agent-session',
    isDetected(
      'an event with a sequence',
      'agent-session',
      sse(sessionEvent('content', { content: 'a' }, { sequence: 1 })),
    ),
    isDetected(
      'an event with a timestamp',
      'agent-session',
      sse(sessionEvent('content', { content: 'a' }, { timestamp: 1 })),
    ),
    isDetected(
      'without metadata, a tool_id',
      'agent-session',
      sse(sessionEvent('tool_result', { tool_id: 't', result: 'r' }), { type: 'done', data: {} }),
    ),
    isDetected(
      'without metadata, a tool_name',
      'agent-session',
      sse(sessionEvent('tool_call', { tool_name: 'f', arguments: {} }), { type: 'done', data: {} }),
    ),
    isDetected(
      'without metadata, a session_id',
      'agent-session',
      sse(sessionEvent('session_start', { session_id: 's' })),
    ),
    isDetected(
      'without metadata, a data_type',
      'agent-session',
      sse(sessionEvent('data', { data_type: 'custom', data: {} }), { type: 'done', data: {} }),
    ),
    [
      'an older call without an id gets the next result without one',
      async () => {
        const body = sse(
          sessionEvent('tool_call', { tool_name: 'f', arguments: {} }),
          sessionEvent('tool_result', { result: 'r' }),
          { type: 'done', data: {} },
        );
        const [block] = await blocksOf(agentSession, body);
        expect(block?.['tool_call']).to.deep.include({ name: 'f', response: 'r' });
      },
    ],
    ownTools(
      agentSession,
      sse(
        sessionEvent('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: {} }, { sequence: 0 }),
        sessionEvent('content', { content: 'a' }, { sequence: 1 }),
        sessionEvent('session_end', { status: 'completed' }, { sequence: 2 }),
      ),
    ),
    nullsAreMissing(
      agentSession,
      sse,
      sessionEvent('session_start', { session_id: 's', request_id: null }, { sequence: 0, request_id: null }),
      sessionEvent('thinking', { content: 'Hm', stage: null }, { sequence: 1, timestamp: null }),
      sessionEvent('tool_call_start', { tool_id: 't', tool_name: 'f', description: null, arguments: null }),
      sessionEvent(
        'tool_call_end',
        { tool_id: 't', status: 'success', result: null, error: null },
        { duration_ms: null },
      ),
      sessionEvent('content', { content: 'a', format: null, is_complete: null }),
      sessionEvent('data', { data_type: 'custom', data: 1, metadata: null }),
      sessionEvent('session_end', { status: 'completed', summary: null }),
    ),
    ...noServerStop(agentSession, sse(sessionEvent('content', { content: 'Half' }, { sequence: 0 }))),
    noAttachments(agentSession),
  ],
]);
