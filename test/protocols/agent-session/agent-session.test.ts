import { adapter as agentSession } from '../../../src/protocols/agent-session/agent-session.ts';
import { testBodies, testNeverThrows, testRecordings, testRequests } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { assistant, user } from '../../support/messages.ts';
import { ndjson, sse } from '../../support/play-body.ts';

const event = (type: string, data: object, metadata: object = { request_id: 'r', timestamp: 1_700_000_000 }) => ({
  type,
  data,
  metadata,
});
const numbered = (sequence: number, type: string, data: object) => event(type, data, { sequence });
const end = { type: 'session_end', data: { status: 'completed' } };
const begin = (id: string) => event('tool_call_start', { tool_id: id, tool_name: 'f', arguments: { a: 1 } });

const complete = (...blocks: readonly ExpectedFields[]): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: {},
  blocks,
});
const tool = (more: ExpectedFields, details: ExpectedFields = {}): ExpectedFields =>
  call('t', 'f', { params: '{"a":1}', ...more }, details);

describe('agent-session', () => {
  testRecordings(agentSession, 'agent-session');

  testBodies(agentSession, [
    {
      name: 'times in seconds and in milliseconds',
      body: sse(
        event('session_start', { session_id: 's', request_id: 'r' }, { timestamp: 1_700_000_000, sequence: 0 }),
        event('content', { content: 'a' }, { sequence: 1 }),
        event('session_end', { status: 'completed' }, { timestamp: 1_700_000_009_000, sequence: 2 }),
      ),
      messages: [
        {
          ...complete(text('a')),
          metadata: {
            sessionId: 's',
            requestId: 'r',
            startTime: 1_700_000_000_000,
            endTime: 1_700_000_009_000,
          },
        },
      ],
    },
    ...(['reasoning', 'planning', 'analyzing'] as const).map((stage) => ({
      name: `reasoning, stage ${stage}`,
      body: sse(event('thinking', { content: 'a', stage }), event('thinking', { content: 'b' }), end),
      messages: [complete(thought('ab', { extra: { stage } }))],
    })),
    ...[
      { progress: 0.4, value: 0.4 },
      { progress: 40, value: 0.4 },
      // The first value: 1 of 100, since a fraction would have come before the end.
      { progress: 1, value: 0.01 },
      { progress: 250, value: 1 },
      { progress: -3, value: 0 },
    ].map(({ progress, value }) => ({
      name: `progress ${String(progress)}`,
      body: sse(begin('t'), event('tool_call_progress', { tool_id: 't', progress, message: 'm' })),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          blocks: [tool({}, { status: 'loading', progress: { value, message: 'm' } })],
        },
      ],
      problem: 'cut',
    })),
    {
      name: 'a text result, an object result, and no result',
      body: sse(
        begin('t'),
        event('tool_call_end', { tool_id: 't', status: 'success', result: 'ok' }, { duration_ms: 15 }),
        end,
      ),
      messages: [complete(tool({ response: 'ok' }, { duration: 15 }))],
    },
    {
      name: 'a failed call has its message and code',
      body: sse(
        begin('t'),
        event('tool_call_end', { tool_id: 't', status: 'failed', error: { message: 'Gone', code: 410 } }),
        end,
      ),
      messages: [complete(tool({ response: 'Gone' }, { status: 'error', error: { message: 'Gone', code: '410' } }))],
    },
    {
      name: 'a failed call keeps what it has read so far',
      body: sse(
        begin('t'),
        event('tool_call_end', { tool_id: 't', status: 'failed', result: { rows: 120 }, error: { message: 'Gone' } }),
        end,
      ),
      messages: [complete(tool({ response: 'Gone\n\n{"rows":120}' }, { status: 'error', error: { message: 'Gone' } }))],
    },
    {
      name: 'a thought without a stage, and then one with a stage',
      body: sse(event('thinking', { content: 'Hm' }), event('thinking', { content: 'So', stage: 'planning' }), end),
      messages: [complete(thought('Hm'), thought('So', { extra: { stage: 'planning' } }))],
    },
    {
      name: 'an old result without a status has failed if it has an error',
      body: sse(begin('t'), event('tool_result', { tool_id: 't', error: 'Gone' }), end),
      messages: [complete(tool({ response: 'Gone' }, { status: 'error', error: { message: 'Gone' } }))],
    },
    {
      name: 'old events with their fields on the top level',
      body: sse(
        { type: 'thinking', content: 'Hm' },
        { type: 'tool_call', tool_id: 't', tool_name: 'f', arguments: { a: 1 } },
        { type: 'tool_result', tool_id: 't', result: [1, null] },
        { type: 'token', content: 'Hi' },
        { type: 'done' },
      ),
      messages: [complete(thought('Hm'), tool({ response: '[1,null]' }), text('Hi'))],
    },
    {
      name: 'old events whose data is text',
      body: sse(
        { type: 'thinking', data: 'Hm' },
        { type: 'token', data: 'H' },
        { type: 'token', data: 'i' },
        { type: 'done' },
      ),
      messages: [complete(thought('Hm'), text('Hi'))],
    },
    {
      name: 'a final answer that repeats the tokens and continues',
      body: sse(event('token', { content: 'Hel' }), event('final_answer', { content: 'Hello.' }), { type: 'done' }),
      messages: [complete(text('Hello.'))],
    },
    {
      name: 'a final answer that repeats the tokens',
      body: sse(event('token', { content: 'Hi' }), event('final_answer', { content: 'Hi' }), { type: 'done' }),
      messages: [complete(text('Hi'))],
    },
    {
      name: 'a final answer that repeats the text after the last tool',
      body: sse(
        event('token', { content: 'Let me look.' }),
        begin('t'),
        event('tool_result', { tool_id: 't', result: 'ok' }),
        event('token', { content: '42 pairs.' }),
        event('final_answer', { content: '42 pairs.' }),
        { type: 'done' },
      ),
      messages: [complete(text('Let me look.'), tool({ response: 'ok' }), text('42 pairs.'))],
    },
    {
      name: 'a final answer that repeats the text after the last tool, with data between',
      body: sse(
        event('token', { content: 'Let me look.' }),
        begin('t'),
        event('tool_result', { tool_id: 't', result: 'ok' }),
        event('token', { content: '42 pairs:' }),
        event('data', { data_type: 'custom', data: { pairs: 42 } }),
        event('final_answer', { content: '42 pairs:' }),
        { type: 'done' },
      ),
      messages: [
        complete(text('Let me look.'), tool({ response: 'ok' }), text('42 pairs:'), {
          type: 'data',
          data: { data_type: 'custom', data: { pairs: 42 } },
        }),
      ],
    },
    {
      name: 'a final answer that continues the text after the last tool',
      body: sse(
        event('token', { content: 'Let me look.' }),
        begin('t'),
        event('tool_result', { tool_id: 't', result: 'ok' }),
        event('token', { content: '42' }),
        event('final_answer', { content: '42 pairs.' }),
        { type: 'done' },
      ),
      messages: [complete(text('Let me look.'), tool({ response: 'ok' }), text('42 pairs.'))],
    },
    {
      name: 'a final answer that repeats the text on both sides of a tool',
      body: sse(
        event('token', { content: 'Let me look. ' }),
        begin('t'),
        event('tool_result', { tool_id: 't', result: 'ok' }),
        event('token', { content: '42 pairs.' }),
        event('final_answer', { content: 'Let me look.\n\n42 pairs.' }),
        { type: 'done' },
      ),
      messages: [complete(text('Let me look. '), tool({ response: 'ok' }), text('42 pairs.'))],
    },
    {
      name: 'a final answer that repeats the last paragraphs',
      body: sse(
        event('token', { content: 'I have looked.\n\nThere are 42.\n\nAll new.\n' }),
        event('final_answer', { content: 'There are 42.\n\nAll new.' }),
        { type: 'done' },
      ),
      messages: [complete(text('I have looked.\n\nThere are 42.\n\nAll new.\n'))],
    },
    {
      name: 'a final answer that is the last word of the text is a paragraph of its own',
      body: sse(
        event('token', { content: 'I am asked whether it is new, so I say yes' }),
        event('final_answer', { content: 'yes' }),
        { type: 'done' },
      ),
      messages: [complete(text('I am asked whether it is new, so I say yes\n\nyes'))],
    },
    {
      name: 'a final answer that is the last word of the text before the last tool',
      body: sse(
        event('token', { content: 'Is it new? I look whether yes' }),
        begin('t'),
        event('tool_result', { tool_id: 't', result: 'ok' }),
        event('final_answer', { content: 'yes' }),
        { type: 'done' },
      ),
      messages: [complete(text('Is it new? I look whether yes'), tool({ response: 'ok' }), text('yes'))],
    },
    {
      name: 'only a final answer',
      body: sse(event('final_answer', { content: 'Hi' }), { type: 'done' }),
      messages: [complete(text('Hi'))],
    },
    ...[
      ['最', '终', '答案', '。'],
      ['The answer is', ' 4', '2', '.'],
      ['哈', '哈', '！'],
      ['1', '10', '个'],
    ].map((fragments) => ({
      name: `a final answer in fragments: ${fragments.join('|')}`,
      body: sse(...fragments.map((content) => event('final_answer', { content })), { type: 'done' }),
      messages: [complete(text(fragments.join('')))],
    })),
    {
      name: 'a final answer in fragments after the text',
      body: sse(
        event('content', { content: 'Let me look.' }),
        ...['4', '4', ' pairs'].map((content) => event('final_answer', { content })),
        end,
      ),
      messages: [complete(text('Let me look.\n\n44 pairs'))],
    },
    {
      name: 'a final answer so far, twice',
      body: sse(
        event('final_answer', { content: 'There are 42 of' }),
        event('final_answer', { content: 'There are 42 of them.' }),
        event('final_answer', { content: 'There are 42 of them.' }),
        end,
      ),
      messages: [complete(text('There are 42 of them.'))],
    },
    {
      name: 'another call with the id of one that has ended',
      body: sse(
        event('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: { q: 1 } }),
        event('tool_call_end', { tool_id: 't', status: 'success', result: 'one' }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: { q: 2 } }),
        event('tool_call_end', { tool_id: 't', status: 'failed', error: { message: 'Gone' } }),
        end,
      ),
      messages: [
        complete(
          tool({ params: '{"q":1}', response: 'one' }),
          call('new1', 'f', { params: '{"q":2}', response: 'Gone' }, { status: 'error', error: { message: 'Gone' } }),
        ),
      ],
    },
    {
      name: 'a repeated call is the same call',
      body: sse(
        ...[0, 1].flatMap(() => [
          event('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: { q: 1 } }),
          event('tool_call_end', { tool_id: 't', status: 'success', result: 'one' }),
        ]),
        end,
      ),
      messages: [complete(tool({ params: '{"q":1}', response: 'one' }))],
    },
    {
      name: 'a sub-agent counts its calls itself',
      body: sse(
        event('session_start', { session_id: 's' }, { request_id: 'outer' }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: { o: 1 } }, { request_id: 'outer' }),
        event('session_start', { session_id: 's' }, { request_id: 'sub' }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', arguments: { i: 1 } }, { request_id: 'sub' }),
        event('tool_call_end', { tool_id: 't', status: 'failed', error: { message: 'Gone' } }, { request_id: 'sub' }),
        event('session_end', { status: 'completed' }, { request_id: 'sub' }),
        event('tool_call_end', { tool_id: 't', status: 'success', result: 'ok' }, { request_id: 'outer' }),
        event('session_end', { status: 'completed' }, { request_id: 'outer' }),
      ),
      messages: [
        {
          ...complete(
            tool({ params: '{"o":1}', response: 'ok' }),
            call('new1', 'f', { params: '{"i":1}', response: 'Gone' }, { status: 'error', error: { message: 'Gone' } }),
          ),
          metadata: { sessionId: 's' },
        },
      ],
    },
    ...[
      { name: 'and then goes on', last: [event('content', { content: ' and the' }, { request_id: 'outer' })] },
      { name: 'and the body ends there', last: [] },
    ].map(({ name, last }) => ({
      name: `the end of a sub-agent is not the end of the reply, which has text of its own ${name}`,
      body: sse(
        event('session_start', { session_id: 's' }, { request_id: 'outer' }),
        event('content', { content: 'I ask' }, { request_id: 'outer' }),
        event('session_start', { session_id: 's' }, { request_id: 'sub' }),
        event('session_end', { status: 'completed' }, { request_id: 'sub' }),
        ...last,
      ),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          metadata: { sessionId: 's' },
          blocks: [text(last.length > 0 ? 'I ask and the' : 'I ask')],
        },
      ],
      problem: 'cut',
    })),
    {
      name: 'the start has another request id than all other events, so the end of those is the end',
      body: sse(
        event('session_start', { session_id: 's', request_id: 'outer' }, {}),
        event('content', { content: 'a' }, { request_id: 'other' }),
        event('session_end', { status: 'completed' }, { request_id: 'other' }),
      ),
      messages: [{ ...complete(text('a')), metadata: { sessionId: 's', requestId: 'outer' } }],
    },
    ...[
      { name: 'an old error', error: { type: 'error', error: 'boom' }, shown: 'boom' },
      { name: 'an error in an error', error: event('error', { error: { message: 'boom' } }), shown: 'boom' },
      {
        name: 'an error without a text',
        error: event('error', { message: null }),
        shown: 'The agent reports an error.',
      },
      {
        name: 'an error with fields of the wrong type',
        error: event('error', { message: 'boom', error_type: ['x'], recoverable: 'no' }),
        shown: 'boom',
      },
    ].map(({ name, error, shown }) => ({
      name: `${name}: the reply has failed, and its end without a status does not change that`,
      body: sse({ type: 'token', content: 'Hi' }, error, { type: 'done' }),
      messages: [
        {
          status: 'error',
          finish: 'error',
          metadata: {},
          blocks: [text('Hi'), failure(shown, { recoverable: false })],
        },
      ],
    })),
    ...[
      { error: ['Gone', 'really'], problem: { message: 'Gone' } },
      { error: { detail: 'Gone' }, problem: { message: 'Gone' } },
      { error: { message: { text: 1 }, code: ['x'] }, problem: { message: '{"message":{"text":1},"code":["x"]}' } },
      { error: 410, problem: { message: '410' } },
    ].map(({ error, problem }) => ({
      name: `a failed call whose error is ${JSON.stringify(error)}`,
      body: sse(begin('t'), event('tool_call_end', { tool_id: 't', status: 'failed', error }), end),
      messages: [complete(tool({ response: problem.message }, { status: 'error', error: problem }))],
    })),
    {
      name: 'an old result whose error is empty has not failed',
      body: sse(begin('t'), event('tool_result', { tool_id: 't', result: 'ok', error: '' }), end),
      messages: [complete(tool({ response: 'ok' }))],
    },
    {
      name: 'side fields of a wrong type lose neither the text nor the calls',
      body: sse(
        event('thinking', { content: 'Hm', stage: ['x'] }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', description: ['d'], arguments: { a: 1 } }),
        event('tool_call_progress', { tool_id: 't', progress: 0.5, message: ['m'] }),
        event('tool_call_end', { tool_id: 't', status: ['x'], result: 'ok' }),
        event('data', { data_type: 'custom', data: { a: 1 }, metadata: 'm' }),
        event('data', { data_type: 'custom', data: null }),
        event('session_end', { status: 200, summary: { total_tokens: 5, duration_ms: '9', tool_calls: null } }, {}),
      ),
      messages: [
        {
          ...complete(
            thought('Hm'),
            tool({ response: 'ok' }),
            ...[{ a: 1 }, null].map((data) => ({ type: 'data', data: { data_type: 'custom', data } })),
          ),
          usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 5 },
          metadata: { summary: { total_tokens: 5 } },
        },
      ],
    },
    {
      name: 'a call whose result overtakes it',
      body: sse(
        event('tool_call_end', { tool_id: 't', status: 'success', result: 'ok' }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', description: 'd', arguments: { q: 1 } }),
        end,
      ),
      messages: [complete(tool({ params: '{"q":1}', response: 'ok' }, { description: 'd' }))],
    },
    {
      name: 'a call of which only the progress arrives, when the session completes',
      body: sse(event('tool_call_progress', { tool_id: 't', progress: 0.2 }), end),
      messages: [complete({ type: 'tool_call', tool_call: { id: 't' } })],
    },
    {
      name: 'old dataframe data with a type is read like new data',
      body: sse(event('dataframe_data', { data_type: 'chart', data: { series: [1] } }), end),
      messages: [complete({ type: 'data', data: { data_type: 'chart', data: { series: [1] } } })],
    },
    {
      name: 'an error is not an end, and its details are not shown',
      body: sse(
        event('error', { error_type: 'system', message: 'Oops', details: { stack_trace: 'secret' } }),
        event('content', { content: 'but' }),
        end,
      ),
      messages: [complete(failure('Oops', { error_type: 'system', recoverable: false }), text('but'))],
    },
    {
      name: 'an error, and then the body ends',
      body: sse(event('error', { message: 'Oops', recoverable: true })),
      messages: [{ status: 'error', finish: 'error', blocks: [failure('Oops', { recoverable: true })] }],
    },
    {
      name: 'a call without a result when the session completes has ended without one',
      body: sse(begin('t'), end),
      messages: [complete(tool({}))],
    },
    {
      name: 'a session that ended in an error',
      body: sse(event('content', { content: 'a' }), { type: 'session_end', data: { status: 'error' } }),
      messages: [{ status: 'error', finish: 'error', metadata: {}, blocks: [text('a')] }],
    },
    {
      name: 'no session_end: interrupted',
      body: sse(event('content', { content: 'a', is_complete: true })),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [text('a')] }],
      problem: 'cut',
    },
    {
      name: 'events after a gap are processed when the body ends',
      body: sse(
        numbered(0, 'content', { content: 'a' }),
        numbered(3, 'content', { content: 'd' }),
        numbered(2, 'content', { content: 'c' }),
        numbered(4, 'session_end', {}),
      ),
      messages: [complete(text('acd'))],
    },
    {
      name: 'optional fields may be null',
      body: sse(
        event('thinking', { content: 'Hm', stage: null }),
        event('tool_call_start', { tool_id: 't', tool_name: 'f', description: null, arguments: { a: null } }),
        event('tool_call_progress', { tool_id: 't', progress: null, message: 'm' }),
        event('tool_call_end', { tool_id: 't', status: 'success', result: null, error: null }, { duration_ms: null }),
        { type: 'content', data: { content: 'a', format: null, is_complete: null }, metadata: null },
        event('data', { data_type: 'custom', data: { a: null }, metadata: null }),
        event('error', { error_type: null, message: 'Oops', details: null, recoverable: null }),
        event('session_end', { status: 'completed', summary: null }, { timestamp: null, sequence: null }),
      ),
      messages: [
        complete(
          thought('Hm'),
          call('t', 'f', { params: '{"a":null}' }),
          text('a'),
          { type: 'data', data: { data_type: 'custom', data: { a: null } } },
          failure('Oops', { recoverable: false }),
        ),
      ],
    },
    {
      name: 'lines instead of events',
      body: ndjson(event('content', { content: 'a' }), end),
      messages: [complete(text('a'))],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: sse(
        'no json',
        { no: 'type' },
        event('content', { content: 7 }),
        event('data', { data_type: 7, data: {} }),
        event('constructor', {}),
        event('content', { content: 'a' }),
        end,
      ),
      messages: [complete(text('a'))],
      warnings: ['malformed', 'malformed', 'malformed', 'malformed', 'unknown'],
    },
  ]);

  testNeverThrows(agentSession, [
    numbered(0, 'session_start', { session_id: 's', request_id: 'r' }),
    numbered(1, 'thinking', { content: 'x', stage: 'planning' }),
    numbered(2, 'tool_call_start', { tool_id: 't', tool_name: 'f', description: 'd', arguments: {} }),
    numbered(3, 'tool_call_progress', { tool_id: 't', progress: 0.5, message: 'm' }),
    event('tool_call_end', { tool_id: 't', status: 'failed', error: { message: 'm', code: 'c' } }, { duration_ms: 1 }),
    event('content', { content: 'x', format: 'html', is_complete: true }),
    event('final_answer', { content: 'x' }),
    event('data', { data_type: 'dataframe', data: { columns: ['a'], rows: [[1]] }, metadata: { description: 'd' } }),
    event('dataframe_data', { columns: ['a'], rows: [[1]] }),
    event('error', { error_type: 'system', message: 'm', details: {}, recoverable: true }),
    event('session_end', { status: 'completed', summary: { total_tokens: 1, duration_ms: 1, tool_calls: 1 } }),
  ]);

  testRequests(agentSession, [
    {
      name: 'the history, without a session at first',
      messages: [user('hi')],
      body: { messages: [{ role: 'user', content: 'hi' }] },
    },
    ...(['regenerate', 'edit'] as const).map((by) => ({
      name: `a first reply that is made anew after ${by} belongs to the session of the old one`,
      messages: [user('hi')],
      turn: {
        fork: {
          by,
          reply: {
            id: 'r',
            role: 'assistant' as const,
            status: 'complete' as const,
            blocks: [],
            timestamp: 1,
            metadata: { sessionId: 's' },
          },
        },
      },
      body: { messages: [{ role: 'user', content: 'hi' }], session_id: 's' },
    })),
    {
      name: 'the latest session is sent with the next turn',
      messages: [
        user('hi'),
        assistant('Hello', { metadata: { sessionId: 'old' } }),
        user('more'),
        assistant('Yes', { metadata: { sessionId: 's' } }),
        user('and'),
      ],
      body: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: 'more' },
          { role: 'assistant', content: 'Yes' },
          { role: 'user', content: 'and' },
        ],
        session_id: 's',
      },
    },
  ]);
});
