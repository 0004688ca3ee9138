import { adapter as agentPhase } from '../../../src/protocols/agent-phase.ts';
import { testBodies, testNeverThrows, testRecordings, testRequests } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { assistant, user } from '../../support/messages.ts';
import { ndjson, sse } from '../../support/play-body.ts';

const event = (type: string, phase: string, data: object) => ({ type, phase, data });
const say = (content: string) => event('text', 'generating', { content });
const cite = (messageId: string, content: string, more: object = {}) =>
  event('citation', 'generating', { messageId, content, senderName: 'Lin', ...more });
const done = event('done', 'completed', { finishReason: 'stop' });

const phases = (status: string | undefined, ...names: readonly (string | ExpectedFields)[]): ExpectedFields => {
  const steps = names.map((name) => (typeof name === 'string' ? { phase: name } : name));
  return { type: 'status', ...(status && { status }), ...steps.at(-1), extra: { steps } };
};
const plain = (content: string, more: ExpectedFields = {}): ExpectedFields =>
  text(content, { format: 'text', ...more });
const complete = (...blocks: readonly ExpectedFields[]): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  blocks,
});
const cut = (...blocks: readonly ExpectedFields[]): ExpectedFields => ({
  status: 'interrupted',
  finish: 'error',
  blocks,
});
const tool = (id: string, name: string, more: ExpectedFields, details: ExpectedFields): ExpectedFields =>
  call(id, name, more, details);

describe('agent-phase', () => {
  testRecordings(agentPhase, 'agent-phase');

  testBodies(agentPhase, [
    {
      name: 'each phase once, with its latest text; phases of other events count too',
      body: ndjson(
        event('phase_change', 'thinking', { message: 'Analysing' }),
        event('phase_change', 'thinking', { message: 'Still analysing' }),
        event('phase_change', 'tool_calling', {}),
        say('x'),
        done,
      ),
      messages: [
        complete(
          phases(
            undefined,
            { phase: 'thinking', message: 'Still analysing' },
            'tool_calling',
            'generating',
            'completed',
          ),
          plain('x'),
        ),
      ],
    },
    {
      name: 'calls with the same name end in the order of their starts, another name separately',
      body: ndjson(
        event('tool_start', 'tool_calling', { toolName: 'f', params: { n: 1 } }),
        event('tool_start', 'tool_calling', { toolName: 'f', params: { n: 2 } }),
        event('tool_start', 'tool_calling', { toolName: 'g', toolDescription: 'Gets', params: null }),
        event('tool_end', 'tool_calling', { toolName: 'g', success: false, summary: 'failed', error: 'Gone' }),
        event('tool_end', 'tool_calling', { toolName: 'f', success: true, summary: 'one' }),
        event('tool_end', 'tool_calling', { toolName: 'f', success: false, summary: 'two', error: null }),
        done,
      ),
      messages: [
        complete(
          phases(undefined, 'tool_calling', 'completed'),
          tool('new1', 'f', { params: '{"n":1}', response: 'one' }, { summary: 'one' }),
          tool('new2', 'f', { params: '{"n":2}', response: 'two' }, { status: 'error', summary: 'two' }),
          tool(
            'new3',
            'g',
            { response: 'Gone' },
            { status: 'error', description: 'Gets', summary: 'failed', error: { message: 'Gone' } },
          ),
        ),
      ],
    },
    {
      name: 'an end without its start still counts as a call',
      body: ndjson(event('tool_end', 'tool_calling', { toolName: 'f', success: true, summary: 's' }), done),
      messages: [
        complete(
          phases(undefined, 'tool_calling', 'completed'),
          tool('new1', 'f', { response: 's' }, { summary: 's' }),
        ),
      ],
    },
    {
      name: 'citations are placed in the order of their indexes, at the last free occurrence of their text',
      body: ndjson(
        say('ab ab'),
        cite('second', 'ab', { index: 1 }),
        cite('first', 'ab', { index: 0 }),
        say(' ab'),
        cite('third', 'other words', { index: 2 }),
        say(', end'),
        done,
      ),
      messages: [
        complete(
          phases(undefined, 'generating', 'completed'),
          plain('ab ab ab, end', {
            citations: [
              { id: 'first', quote: 'ab', title: 'Lin', extra: { index: 0 }, start: 3, end: 5 },
              { id: 'second', quote: 'ab', title: 'Lin', extra: { index: 1 }, start: 0, end: 2 },
              { id: 'third', quote: 'other words', title: 'Lin', extra: { index: 2 }, end: 8 },
            ],
          }),
        ),
      ],
    },
    {
      name: 'messages with the same id in two chats are two sources',
      body: ndjson(
        say('One. Two.'),
        cite('m', 'One', { index: 0, chatId: 'a' }),
        cite('m', 'Two', { index: 1, chatId: 'b' }),
        done,
      ),
      messages: [
        complete(
          phases(undefined, 'generating', 'completed'),
          plain('One. Two.', {
            citations: [
              { id: 'm', quote: 'One', title: 'Lin', extra: { index: 0, chatId: 'a' }, start: 0, end: 3 },
              { id: '["b","m"]', quote: 'Two', title: 'Lin', extra: { index: 1, chatId: 'b' }, start: 5, end: 8 },
            ],
          }),
        ),
      ],
    },
    {
      name: 'a citation whose predecessor never comes is not lost, also in an interrupted body',
      body: ndjson(say('ab'), cite('late', 'ab', { index: 3 })),
      messages: [
        cut(
          phases(undefined, 'generating'),
          plain('ab', {
            citations: [{ id: 'late', quote: 'ab', title: 'Lin', extra: { index: 3 }, start: 0, end: 2 }],
          }),
        ),
      ],
      problem: 'cut',
    },
    {
      name: 'reasoning is kept whether it was requested or not',
      body: ndjson(
        event('thinking', 'thinking', { content: 'a' }),
        event('thinking', 'thinking', { content: 'b' }),
        done,
      ),
      messages: [complete(phases(undefined, 'thinking', 'completed'), thought('ab'))],
    },
    ...[
      { reason: 'length', status: 'complete', finish: 'max_tokens' },
      { reason: 'content-filter', status: 'error', finish: 'error', metadata: { filtered: true } },
      { reason: 'error', status: 'error', finish: 'error' },
      { reason: 'cancelled', status: 'cancelled', finish: 'cancelled' },
    ].map(({ reason, ...end }) => ({
      name: `the finish reason ${reason}: the phase "completed" of its event is not shown`,
      body: ndjson(say('a'), event('done', 'completed', { finishReason: reason })),
      messages: [{ ...end, blocks: [phases(undefined, 'generating'), plain('a')] }],
    })),
    {
      name: 'the finish reason other',
      body: ndjson(say('a'), event('done', 'completed', { finishReason: 'other' })),
      messages: [complete(phases(undefined, 'generating', 'completed'), plain('a'))],
    },
    {
      name: 'an incomplete reply keeps another phase of its last event',
      body: ndjson(say('a'), event('done', 'stopped', { finishReason: 'cancelled' })),
      messages: [
        { status: 'cancelled', finish: 'cancelled', blocks: [phases(undefined, 'generating', 'stopped'), plain('a')] },
      ],
    },
    ...[
      { name: 'done', events: [done] },
      { name: 'done with the finish reason error', events: [event('done', 'completed', { finishReason: 'error' })] },
      { name: 'a change of the phase', events: [event('phase_change', 'completed', { message: 'Ready' }), done] },
    ].map(({ name, events }) => ({
      name: `a failed reply is not complete by ${name}`,
      body: ndjson(
        event('phase_change', 'thinking', {}),
        say('a'),
        event('error', 'error', { message: 'No', recoverable: false }),
        ...events,
      ),
      messages: [
        {
          status: 'error',
          finish: 'error',
          blocks: [
            phases('error', 'thinking', 'generating', 'error'),
            plain('a'),
            failure('No', { recoverable: false }),
          ],
        },
      ],
    })),
    {
      name: 'a reply that continues after a recoverable error is complete in the end',
      body: ndjson(say('a'), event('error', 'error', { message: 'Busy', recoverable: true }), say('b'), done),
      messages: [
        complete(
          phases(undefined, 'generating', 'error', 'generating', 'completed'),
          plain('a'),
          failure('Busy', { recoverable: true }),
          plain('b'),
        ),
      ],
    },
    {
      name: 'a retryable error; done may follow',
      body: ndjson(say('a'), event('error', 'error', { code: 'BUSY', message: 'Busy', recoverable: true })),
      messages: [
        {
          status: 'error',
          finish: 'error',
          blocks: [
            phases('error', 'generating', 'error'),
            plain('a'),
            failure('Busy', { code: 'BUSY', recoverable: true }),
          ],
        },
      ],
    },
    {
      name: 'an error with few fields',
      body: ndjson(event('error', 'error', { code: 7, message: 'No' })),
      messages: [
        {
          status: 'error',
          finish: 'error',
          blocks: [phases('error', 'error'), failure('No', { code: '7', recoverable: false })],
        },
      ],
    },
    ...[
      { name: 'a code only', data: { message: null, code: 429 }, shown: 'The agent reports an error.', code: '429' },
      { name: 'its text in another field', data: { error: { message: 'No' } }, shown: 'No' },
      { name: 'a text as its data', data: 'No', shown: 'No' },
      { name: 'fields of a wrong type', data: { message: 'No', recoverable: 'x' }, shown: 'No' },
    ].map(({ name, data, shown, code }) => ({
      name: `an error with ${name}: the reply has failed, and done does not change that`,
      body: ndjson(say('a'), { type: 'error', phase: 'error', data }, done),
      messages: [
        {
          status: 'error',
          finish: 'error',
          blocks: [
            phases('error', 'generating', 'error'),
            plain('a'),
            failure(shown, { ...(code && { code }), recoverable: false }),
          ],
        },
      ],
    })),
    {
      name: 'the end of a tool without success: it has failed if there is an error, of whatever type',
      body: ndjson(
        event('tool_end', 'tool_calling', { toolName: 'f', error: 'Gone' }),
        event('tool_end', 'tool_calling', { toolName: 'g', error: ['Gone'] }),
        event('tool_end', 'tool_calling', { toolName: 'h', summary: 's', error: '' }),
        event('tool_end', 'tool_calling', { toolName: 'i', success: null }),
        done,
      ),
      messages: [
        complete(
          phases(undefined, 'tool_calling', 'completed'),
          tool('new1', 'f', { response: 'Gone' }, { status: 'error', error: { message: 'Gone' } }),
          tool('new2', 'g', { response: '["Gone"]' }, { status: 'error', error: { message: '["Gone"]' } }),
          tool('new3', 'h', { response: 's' }, { summary: 's' }),
          tool('new4', 'i', {}, {}),
        ),
      ],
    },
    {
      name: 'fields of a wrong type lose neither the citation nor the call nor the end',
      body: ndjson(
        event('phase_change', 'tool_calling', { message: 7 }),
        event('tool_start', 'tool_calling', { toolName: 'f', toolDescription: ['d'] }),
        event('tool_end', 'tool_calling', { toolName: 'f', success: true }),
        say('ab cd'),
        cite('second', 'cd', { index: '1' }),
        cite('first', 'ab', { index: '0', senderName: 7 }),
        cite('third', 'ab', { index: 'x', senderName: ['y'] }),
        event('done', 'completed', { finishReason: 7, stats: { totalTokens: 5, iterations: '2' } }),
      ),
      messages: [
        {
          ...complete(
            phases(undefined, { phase: 'tool_calling', message: '7' }, 'generating', 'completed'),
            tool('new1', 'f', {}, {}),
            plain('ab cd', {
              citations: [
                { id: 'first', quote: 'ab', title: '7', extra: { index: 0 }, start: 0, end: 2 },
                { id: 'third', quote: 'ab', extra: {}, end: 5 },
                { id: 'second', quote: 'cd', title: 'Lin', extra: { index: 1 }, start: 3, end: 5 },
              ],
            }),
          ),
          usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 5 },
          metadata: { stats: { totalTokens: 5 } },
        },
      ],
    },
    {
      name: 'neither done nor error: interrupted',
      body: ndjson(event('phase_change', 'thinking', {}), say('a')),
      messages: [cut(phases(undefined, 'thinking', 'generating'), plain('a'))],
      problem: 'cut',
    },
    {
      name: 'optional fields may be null',
      body: ndjson(
        event('phase_change', 'tool_calling', { message: null }),
        event('tool_start', 'tool_calling', { toolName: 'f', toolDescription: null, params: null }),
        event('tool_end', 'tool_calling', { toolName: 'f', success: true, summary: null, error: null }),
        say('ab'),
        event('citation', 'generating', {
          index: null,
          messageId: 'm',
          content: 'ab',
          senderName: null,
          senderId: null,
        }),
        event('done', 'completed', { finishReason: null, stats: null }),
      ),
      messages: [
        complete(
          phases(undefined, 'tool_calling', 'generating', 'completed'),
          tool('new1', 'f', {}, {}),
          plain('ab', { citations: [{ id: 'm', quote: 'ab', extra: {}, start: 0, end: 2 }] }),
        ),
      ],
    },
    {
      name: 'structured data without a type',
      body: ndjson(event('structured', 'generating', { total: 5 }), done),
      messages: [
        complete(phases(undefined, 'generating', 'completed'), {
          type: 'data',
          data: { data_type: 'custom', data: { total: 5 } },
        }),
      ],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: `oops\n${ndjson({ type: 'text', data: { content: 'no phase' } }, event('text', 'generating', {}), event('spark', 'x', {}))}\n\r\n${ndjson(say('a'), done)}`,
      messages: [complete(phases(undefined, 'generating', 'completed'), plain('a'))],
      warnings: ['malformed', 'malformed', 'malformed', 'unknown'],
    },
    {
      name: 'lines with a data: prefix, and real server-sent events',
      body: `data: ${JSON.stringify(say('a'))}\r\ndata:${JSON.stringify(say('b'))}\r\n\r\n: ping\n\nevent: done\n${sse(done)}`,
      messages: [complete(phases(undefined, 'generating', 'completed'), plain('ab'))],
    },
    {
      name: 'old lines that the document does not define',
      body: '0:"a"\n9:{"x":1}\ne:{"finishReason":"stop"}\n0:7\nd:{"finishReason":"stop"}\n',
      messages: [complete(phases(undefined, 'generating', 'completed'), plain('a'))],
      warnings: ['unknown', 'malformed', 'malformed'],
    },
  ]);

  testNeverThrows(agentPhase, [
    event('phase_change', 'thinking', { message: 'm' }),
    event('tool_start', 'tool_calling', { toolName: 'f', toolDescription: 'd', params: { a: 1 } }),
    event('tool_end', 'tool_calling', { toolName: 'f', success: false, summary: 's', error: 'e' }),
    say('x'),
    event('thinking', 'thinking', { content: 'x' }),
    cite('m', 'x', { index: 1, senderId: 's', timestamp: 1, chatId: 'c' }),
    event('structured', 'generating', { dataType: 'd', stats: {} }),
    event('done', 'completed', { finishReason: 'stop', stats: { totalTokens: 1, iterations: 1 } }),
    event('error', 'error', { code: 'c', message: 'm', recoverable: true }),
  ]);

  const options = { showThinking: false, showToolCalls: true, detailedCitations: true };
  const history = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'more' },
  ];
  testRequests(agentPhase, [
    {
      name: 'the thread, the history and the document’s options',
      messages: [user('hi'), assistant('Hello'), user('more')],
      body: { chatId: 'thread', messages: history, options },
    },
    {
      name: 'visible parts are requested, hidden ones are not',
      messages: [user('hi')],
      options: { show: { reasoning: true, tools: false } },
      body: {
        chatId: 'thread',
        messages: [history[0]],
        options: { ...options, showThinking: true, showToolCalls: false },
      },
    },
  ]);
});
