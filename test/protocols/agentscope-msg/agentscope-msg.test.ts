import { adapter as agentscopeMsg } from '../../../src/protocols/agentscope-msg/agentscope-msg.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { ndjson, sse } from '../../support/play-body.ts';
import { msg, toolResult, textContent, toolUse } from './streams.ts';

const spoken = (id: string, blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  name: 'Friday',
  metadata: { messageId: id },
  blocks,
  ...more,
});
const called = (more: ExpectedFields, details: ExpectedFields = {}): ExpectedFields =>
  call('k', 'f', { params: '{"a":1}', ...more }, details);
/** A message whose call `k` was answered in the message `t`, which the next request returns as it came. */
const answered = (id: string, blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => {
  const { timestamp } = msg(id, '');
  const resultHeaders = { k: { id: 't', name: 'system', timestamp } };
  return spoken(id, blocks, { metadata: { messageId: id, msg: { metadata: {}, ...more, resultHeaders, timestamp } } });
};
/** A message that ends a reply otherwise than complete. */
const ended = (status: string, finish: string, blocks: readonly ExpectedFields[]): ExpectedFields =>
  spoken('a', blocks, { status, finish });
const image = (url: string) => ({ type: 'image', source: { type: 'url', url } });
const tool = (id: string, block: object) => msg(id, [block], { role: 'TOOL', name: 'system' });

describe('agentscope-msg', () => {
  testRecordings(agentscopeMsg, 'agentscope-msg');

  testBodies(agentscopeMsg, [
    {
      name: 'a reply as one document on several lines',
      body: JSON.stringify(msg('a', textContent('Hi')), null, 2),
      messages: [spoken('a', [text('Hi')])],
    },
    {
      name: 'a list of messages',
      body: JSON.stringify([
        msg('u', textContent('hi'), { role: 'USER' }),
        msg('a', textContent('Hi')),
        msg('b', textContent('Ho')),
      ]),
      messages: [spoken('a', [text('Hi')]), spoken('b', [text('Ho')])],
    },
    {
      name: 'a list of messages in one frame',
      body: sse([msg('a', textContent('Hi')), msg('b', textContent('Ho'))], '[DONE]'),
      messages: [spoken('a', [text('Hi')]), spoken('b', [text('Ho')])],
    },
    {
      name: 'a role in lower case, and text instead of a list',
      body: ndjson(msg('a', 'Hi', { role: 'assistant' })),
      messages: [spoken('a', [text('Hi')])],
    },
    {
      name: 'optional fields may be null',
      body: ndjson({ ...msg('a', textContent('Hi')), id: null, metadata: null, timestamp: null }),
      messages: [spoken('Friday', [text('Hi')])],
    },
    {
      name: 'a hint is text, an unknown block is ignored',
      body: ndjson(
        msg('a', [
          { type: 'hint', id: 'h', hint: 'Try this', source: null },
          { type: 'hologram', x: 1 },
        ]),
      ),
      messages: [spoken('a', [text('Try this')])],
    },
    {
      name: 'text blocks in a row are texts of their own, also while they grow',
      body: sse(
        msg('a', textContent('One')),
        msg('a', [...textContent('One'), ...textContent('')]),
        msg('a', [...textContent('One'), ...textContent('# T')]),
        msg('a', [...textContent('One'), ...textContent('# Two')]),
        msg('a', [...textContent('One'), ...textContent('# Two'), { type: 'hint', hint: 'Three' }]),
        msg('b', [...textContent('One'), ...textContent('<think>Hm</think>Two'), ...textContent('Three')]),
        msg('c', textContent('Wait')),
        msg('c', [...textContent('One'), ...textContent('Two')]),
      ),
      messages: [
        spoken('a', [text('One'), text('# Two'), text('Three')]),
        spoken('b', [text('One'), thought('Hm'), text('Two'), text('Three')]),
        spoken('c', [text('One'), text('Two')]),
      ],
    },
    {
      name: 'data by its media type, with its name',
      body: ndjson(
        msg('a', [
          { type: 'data', source: { type: 'url', url: 'https://a.example/x', mime_type: 'image/png' } },
          { type: 'data', name: 'x.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
        ]),
      ),
      messages: [
        spoken('a', [
          { type: 'image', url: 'https://a.example/x' },
          { type: 'file', name: 'x.pdf', data: 'AA', mimeType: 'application/pdf' },
        ]),
      ],
    },
    {
      name: 'a file on the server only has a name',
      body: ndjson(msg('a', [image('file:///srv/plots/sales.png')])),
      messages: [spoken('a', [{ type: 'image', url: 'file:///srv/plots/sales.png', name: 'sales.png' }])],
    },
    {
      name: 'a snapshot that removes text',
      body: sse(
        msg('a', textContent('One two')),
        msg('a', textContent('One.')),
        msg('b', textContent('x')),
        msg('a', textContent('One. Two')),
      ),
      messages: [spoken('a', [text('One. Two')]), spoken('b', [text('x')])],
    },
    {
      name: 'a snapshot that restarts keeps the result of its call',
      body: sse(
        msg('a', [...textContent('Wait'), toolUse('k')]),
        tool('t', toolResult({ toolUseId: 'k' }, 'ok')),
        msg('a', [...textContent('Waited.'), toolUse('k'), ...textContent('Done')]),
      ),
      messages: [answered('a', [text('Waited.'), called({ response: 'ok' }), text('Done')])],
    },
    ...[
      { name: 'toolUseId', keys: { toolUseId: 'k', tool_use_id: 'no', tool_call_id: 'no', id: 'no' } },
      { name: 'tool_use_id', keys: { toolUseId: null, tool_use_id: 'k', tool_call_id: 'no', id: 'no' } },
      { name: 'tool_call_id', keys: { tool_call_id: 'k', id: 'no' } },
      { name: 'id', keys: { id: 'k' } },
    ].map(({ name, keys }) => ({
      name: `a result belongs to its call by ${name}`,
      body: sse(msg('a', [toolUse('k')]), tool('t', toolResult(keys, 'ok'))),
      messages: [answered('a', [called({ response: 'ok' })])],
    })),
    ...[
      { state: 'error', output: 'no', failed: true },
      { state: 'interrupted', output: 'no', failed: true },
      { state: 'denied', output: 'no', failed: true },
      { state: 'success', output: 'Error: is the title of it', failed: false },
      { state: null, output: '[ERROR] no', failed: true },
      { state: undefined, output: 'Error: no', failed: true },
      { state: undefined, output: 'No error', failed: false },
    ].map(({ state, output, failed }) => ({
      name: `a result "${output}" of state ${String(state)}`,
      body: sse(msg('a', [toolUse('k')]), tool('t', toolResult({ id: 'k', state }, output))),
      messages: [answered('a', [called({ response: output }, failed ? { status: 'error' } : {})])],
    })),
    {
      name: 'a partial result is not final',
      body: sse(
        msg('a', [toolUse('k')]),
        tool('t', toolResult({ id: 'k', state: 'running' }, 'one')),
        tool('t', toolResult({ id: 'k', state: 'running' }, 'one two')),
        tool('t', toolResult({ id: 'k', state: 'success' }, 'one two three')),
      ),
      messages: [answered('a', [called({ response: 'one two three' })])],
    },
    {
      name: 'a result in the message of its call, with an image, shown once however often it is sent',
      body: sse(
        msg('a', [
          toolUse('k'),
          { ...toolResult({ id: 'k' }, 'ok'), output: [...textContent('ok'), image('https://a.example/p')] },
        ]),
        msg('a', [
          toolUse('k'),
          { ...toolResult({ id: 'k' }, 'ok'), output: [...textContent('ok'), image('https://a.example/p')] },
        ]),
        msg('b', textContent('Done')),
      ),
      messages: [
        spoken('a', [
          called({ response: 'ok' }),
          { type: 'image', url: 'https://a.example/p', extra: { dataId: 'k 0' } },
        ]),
        spoken('b', [text('Done')]),
      ],
    },
    {
      name: 'a result that is a string',
      body: sse(msg('a', [toolUse('k')]), tool('t', { type: 'tool_result', id: 'k', output: 'ok' })),
      messages: [answered('a', [called({ response: 'ok' })])],
    },
    {
      name: 'messages without names, a call and its result among them',
      body: sse(
        { role: 'ASSISTANT', content: [...textContent('Wait'), toolUse('k')] },
        { role: 'TOOL', content: [toolResult({ toolUseId: 'k' }, 'ok')] },
        { role: 'ASSISTANT', content: textContent('Done') },
      ),
      messages: [
        { ...spoken('assistant', [text('Wait'), called({ response: 'ok' })]), name: undefined },
        { ...spoken('assistant.2', [text('Done')]), name: undefined },
      ].map(({ name: _none, ...message }) => message),
    },
    {
      name: 'messages of one agent without an id: a continuation is the same message, other text another',
      body: sse(
        ...[
          textContent('One'),
          textContent('One two'),
          textContent('Three'),
          [...textContent('Three'), toolUse('k')],
          textContent('Three'),
        ].map((content) => {
          const { id: _none, ...message } = msg('', content);
          return message;
        }),
      ),
      messages: [
        spoken('Friday', [text('One two')]),
        spoken('Friday.2', [text('Three'), called({}, { extra: { remote: true } })]),
        spoken('Friday.3', [text('Three')]),
      ],
    },
    {
      name: 'messages of several agents without an id: the same words in the next round are another message',
      body: sse(
        ...(
          [
            ['North', 'Yes'],
            ['South', 'N'],
            ['South', 'No'],
            ['South', 'No'],
            ['North', 'Yes'],
            ['North', 'Yes'],
            ['South', 'No'],
            ['North', 'Yes'],
          ] as const
        ).map(([name, words]) => ({ name, role: 'ASSISTANT', content: textContent(words) })),
      ),
      messages: [
        spoken('North', [text('Yes')], { name: 'North' }),
        spoken('South', [text('No')], { name: 'South' }),
        spoken('North.2', [text('Yes')], { name: 'North' }),
        spoken('South.2', [text('No')], { name: 'South' }),
        spoken('North.3', [text('Yes')], { name: 'North' }),
      ],
    },
    {
      name: 'a list of messages without an id: the same words in the next round are another message',
      body: JSON.stringify(
        ['North', 'South', 'North'].map((name) => ({ name, role: 'ASSISTANT', content: textContent('Yes') })),
      ),
      messages: [
        spoken('North', [text('Yes')], { name: 'North' }),
        spoken('South', [text('Yes')], { name: 'South' }),
        spoken('North.2', [text('Yes')], { name: 'North' }),
      ],
    },
    {
      name: 'a list of messages without an id that is sent again as it grows',
      body: sse(
        ...[['Yes'], ['Yes', 'N'], ['Yes', 'No'], ['Yes', 'No', 'Why?']].map((words) =>
          words.map((each, index) => ({
            name: index === 1 ? 'South' : 'North',
            role: 'ASSISTANT',
            content: textContent(each),
          })),
        ),
      ),
      messages: [
        spoken('North', [text('Yes')], { name: 'North' }),
        spoken('South', [text('No')], { name: 'South' }),
        spoken('North.2', [text('Why?')], { name: 'North' }),
      ],
    },
    {
      name: 'agents without an id that write at the same time',
      body: sse(
        ...(
          [
            ['North', 'I'],
            ['South', 'N'],
            ['North', 'I do'],
            ['South', 'No'],
            ['North', 'I do so'],
          ] as const
        ).map(([name, words]) => ({ name, role: 'ASSISTANT', content: textContent(words) })),
      ),
      messages: [
        spoken('North', [text('I do so')], { name: 'North' }),
        spoken('South', [text('No')], { name: 'South' }),
      ],
    },
    {
      name: 'a result whose text alone reports a failure',
      body: sse(
        msg('a', [toolUse('k')]),
        tool('t', toolResult({ toolUseId: 'k' }, '请求失败：服务器没有响应')),
        msg('b', textContent('Sorry')),
      ),
      messages: [
        answered('a', [called({ response: '请求失败：服务器没有响应' }, { status: 'error' })]),
        spoken('b', [text('Sorry')]),
      ],
    },
    {
      name: 'a result that grows, and then fails',
      body: sse(
        msg('a', [...textContent('Wait'), toolUse('k')]),
        tool('t', toolResult({ toolUseId: 'k' }, 'One')),
        tool('t', toolResult({ toolUseId: 'k' }, 'One two')),
        msg('b', textContent('Hm')),
        tool('t', toolResult({ toolUseId: 'k', state: 'error' }, 'No answer')),
        tool('t', toolResult({ toolUseId: 'k', state: 'running' }, 'late')),
        msg('b', textContent('Hm. Sorry')),
      ),
      messages: [
        answered('a', [text('Wait'), called({ response: 'No answer' }, { status: 'error' })]),
        spoken('b', [text('Hm. Sorry')]),
      ],
    },
    {
      name: 'a result that gets an image, and another one',
      body: sse(
        msg('a', [toolUse('k')]),
        ...[[], [image('https://a.example/1')], [image('https://a.example/1'), image('https://a.example/2')]].map(
          (images) => tool('t', { type: 'tool_result', toolUseId: 'k', output: [...textContent('Map'), ...images] }),
        ),
      ),
      messages: [
        answered('a', [
          called({ response: 'Map' }),
          { type: 'image', url: 'https://a.example/1', extra: { dataId: 'k 0' } },
          { type: 'image', url: 'https://a.example/2', extra: { dataId: 'k 1' } },
        ]),
      ],
    },
    ...['{"a":1}', { a: 1 }].map((input) => ({
      name: `a call by its later name, its input as ${typeof input}`,
      body: sse(
        msg('a', [{ type: 'tool_call', id: 'k', name: 'f', input: '{"a', state: 'pending' }]),
        msg('a', [{ type: 'tool_call', id: 'k', name: 'f', input, state: 'finished' }]),
        tool('t', toolResult({ id: 'k', name: 'f', state: 'success' }, 'ok')),
        msg('b', textContent('Done')),
      ),
      messages: [answered('a', [called({ response: 'ok' })], { callType: 'tool_call' }), spoken('b', [text('Done')])],
    })),
    {
      name: 'a hint that is a list of texts and media',
      body: ndjson(msg('a', [{ type: 'hint', hint: [...textContent('Note'), image('https://a.example/p')] }])),
      messages: [spoken('a', [text('Note'), { type: 'image', url: 'https://a.example/p' }])],
    },
    ...[
      {
        more: { finished_reason: 'error', error: { type: 'upstream', message: 'Model gone' } },
        expected: ended('error', 'error', [text('Half'), failure('Model gone')]),
      },
      {
        more: { finished_reason: 'error', error: null },
        expected: ended('error', 'error', [text('Half'), failure('The agent reported an error.')]),
      },
      { more: { finished_reason: 'interrupted' }, expected: ended('cancelled', 'cancelled', [text('Half')]) },
      { more: { finishedReason: 'interrupted' }, expected: ended('cancelled', 'cancelled', [text('Half')]) },
      { more: { finished_reason: 'completed', error: null }, expected: spoken('a', [text('Half')]) },
    ].map(({ more, expected }) => ({
      name: `a message with ${JSON.stringify(more)}`,
      body: sse(msg('a', textContent('Ha')), msg('a', textContent('Half'), more), msg('a', textContent('Half'), more)),
      messages: [expected],
    })),
    {
      name: 'an agent that has failed, and another one that has answered',
      body: sse(
        msg('a', textContent('Half'), { name: 'A', error: 'boom' }),
        msg('b', textContent('Whole'), { name: 'B' }),
      ),
      messages: [
        spoken('a', [text('Half'), failure('boom')], { name: 'A' }),
        spoken('b', [text('Whole')], { name: 'B' }),
      ],
    },
    {
      name: 'a message whose newest snapshot has no error any more',
      body: sse(msg('a', textContent('Half'), { finished_reason: 'error' }), msg('a', textContent('Half and half'))),
      messages: [spoken('a', [text('Half and half')])],
    },
    ...[true, false].map((last) => ({
      name: `a stream whose last message has last: ${String(last)}`,
      body: sse({ msg: msg('a', textContent('Half')), last: false }, { msg: msg('a', textContent('Half of')), last }),
      messages: [last ? spoken('a', [text('Half of')]) : ended('interrupted', 'error', [text('Half of')])],
      ...(!last && { problem: 'cut' }),
    })),
    {
      name: 'two agents with the same id are two messages',
      body: sse(
        msg('1', textContent('From'), { name: 'A' }),
        msg('1', textContent('From'), { name: 'B' }),
        msg('1', textContent('From A'), { name: 'A' }),
        msg('1', [...textContent('From B'), toolUse('k')], { name: 'B' }),
        tool('t', toolResult({ id: 'k' }, 'ok')),
      ),
      messages: [
        spoken('1', [text('From A')], { name: 'A' }),
        { ...answered('1.B', [text('From B'), called({ response: 'ok' })]), name: 'B' },
      ],
    },
    {
      name: 'a snapshot without a name belongs to the agent with that id',
      body: sse(msg('1', textContent('He'), { name: 'A' }), msg('1', textContent('Hello'), { name: null })),
      messages: [spoken('1', [text('Hello')], { name: 'A' })],
    },
    ...[
      [{ msg: null, error: 'boom' }, 'boom'],
      [{ msg: msg('a', textContent('Hi')), error: { message: 'boom' } }, 'boom'],
      [{ error: { code: 500 } }, 'The agent reported an error.'],
      [{ type: 'error', message: 'boom' }, 'boom'],
      [{ detail: 'boom' }, 'boom'],
    ].map(([problem, shown]) => ({
      name: `a failure after a message: ${JSON.stringify(problem)}`,
      body: sse(msg('a', textContent('Hi')), problem),
      messages: [ended('error', 'error', [text('Hi'), failure(shown as string)])],
    })),
    {
      name: 'ids that are numbers',
      body: sse(
        msg(7 as never, [{ ...toolUse('k'), id: 8 }]),
        tool('t', toolResult({ id: 8 }, 'ok')),
        msg(9 as never, textContent('Done'), { name: 5 }),
      ),
      messages: [
        spoken('7', [call('8', 'f', { params: '{"a":1}', response: 'ok' })], {
          metadata: {
            messageId: '7',
            msg: {
              metadata: {},
              resultHeaders: { 8: { id: 't', name: 'system', timestamp: msg('', '').timestamp } },
              timestamp: msg('', '').timestamp,
            },
          },
        }),
        spoken('9', [text('Done')], { name: '5' }),
      ],
    },
    {
      name: 'a frame with a list that is the whole memory',
      body: sse([
        msg('u', textContent('One?'), { role: 'user' }),
        msg('o', textContent('Old')),
        { msg: msg('v', textContent('Two?'), { role: 'USER' }) },
        msg('a', textContent('New')),
      ]),
      messages: [spoken('a', [text('New')])],
    },
    {
      name: 'a numeric time',
      body: ndjson(msg('a', textContent('Hi'), { timestamp: 1_705_314_600.25 })),
      messages: [spoken('a', [text('Hi')])],
    },
    {
      name: 'a call without a result waits for the page’s tool',
      body: sse(msg('a', [...textContent('Wait'), toolUse('k')])),
      messages: [spoken('a', [text('Wait'), called({}, { status: 'loading' })], { finish: 'tool_use' })],
    },
    {
      name: 'two blocks of reasoning are paragraphs',
      body: ndjson(
        msg('a', [
          { type: 'thinking', thinking: 'First.' },
          { type: 'thinking', thinking: 'Sec' },
        ]),
        msg('a', [
          { type: 'thinking', thinking: 'First.' },
          { type: 'thinking', thinking: 'Second.' },
          ...textContent('Hi'),
        ]),
      ),
      messages: [spoken('a', [thought('First.\n\nSecond.'), text('Hi')])],
    },
    {
      name: 'reasoning in tags: closed, unclosed, and only closed',
      body: sse(
        msg('a', textContent('<think>Hm</think>Yes')),
        msg('b', textContent('<think>Still')),
        msg('c', textContent('Hm\n</think>\nYes')),
      ),
      messages: [
        spoken('a', [thought('Hm'), text('Yes')]),
        spoken('b', [thought('Still')]),
        spoken('c', [thought('Hm'), text('Yes')]),
      ],
    },
    {
      name: 'a call whose id is an object without a text',
      body: sse(msg('a', [...textContent('Hi'), { type: 'tool_use', id: { toString: [] }, name: 'f', input: {} }])),
      messages: [spoken('a', [text('Hi')])],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: sse(
        'no json',
        { role: 'ASSISTANT' },
        msg('x', 7 as never),
        msg('y', [], { role: 'BOSS' }),
        msg('a', textContent('Hi')),
      ),
      messages: [spoken('a', [text('Hi')])],
      warnings: ['malformed', 'malformed', 'malformed', 'malformed'],
    },
    {
      name: 'nothing but history',
      body: ndjson(msg('s', textContent('Be kind'), { role: 'SYSTEM' }), msg('u', textContent('hi'), { role: 'USER' })),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
      problem: 'empty',
    },
  ]);

  testNeverThrows(agentscopeMsg, [
    msg('a', [...textContent('<think>x</think>y'), { type: 'thinking', thinking: 't' }, toolUse('k')]),
    { msg: msg('a', textContent('x')), last: true },
    [msg('a', textContent('x')), msg('b', textContent('y'))],
    msg('a', [
      image('file:///a/b.png'),
      { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'A' } },
    ]),
    tool('t', toolResult({ toolUseId: 'k', name: 'f', state: 'running' }, 'x')),
    tool('t', { type: 'tool_result', id: 'k', output: [{ type: 'text', text: 'x' }, image('https://a.example')] }),
    msg('h', [
      { type: 'hint', hint: 'x' },
      { type: 'data', name: 'n', source: { type: 'url', url: 'u' } },
    ]),
  ]);
});
