import { expect } from '@open-wc/testing';
import { adapter as agUi } from '../../../src/protocols/ag-ui/ag-ui.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { playBody, sse } from '../../support/play-body.ts';
import { callTool, finished, interrupted, result, run, say, started, think } from './streams.ts';

/** Messages without the metadata that later requests need. */
const shown = (messages: readonly ExpectedFields[]): readonly ExpectedFields[] =>
  messages.map(({ metadata: _kept, ...rest }) => rest);
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const phase = (...names: readonly string[]): ExpectedFields => ({
  type: 'status',
  phase: names.at(-1),
  extra: { steps: names.map((name) => ({ phase: name })) },
});

interface Row {
  readonly name: string;
  readonly body: string;
  readonly messages: readonly ExpectedFields[];
  readonly warnings?: readonly string[];
  readonly problem?: string;
}
function testShown(rows: readonly Row[]): void {
  for (const { name, body, messages, warnings = [], problem } of rows) {
    it(name, async () => {
      const played = await playBody(agUi, body);
      expect(shown(played.seen)).to.deep.equal(messages);
      expect(played.warnings.map(({ kind }) => kind)).to.deep.equal(warnings);
      expect(played.problem).to.equal(problem);
    });
  }
}

describe('ag-ui', () => {
  testShown([
    { name: 'a text in chunks', body: run(...say('m', 'Hi')), messages: [done([text('Hi')])] },
    {
      name: 'reasoning, a call of the server with its result, and text, in one message',
      body: run(...think('z', 'Hm'), ...callTool('c', 'f', '{"a":1}', 'm'), result('c', 'ok'), ...say('n', 'Yes')),
      messages: [done([thought('Hm'), call('c', 'f', { params: '{"a":1}', response: 'ok' }), text('Yes')])],
    },
    {
      name: 'reasoning messages are paragraphs, also with a step between them; a snapshot that lacks them changes nothing',
      body: run(
        ...think('y', 'First.'),
        { type: 'STEP_STARTED', stepName: 'plan' },
        ...think('z', 'Second.'),
        ...say('n', 'Yes'),
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [
            { id: 'u', role: 'user', content: 'hi' },
            { id: 'n', role: 'assistant', content: 'Yes' },
          ],
        },
      ),
      messages: [done([thought('First.\n\nSecond.'), phase('plan'), text('Yes')])],
    },
    {
      name: 'reasoning messages are paragraphs, also if a snapshot changes the text after them',
      body: run(...think('y', 'First.'), ...think('z', 'Second.'), ...say('n', 'Yes'), {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u', role: 'user', content: 'hi' },
          { id: 'n', role: 'assistant', content: 'No' },
        ],
      }),
      messages: [done([thought('First.\n\nSecond.'), text('No')])],
    },
    {
      name: 'reasoning after a call begins without a blank line',
      body: run(...think('y', 'First.'), ...callTool('c', 'f', '{}', 'm'), result('c', 'ok'), ...think('z', 'Second.')),
      messages: [done([thought('First.'), call('c', 'f', { params: '{}', response: 'ok' }), thought('Second.')])],
    },
    {
      name: 'steps are phases; a result that is not a string is JSON',
      body: run(
        { type: 'STEP_STARTED', stepName: 'plan' },
        { type: 'STEP_FINISHED', stepName: 'plan' },
        { type: 'STEP_STARTED', stepName: 'act' },
        ...callTool('c', 'f', '{}'),
        result('c', { a: 1 }),
        { type: 'STEP_FINISHED', stepName: 'act' },
      ),
      messages: [done([phase('plan', 'act'), call('c', 'f', { params: '{}', response: '{"a":1}' })])],
    },
    {
      name: 'the short forms: chunks of text, reasoning and call; an id stays valid until another comes',
      body: run(
        { type: 'REASONING_MESSAGE_CHUNK', messageId: 'z', delta: 'H' },
        { type: 'REASONING_MESSAGE_CHUNK', delta: 'm' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Y' },
        { type: 'TEXT_MESSAGE_CHUNK', delta: 'es' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '{' },
        { type: 'TOOL_CALL_CHUNK', delta: '}' },
        result('c', 'ok'),
      ),
      messages: [done([thought('Hm'), text('Yes'), call('c', 'f', { params: '{}', response: 'ok' })])],
    },
    {
      name: 'parallel and consecutive texts are separate messages',
      body: run(
        { type: 'TEXT_MESSAGE_START', messageId: 'a' },
        { type: 'TEXT_MESSAGE_START', messageId: 'b' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'A' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'b', delta: 'B' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'a' },
        { type: 'TEXT_MESSAGE_END', messageId: 'a' },
        { type: 'TEXT_MESSAGE_END', messageId: 'b' },
        ...say('c', 'C'),
      ),
      messages: [done([text('Aa')]), done([text('B')]), done([text('C')])],
    },
    {
      name: 'each agent has a message with its name; messages of the user and the developer are not shown',
      body: run(
        { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'my own' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'd', role: 'developer', delta: 'obey' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'a', name: 'Ann', delta: 'A' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 's', role: 'system', delta: 'S' },
      ),
      messages: [done([text('A')], { name: 'Ann' }), done([text('S')], { role: 'system' })],
    },
    {
      name: 'a call of the page waits for it; outcome and parent may be null',
      body: sse(started, ...say('m', 'Pick.'), ...callTool('k', 'pick', '{}', null), { ...finished, outcome: null }),
      messages: [
        done([text('Pick.'), call('k', 'pick', { params: '{}' }, { status: 'loading' })], { finish: 'tool_use' }),
      ],
    },
    {
      name: 'tokens are summed over models and runs of one body',
      body: sse(
        started,
        ...say('a', 'A'),
        {
          ...finished,
          usage: [
            { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
            { inputTokens: 1, outputTokens: 1 },
          ],
        },
        { ...started, runId: 'r2' },
        result('x', 'late'),
        { ...finished, usage: [{ inputTokens: 5, outputTokens: 5, totalTokens: 10 }] },
      ),
      messages: [
        done([text('A'), { type: 'tool_call', tool_call: { id: 'x', response: 'late' } }], {
          usage: { prompt_tokens: 16, completion_tokens: 8, total_tokens: 24 },
        }),
      ],
    },
    {
      name: 'an error ends it; later events are ignored',
      body: sse(
        started,
        ...say('m', 'Half'),
        { type: 'RUN_ERROR', message: 'Boom', code: 'E1' },
        ...say('n', 'x'),
        finished,
      ),
      messages: [done([text('Half'), failure('Boom', { code: 'E1' })], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a run that was stopped by the server is cancelled',
      body: sse(started, ...say('m', 'Half'), { ...finished, outcome: { type: 'cancelled' } }),
      messages: [done([text('Half')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'a body without the end of its run is interrupted, also in its second run',
      body: sse(started, ...say('m', 'A'), finished, started, ...say('n', 'B')),
      messages: [
        done([text('A')], { status: 'interrupted', finish: 'error' }),
        done([text('B')], { status: 'interrupted', finish: 'error' }),
      ],
      problem: 'cut',
    },
    {
      name: 'the old reasoning events, and content without its start',
      body: run(
        { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Yes' },
      ),
      messages: [done([thought('Hm'), text('Yes')])],
    },
    {
      name: 'messages of the old reasoning events are paragraphs',
      body: run(
        ...['First.', 'Second.'].flatMap((delta) => [
          { type: 'THINKING_TEXT_MESSAGE_START' },
          { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta },
          { type: 'THINKING_TEXT_MESSAGE_END' },
        ]),
      ),
      messages: [done([thought('First.\n\nSecond.')])],
    },
    {
      name: 'an app that the MCP Apps middleware names, with the arguments and the result of its tool',
      body: run({
        type: 'ACTIVITY_SNAPSHOT',
        messageId: 'x',
        activityType: 'mcp-apps',
        replace: true,
        content: {
          resourceUri: 'ui://shop/cart',
          serverId: 'shop',
          serverHash: 'f00',
          toolInput: { id: 7 },
          result: { content: [{ type: 'text', text: 'Open' }] },
        },
      }),
      messages: [
        done([
          {
            type: 'ui',
            ui: {
              kind: 'mcp-app',
              uri: 'ui://shop/cart',
              server: { id: 'shop', hash: 'f00' },
              via: 'agent',
              arguments: { id: 7 },
              result: { content: [{ type: 'text', text: 'Open' }] },
            },
            extra: { dataId: 'x' },
          },
        ]),
      ],
    },
    {
      name: 'activities: patches update them in place; a plan is a plan, a surface a surface',
      body: run(
        { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: { hits: [] } },
        {
          type: 'ACTIVITY_SNAPSHOT',
          messageId: 'p',
          activityType: 'PLAN',
          content: {
            steps: [
              { title: 'One', status: 'done' },
              { title: 'Two', status: 'in_progress' },
            ],
          },
        },
        { type: 'ACTIVITY_SNAPSHOT', messageId: 's', activityType: 'a2ui-surface', content: { a2ui_operations: [] } },
        {
          type: 'ACTIVITY_DELTA',
          messageId: 'a',
          activityType: 'search',
          patch: [{ op: 'add', path: '/hits/-', value: 'x' }],
        },
        { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: {}, replace: false },
        { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'search', patch: [{ op: 'remove', path: '/nothing' }] },
      ),
      messages: [
        done(
          [
            {
              type: 'data',
              data: { data_type: 'custom', data: { hits: ['x'] }, metadata: { activityType: 'search' } },
              extra: { dataId: 'a' },
            },
            {
              type: 'plan',
              plan: [
                { title: 'One', state: 'done' },
                { title: 'Two', state: 'active' },
              ],
            },
            { type: 'ui', ui: { kind: 'a2ui', messages: [] }, extra: { dataId: 's' } },
          ],
          { metadata: undefined },
        ),
      ].map(({ metadata: _none, ...rest }: ExpectedFields) => rest),
      warnings: ['malformed'],
    },
    {
      name: 'unknown events are skipped, malformed ones are a warning, raw events are ignored',
      body: run(
        { type: 'NEW_THING', x: 1 },
        { type: 'TEXT_MESSAGE_CONTENT', delta: 3 },
        { type: 'RAW', event: {} },
        ...say('m', 'Hi'),
      ),
      messages: [done([text('Hi')])],
      warnings: ['unknown', 'malformed'],
    },
  ]);

  describe('a snapshot of the messages', () => {
    const user = { id: 'u', role: 'user', content: 'hi' };
    const snapshot = (...messages: readonly object[]): object => ({ type: 'MESSAGES_SNAPSHOT', messages });
    const first = [...think('z', 'Hm'), ...callTool('c', 'f', '{"a":1}', 'm'), result('c', 'ok'), ...say('n', 'Yes')];
    const asked = {
      id: 'm',
      role: 'assistant',
      toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{ "a": 1 }' } }],
    };
    const toolMessage = { id: 'c-r', role: 'tool', toolCallId: 'c', content: 'ok' };
    const blocks = [thought('Hm'), call('c', 'f', { params: '{"a":1}', response: 'ok' })];

    testShown([
      {
        name: 'that is identical changes nothing, and keeps reasoning that it lacks',
        body: run(...first, snapshot(user, asked, toolMessage, { id: 'n', role: 'assistant', content: 'Yes' })),
        messages: [done([...blocks, text('Yes')])],
      },
      {
        name: 'wins, and adds what was not streamed',
        body: run(
          ...first,
          snapshot(
            user,
            asked,
            toolMessage,
            { id: 'n', role: 'assistant', content: 'No' },
            { id: 'o', role: 'assistant', content: '!' },
          ),
        ),
        messages: [done([...blocks, text('No')]), done([text('!')])],
      },
      {
        name: 'with other ids of the reasoning does not show it twice',
        body: run(
          ...first,
          snapshot(user, { id: 'other', role: 'reasoning', content: 'Hm' }, asked, toolMessage, {
            id: 'n',
            role: 'assistant',
            content: 'Yes',
          }),
        ),
        messages: [done([...blocks, text('Yes')])],
      },
      {
        name: 'ignores the history before this turn',
        body: run(snapshot({ id: 'o', role: 'assistant', content: 'Old' }, user), ...say('m', 'New')),
        messages: [done([text('New')])],
      },
      {
        name: 'keeps activities when it removes text',
        body: run(
          { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: { n: 1 } },
          ...say('m', 'Wrong'),
          snapshot(user, { id: 'm', role: 'assistant', content: 'Right' }),
        ),
        messages: [
          done([
            text('Right'),
            {
              type: 'data',
              data: { data_type: 'custom', data: { n: 1 }, metadata: { activityType: 'x' } },
              extra: { dataId: 'a' },
            },
          ]),
        ],
      },
    ]);
  });

  describe('the state', () => {
    const statesOf = async (...events: readonly object[]): Promise<readonly unknown[]> => {
      const { events: told } = await playBody(agUi, run(...events));
      return told.flatMap((event) => (event.type === 'response' && event.data.state ? [event.data.state.value] : []));
    };
    it('is emitted completely after each change; an invalid patch changes nothing', async () => {
      const states = await statesOf(
        { type: 'STATE_SNAPSHOT', snapshot: { a: [] } },
        { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: 1 }] },
        {
          type: 'STATE_DELTA',
          delta: [
            { op: 'replace', path: '/a/0', value: 2 },
            { op: 'test', path: '/a/0', value: 9 },
          ],
        },
        { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/__proto__/polluted', value: 1 }] },
        { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a/0', value: 3 }] },
      );
      expect(states).to.deep.equal([{ a: [] }, { a: [1] }, { a: [3] }]);
    });
  });

  testBodies(agUi, [
    {
      name: 'interrupts: one block each, with the data that an answer needs',
      body: sse(
        started,
        ...callTool('c', 'send', '{"to":"a"}', 'm'),
        interrupted(
          {
            id: 'i1',
            reason: 'tool_call',
            message: 'Send?',
            toolCallId: 'c',
            responseSchema: { properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
          },
          { id: 'i2', reason: 'confirmation', message: 'Sure?', expiresAt: '2099-01-01T00:00:00Z' },
          {
            id: 'i3',
            reason: 'input_required',
            message: 'Which?',
            responseSchema: { properties: { size: { enum: ['S', 'L'] } } },
          },
          { id: 'i4', reason: 'acme:thing' },
        ),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          metadata: {
            messageId: 'm',
            runId: 'r',
            runs: 1,
            interrupts: [
              {
                id: 'i1',
                callId: 'c',
                schema: { properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
              },
              { id: 'i2', expiresAt: '2099-01-01T00:00:00Z' },
              { id: 'i3', schema: { properties: { size: { enum: ['S', 'L'] } } } },
              { id: 'i4' },
            ],
            rounds: [
              {
                protocol: 'ag-ui',
                items: [
                  {
                    id: 'm',
                    role: 'assistant',
                    toolCalls: [{ id: 'c', type: 'function', function: { name: 'send', arguments: '{"to":"a"}' } }],
                  },
                ],
              },
            ],
          },
          blocks: [
            call('c', 'send', { params: '{"to":"a"}' }, { status: 'loading' }),
            {
              type: 'action',
              action_type: 'tool_call_permission',
              status: 'pending',
              content: 'Send?',
              tool_call: { id: 'c', name: 'send', params: '{"to":"a"}' },
              extra: {
                reason: 'tool_call',
                editable: true,
                schema: '{"properties":{"approved":{"type":"boolean"},"editedArgs":{"type":"object"}}}',
                requestId: 'i1',
                permissionType: 'all',
                serverName: '',
                toolName: 'send',
              },
            },
            {
              type: 'action',
              action_type: 'confirmation',
              status: 'pending',
              content: 'Sure?',
              extra: { reason: 'confirmation', expiresAt: '2099-01-01T00:00:00Z', requestId: 'i2' },
            },
            {
              type: 'action',
              action_type: 'question',
              status: 'pending',
              content: 'Which?',
              extra: {
                reason: 'input_required',
                needsChoice: true,
                requestId: 'i3',
                options: [
                  { label: 'S', value: 'S' },
                  { label: 'L', value: 'L' },
                ],
                schema: '{"properties":{"size":{"enum":["S","L"]}}}',
              },
            },
            {
              type: 'action',
              action_type: 'interrupt',
              status: 'pending',
              extra: { reason: 'acme:thing', requestId: 'i4' },
            },
          ],
        },
      ],
    },
  ]);

  it('asks also if the interrupt has no reason', async () => {
    const { seen, outcome } = await playBody(agUi, sse(started, interrupted({ id: 'i', message: 'Sure?' })));
    const blocks = seen.flatMap((message) => message['blocks'] as readonly ExpectedFields[]);
    expect(blocks).to.deep.equal([
      { type: 'action', action_type: 'interrupt', status: 'pending', content: 'Sure?', extra: { requestId: 'i' } },
    ]);
    expect(outcome.finish).to.equal('tool_use');
  });

  testBodies(
    agUi,
    [[], [{ message: 'Sure?' }], 'Sure?', undefined].map((interrupts) => ({
      name: `an interrupt that can't be read is an error: ${JSON.stringify(interrupts)}`,
      body: sse(started, { ...finished, outcome: { type: 'interrupt', interrupts } }),
      messages: [
        {
          ...done([failure('The agent waits for an answer, but the chat can’t read its question.')]),
          ...{ status: 'error', finish: 'error', metadata: { interrupts: [], runs: 1, runId: 'r' } },
        },
      ],
    })),
  );

  it('asks once if the older convention comes with an outcome, and also if it comes alone', async () => {
    const custom = { type: 'CUSTOM', name: 'on_interrupt', value: '{"question":"Go?"}' };
    const pending = async (...events: readonly object[]): Promise<readonly unknown[]> => {
      const { seen } = await playBody(agUi, sse(started, ...events));
      return seen.flatMap(({ blocks }) => (blocks as readonly ExpectedFields[]).map(({ content }) => content));
    };
    expect(await pending(custom, finished)).to.deep.equal(['Go?']);
    expect(await pending(custom, interrupted({ id: 'i', reason: 'confirmation', message: 'New?' }))).to.deep.equal([
      'New?',
    ]);
  });

  testNeverThrows(agUi, [
    started,
    { ...finished, usage: [{ inputTokens: 1, outputTokens: 2, totalTokens: 3 }], result: { a: 1 } },
    interrupted({
      id: 'i',
      reason: 'tool_call',
      message: 'm',
      toolCallId: 'c',
      responseSchema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: {} } },
      expiresAt: 'x',
    }),
    ...say('m', 'Hi'),
    ...think('z', 'Hm'),
    ...callTool('c', 'f', '{}', 'm'),
    result('c', 'ok'),
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'user', name: 'n', delta: 'x' },
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '{' },
    { type: 'REASONING_MESSAGE_CHUNK', messageId: 'm', delta: 'x' },
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c', encryptedValue: 'x' },
    { type: 'THINKING_START', title: 't' },
    { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'x' },
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'STATE_SNAPSHOT', snapshot: { a: [{ b: 1 }] } },
    {
      type: 'STATE_DELTA',
      delta: [
        { op: 'add', path: '/__proto__/polluted', value: 1 },
        { op: 'copy', from: '', path: '/a/-' },
      ],
    },
    {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'u', role: 'user', content: 'x' },
        {
          id: 'm',
          role: 'assistant',
          content: 'x',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { id: 't', role: 'tool', toolCallId: 'c', content: 'x', error: 'e' },
        { id: 'z', role: 'reasoning', content: 'x' },
        { id: 'a', role: 'activity', activityType: 'plan', content: { steps: [{ title: 'x', status: 'done' }] } },
      ],
    },
    {
      type: 'ACTIVITY_SNAPSHOT',
      messageId: 'a',
      activityType: 'plan',
      content: { steps: [{ title: 'x', status: 'done' }] },
    },
    { type: 'ACTIVITY_DELTA', messageId: 'a', patch: [{ op: 'move', from: '/steps/0', path: '/steps/-' }] },
    { type: 'CUSTOM', name: 'on_interrupt', value: { id: 'i', reason: 'x' } },
    { type: 'RUN_ERROR', message: 'm', code: 1 },
  ]);
});

describe('rule 83: a permission of AG-UI names the call that it is about, though its id was used before', () => {
  const snapshot = {
    type: 'MESSAGES_SNAPSHOT',
    messages: [
      {
        id: 'm',
        role: 'assistant',
        toolCalls: [{ id: 'c', type: 'function', function: { name: 'delete', arguments: '{"p":"/"}' } }],
      },
    ],
  };
  for (const [name, ...events] of [
    ['of a call without a result', ...callTool('c', 'delete', '{"p":"/"}')],
    ['of a call with a result', result('c', 'ok'), ...callTool('c', 'delete', '{"p":"/"}')],
    ['of a call in another message', result('c', 'ok'), ...callTool('c', 'delete', '{"p":"/"}', 'n')],
    ['by a snapshot', snapshot],
  ] as const) {
    it(name, async () => {
      const asked = interrupted({ id: 'x', reason: 'tool_call', toolCallId: 'c' });
      const { seen } = await playBody(agUi, sse(started, ...callTool('c', 'read', '{"p":1}', 'm'), ...events, asked));
      const blocks = seen.flatMap((message) => message['blocks'] as readonly ExpectedFields[]);
      const question = blocks.find(({ type }) => type === 'action');
      expect(question?.['tool_call']).to.deep.include({ name: 'delete', params: '{"p":"/"}' });
    });
  }

  it('of a call with the same name', async () => {
    const asked = interrupted({ id: 'x', reason: 'tool_call', toolCallId: 'c' });
    const calls = [...callTool('c', 'rm', '{"p":1}', 'm'), ...callTool('c', 'rm', '{"p":"/"}', 'm')];
    const { seen } = await playBody(agUi, sse(started, ...calls, asked));
    const blocks = seen.flatMap((message) => message['blocks'] as readonly ExpectedFields[]);
    expect(blocks.find(({ type }) => type === 'action')?.['tool_call']).to.deep.include({ params: '{"p":"/"}' });
  });
});
