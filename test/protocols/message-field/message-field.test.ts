import { adapter as messageField } from '../../../src/protocols/message-field/message-field.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { delta, field, result, start } from './streams.ts';

const whole = (
  id: string,
  blocks: readonly ExpectedFields[],
  wireMessage: ExpectedFields = {},
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: id, wireMessage },
  blocks,
  ...more,
});
const search = { id: 'k', type: 'function', function: { name: 'web_search', arguments: null } };
const asked = { ...search, function: { name: 'web_search', arguments: '{"q":1}' } };
const thoughts = ['One.', 'Two.'].map((words, index) => ({
  id: `k${String(index)}`,
  type: 'function',
  function: { name: 'think', arguments: JSON.stringify({ words }) },
}));

describe('message-field', () => {
  testRecordings(messageField, 'message-field');

  testBodies(messageField, [
    {
      name: 'a field is set, a delta continues it',
      body: sse(start('a'), field('a', 'content', 'Hel'), delta('a', 'content', 'lo'), result('a', 'Hello')),
      messages: [whole('a', [text('Hello')])],
    },
    {
      name: 'a field that is set again is replaced',
      body: sse(start('a'), delta('a', 'content', 'Teh'), field('a', 'content', 'The'), result('a', 'The')),
      messages: [whole('a', [text('The')])],
    },
    {
      name: 'the result of a running tool that is set again is replaced',
      body: sse(
        result('a', '', { tool_calls: [asked] }),
        start('t', { role: 'tool', tool_call_id: 'k' }),
        field('t', 'content', '10%'),
        field('t', 'content', '50%'),
        result('b', 'Done'),
      ),
      messages: [
        whole('a', [call('k', 'web_search', { params: '{"q":1}', response: '50%' }, { extra: { remote: true } })], {
          tool_calls: [asked],
        }),
        whole('b', [text('Done')]),
      ],
    },
    {
      name: 'a result that arrives before its call belongs to it',
      body: sse(
        result('t', 'Found', { role: 'tool', tool_call_id: 'k' }),
        result('a', '', { tool_calls: [asked] }),
        result('b', 'Done'),
      ),
      messages: [
        whole(
          'a',
          [call('k', 'web_search', { params: '{"q":1}', response: 'Found' })],
          { tool_calls: [asked] },
          {
            metadata: { messageId: 'a', wireMessage: { tool_calls: [asked] }, 'wireResult:k': { id: 't' } },
          },
        ),
        whole('b', [text('Done')]),
      ],
    },
    {
      name: 'a result whose call never comes is shown at the end',
      body: sse(result('b', 'Done'), result('t', 'Found', { role: 'tool', tool_call_id: 'k' })),
      messages: [
        whole(
          'b',
          [text('Done'), { type: 'tool_call', tool_call: { id: 'k', response: 'Found' } }],
          {},
          {
            metadata: { messageId: 'b', wireMessage: {}, 'wireResult:k': { id: 't' } },
          },
        ),
      ],
    },
    {
      name: 'a result that comes again is replaced',
      body: sse(
        result('a', '', { tool_calls: [asked] }),
        result('t', 'Some', { role: 'tool', tool_call_id: 'k' }),
        result('t', 'All', { role: 'tool', tool_call_id: 'k', _updatetime: '2' }),
        delta('t', 'content', ' of it'),
        result('b', 'Done'),
      ),
      messages: [
        whole(
          'a',
          [call('k', 'web_search', { params: '{"q":1}', response: 'All of it' })],
          { tool_calls: [asked] },
          {
            metadata: {
              messageId: 'a',
              wireMessage: { tool_calls: [asked] },
              'wireResult:k': { id: 't', _updatetime: '2' },
            },
          },
        ),
        whole('b', [text('Done')]),
      ],
    },
    {
      name: 'two thoughts in one message are paragraphs',
      body: sse(result('a', 'Found', { thinking_blocks: 'Deep.', tool_calls: thoughts })),
      messages: [
        whole('a', [thought('Deep.'), text('Found'), thought('One.\n\nTwo.')], {
          thinking_blocks: 'Deep.',
          tool_calls: thoughts,
        }),
      ],
    },
    {
      name: 'a thought that streams after another one is a paragraph at once',
      body: sse(
        start('a'),
        field('a', 'thinking', true),
        field('a', 'thinking_blocks', 'Deep.'),
        delta('a', 'content', 'Pl'),
        delta('a', 'content', 'an.'),
      ),
      messages: [
        { status: 'interrupted', finish: 'error', metadata: { messageId: 'a' }, blocks: [thought('Deep.\n\nPlan.')] },
      ],
      problem: 'cut',
    },
    {
      name: 'the suggestions of an earlier message are those of the last one',
      body: sse(result('a', 'One', { recommend_actions: ['More'] }), result('b', 'Two')),
      messages: [
        whole(
          'a',
          [text('One')],
          { recommend_actions: ['More'] },
          { suggestions: [{ label: 'More', prompt: 'More' }] },
        ),
        whole('b', [text('Two')], {}, { suggestions: [{ label: 'More', prompt: 'More' }] }),
      ],
    },
    {
      name: 'null is empty and can be continued',
      body: sse(start('a'), field('a', 'content', null), delta('a', 'content', 'x'), result('a', 'x')),
      messages: [whole('a', [text('x')])],
    },
    {
      name: 'a message that comes only as a result',
      body: sse(result('a', 'Hello')),
      messages: [whole('a', [text('Hello')])],
    },
    {
      name: 'fields and deltas of a message without a start are dropped',
      body: sse(field('p', '_updatetime', 'now'), delta('p', 'content', 'ghost'), start('a'), result('a', 'x')),
      messages: [whole('a', [text('x')])],
      warnings: ['refused'],
    },
    {
      name: 'dropped fields of a message that comes as a whole are not missing',
      body: sse(delta('a', 'content', 'Hel'), field('a', 'tool_calls[0]', search), result('a', 'Hello')),
      messages: [whole('a', [text('Hello')])],
    },
    {
      name: 'a message that restarts is replaced, not repeated',
      body: sse(start('a'), delta('a', 'content', 'One'), start('a'), delta('a', 'content', 'One'), result('a', 'One')),
      messages: [whole('a', [text('One')])],
    },
    {
      name: 'a result repeats everything',
      body: sse(start('a'), delta('a', 'content', 'One'), result('a', 'One'), result('a', 'One.')),
      messages: [whole('a', [text('One.')])],
    },
    {
      name: 'a call streams, and its result streams beside it',
      body: sse(
        start('a'),
        field('a', 'tool_calls[0]', search),
        delta('a', 'tool_calls[0].function.arguments', '{"q":'),
        delta('a', 'tool_calls[0].function.arguments', '1}'),
        start('t', { role: 'tool', tool_call_id: 'k' }),
        delta('t', 'content', 'two '),
        delta('t', 'content', 'hits'),
      ),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          metadata: { messageId: 'a' },
          blocks: [call('k', 'web_search', { params: '{"q":1}', response: 'two hits' }, { status: 'loading' })],
        },
      ],
      problem: 'cut',
    },
    {
      name: 'a call without a result waits for the page’s tool',
      body: sse(start('a'), result('a', '', { tool_calls: [asked] })),
      messages: [
        whole(
          'a',
          [call('k', 'web_search', { params: '{"q":1}' }, { status: 'loading' })],
          { tool_calls: [asked] },
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'thinking_blocks as a string, and as a list of strings and objects',
      body: sse(
        result('a', 'x', { thinking_blocks: 'One.' }),
        result('b', 'y', { thinking_blocks: ['One', { text: ' two' }, { content: ' three' }, { thinking: '.' }, 7] }),
      ),
      messages: [
        whole('a', [thought('One.'), text('x')], { thinking_blocks: 'One.' }),
        whole('b', [thought('One two three.'), text('y')], {
          thinking_blocks: ['One', { text: ' two' }, { content: ' three' }, { thinking: '.' }, 7],
        }),
      ],
    },
    ...[
      { more: {}, content: 'two hits' },
      { more: {}, content: 'Error: no such command', failed: true },
      { more: { is_error: true }, content: 'no hits', failed: true },
      { more: { status: 'failed' }, content: 'no hits', failed: true },
      { more: { is_error: false }, content: 'Error: the title of a hit' },
    ].map(({ more, content, failed = false }) => ({
      name: `a tool's answer "${content}" with ${JSON.stringify(more)} is ${failed ? 'a failure' : 'none'}`,
      body: sse(
        result('a', '', { tool_calls: [asked] }),
        start('t', { role: 'tool', tool_call_id: 'k' }),
        delta('t', 'content', content),
        result('t', content, { role: 'tool', tool_call_id: 'k', ...more }),
        result('b', 'Done'),
      ),
      messages: [
        whole(
          'a',
          [call('k', 'web_search', { params: '{"q":1}', response: content }, failed ? { status: 'error' } : {})],
          { tool_calls: [asked] },
          { metadata: { messageId: 'a', wireMessage: { tool_calls: [asked] }, 'wireResult:k': { ...more, id: 't' } } },
        ),
        whole('b', [text('Done')]),
      ],
    })),
    {
      name: 'reasoning in its own field',
      body: sse(
        start('a'),
        delta('a', 'reasoning_content', 'Hm'),
        delta('a', 'reasoning_content', 'm'),
        delta('a', 'content', 'Yes'),
        result('a', 'Yes', { reasoning_content: 'Hmm' }),
      ),
      messages: [whole('a', [thought('Hmm'), text('Yes')], { reasoning_content: 'Hmm' })],
    },
    ...['suggestions', 'recommend_actions'].map((name) => ({
      name: `${name} in the state of the session`,
      body: sse(result('a', 'x', { session_state: { step: 2, [name]: ['Go on'] } })),
      messages: [
        whole(
          'a',
          [text('x')],
          { session_state: { step: 2, [name]: ['Go on'] } },
          { suggestions: [{ label: 'Go on', prompt: 'Go on' }] },
        ),
      ],
    })),
    {
      name: 'suggestions with a label, a title and their own text',
      body: sse(
        result('a', 'x', { recommend_actions: ['A', { label: 'B' }, { title: 'C', text: 'do c' }, { text: 'no' }, 3] }),
      ),
      messages: [
        whole(
          'a',
          [text('x')],
          { recommend_actions: ['A', { label: 'B' }, { title: 'C', text: 'do c' }, { text: 'no' }, 3] },
          {
            suggestions: [
              { label: 'A', prompt: 'A' },
              { label: 'B', prompt: 'B' },
              { label: 'C', prompt: 'do c' },
            ],
          },
        ),
      ],
    },
    {
      name: 'a think call in chunks, with escapes',
      body: sse(
        start('a'),
        field('a', 'tool_calls[0]', { id: 'h', type: 'function', function: { name: 'think', arguments: null } }),
        delta('a', 'tool_calls[0].function.arguments', '{"thought": "a\\'),
        delta('a', 'tool_calls[0].function.arguments', 'n\\u00e'),
        delta('a', 'tool_calls[0].function.arguments', '9 \\"q\\"'),
      ),
      messages: [
        { status: 'interrupted', finish: 'error', metadata: { messageId: 'a' }, blocks: [thought('a\né "q"')] },
      ],
      problem: 'cut',
    },
    ...(
      [
        ['an argument that is no text before it', '{"step":1,"thought":"Hm"}', 'Hm'],
        ['several texts', '{"title":"Plan","thought":"Hm"}', 'Plan\n\nHm'],
        ['a list of texts', '{"thoughts":["Hm","Ha"]}', 'Hm\n\nHa'],
        ['a text that is no JSON', 'Hm', 'Hm'],
      ] as const
    ).map(([name, args, shown]) => ({
      name: `a think call with ${name}`,
      body: sse(
        start('a'),
        field('a', 'tool_calls[0]', { id: 'h', type: 'function', function: { name: 'think', arguments: null } }),
        ...Array.from(args, (letter) => delta('a', 'tool_calls[0].function.arguments', letter)),
      ),
      messages: [{ status: 'interrupted', finish: 'error', metadata: { messageId: 'a' }, blocks: [thought(shown)] }],
      problem: 'cut',
    })),
    ...(
      [
        ['a list of parts', [{ type: 'text', text: 'Three ' }, 'lakes'], 'Three lakes'],
        ['an object', { lakes: 3 }, '{"lakes":3}'],
        ['an empty list', [], ''],
      ] as const
    ).map(([name, content, shown]) => ({
      name: `a result whose content is ${name}, and arguments that are an object`,
      body: sse(
        start('a'),
        result('a', 'I look.', {
          tool_calls: [{ id: 'k', type: 'function', function: { name: 'web_search', arguments: { q: 1 } } }],
        }),
        { type: 'message_result', message_id: 't', message: { role: 'tool', tool_call_id: 'k', content } },
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          metadata: {
            messageId: 'a',
            wireMessage: {
              tool_calls: [{ id: 'k', type: 'function', function: { name: 'web_search', arguments: { q: 1 } } }],
            },
            'wireResult:k': { id: 't' },
          },
          blocks: [text('I look.'), call('k', 'web_search', { params: '{"q":1}', response: shown })],
        },
      ],
    })),
    {
      name: 'a failure, for which the protocol has no event',
      body: sse(start('a'), delta('a', 'content', 'Half'), { type: 'error', message: 'Too many requests' }),
      messages: [
        {
          status: 'error',
          finish: 'error',
          metadata: { messageId: 'a' },
          blocks: [text('Half'), failure('Too many requests')],
        },
      ],
    },
    ...(
      [
        ['an answer', [result('a', 'Hi')], [text('Hi')], { wireMessage: {} }],
        [
          'a result',
          [result('a', '', { tool_calls: [asked] }), result('t', 'Found', { role: 'tool', tool_call_id: 'k' })],
          [call('k', 'web_search', { params: '{"q":1}', response: 'Found' })],
          { wireMessage: { tool_calls: [asked] }, 'wireResult:k': { id: 't' } },
        ],
        [
          'a call',
          [result('a', '', { tool_calls: [asked] })],
          [call('k', 'web_search', { params: '{"q":1}' }, { status: 'error' })],
          { wireMessage: { tool_calls: [asked] } },
        ],
      ] as const
    ).flatMap(([name, events, blocks, metadata]) =>
      [
        { problem: { type: 'error', message: 'Overloaded' }, shown: 'Overloaded' },
        { problem: { error: 'boom' }, shown: 'boom' },
        { problem: { type: 'error', code: 500 }, shown: 'The agent reported an error.' },
      ].map(({ problem, shown }) => ({
        name: `a failure after ${name} that is complete: ${JSON.stringify(problem)}`,
        body: sse(...events, problem),
        messages: [
          {
            status: 'error',
            finish: 'error',
            metadata: { messageId: 'a', ...metadata },
            blocks: [...blocks, failure(shown)],
          },
        ],
      })),
    ),
    {
      name: 'a failure as an event of that name',
      body: `${sse(result('a', 'Hi'))}event: error\ndata: {"code":500}\n\n`,
      messages: [
        {
          status: 'error',
          finish: 'error',
          metadata: { messageId: 'a', wireMessage: {} },
          blocks: [text('Hi'), failure('The agent reported an error.')],
        },
      ],
    },
    {
      name: 'what has failed stays so if the server completes what it has',
      body: sse(start('a'), delta('a', 'content', 'Half'), { error: 'boom' }, result('a', 'Half')),
      messages: [
        {
          status: 'error',
          finish: 'error',
          metadata: { messageId: 'a', wireMessage: {} },
          blocks: [text('Half'), failure('boom')],
        },
      ],
    },
    {
      name: 'an answer that begins again after a failure makes up for it',
      body: sse(start('a'), delta('a', 'content', 'Half'), { error: 'boom' }, start('a'), result('a', 'Whole')),
      messages: [whole('a', [text('Whole')])],
    },
    {
      name: 'a later answer makes up for a failure',
      body: sse(start('a'), delta('a', 'content', 'Half'), { error: 'boom' }, start('b'), result('b', 'Whole')),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'a' },
          blocks: [text('Half'), failure('boom')],
        },
        whole('b', [text('Whole')]),
      ],
    },
    ...['message_start', 'message_field', 'message_field_delta', 'message_result'].map((type) => ({
      name: `a project that is named beside ${type}`,
      body: sse(
        ...[start('a'), field('a', 'content', 'H'), delta('a', 'content', 'i'), result('a', 'Hi')].map((event) =>
          event.type === type ? { ...event, project_id: 'p' } : event,
        ),
      ),
      messages: [whole('a', [text('Hi')], {}, { metadata: { messageId: 'a', wireMessage: {}, projectId: 'p' } })],
    })),
    {
      name: 'a project that is named beside the result of a tool',
      body: sse(
        result('a', '', { tool_calls: [asked] }),
        start('t', { role: 'tool', tool_call_id: 'k' }),
        { ...delta('t', 'content', 'Fou'), project_id: 'p' },
        { ...result('t', 'Found', { role: 'tool', tool_call_id: 'k' }), project_id: 'p' },
        result('b', 'Done'),
      ),
      messages: [
        whole(
          'a',
          [call('k', 'web_search', { params: '{"q":1}', response: 'Found' })],
          {},
          {
            metadata: { messageId: 'a', wireMessage: { tool_calls: [asked] }, 'wireResult:k': { id: 't' } },
          },
        ),
        whole('b', [text('Done')]),
      ],
    },
    {
      name: 'a reply that is cut off has the project of its fields',
      body: sse(start('a'), { ...field('a', 'content', 'Hi'), project_id: 'p' }),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          metadata: { messageId: 'a', projectId: 'p' },
          blocks: [text('Hi')],
        },
      ],
      problem: 'cut',
    },
    {
      name: 'a call without a function does not hide the others',
      body: sse(
        result('a', 'Hi', { tool_calls: [{ id: 'x', type: 'function' }, asked, 7] }),
        result('t', 'Found', { role: 'tool', tool_call_id: 'k' }),
      ),
      messages: [
        whole(
          'a',
          [text('Hi'), call('k', 'web_search', { params: '{"q":1}', response: 'Found' })],
          {},
          {
            metadata: {
              messageId: 'a',
              wireMessage: { tool_calls: [{ id: 'x', type: 'function' }, asked, 7] },
              'wireResult:k': { id: 't' },
            },
          },
        ),
      ],
    },
    {
      name: 'fields of the project, which no part of the answer depends on',
      body: sse(field('p', '_updatetime', 't'), field('p', 'name', 'Lakes'), start('a'), result('a', 'x')),
      messages: [whole('a', [text('x')])],
      warnings: ['unknown'],
    },
    {
      name: 'another field name belongs to another protocol',
      body: sse(
        start('a', { project_id: 'p' }),
        field('a', 'session_state.steps[0].note', 'x'),
        field('a', 'render_template', 'card'),
        field('a', 'action', { type: 'open' }),
        result('a', 'Hi', { render_template: 'card', action: { type: 'open' }, response_id: 'r1' }),
      ),
      messages: [
        whole(
          'a',
          [text('Hi')],
          { render_template: 'card', action: { type: 'open' }, response_id: 'r1' },
          {
            metadata: {
              messageId: 'a',
              wireMessage: { render_template: 'card', action: { type: 'open' }, response_id: 'r1' },
              projectId: 'p',
            },
          },
        ),
      ],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: sse(
        start('a'),
        'data? no',
        { type: 'message_field_delta', message_id: 'a', field_name: 'content', delta: 7 },
        { type: 'message_start', message_id: 9, role: 'assistant' },
        { type: 'message_news', message_id: 'a' },
        field('a', 'tool_calls[', 'x'),
        result('a', 'still here'),
      ),
      messages: [whole('a', [text('still here')])],
      warnings: ['malformed', 'malformed', 'malformed', 'unknown', 'refused'],
    },
    {
      name: 'lines without a blank, one of them malformed',
      body: `data: ${JSON.stringify(start('a'))}\ndata: {"broken\ndata: ${JSON.stringify(result('a', 'x'))}\n\n`,
      messages: [whole('a', [text('x')])],
      warnings: ['malformed'],
    },
    {
      name: 'only an echo of the user’s message',
      body: sse(start('u', { role: 'user' }), result('u', 'hi', { role: 'user' })),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [], metadata: { wireQuestion: { id: 'u' } } }],
      problem: 'empty',
    },
  ]);

  testNeverThrows(messageField, [
    start('a', { tool_call_id: null, project_id: 'p' }),
    start('t', { role: 'tool', tool_call_id: 'k' }),
    field('a', 'content', 'x'),
    field('a', 'tool_calls[0]', search),
    field('a', 'thinking', true),
    field('a', 'thinking_blocks', [{ thinking: 'x' }]),
    field('a', '__proto__.polluted', true),
    field('a', 'tool_calls[0].function.arguments.x[3]', 1),
    delta('a', 'content', 'x'),
    delta('a', 'tool_calls[0].function.arguments', '{"a'),
    result('a', 'x', { tool_calls: [asked, null], recommend_actions: [{ label: 'l', text: 't' }], project_id: 'p' }),
    result('t', 'x', { role: 'tool', tool_call_id: 'k' }),
  ]);
});
