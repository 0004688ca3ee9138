/**
 * The source document on the streaming protocol of sessions, in its order. Its page: `docs/protocols/agent-session.md`.
 *
 * Counted field by field, the document has 150 things. 89 test cases existed; the others are the required and optional
 * fields of each event, values of other types, every method of the `StreamingEngine`, and the rest of the state.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { StreamingEngine } from '../../backends/session-events/streaming-engine.ts';
import { adapter as agentSession } from '../../src/protocols/agent-session/agent-session.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { replyOutcome } from '../../src/model/reply-outcome.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { find, has, inside, mount, wordsOf } from '../components/support/mount.ts';
import { lines, makeChat, until } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';
import { showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
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
/** An engine with a fixed clock, its frames and its log. */
function emitting() {
  const frames: string[] = [];
  const logged: string[] = [];
  const engine = new StreamingEngine('req_4', {
    send: (frame) => frames.push(frame) > 0,
    log: ({ type }) => logged.push(type),
    now: () => 1_767_225_600_000,
  });
  return { engine, frames, logged };
}
/** A session: each event has the next number. */
function session(make: () => readonly object[], status = 'completed', summary?: object): string {
  sequence = 0;
  const start = event('session_start', { session_id: 'sess_9', request_id: 'req_4' });
  return sse(start, ...make(), event('session_end', { status, ...(summary && { summary }) }));
}
const gives = (says: string, make: () => readonly object[], ...blocks: readonly ExpectedFields[]): Thing => [
  says,
  async () => {
    expect(await blocksOf(agentSession, session(make))).to.deep.equal(blocks);
  },
];
const message = async (make: () => readonly object[], status?: string, summary?: object): Promise<ExpectedFields> =>
  (await messagesOf(agentSession, session(make, status, summary)))[0] ?? {};
const metadataOf = async (...given: Parameters<typeof message>): Promise<ExpectedFields> =>
  (await message(...given))['metadata'] as ExpectedFields;

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
const tool = (more: ExpectedFields = {}, details: ExpectedFields = {}): ExpectedFields =>
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
const payload = (data_type: string, value: unknown): ExpectedFields => ({
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

walkDocument('the document on the session protocol', 150, [
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
    ...(
      [
        ['thinking', { stage: 'planning' }],
        ['tool_call_start', { tool_id: 't' }],
        ['content', { format: 'text' }],
        ['data', { data: {} }],
        ['error', { error_type: 'system' }],
      ] as const
    ).map(([type, incomplete]): Thing => [
      `${type} without its required field is reported, and the rest is read`,
      async () => {
        const body = session(() => [event(type, incomplete), event('content', { content: 'a' })]);
        expect(await warningsAbout(agentSession, body)).to.deep.equal(['malformed']);
        expect(await blocksOf(agentSession, body)).to.deep.equal([text('a')]);
      },
    ]),
    [
      'session_start without ids, and session_end without status and summary',
      async () => {
        sequence = 0;
        const [only] = await messagesOf(
          agentSession,
          sse(event('session_start', {}), event('content', { content: 'a' }), event('session_end', {})),
        );
        expect(only).to.deep.include({ status: 'complete', blocks: [text('a')] });
      },
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
      'sequence begins with 0, and a server that begins with 1 is read too',
      async () => {
        sequence = 1;
        const events = [
          event('session_start', { session_id: 's', request_id: 'r' }),
          event('content', { content: 'a' }),
          event('session_end', { status: 'completed' }),
        ];
        expect(await blocksOf(agentSession, sse(...events))).to.deep.equal([text('a')]);
      },
    ],
    [
      'the events of another request have numbers of their own',
      async () => {
        sequence = 0;
        const main = [
          event('session_start', { session_id: 's', request_id: 'req_4' }),
          event('content', { content: 'a' }),
        ];
        const after = [event('content', { content: 'd' }), event('session_end', { status: 'completed' })];
        const inner = ['b', 'c'].map((content, index) =>
          event('content', { content }, { request_id: 'req_5', sequence: index }),
        );
        expect(await blocksOf(agentSession, sse(...main, ...inner, ...after))).to.deep.equal([text('abcd')]);
      },
    ],
    ...(['completed', 'error'] as const).map((status): Thing => [
      `a session within the session that ends as ${status} does not end it`,
      async () => {
        sequence = 0;
        const start = { type: 'session_start', data: { session_id: 'sess_9', request_id: 'req_4' } };
        const inner = { type: 'session_start', data: { session_id: 'sess_10', request_id: 'req_5' } };
        const at = (number: number) => ({ request_id: 'req_5', sequence: number });
        const body = sse(
          { ...start, metadata: { timestamp: 1_767_225_600, sequence: sequence++ } },
          event('content', { content: 'a' }),
          { ...inner, metadata: { timestamp: 1_767_225_601, sequence: 0 } },
          event('thinking', { content: 'b' }, at(1)),
          event('session_end', { status }, at(2)),
          event('content', { content: 'c' }, { sequence: 2 }),
          event('session_end', { status: 'completed' }, { sequence: 3 }),
        );
        const [only] = await messagesOf(agentSession, body);
        expect(only).to.deep.include({ status: 'complete', blocks: [text('a'), thought('b'), text('c')] });
        expect(only?.['metadata']).to.deep.include({ sessionId: 'sess_9', requestId: 'req_4' });
      },
    ]),
    [
      'a session that begins again with another request ends with that one',
      async () => {
        sequence = 0;
        const body = sse(
          event('session_start', { session_id: 's', request_id: 'req_4' }),
          event('error', { error_type: 'timeout', message: 'Slow', recoverable: true }),
          event('session_start', { session_id: 's', request_id: 'req_5' }, { request_id: 'req_5', sequence: 0 }),
          event('content', { content: 'a' }, { request_id: 'req_5', sequence: 1 }),
          event('session_end', { status: 'completed' }, { request_id: 'req_5', sequence: 2 }),
        );
        expect((await messagesOf(agentSession, body))[0]?.['status']).to.equal('complete');
      },
    ],
    [
      'ids of sessions may be numbers, and are sent back as they are',
      async () => {
        sequence = 0;
        const body = sse(event('session_start', { session_id: 7, request_id: 8 }), event('session_end', {}));
        const [only] = await messagesOf(agentSession, body);
        expect(only?.['metadata']).to.deep.include({ sessionId: 7, requestId: '8' });
        const sent = await requestBody(agentSession, [
          { role: 'user', text: 'a' },
          { role: 'assistant', text: 'b', metadata: { sessionId: 7 } },
        ]);
        expect(sent['session_id']).to.equal(7);
      },
    ],
    ...[{ request_id: 5, timestamp: '2026-01-01T00:00:00Z' }, { timestamp: null, sequence: '1' }, 'none', null].map(
      (metadata): Thing => [
        `metadata ${JSON.stringify(metadata)} hides no text`,
        async () => {
          const start = event('session_start', { session_id: 's', request_id: 'req_4' }, { sequence: 0 });
          const said = { type: 'content', data: { content: 'a' }, metadata };
          const end = { type: 'session_end', data: { status: 'completed' }, metadata };
          const body = sse(start, said, end);
          expect(await blocksOf(agentSession, body)).to.deep.equal([text('a')]);
          expect(await warningsAbout(agentSession, body)).to.deep.equal([]);
        },
      ],
    ),
    [
      'an event without sequence applies where it is',
      async () => {
        sequence = 0;
        const plain = { type: 'content', data: { content: 'a' }, metadata: { request_id: 'r', timestamp: 1 } };
        const start = event('session_start', { session_id: 's', request_id: 'r' });
        expect(
          await blocksOf(agentSession, sse(start, plain, event('session_end', { status: 'completed' }))),
        ).to.deep.equal([text('a')]);
      },
    ],
    [
      'a number that never comes does not hold the rest back for ever',
      async () => {
        sequence = 0;
        const events = [
          event('session_start', { session_id: 's', request_id: 'r' }),
          event('content', { content: 'lost' }),
          event('content', { content: 'a' }),
          event('session_end', { status: 'completed' }),
        ];
        expect(await blocksOf(agentSession, sse(...events.filter((_one, index) => index !== 1)))).to.deep.equal([
          text('a'),
        ]);
      },
    ],
    [
      'timestamp in milliseconds',
      async () => {
        sequence = 0;
        const at = (time: number) => ({ timestamp: time });
        const [only] = await messagesOf(
          agentSession,
          sse(
            event('session_start', { session_id: 's' }, at(1_767_225_600_500)),
            event('content', { content: 'a' }),
            event('session_end', { status: 'completed' }, at(1_767_225_601_000)),
          ),
        );
        expect(only?.['metadata']).to.deep.include({ startTime: 1_767_225_600_500, endTime: 1_767_225_601_000 });
      },
      'the document has seconds; thirteen digits can only be milliseconds',
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
    gives(
      'each stage is reasoning of its own; fragments of one stage are joined',
      () => [
        event('thinking', { content: 'First ', stage: 'reasoning' }),
        event('thinking', { content: 'the days.', stage: 'reasoning' }),
        event('thinking', { content: 'Then', stage: 'planning' }),
        event('thinking', { content: ' the rest.' }),
      ],
      thought('First the days.', { extra: { stage: 'reasoning' } }),
      thought('Then the rest.', { extra: { stage: 'planning' } }),
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
        const line = await inside(chat, '.thinking .fold');
        expect(wordsIn(line)).to.equal(`Thought for 4 s · ${words}`);
        chat.renderRoot.querySelector<HTMLElement>('.activity > summary')?.click();
        await waitUntil(() => line.checkVisibility(), 'the stage is visible with its text');
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
    gives(
      'a tool_id that is a number',
      () => [
        event('tool_call_start', { tool_id: 7, tool_name: 'f', arguments: {} }),
        event('tool_call_end', { tool_id: 7, status: 'success', result: 'r' }),
      ],
      call('7', 'f', { params: '{}', response: 'r' }),
    ),
    gives(
      'without a description and arguments',
      () => [event('tool_call_start', { tool_id: 'tool_3', tool_name: 'display_table' }), finish({})],
      call('tool_3', 'display_table'),
    ),
    gives(
      'arguments of any depth',
      () => [
        event('tool_call_start', { tool_id: 'tool_3', tool_name: 'f', arguments: { a: { b: [1, 'x', true] } } }),
        finish({}),
      ],
      call('tool_3', 'f', { params: '{"a":{"b":[1,"x",true]}}' }),
    ),
    gives(
      'two calls, which end in the other order',
      () => [
        event('tool_call_start', { tool_id: 'one', tool_name: 'f', arguments: {} }),
        event('tool_call_start', { tool_id: 'two', tool_name: 'g', arguments: {} }),
        event('tool_call_end', { tool_id: 'two', status: 'success', result: 'second' }),
        event('tool_call_end', { tool_id: 'one', status: 'success', result: 'first' }),
      ],
      call('one', 'f', { params: '{}', response: 'first' }),
      call('two', 'g', { params: '{}', response: 'second' }),
    ),
    ...(
      [
        ['a text', 'Two rows', 'Two rows'],
        ['a list', [1, 2], '[1,2]'],
        ['a number', 7, '7'],
        ['a flag', false, 'false'],
      ] as const
    ).map(([kind, result, response]) =>
      gives(`a result may be ${kind}`, () => [begin(), finish({ result })], tool({ response })),
    ),
    gives('a result that is null is none', () => [begin(), finish({ result: null })], tool()),
    gives(
      'an error without a code',
      () => [begin(), finish({ status: 'failed', error: { message: 'Locked' } })],
      tool({ response: 'Locked' }, { status: 'error', error: { message: 'Locked' } }),
    ),
    gives(
      'an error with a code alone',
      () => [begin(), finish({ status: 'failed', error: { code: 'TABLE_LOCKED' } })],
      tool({ response: 'TABLE_LOCKED' }, { status: 'error', error: { message: 'TABLE_LOCKED', code: 'TABLE_LOCKED' } }),
    ),
    gives(
      'an error as a text',
      () => [begin(), finish({ status: 'failed', error: 'Locked' })],
      tool({ response: 'Locked' }, { status: 'error', error: { message: 'Locked' } }),
    ),
    gives('a failure without an error', () => [begin(), finish({ status: 'failed' })], tool({}, { status: 'error' })),
    [
      'the message and the code of a failed call are shown',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'error',
          error: { message: 'The table is locked', code: 'TABLE_LOCKED' },
          tool_call: { id: 't', name: 'f', response: 'The table is locked' },
        });
        const step = element.closest('.step') ?? element;
        for (const details of step.querySelectorAll('details')) details.open = true;
        expect(wordsIn(step)).to.contain('The table is locked').and.contain('TABLE_LOCKED');
      },
    ],
    [
      'progress and its message are shown in the row of the tool',
      async () => {
        const chat = await showBlocks(
          [
            {
              type: 'tool_call',
              status: 'loading',
              progress: { value: 0.25, message: 'Reading page 2' },
              tool_call: { id: 't', name: 'f' },
            },
          ],
          { message: { status: 'streaming' } },
        );
        await waitUntil(() => wordsOf(chat).includes('Reading page 2'), 'the message comes', { timeout: 10_000 });
        const bar = chat.renderRoot.querySelector(
          '[part="transcript"] progress, [part="transcript"] [role="progressbar"]',
        );
        expect(bar).to.not.equal(null);
      },
    ],
    [
      'progress without a message, and a message without progress',
      async () => {
        sequence = 0;
        const start = event('session_start', { session_id: 's', request_id: 'r' });
        const step = (more: object) => event('tool_call_progress', { tool_id: 'tool_3', ...more });
        const [block] = await blocksOf(
          agentSession,
          sse(start, begin(), step({ progress: 0.5 }), step({ message: 'On' })),
        );
        expect(block?.['progress']).to.deep.include({ message: 'On' });
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
      'an unknown format is read as markdown: the text must not be lost',
      () => [event('content', { content: 'a', format: 'rtf' })],
      text('a', { format: 'markdown' }),
    ),
    [
      'another format begins another block',
      async () =>
        expect(
          await blocksOf(
            agentSession,
            session(() => [
              event('content', { content: 'a', format: 'text' }),
              event('content', { content: '<b>b</b>', format: 'html' }),
            ]),
          ),
        ).to.deep.equal([text('a', { format: 'text' }), text('<b>b</b>', { format: 'html' })]),
    ],
    [
      'text is shown as it is, markdown is rendered',
      async () => {
        const chat = await showBlocks([
          { type: 'content', content: '**a**', format: 'text' },
          { type: 'content', content: '**b**', format: 'markdown' },
        ]);
        await waitUntil(() => has(chat, 'strong'), 'the bold word comes', { timeout: 10_000 });
        expect([...chat.renderRoot.querySelectorAll('strong')].map(wordsIn)).to.deep.equal(['b']);
        expect(wordsOf(chat)).to.contain('**a**');
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
    [
      'a dataframe has the name of its data as caption where it has no description',
      async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: 'dataframe', data: table } });
        await waitUntil(() => element.querySelector('td') !== null, 'the table comes', { timeout: 10_000 });
        expect(wordsIn(element)).to.contain('Visitors');
        expect([...element.querySelectorAll('th')].map(wordsIn).join(' '))
          .to.contain('Day')
          .and.contain('Count');
      },
    ],
    [
      'rows may be objects by the names of the columns',
      async () => {
        const rows = [{ Count: 8, Day: 'Monday' }];
        const { element } = await showBlock({
          type: 'data',
          data: { data_type: 'dataframe', data: { ...table, rows } },
        });
        await waitUntil(() => element.querySelector('td') !== null, 'the table comes', { timeout: 10_000 });
        expect([...element.querySelectorAll('td')].map(wordsIn)).to.deep.equal(['Monday', '8']);
      },
    ],
    ...['NaN', 'Infinity', '-Infinity'].map((value): Thing => [
      `${value}, as Python writes a number that is missing, does not lose the table`,
      async () => {
        const rows = [
          ['a "NaN", NaN\\', 'x'],
          ['b', null],
        ];
        const frames = session(() => [data('dataframe', { ...table, rows })]);
        const body = frames.replace('null', value);
        expect(body).not.to.equal(frames);
        expect(await warningsAbout(agentSession, body)).to.deep.equal([]);
        expect(await blocksOf(agentSession, body)).to.deep.equal([payload('dataframe', { ...table, rows })]);
      },
    ]),
    gives('data without metadata', () => [event('data', { data_type: 'custom', data: 'x' })], {
      type: 'data',
      data: { data_type: 'custom', data: 'x' },
    }),
    gives('an unknown data_type is custom data for a renderer of that type', () => [data('matrix', [[1]])], {
      type: 'data',
      data: { data_type: 'custom', data: [[1]], metadata: { description: 'Two days', dataType: 'matrix' } },
    }),
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
      'custom data of name, columns and rows is a table too; with fields of its own it is shown in full',
      async () => {
        const showsTable = async (more: object) => {
          const { element } = await showBlock({
            type: 'data',
            data: { data_type: 'custom', data: { ...table, ...more } },
          });
          await waitUntil(() => wordsIn(element).includes('Tuesday'), 'the data comes', { timeout: 10_000 });
          return element.querySelector('table') !== null;
        };
        expect([await showsTable({}), await showsTable({ total: 19 })]).to.deep.equal([true, false]);
      },
    ],
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
        expect((blocks as readonly ExpectedFields[])[0]?.['extra']).to.deep.include({ error_type });
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
      'details are in the event for the page',
      async () => {
        const { chat, agent } = await mount();
        const heard: unknown[] = [];
        chat.addEventListener('agent-chat-event', ({ detail }) => heard.push(detail.event));
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.say(
          { type: 'error', data: { error_type: 'system', message: 'No', details: { stack_trace: 'line 3' } } },
          { type: 'session_end', data: { status: 'error' } },
        );
        agent.hangUp();
        await sent;
        expect(JSON.stringify(heard)).to.contain('line 3');
        expect(wordsOf(chat)).not.to.contain('line 3');
      },
    ],
    [
      'an error is not recoverable by default, and offers no second try',
      async () => {
        const { element } = await showBlock({
          type: 'error',
          status: 'error',
          content: 'No',
          extra: { recoverable: false },
        });
        expect(element.querySelector('button')).to.equal(null);
      },
    ],
    [
      'after an error that is not recoverable, the status of session_end decides',
      async () => {
        const { status, blocks } = await message(() => [
          event('error', { error_type: 'system', message: 'No' }),
          event('content', { content: 'a' }),
        ]);
        expect([status, (blocks as readonly ExpectedFields[])[0]?.['content']]).to.deep.equal(['complete', 'No']);
      },
      'a server that says completed is believed, and the error stays visible',
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
      'after a recoverable error that the agent has overcome, there is nothing to try again',
      async () => {
        const chat = await showBlocks([
          { type: 'error', status: 'error', content: 'Busy', extra: { recoverable: true } },
          { type: 'content', content: 'Here it is' },
        ]);
        expect((await inside(chat, '[part~="block-error"]')).querySelector('button')).to.equal(null);
      },
    ],
    [
      'after a recoverable error the answer continues',
      async () => {
        const { blocks, status } = await message(() => [
          event('error', { error_type: 'timeout', message: 'Slow', recoverable: true }),
          event('content', { content: 'a' }),
        ]);
        expect([(blocks as readonly ExpectedFields[]).at(-1), status]).to.deep.equal([text('a'), 'complete']);
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
        expect([status, (metadata as ExpectedFields)['summary']]).to.deep.equal(['complete', { duration_ms: 3 }]);
      },
    ],
    [
      'an unknown status ends the answer as complete',
      async () =>
        expect((await message(() => [event('content', { content: 'a' })], 'finished'))['status']).to.equal('complete'),
    ],
    ...(['total_tokens', 'duration_ms', 'tool_calls'] as const).map((name): Thing => [
      `a summary with ${name} alone`,
      async () => {
        const summary = (await metadataOf(() => [event('content', { content: 'a' })], 'completed', { [name]: 3 }))[
          'summary'
        ];
        expect(summary).to.deep.equal({ [name]: 3 });
      },
    ]),
    [
      'summary: total_tokens are counted',
      async () => {
        const { usage } = await message(() => [event('content', { content: 'a' })], 'completed', {
          total_tokens: 1500,
          duration_ms: 3000,
          tool_calls: 3,
        });
        expect((usage as ExpectedFields)['total_tokens']).to.equal(1500);
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
    ...(
      [
        ['error', 'error'],
        ['cancelled', 'cancel'],
      ] as const
    ).map(([status, expected]): Thing => [
      `a call that is still open when the session ends as ${status} ends with it`,
      async () => {
        const { blocks } = await message(() => [begin()], status);
        expect((blocks as readonly ExpectedFields[])[0]?.['status']).to.equal(expected);
      },
    ]),
    gives(
      'a call whose end never came has not failed, since the session is completed',
      () => [
        begin(),
        event('tool_call_start', { tool_id: 'two', tool_name: 'g', arguments: {} }),
        finish({ status: 'failed' }),
        event('content', { content: 'a' }),
      ],
      tool({}, { status: 'error' }),
      call('two', 'g', { params: '{}' }),
      text('a'),
    ),
    [
      'an older call without an id has not failed either',
      async () => {
        const called = { type: 'tool_call', data: { tool_name: 'f', arguments: {} } };
        const all = await blocksOf(agentSession, sse(called, { type: 'done', data: {} }));
        expect(all.map(({ status }) => status)).to.deep.equal([undefined]);
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
    'StreamingEngine',
    ...(
      [
        ['emit_session_start', (engine) => engine.emitSessionStart('sess_9'), []],
        ['emit_thinking', (engine) => engine.emitThinking('Hm'), [thought('Hm')]],
        [
          'emit_thinking with a stage',
          (engine) => engine.emitThinking('Hm', 'planning'),
          [thought('Hm', { extra: { stage: 'planning' } })],
        ],
        [
          'emit_tool_call_start',
          (engine) => engine.emitToolCallStart('tool_3', 'display_table', 'Show visitors', args),
          [tool()],
        ],
        ['emit_content', (engine) => engine.emitContent('a'), [text('a', { format: 'markdown' })]],
        [
          'emit_content with a format',
          (engine) => engine.emitContent('a', 'text', true),
          [text('a', { format: 'text' })],
        ],
        [
          'emit_data',
          (engine) => engine.emitData('dataframe', table, { description: 'Two days' }),
          [payload('dataframe', table)],
        ],
        [
          'emit_error',
          (engine) => engine.emitError('timeout', 'Slow', { context: {} }, true),
          [failure('Slow', { error_type: 'timeout', recoverable: true })],
        ],
      ] as readonly (readonly [string, (engine: StreamingEngine) => Promise<string>, readonly ExpectedFields[]])[]
    ).map(([name, emit, expected]): Thing => [
      `${name} is read by the widget`,
      async () => {
        const { engine, frames } = emitting();
        if (name !== 'emit_session_start') await engine.emitSessionStart('sess_9');
        await emit(engine);
        await engine.emitSessionEnd('completed');
        expect(await blocksOf(agentSession, frames.join(''))).to.deep.equal(expected);
      },
    ]),
    [
      'emit_tool_call_end with result, error and duration',
      async () => {
        const { engine, frames } = emitting();
        await engine.emitSessionStart('sess_9');
        await engine.emitToolCallStart('one', 'f', 'First', {});
        await engine.emitToolCallEnd('one', 'success', { result: { rows: 2 } }, 150);
        await engine.emitToolCallStart('two', 'g', 'Second', {});
        await engine.emitToolCallEnd('two', 'failed', { error: { message: 'Locked', code: 'L' } });
        await engine.emitSessionEnd('completed');
        expect(await blocksOf(agentSession, frames.join(''))).to.deep.equal([
          call('one', 'f', { params: '{}', response: '{"rows":2}' }, { description: 'First', duration: 150 }),
          call(
            'two',
            'g',
            { params: '{}', response: 'Locked' },
            { description: 'Second', status: 'error', error: { message: 'Locked', code: 'L' } },
          ),
        ]);
      },
    ],
    [
      'emit_session_end with a summary',
      async () => {
        const { engine, frames } = emitting();
        await engine.emitSessionStart('sess_9');
        await engine.emitSessionEnd('completed', { total_tokens: 1500, duration_ms: 3000, tool_calls: 3 });
        const [only] = await messagesOf(agentSession, frames.join(''));
        expect((only?.['metadata'] as ExpectedFields)['summary']).to.deep.equal({
          total_tokens: 1500,
          duration_ms: 3000,
          tool_calls: 3,
        });
      },
    ],
    [
      'it adds metadata, time and number',
      async () => {
        const { engine } = emitting();
        await engine.emitSessionStart('sess_9');
        await engine.emitContent('a');
        expect(engine.log.map(({ metadata }) => metadata)).to.deep.equal([
          { timestamp: 1_767_225_600, sequence: 0 },
          { request_id: 'req_4', timestamp: 1_767_225_600, sequence: 1 },
        ]);
      },
    ],
    [
      'it validates types and data',
      async () => {
        const { engine, frames } = emitting();
        await engine.emitSessionStart('sess_9');
        const problem = await engine.emitThinking(undefined as never).catch((error: unknown) => error);
        expect(problem)
          .to.be.instanceOf(TypeError)
          .with.property('message')
          .that.contains('content')
          .and.contains('missing');
        expect(frames, 'nothing is sent').to.have.length(1);
      },
    ],
    [
      'it keeps a log of all events',
      async () => {
        const { engine, logged } = emitting();
        await engine.emitSessionStart('sess_9');
        await engine.emitSessionEnd('completed');
        expect(logged).to.deep.equal(['session_start', 'session_end']);
        expect(engine.log.map(({ type }) => type)).to.deep.equal(logged);
      },
    ],
    [
      'it survives a client that is gone',
      async () => {
        const engine = new StreamingEngine('req_4', { send: () => Promise.reject(new Error('gone')) });
        expect([await engine.emitSessionStart('sess_9'), engine.closed, await engine.emitContent('a')]).to.deep.equal([
          '',
          true,
          '',
        ]);
      },
    ],
  ],
  [
    'the state of a message',
    ...(
      [
        [
          'thinkingContent',
          (blocks: readonly ExpectedFields[]) =>
            blocks
              .filter(({ type }) => type === 'reasoning_content')
              .map(({ content }) => content)
              .join(''),
          'Hm',
        ],
        [
          'mainContent',
          (blocks: readonly ExpectedFields[]) =>
            blocks
              .filter(({ type }) => type === 'content')
              .map(({ content }) => content)
              .join(''),
          'Two',
        ],
        [
          'toolCalls',
          (blocks: readonly ExpectedFields[]) => blocks.filter(({ type }) => type === 'tool_call').length,
          1,
        ],
        ['dataBlocks', (blocks: readonly ExpectedFields[]) => blocks.filter(({ type }) => type === 'data').length, 1],
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
        expect(read(blocks as readonly ExpectedFields[])).to.equal(expected);
      },
    ]),
    [
      'messageId and role of a message',
      async () => {
        const { chat } = makeChat([stream(session(() => [event('content', { content: 'a' })]))]);
        await chat.send('Hi');
        const ids = chat.messages.map(({ id }) => id);
        expect([chat.messages.map(({ role }) => role), new Set(ids).size]).to.deep.equal([['user', 'assistant'], 2]);
      },
    ],
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
        expect([status, (blocks as readonly ExpectedFields[])[0]?.['content']]).to.deep.equal(['error', 'No']);
      },
    ],
    [
      'requestId, startTime and endTime are metadata',
      async () => {
        expect(await metadataOf(() => [])).to.have.all.keys('sessionId', 'requestId', 'startTime', 'endTime');
      },
      'the id and the start are those of `session_start`: replies of older servers, without it, have none',
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
      'the current tool is shown while it runs',
      async () => {
        const { chat, agent } = await mount();
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.say({ type: 'tool_call_start', data: { tool_id: 't', tool_name: 'f', description: 'Show visitors' } });
        await waitUntil(() => wordsOf(chat).includes('Show visitors'), 'the tool comes', { timeout: 10_000 });
        agent.end();
        await sent;
      },
    ],
    [
      'every event is in a log for the page',
      async () => {
        const { chat, agent } = await mount();
        let heard = 0;
        chat.addEventListener('agent-chat-event', () => heard++);
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.say(
          { type: 'thinking', data: { content: 'Hm' } },
          { type: 'error', data: { error_type: 'timeout', message: 'Slow', recoverable: true } },
        );
        agent.end('a');
        await sent;
        expect(heard).to.be.at.least(4);
      },
    ],
    [
      'a failed answer can be tried again',
      async () => {
        const { chat, agent } = await mount();
        const sent = chat.send('Hi');
        await agent.heard(1);
        agent.say(
          { type: 'error', data: { error_type: 'timeout', message: 'Slow', recoverable: true } },
          { type: 'session_end', data: { status: 'error' } },
        );
        agent.hangUp();
        await sent;
        (await inside<HTMLButtonElement>(chat, '[part~="block-error"] button')).click();
        await agent.heard(2);
        agent.end('a');
        await waitUntil(() => chat.messages.at(-1)?.status === 'complete', 'the second try ends', { timeout: 10_000 });
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
    ...(
      [
        ['the text after the last tool', 'It is 42. Sure.', 'It is 42. Sure.'],
        ['the complete text', 'Let me see. It is 42. Sure.', 'It is 42. Sure.'],
        ['the last sentence', 'Sure.', 'It is 42. Sure.'],
        ['nothing', 'Ask again.', 'It is 42. Sure.\n\nAsk again.'],
      ] as const
    ).map(([repeated, content, shown]): Thing => [
      `final_answer that repeats ${repeated}`,
      async () => {
        const body = legacy(
          { type: 'token', data: { content: 'Let me see. ' } },
          { type: 'tool_call', data: { tool_id: 't', tool_name: 'f', arguments: {} } },
          { type: 'tool_result', data: { tool_id: 't' } },
          { type: 'token', data: { content: 'It is 42. Sure.' } },
          { type: 'final_answer', data: { content } },
          { type: 'done' },
        );
        const all = await blocksOf(agentSession, body);
        expect(all.flatMap((block) => block['content'] ?? [])).to.deep.equal(['Let me see. ', shown]);
      },
    ]),
    [
      'dataframe_data → data',
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'dataframe_data', data: table }, { type: 'done' })),
        ).to.deep.equal([{ type: 'data', data: { data_type: 'dataframe', data: table } }]),
    ],
    ...(
      [
        ['beside the type', { ...table }, table],
        ['as a list of rows', { data: [{ Day: 'Monday' }] }, [{ Day: 'Monday' }]],
        ['as JSON', { data: JSON.stringify(table) }, table],
        ['in the data of its data', { data: { data: table } }, table],
        ['with its type', { data: { data_type: 'dataframe', data: table } }, table],
      ] as const
    ).map(([says, fields, expected]): Thing => [
      `dataframe_data with its table ${says}`,
      async () =>
        expect(
          await blocksOf(agentSession, legacy({ type: 'dataframe_data', ...fields }, { type: 'done' })),
        ).to.deep.equal([{ type: 'data', data: { data_type: 'dataframe', data: expected } }]),
    ]),
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
      'error, then a done without a status, has failed',
      async () =>
        expect(
          (
            await messagesOf(
              agentSession,
              legacy({ type: 'error', data: { message: 'No' } }, { type: 'done', data: {} }),
            )
          )[0]?.['status'],
        ).to.equal('error'),
    ],
    [
      'tool_result without a status is a success, with an error a failure',
      async () => {
        const called = { type: 'tool_call', data: { tool_id: 't', tool_name: 'f', arguments: {} } };
        const status = async (result: object) =>
          (
            await blocksOf(
              agentSession,
              legacy(called, { type: 'tool_result', data: { tool_id: 't', ...result } }, { type: 'done' }),
            )
          )[0]?.['status'];
        expect([await status({ result: 'r' }), await status({ error: 'Locked' })]).to.deep.equal([undefined, 'error']);
      },
    ],
    [
      'fields beside the type instead of in data',
      async () =>
        expect(await blocksOf(agentSession, legacy({ type: 'token', content: 'a' }, { type: 'done' }))).to.deep.equal([
          text('a'),
        ]),
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
    ...(
      [
        ['with the names of their tools', { tool_name: 'f' }, { tool_name: 'g' }],
        ['in the order of the calls', {}, {}],
      ] as const
    ).map(([says, first, second]): Thing => [
      `two calls without ids get their results ${says}`,
      async () => {
        const calls = ['f', 'g'].map((tool_name) => ({ type: 'tool_call', data: { tool_name, arguments: {} } }));
        const results = [
          { type: 'tool_result', data: { ...first, result: 'of f' } },
          { type: 'tool_result', data: { ...second, result: 'of g' } },
        ];
        for (const all of says === 'in the order of the calls' ? [results] : [results, results.toReversed()]) {
          const blocks = await blocksOf(agentSession, legacy(...calls, ...all, { type: 'done' }));
          const shown = blocks.map(({ tool_call }) => [
            (tool_call as ExpectedFields)['name'],
            (tool_call as ExpectedFields)['response'],
          ]);
          expect(shown).to.deep.equal([
            ['f', 'of f'],
            ['g', 'of g'],
          ]);
        }
      },
    ]),
    [
      'of two calls without ids, the one without a result has not failed',
      async () => {
        const calls = ['f', 'g'].map((tool_name) => ({ type: 'tool_call', data: { tool_name, arguments: {} } }));
        const body = legacy(...calls, { type: 'tool_result', data: { result: 'r' } }, { type: 'done' });
        expect((await blocksOf(agentSession, body)).map(({ status }) => status)).to.deep.equal([undefined, undefined]);
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
