/** The source document on the streaming protocol of sessions, in its order. Its page: `docs/protocols/agent-session.md`. */
import { expect, waitUntil } from '@open-wc/testing';
import { agentSession } from '../../src/protocols/agent-session.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { replyOutcome } from '../../src/model/reply-outcome.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { find, has, inside, mount, wordsOf } from '../components/support/mount.ts';
import { lines, makeChat, until } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { call, failure, text, thought, type Bare } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { PIXEL } from '../support/pixel.ts';
import { sse } from '../support/play-body.ts';
import { blocksOf, messagesOf, requestBody, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

let sequence = 0;
const event = (type: string, data: object, metadata: object = {}) => ({
  type,
  data,
  metadata: { request_id: 'req_4', timestamp: 1_767_225_600 + sequence, sequence: sequence++, ...metadata },
});
/** A session: each event has the next number. */
function session(make: () => readonly object[], status = 'completed', summary?: object): string {
  sequence = 0;
  const start = event('session_start', { session_id: 'sess_9', request_id: 'req_4' });
  return sse(start, ...make(), event('session_end', { status, ...(summary && { summary }) }));
}
const gives = (says: string, make: () => readonly object[], ...blocks: readonly Bare[]): Thing => [
  says,
  async () => {
    expect(await blocksOf(agentSession, session(make))).to.deep.equal(blocks);
  },
];
const message = async (make: () => readonly object[], status?: string, summary?: object): Promise<Bare> =>
  (await messagesOf(agentSession, session(make, status, summary)))[0] ?? {};
const metadataOf = async (...given: Parameters<typeof message>): Promise<Bare> =>
  (await message(...given))['metadata'] as Bare;

const args = { table_name: 'Visitors', columns: ['Day', 'Count'] };
const begin = () =>
  event('tool_call_start', {
    tool_id: 'tool_3',
    tool_name: 'display_table',
    description: 'Show visitors',
    arguments: args,
  });
const finish = (data: object, metadata?: object) =>
  event('tool_call_end', { tool_id: 'tool_3', status: 'success', ...data }, metadata);
const tool = (more: Bare = {}, details: Bare = {}): Bare =>
  call(
    'tool_3',
    'display_table',
    { params: JSON.stringify(args), ...more },
    { description: 'Show visitors', ...details },
  );
const table = {
  name: 'Visitors',
  columns: ['Day', 'Count'],
  rows: [
    ['Monday', 8],
    ['Tuesday', 11],
  ],
};
const data = (data_type: string, payload: unknown) =>
  event('data', { data_type, data: payload, metadata: { description: 'Two days' } });
const payload = (data_type: string, value: unknown): Bare => ({
  type: 'data',
  data: { data_type, data: value, metadata: { description: 'Two days' } },
});

/** Open blocks of a body that was cut, since progress is gone when its call has ended. */
async function progressOf(...values: readonly number[]): Promise<unknown> {
  sequence = 0;
  const progress = values.map((value) =>
    event('tool_call_progress', { tool_id: 'tool_3', progress: value, message: 'Reading' }),
  );
  const [block] = await blocksOf(
    agentSession,
    sse(event('session_start', { session_id: 's', request_id: 'r' }), begin(), ...progress),
  );
  return block?.['progress'];
}

const legacy = (...events: readonly object[]): string => sse(...events);

walkDocument('the document on the session protocol', 75, [
  [
    'event types',
    [
      'session_start begins the answer, with the ids of session and request',
      async () => {
        expect(await metadataOf(() => [event('content', { content: 'a' })])).to.deep.include({
          sessionId: 'sess_9',
          requestId: 'req_4',
        });
      },
    ],
    gives('thinking', () => [event('thinking', { content: 'First the days' })], thought('First the days')),
    gives(
      'tool_call_start and tool_call_end',
      () => [begin(), finish({ result: { rows: 2 } })],
      tool({ response: '{"rows":2}' }),
    ),
    ['tool_call_progress', async () => expect(await progressOf(0.5)).to.deep.equal({ value: 0.5, message: 'Reading' })],
    gives(
      'content',
      () => [event('content', { content: 'Two ' }), event('content', { content: 'days' })],
      text('Two days'),
    ),
    gives('data', () => [data('custom', { a: 1 })], payload('custom', { a: 1 })),
    [
      'error',
      async () => {
        const { blocks } = await message(
          () => [event('error', { error_type: 'execution', message: 'The table is locked' })],
          'error',
        );
        expect(blocks).to.deep.equal([failure('The table is locked', { error_type: 'execution', recoverable: false })]);
      },
    ],
    [
      'session_end ends the answer',
      async () => expect((await message(() => [event('content', { content: 'a' })]))['status']).to.equal('complete'),
    ],
    [
      'an unknown type is ignored',
      async () =>
        expect(
          await warningsAbout(
            agentSession,
            session(() => [event('weather', {}), event('content', { content: 'a' })]),
          ),
        ).to.deep.equal(['unknown']),
    ],
  ],
  [
    'the common format',
    [
      'type, data and metadata are detected',
      async () =>
        expect(
          await findProtocol(
            session(() => [event('content', { content: 'a' })]),
            protocols.list(),
          ),
        ).to.equal('agent-session'),
    ],
    ['request_id', async () => expect((await metadataOf(() => []))['requestId']).to.equal('req_4')],
    [
      'timestamp in seconds is the time of the start and of the end',
      async () => {
        const { startTime, endTime } = await metadataOf(() => [event('content', { content: 'a' })]);
        expect([startTime, endTime]).to.deep.equal([1_767_225_600_000, 1_767_225_602_000]);
      },
    ],
    [
      'sequence puts events in order',
      async () => {
        sequence = 0;
        const events = [
          event('session_start', { session_id: 's', request_id: 'r' }),
          event('content', { content: 'a' }),
          event('content', { content: 'b' }),
          event('session_end', { status: 'completed' }),
        ];
        const [start, first, second, last] = events;
        expect(await blocksOf(agentSession, sse(start, second, first, last))).to.deep.equal([text('ab')]);
      },
    ],
    [
      'sequence drops what comes twice',
      async () => {
        sequence = 0;
        const events = [
          event('session_start', { session_id: 's', request_id: 'r' }),
          event('content', { content: 'a' }),
        ];
        expect(
          await blocksOf(agentSession, sse(...events, events[1], event('session_end', { status: 'completed' }))),
        ).to.deep.equal([text('a')]);
      },
    ],
    [
      'session_start has no request_id in its metadata',
      async () => {
        sequence = 0;
        const start = {
          type: 'session_start',
          data: { session_id: 's', request_id: 'r' },
          metadata: { timestamp: 1, sequence: sequence++ },
        };
        const [only] = await messagesOf(agentSession, sse(start, event('session_end', { status: 'completed' })));
        expect(only?.['metadata']).to.deep.include({ requestId: 'r' });
      },
    ],
    [
      'the session is part of the next request',
      async () => {
        const body = await requestBody(agentSession, [
          { role: 'user', text: 'a' },
          { role: 'assistant', text: 'b', metadata: { sessionId: 'sess_9' } },
          { role: 'user', text: 'c' },
        ]);
        expect(body).to.deep.equal({
          session_id: 'sess_9',
          messages: [
            { role: 'user', content: 'a' },
            { role: 'assistant', content: 'b' },
            { role: 'user', content: 'c' },
          ],
        });
      },
    ],
  ],
  [
    'thinking',
    ...['reasoning', 'planning', 'analyzing'].map((stage) =>
      gives(`stage ${stage}`, () => [event('thinking', { content: 'a', stage })], thought('a', { extra: { stage } })),
    ),
    ...[
      ['planning', 'Planning'],
      ['analyzing', 'Analyzing'],
      ['reviewing_sources', 'reviewing sources'],
    ].map(([stage = '', words = '']): Thing => [
      `stage ${stage} is shown`,
      async () => {
        const chat = await showBlocks([
          { type: 'reasoning_content', content: 'a', extra: { stage }, reasoning_time: { start: 0, end: 4000 } },
        ]);
        expect(wordsIn(await inside(chat, '.thinking .fold'))).to.equal(`Thought for 4 s · ${words}`);
      },
    ]),
  ],
  [
    'tools',
    [
      'the description is the title',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          description: 'Show visitors',
          tool_call: { id: 't', name: 'display_table' },
        });
        expect(wordsIn(element)).to.contain('Show visitors').and.not.to.contain('display');
      },
    ],
    gives('without a result', () => [begin(), finish({})], tool()),
    gives(
      'an error whose code is null',
      () => [begin(), finish({ status: 'failed', result: null, error: { message: 'No table', code: null } })],
      tool({ response: 'No table' }, { status: 'error', error: { message: 'No table' } }),
    ),
    gives(
      'an image in the result of a tool server',
      () => [begin(), finish({ result: { content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] } })],
      tool({ response: '' }),
      { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' }, extra: { dataId: 'b1 0' } },
    ),
    gives(
      'a failed call has its message and code',
      () => [begin(), finish({ status: 'failed', error: { message: 'Locked', code: 'TABLE_LOCKED' } })],
      tool({ response: 'Locked' }, { status: 'error', error: { message: 'Locked', code: 'TABLE_LOCKED' } }),
    ),
    gives(
      'duration_ms of the metadata',
      () => [begin(), finish({}, { duration_ms: 150 })],
      tool({}, { duration: 150 }),
    ),
    [
      'the duration is in the row',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          duration: 12_000,
          tool_call: { id: 't', name: 'f' },
        });
        expect(wordsIn(element)).to.contain('12');
      },
    ],
    ['progress as a fraction', async () => expect(await progressOf(0.25)).to.deep.include({ value: 0.25 })],
    ['progress as a percentage', async () => expect(await progressOf(25)).to.deep.include({ value: 0.25 })],
    [
      'progress 1 after fractions is the end',
      async () => expect(await progressOf(0.5, 1)).to.deep.include({ value: 1 }),
    ],
    [
      'progress 1 as the first value is one percent',
      async () => expect(await progressOf(0, 1)).to.deep.include({ value: 0.01 }),
    ],
    [
      'progress after percentages stays one',
      async () => expect(await progressOf(2, 0.5)).to.deep.include({ value: 0.005 }),
    ],
  ],
  [
    'content',
    gives(
      'format markdown, also by default',
      () => [event('content', { content: 'a', format: 'markdown' }), event('content', { content: 'b' })],
      text('ab', { format: 'markdown' }),
    ),
    gives('format text', () => [event('content', { content: '*a*', format: 'text' })], text('*a*', { format: 'text' })),
    gives(
      'format html',
      () => [event('content', { content: '<b>a</b>', format: 'html' })],
      text('<b>a</b>', { format: 'html' }),
    ),
    [
      'html is sanitized',
      async () => {
        const { element } = await showBlock({
          type: 'content',
          content: '<b>a</b><img src=x onerror="globalThis.hit=1">',
          format: 'html',
        });
        await waitUntil(() => element.querySelector('b') !== null);
        expect(element.querySelector('[onerror]')).to.equal(null);
      },
    ],
    gives(
      'is_complete changes nothing: session_end ends the answer',
      () => [
        event('content', { content: 'a', is_complete: true }),
        event('content', { content: 'b', is_complete: false }),
      ],
      text('ab'),
    ),
  ],
  [
    'data',
    gives('dataframe', () => [data('dataframe', table)], payload('dataframe', table)),
    [
      'a dataframe is a table with its description',
      async () => {
        const { element } = await showBlock({
          type: 'data',
          data: { data_type: 'dataframe', data: table, metadata: { description: 'Two days' } },
        });
        await waitUntil(() => element.querySelector('td') !== null, 'the table comes', { timeout: 10_000 });
        expect(wordsIn(element)).to.contain('Monday').and.contain('Two days');
        expect(element.querySelector('caption')?.offsetHeight).to.be.above(8);
      },
    ],
    gives('chart in the document’s shape', () => [data('chart', table)], payload('chart', table)),
    [
      'a chart of name, columns and rows is drawn',
      async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: 'chart', data: table } });
        await waitUntil(() => element.querySelector('svg, canvas') !== null, 'the chart comes', { timeout: 10_000 });
      },
    ],
    gives(
      'image',
      () => [data('image', { mimeType: 'image/png', data: PIXEL })],
      payload('image', { mimeType: 'image/png', data: PIXEL }),
    ),
    [
      'an image is shown',
      async () => {
        const { element } = await showBlock({
          type: 'data',
          data: {
            data_type: 'image',
            data: { mimeType: 'image/png', data: PIXEL },
            metadata: { description: 'A dot' },
          },
        });
        await waitUntil(() => element.querySelector('img') !== null, 'the image comes', { timeout: 10_000 });
      },
    ],
    ...[PIXEL, { image: PIXEL }, { base64: PIXEL }, { src: `data:image/png;base64,${PIXEL}` }].map((value): Thing => [
      `an image as ${JSON.stringify(value).replaceAll(PIXEL, '…')}`,
      async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: 'image', data: value } });
        await waitUntil(() => element.querySelector('img') !== null, 'the image comes', { timeout: 10_000 });
        expect(element.querySelector('img')?.src).to.equal(`data:image/png;base64,${PIXEL}`);
      },
    ]),
    [
      'an image without its bytes and address is readable as data',
      async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: 'image', data: { depot: 'north' } } });
        await waitUntil(() => wordsIn(element).includes('north'), 'the data comes', { timeout: 10_000 });
      },
    ],
    gives('custom', () => [data('custom', [1, { a: 2 }])], payload('custom', [1, { a: 2 }])),
    [
      'custom data without a renderer is readable',
      async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: 'custom', data: { depot: 'north' } } });
        await waitUntil(() => wordsIn(element).includes('north'), 'the data comes', { timeout: 10_000 });
      },
    ],
  ],
  [
    'errors',
    ...['validation', 'execution', 'timeout', 'system'].map((error_type): Thing => [
      `error_type ${error_type}`,
      async () => {
        const { blocks } = await message(() => [event('error', { error_type, message: 'No' })], 'error');
        expect((blocks as readonly Bare[])[0]?.['extra']).to.deep.include({ error_type });
      },
    ]),
    [
      'details are for debugging, and not part of the conversation',
      async () => {
        const { blocks } = await message(
          () => [
            event('error', { error_type: 'system', message: 'No', details: { stack_trace: 'line 3', context: {} } }),
          ],
          'error',
        );
        expect(JSON.stringify(blocks)).not.to.contain('line 3');
      },
    ],
    [
      'a recoverable error offers to try again',
      async () => {
        const { element } = await showBlock({
          type: 'error',
          status: 'error',
          content: 'No',
          extra: { recoverable: true },
        });
        expect(element.querySelector('button')).to.not.equal(null);
      },
    ],
    [
      'after a recoverable error the answer continues',
      async () => {
        const { blocks, status } = await message(() => [
          event('error', { error_type: 'timeout', message: 'Slow', recoverable: true }),
          event('content', { content: 'a' }),
        ]);
        expect([(blocks as readonly Bare[]).at(-1), status]).to.deep.equal([text('a'), 'complete']);
      },
    ],
  ],
  [
    'session_end',
    [
      'completed',
      async () => expect((await message(() => [event('content', { content: 'a' })]))['finish']).to.equal('complete'),
    ],
    [
      'error without an error event is a failure, not a filter',
      async () => {
        const failed = await message(() => [event('content', { content: 'a' })], 'error');
        expect(replyOutcome(failed as unknown as ChatMessage)).to.equal('failed');
      },
    ],
    [
      'cancelled is a stop',
      async () =>
        expect((await message(() => [event('content', { content: 'a' })], 'cancelled'))['status']).to.equal(
          'cancelled',
        ),
    ],
    [
      'cancelled by the server is not shown as the user’s stop',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          message: { status: 'cancelled', finish: 'cancelled', metadata: { stoppedBy: 'server' } },
        });
        expect(wordsOf(chat)).to.contain('The server stopped this answer.');
      },
    ],
    [
      'figures that are null, as a server in Python sends them, do not hide the end',
      async () => {
        const { status, metadata } = await message(() => [], 'completed', {
          total_tokens: null,
          duration_ms: 3,
          tool_calls: null,
        });
        expect([status, (metadata as Bare)['summary']]).to.deep.equal(['complete', { duration_ms: 3 }]);
      },
    ],
    [
      'summary: total_tokens are counted',
      async () => {
        const { usage } = await message(() => [event('content', { content: 'a' })], 'completed', {
          total_tokens: 1500,
          duration_ms: 3000,
          tool_calls: 3,
        });
        expect((usage as Bare)['total_tokens']).to.equal(1500);
      },
    ],
    ...(
      [
        ['Time taken', '3'],
        ['Tool calls', '3'],
        ['Tokens', '1,500'],
      ] as const
    ).map(([name, value]): Thing => [
      `summary: ${name} is among the details`,
      async () => {
        const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 1500 };
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          message: {
            status: 'complete',
            usage,
            metadata: { summary: { total_tokens: 1500, duration_ms: 3000, tool_calls: 3 } },
          },
        });
        expect(wordsIn(await inside(chat, 'details.written')))
          .to.contain(name)
          .and.contain(value);
      },
    ]),
    [
      'a call that is still open has failed',
      async () => {
        const { blocks } = await message(() => [begin()], 'error');
        expect((blocks as readonly Bare[])[0]?.['status']).to.equal('error');
      },
    ],
    [
      'a body that ends without it was cut off',
      async () => {
        sequence = 0;
        const [cut] = await messagesOf(
          agentSession,
          sse(event('session_start', { session_id: 's', request_id: 'r' }), event('content', { content: 'a' })),
        );
        expect(cut?.['status']).to.equal('interrupted');
      },
    ],
  ],
  [
    'the state of a message',
    ...(
      [
        [
          'thinkingContent',
          (blocks: readonly Bare[]) =>
            blocks
              .filter(({ type }) => type === 'reasoning_content')
              .map(({ content }) => content)
              .join(''),
          'Hm',
        ],
        [
          'mainContent',
          (blocks: readonly Bare[]) =>
            blocks
              .filter(({ type }) => type === 'content')
              .map(({ content }) => content)
              .join(''),
          'Two',
        ],
        ['toolCalls', (blocks: readonly Bare[]) => blocks.filter(({ type }) => type === 'tool_call').length, 1],
        ['dataBlocks', (blocks: readonly Bare[]) => blocks.filter(({ type }) => type === 'data').length, 1],
      ] as const
    ).map(([name, read, expected]): Thing => [
      `${name} are the blocks of that type`,
      async () => {
        const { blocks } = await message(() => [
          event('thinking', { content: 'Hm' }),
          begin(),
          finish({}),
          data('dataframe', table),
          event('content', { content: 'Two' }),
        ]);
        expect(read(blocks as readonly Bare[])).to.equal(expected);
      },
    ]),
    [
      'isStreaming is the status of the chat',
      async () => {
        const { chat, agent } = await mount();
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.write('a');
        await waitUntil(() => chat.status === 'streaming');
        agent.end();
        expect((await sent).status).to.equal('complete');
      },
    ],
    [
      'hasError and errorMessage are the status and its block',
      async () => {
        const { status, blocks } = await message(
          () => [event('error', { error_type: 'system', message: 'No' })],
          'error',
        );
        expect([status, (blocks as readonly Bare[])[0]?.['content']]).to.deep.equal(['error', 'No']);
      },
    ],
    [
      'requestId, startTime and endTime are metadata',
      async () => {
        expect(await metadataOf(() => [])).to.have.all.keys('sessionId', 'requestId', 'startTime', 'endTime');
      },
    ],
  ],
  [
    'advice',
    [
      'thinking is collapsed by default',
      async () => {
        const chat = await showBlocks([
          { type: 'reasoning_content', content: 'a' },
          { type: 'content', content: 'b' },
        ]);
        expect((await inside<HTMLDetailsElement>(chat, 'details.activity')).open).to.equal(false);
      },
    ],
    [
      'small fragments are one block and one text node',
      async () => {
        expect(
          await blocksOf(
            agentSession,
            session(() => Array.from({ length: 50 }, () => event('content', { content: 'a' }))),
          ),
        ).to.deep.equal([text('a'.repeat(50))]);
      },
    ],
    [
      'a long conversation renders only what is near the viewport',
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
      'the current stage is shown',
      async () => {
        const { chat, agent } = await mount();
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.say({ type: 'thinking', data: { content: 'Hm', stage: 'planning' } });
        await waitUntil(() => has(chat, '.thinking'), 'it comes', { timeout: 10_000 });
        expect(wordsIn(find(chat, '.thinking'))).to.contain('Planning');
        agent.end();
        await sent;
      },
    ],
    [
      'events are validated at run time',
      async () =>
        expect(
          await warningsAbout(
            agentSession,
            session(() => [event('content', { content: 7 }), event('content', { content: 'a' })]),
          ),
        ).to.deep.equal(['malformed']),
    ],
  ],
  [
    'older events',
    [
      'token → content',
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'token', data: { content: 'a' } }, { type: 'done', data: {} })),
        ).to.deep.equal([text('a')]),
    ],
    [
      'token with its text as data',
      async () =>
        expect(await blocksOf(agentSession, legacy({ type: 'token', data: 'a' }, { type: 'done' }))).to.deep.equal([
          text('a'),
        ]),
    ],
    [
      'tool_call → tool_call_start, tool_result → tool_call_end',
      async () => {
        const body = legacy(
          { type: 'tool_call', data: { tool_id: 't', tool_name: 'f', arguments: {} } },
          { type: 'tool_result', data: { tool_id: 't', result: 'r' } },
          { type: 'done' },
        );
        expect(await blocksOf(agentSession, body)).to.deep.equal([call('t', 'f', { params: '{}', response: 'r' })]);
      },
    ],
    [
      'thinking stays',
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'thinking', data: { content: 'a' } }, { type: 'done' })),
        ).to.deep.equal([thought('a')]),
    ],
    [
      'final_answer → content',
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'final_answer', data: { content: 'a' } }, { type: 'done' })),
        ).to.deep.equal([text('a')]),
    ],
    [
      'final_answer that repeats the tokens is not doubled',
      async () =>
        expect(
          await blocksOf(
            agentSession,
            legacy(
              { type: 'token', data: { content: 'a' } },
              { type: 'final_answer', data: { content: 'ab' } },
              { type: 'done' },
            ),
          ),
        ).to.deep.equal([text('ab')]),
    ],
    [
      'dataframe_data → data',
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'dataframe_data', data: table }, { type: 'done' })),
        ).to.deep.equal([{ type: 'data', data: { data_type: 'dataframe', data: table } }]),
    ],
    [
      'done → session_end',
      async () =>
        expect(
          (await messagesOf(agentSession, legacy({ type: 'token', data: { content: 'a' } }, { type: 'done' })))[0]?.[
            'status'
          ],
        ).to.equal('complete'),
    ],
    [
      'error stays',
      async () =>
        expect(
          (
            await messagesOf(
              agentSession,
              legacy({ type: 'error', data: { message: 'No' } }, { type: 'done', data: { status: 'error' } }),
            )
          )[0]?.['status'],
        ).to.equal('error'),
    ],
    [
      'without metadata under auto',
      async () =>
        expect(
          await findProtocol(
            legacy({ type: 'token', data: { content: 'a' } }, { type: 'done', data: {} }),
            protocols.list(),
          ),
        ).to.match(/agent-session|json-stream/),
      'a token with text says too little: a custom JSON stream is read the same way',
    ],
    [
      'a table without metadata under auto',
      async () =>
        expect(
          await findProtocol(legacy({ type: 'dataframe_data', data: table }, { type: 'done' }), protocols.list()),
        ).to.equal('agent-session'),
    ],
    [
      'a tool call without metadata under auto',
      async () =>
        expect(
          await findProtocol(
            legacy(
              { type: 'tool_call', data: { tool_id: 't', tool_name: 'f', arguments: {} } },
              { type: 'tool_result', data: { tool_id: 't', result: 'r' } },
              { type: 'token', data: { content: 'a' } },
              { type: 'done' },
            ),
            protocols.list(),
          ),
        ).to.equal('agent-session'),
    ],
    [
      'text, then a table, without metadata under auto',
      async () => {
        const body = legacy(
          { type: 'token', data: { content: 'a' } },
          { type: 'token', data: { content: 'b' } },
          { type: 'dataframe_data', data: table },
          { type: 'done' },
        );
        expect(await findProtocol(body, protocols.list())).to.equal('agent-session');
      },
    ],
    [
      'much text, then a table, without metadata under auto',
      async () => {
        const tokens = ['a', 'b', 'c', 'd'].map((content) => ({ type: 'token', data: { content } }));
        const body = legacy(...tokens, { type: 'dataframe_data', data: table }, { type: 'done' });
        const { chat } = makeChat([stream(body)], { protocol: 'auto' });
        await chat.send('Hi');
        expect(lines(chat).at(-1)).to.equal('assistant complete: abcd | data');
        expect(chat.store.state.protocol).to.equal('agent-session');
      },
    ],
    [
      'tokens without metadata in a later reply appear as they arrive',
      async () => {
        let open: ReadableStreamDefaultController<Uint8Array> | undefined;
        const later = new ReadableStream<Uint8Array>({ start: (controller) => void (open = controller) });
        const push = (...events: readonly object[]) => open?.enqueue(new TextEncoder().encode(legacy(...events)));
        const headers = { 'content-type': 'text/event-stream' };
        const { chat } = makeChat(
          [
            stream(legacy({ type: 'dataframe_data', data: table }, { type: 'done' })),
            () => new Response(later, { headers }),
          ],
          { protocol: 'auto' },
        );
        await chat.send('Hi');
        const reply = chat.send('And?');
        push({ type: 'token', data: { content: 'a' } });
        await until(chat, () => lines(chat).at(-1)?.endsWith(': a') === true);
        push({ type: 'token', data: { content: 'b' } }, { type: 'done' });
        expect([(await reply).status, lines(chat).at(-1)]).to.deep.equal(['complete', 'assistant complete: ab']);
      },
    ],
    [
      'a tool call without an id',
      async () => {
        const body = legacy(
          { type: 'tool_call', data: { tool_name: 'f', arguments: {} } },
          { type: 'tool_result', data: { result: 'r' } },
          { type: 'done' },
        );
        expect(await blocksOf(agentSession, body)).to.have.length(1);
      },
    ],
  ],
]);
