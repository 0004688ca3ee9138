/**
 * The source document on streams of `{type, phase, data}`, in its order. Its page: `docs/protocols/agent-phase.md`.
 *
 * Counted field by field, the document has 107 things. 54 test cases existed; the others are the fields of each event,
 * calls of one tool side by side, citations that repeat, the ends of a reply, and the words of each phase.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { adapter as agentPhase } from '../../src/protocols/agent-phase.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { has, inside, mount, next, wordsOf } from '../components/support/mount.ts';
import { showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { ndjson, playBody } from '../support/play-body.ts';
import { messagesOf, requestBody, walkDocument, warningsAbout, type Thing } from './support/walk.ts';
import { makeChat } from '../runtime/support/make-chat.ts';
import { stream } from '../runtime/support/scripted-server.ts';

const event = (type: string, phase: string, data: object) => ({ type, phase, data });
const change = (phase: string, message: string) => event('phase_change', phase, { message });
const say = (content: string) => event('text', 'generating', { content });
const begin = event('tool_start', 'tool_calling', {
  toolName: 'read_notes',
  toolDescription: 'Read the notes',
  params: { since: 1_736_380_800_000, limit: 40 },
});
const finish = (more: object) =>
  event('tool_end', 'tool_calling', { toolName: 'read_notes', success: true, summary: '40 notes read', ...more });
const cited = {
  messageId: '77',
  content: 'the lift is slow',
  senderName: 'Ines',
  senderId: 'u5',
  timestamp: 1_736_985_600_000,
  chatId: '200',
};
const cite = (more: object = {}) => event('citation', 'generating', { ...cited, ...more });
const done = event('done', 'completed', { finishReason: 'stop', stats: { totalTokens: 640, iterations: 2 } });

/** Without the steps, which the first section is about. */
const withoutSteps = (blocks: readonly ExpectedFields[]): readonly ExpectedFields[] =>
  blocks.filter(({ type }) => type !== 'status');
const message = async (...events: readonly object[]): Promise<ExpectedFields> =>
  (await messagesOf(agentPhase, ndjson(...events)))[0] ?? {};
const blocks = async (...events: readonly object[]): Promise<readonly ExpectedFields[]> =>
  withoutSteps((await message(...events))['blocks'] as readonly ExpectedFields[]);
const gives = (says: string, events: readonly object[], ...expected: readonly ExpectedFields[]): Thing => [
  says,
  async () => expect(await blocks(...events, done)).to.deep.equal(expected),
];
const stepsOf = async (...events: readonly object[]): Promise<unknown> => {
  const all = (await message(...events))['blocks'] as readonly ExpectedFields[];
  return (all.find(({ type }) => type === 'status')?.['extra'] as ExpectedFields | undefined)?.['steps'];
};
const plain = (content: string, more: ExpectedFields = {}): ExpectedFields =>
  text(content, { format: 'text', ...more });
const tool = (more: ExpectedFields = {}, details: ExpectedFields = {}): ExpectedFields =>
  call(
    'new1',
    'read_notes',
    { params: '{"since":1736380800000,"limit":40}', ...more },
    { description: 'Read the notes', ...details },
  );
const optionsOf = async (
  ...given: Parameters<typeof requestBody> extends readonly [unknown, unknown, ...infer Rest] ? Rest : never
): Promise<unknown> => (await requestBody(agentPhase, [{ role: 'user', text: 'Hi' }], ...given))['options'];

/** A widget that has received these events. */
async function shown(...events: readonly object[]) {
  const { chat } = await mount({
    protocol: 'agent-phase',
    fetch: () => Promise.resolve(new Response(ndjson(...events), { headers: { 'content-type': 'text/event-stream' } })),
  });
  await chat.send('Hi');
  await inside(chat, '[part~="block-content"]');
  return chat;
}
const steps = (...names: readonly string[]): ExpectedFields => ({
  type: 'status',
  status: 'success',
  phase: names.at(-1) ?? '',
  extra: { steps: names.map((phase) => ({ phase, start: 1 })) },
});

/** The flow of the document: phases, a tool, text with citations of which one does not occur in it. */
const flow = [
  change('thinking', 'Analysing the question'),
  change('tool_calling', 'Getting data'),
  begin,
  finish({}),
  change('generating', 'Putting the answer together'),
  say('Reported this week:\n\n'),
  say('Ines says the lift is slow'),
  cite(),
  say(', most of all in the morning'),
  cite({ messageId: '78', content: 'worst at eight' }),
  say('.\n\n'),
  done,
];

walkDocument('the document on phase events', 107, [
  [
    'the request',
    [
      'headers user-id and device-id come from the page',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], {
          protocol: 'agent-phase',
          headers: { 'user-id': '7', 'device-id': 'web_1' },
        });
        await chat.send('Hi');
        expect([server.asked[0]?.headers.get('user-id'), server.asked[0]?.headers.get('device-id')]).to.deep.equal([
          '7',
          'web_1',
        ]);
      },
    ],
    [
      'the request is JSON by POST',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], { protocol: 'agent-phase' });
        await chat.send('Hi');
        const { init, headers } = server.asked[0] ?? {};
        expect([init?.method, headers?.get('content-type')]).to.deep.equal(['POST', 'application/json']);
      },
    ],
    [
      'the widget makes up no user-id and no device-id',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], { protocol: 'agent-phase' });
        await chat.send('Hi');
        expect([server.asked[0]?.headers.has('user-id'), server.asked[0]?.headers.has('device-id')]).to.deep.equal([
          false,
          false,
        ]);
      },
      'only the page knows its user',
    ],
    [
      'the texts before and after a call are paragraphs of one text',
      async () => {
        const blocks = [
          { type: 'content', content: 'I look.' },
          { type: 'tool_call', tool_call: { id: 'c', name: 'find' } },
          { type: 'content', content: 'Found.' },
        ] as const;
        const { messages } = await requestBody(agentPhase, [{ role: 'assistant', blocks }]);
        expect(messages).to.deep.equal([{ role: 'assistant', content: 'I look.\n\nFound.' }]);
      },
    ],
    [
      'nothing but chatId, messages and options is sent',
      async () =>
        expect(Object.keys(await requestBody(agentPhase, [{ role: 'user', text: 'Hi' }]))).to.deep.equal([
          'chatId',
          'messages',
          'options',
        ]),
    ],
    [
      'chatId is the id of the conversation',
      async () =>
        expect(
          (await requestBody(agentPhase, [{ role: 'user', text: 'Hi' }], { turn: { threadId: '200' } }))['chatId'],
        ).to.equal('200'),
    ],
    [
      'messages have role and content',
      async () =>
        expect((await requestBody(agentPhase, [{ role: 'user', text: 'Hi' }]))['messages']).to.deep.equal([
          { role: 'user', content: 'Hi' },
        ]),
    ],
    [
      'the page’s system text and context are the first message',
      async () =>
        expect(
          (await requestBody(agentPhase, [{ role: 'user', text: 'Hi' }], { system: 'Be brief', context: 'Order 42' }))[
            'messages'
          ],
        ).to.deep.equal([
          { role: 'system', content: 'Be brief\n\nContext of the page the user is on:\nOrder 42' },
          { role: 'user', content: 'Hi' },
        ]),
    ],
    [
      'messages have the answers too',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], { protocol: 'agent-phase' });
        await chat.send('Hi');
        await chat.send('And?');
        expect((server.bodies[1] as ExpectedFields)['messages']).to.deep.equal([
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'a' },
          { role: 'user', content: 'And?' },
        ]);
      },
    ],
    [
      'showThinking is false by default',
      async () => expect(await optionsOf()).to.deep.include({ showThinking: false }),
    ],
    [
      'showThinking is true if the page shows reasoning',
      async () => expect(await optionsOf({ show: { reasoning: true } })).to.deep.include({ showThinking: true }),
    ],
    [
      'showToolCalls is true by default',
      async () => expect(await optionsOf()).to.deep.include({ showToolCalls: true }),
    ],
    [
      'showToolCalls is false if the page hides tools',
      async () => expect(await optionsOf({ show: { tools: false } })).to.deep.include({ showToolCalls: false }),
    ],
    [
      'detailedCitations is true by default',
      async () => expect(await optionsOf()).to.deep.include({ detailedCitations: true }),
    ],
    [
      'one option can be turned off by the page, the others stay',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], {
          protocol: 'agent-phase',
          body: { options: { detailedCitations: false } },
        });
        await chat.send('Hi');
        expect((server.bodies[0] as ExpectedFields)['options']).to.deep.equal({
          showThinking: false,
          showToolCalls: true,
          detailedCitations: false,
        });
      },
    ],
    ...(['showThinking', 'showToolCalls', 'detailedCitations'] as const).flatMap((name) =>
      [true, false].map((value): Thing => [
        `${name} is set to ${String(value)} in body`,
        async () => {
          const { chat, server } = makeChat([stream(ndjson(say('a'), done))], {
            protocol: 'agent-phase',
            body: { options: { [name]: value } },
          });
          await chat.send('Hi');
          expect(((server.bodies[0] as ExpectedFields)['options'] as ExpectedFields)[name]).to.equal(value);
        },
      ]),
    ),
    [
      'the first request without a named protocol has them too',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], {
          protocol: 'auto',
          headers: { 'user-id': '7', 'Device-Id': 'web_1' },
        });
        await chat.send('Hi');
        expect(server.bodies[0]).to.deep.include({
          chatId: chat.threadId,
          options: { showThinking: false, showToolCalls: true, detailedCitations: true },
        });
        expect(chat.store.state.protocol).to.equal('agent-phase');
      },
    ],
    [
      'without the two headers, it has no chatId',
      async () => {
        const { chat, server } = makeChat([stream(ndjson(say('a'), done))], { protocol: 'auto' });
        await chat.send('Hi');
        expect(server.bodies[0]).not.to.have.property('chatId');
      },
      'another server may take it for one that it has issued',
    ],
  ],
  [
    'the response',
    [
      'is one JSON object per line, named an event stream',
      async () => expect(await findProtocol(ndjson(...flow), protocols.list())).to.equal('agent-phase'),
    ],
    ...(['thinking', 'tool_calling', 'generating', 'completed', 'error'] as const).map((phase): Thing => [
      `phase ${phase}`,
      async () => {
        expect(await stepsOf(change(phase, 'Now'), done)).to.deep.include({ phase, message: 'Now' });
      },
    ]),
    [
      'a phase that the document does not have is shown by its name',
      async () =>
        expect(await stepsOf(change('reviewing', 'Reading again'), done)).to.deep.include({
          phase: 'reviewing',
          message: 'Reading again',
        }),
    ],
    ...(['type', 'phase', 'data'] as const).map((field): Thing => [
      `an event without ${field} is reported, and the rest is read`,
      async () => {
        const { [field]: _missing, ...rest } = say('lost');
        expect(await warningsAbout(agentPhase, ndjson(rest, say('a'), done))).to.have.length(1);
        expect(await blocks(rest, say('a'), done)).to.deep.equal([plain('a')]);
      },
    ]),
    [
      'a comment before the first line, as event streams may have it',
      async () => {
        const { chat } = makeChat([stream(`: connected\n\n${ndjson(...flow)}`)], { protocol: 'auto' });
        const { blocks: received, status } = await chat.send('Hi');
        expect([chat.store.state.protocol, status]).to.deep.equal(['agent-phase', 'complete']);
        expect(received.map(({ type }) => type)).to.deep.equal(['status', 'tool_call', 'content']);
      },
    ],
    [
      'lines that end with CRLF',
      async () =>
        expect(await warningsAbout(agentPhase, ndjson(say('a'), done).replaceAll('\n', '\r\n'))).to.deep.equal([]),
    ],
    [
      'lines of a server that writes data: in front',
      async () => {
        const body = [say('a'), done].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
        expect(
          withoutSteps((await messagesOf(agentPhase, body))[0]?.['blocks'] as readonly ExpectedFields[]),
        ).to.deep.equal([plain('a')]);
      },
    ],
    [
      'a line that is no JSON is reported, and the rest is read',
      async () => {
        expect(await warningsAbout(agentPhase, `oops\n${ndjson(say('a'), done)}`)).to.deep.equal(['malformed']);
      },
    ],
    [
      'blank lines are skipped',
      async () => expect(await warningsAbout(agentPhase, `\n\n${ndjson(say('a'))}\n${ndjson(done)}`)).to.deep.equal([]),
    ],
  ],
  [
    'events',
    [
      'phase_change has a text',
      async () =>
        expect(await stepsOf(change('thinking', 'Analysing'), done)).to.deep.equal([
          { phase: 'thinking', message: 'Analysing' },
          { phase: 'completed' },
        ]),
    ],
    [
      'the phase changes with any event',
      async () =>
        expect(await stepsOf(say('a'), done)).to.deep.equal([{ phase: 'generating' }, { phase: 'completed' }]),
    ],
    [
      'phase_change without a text',
      async () =>
        expect(await stepsOf(event('phase_change', 'thinking', {}), done)).to.deep.equal([
          { phase: 'thinking' },
          { phase: 'completed' },
        ]),
    ],
    [
      'phases that come again are steps again',
      async () =>
        expect(
          await stepsOf(change('thinking', 'One'), change('generating', 'Two'), change('thinking', 'Three'), done),
        ).to.have.length(4),
    ],
    [
      'phases and tools that arrive at once stay in their order',
      async () => {
        const { messages } = await playBody(agentPhase, ndjson(...flow));
        const all = messages.flatMap((reply) => reply.blocks);
        const times = all.flatMap((block): readonly [string, number][] =>
          block.type === 'status'
            ? (block.extra?.['steps'] as readonly { phase: string; start: number }[]).map(({ phase, start }) => [
                phase,
                start,
              ])
            : [[block.type, block.timestamp]],
        );
        // (Equal times keep the order of phases before blocks.)
        expect(times.toSorted((left, right) => left[1] - right[1]).map(([name]) => name)).to.deep.equal([
          'thinking',
          'tool_calling',
          'tool_call',
          'generating',
          'content',
          'completed',
        ]);
      },
    ],
    [
      'tool_start: name, description, parameters',
      async () => expect(await blocks(begin)).to.deep.equal([tool({}, { status: 'loading' })]),
    ],
    gives(
      'tool_start: without description and parameters',
      [
        event('tool_start', 'tool_calling', { toolName: 'read_notes' }),
        event('tool_end', 'tool_calling', { toolName: 'read_notes', success: true }),
      ],
      call('new1', 'read_notes'),
    ),
    [
      'tool_start needs toolName',
      async () =>
        expect(
          await warningsAbout(agentPhase, ndjson(event('tool_start', 'tool_calling', {}), say('a'), done)),
        ).to.deep.equal(['malformed']),
    ],
    ...(['toolName', 'success'] as const).map((field): Thing => [
      `tool_end needs ${field}`,
      async () => {
        const { [field]: _missing, ...rest } = { toolName: 'read_notes', success: true };
        expect(
          await warningsAbout(agentPhase, ndjson(begin, event('tool_end', 'tool_calling', rest), say('a'), done)),
        ).to.deep.equal(['malformed']);
      },
    ]),
    [
      'tool_end belongs to the oldest open call of its name, since there are no ids',
      async () => {
        const other = event('tool_start', 'tool_calling', { toolName: 'read_mail' });
        const all = await blocks(
          begin,
          other,
          begin,
          finish({ summary: 'first' }),
          event('tool_end', 'tool_calling', { toolName: 'read_mail', success: true, summary: 'mail' }),
          finish({ summary: 'second' }),
          done,
        );
        expect(all.map(({ summary }) => summary)).to.deep.equal(['first', 'mail', 'second']);
      },
    ],
    gives(
      'a tool whose tool_end never came has not failed, since done ends the answer',
      [begin, finish({}), begin, say('a')],
      tool({ response: '40 notes read' }, { summary: '40 notes read' }),
      call('new2', 'read_notes', { params: '{"since":1736380800000,"limit":40}' }, { description: 'Read the notes' }),
      plain('a'),
    ),
    [
      'a tool whose tool_end never came has failed if the answer has',
      async () =>
        expect(await blocks(begin, event('done', 'completed', { finishReason: 'error' }))).to.deep.equal([
          tool({}, { status: 'error' }),
        ]),
    ],
    gives(
      'tool_end without a start is a finished call',
      [finish({})],
      call('new1', 'read_notes', { response: '40 notes read' }, { summary: '40 notes read' }),
    ),
    gives(
      'tool_end: a failure without an error has its summary',
      [begin, finish({ success: false, summary: 'Failed' })],
      tool({ response: 'Failed' }, { status: 'error', summary: 'Failed' }),
    ),
    gives(
      'tool_end: success and summary',
      [begin, finish({})],
      tool({ response: '40 notes read' }, { summary: '40 notes read' }),
    ),
    gives(
      'tool_end: a failure has an error',
      [begin, finish({ success: false, summary: 'Failed', error: 'Device not found' })],
      tool(
        { response: 'Device not found' },
        { status: 'error', summary: 'Failed', error: { message: 'Device not found' } },
      ),
    ),
    ...([{ message: 'Device not found', code: 7 }, 7, ['x']] as const).map((error): Thing => [
      `tool_end: a failed tool whose error is ${JSON.stringify(error)} has failed`,
      async () =>
        expect(
          (await blocks(begin, finish({ success: false, summary: 3, error }), say('a'), done))[0]?.['status'],
        ).to.equal('error'),
    ]),
    ...[
      { type: 'done', phase: 'completed' },
      { type: 'done', phase: 'completed', data: null },
    ].map((bare): Thing => [
      `${JSON.stringify(bare)} is the end`,
      async () => expect((await messagesOf(agentPhase, ndjson(say('a'), bare)))[0]?.['status']).to.equal('complete'),
    ]),
    [
      'figures of done that are null do not hide the end',
      async () => {
        const bare = event('done', 'completed', { finishReason: 'stop', stats: { totalTokens: null, iterations: 2 } });
        const [message] = await messagesOf(agentPhase, ndjson(say('a'), bare));
        expect([message?.['status'], (message?.['metadata'] as ExpectedFields)['stats']]).to.deep.equal([
          'complete',
          { iterations: 2 },
        ]);
      },
    ],
    gives('text is appended', [say('a\n'), say('b')], plain('a\nb')),
    gives(
      'citation: the position of its text, and its fields',
      [say('Ines: the lift is slow'), cite({ index: 0 })],
      plain('Ines: the lift is slow', {
        citations: [
          {
            id: '77',
            quote: 'the lift is slow',
            title: 'Ines',
            start: 6,
            end: 22,
            extra: { index: 0, senderId: 'u5', timestamp: 1_736_985_600_000, chatId: '200' },
          },
        ],
      }),
    ),
    gives(
      'citation: senderId is optional',
      [
        say('the lift is slow'),
        event('citation', 'generating', { messageId: '77', content: 'the lift is slow', senderName: 'Ines' }),
      ],
      plain('the lift is slow', {
        citations: [{ id: '77', quote: 'the lift is slow', title: 'Ines', start: 0, end: 16, extra: {} }],
      }),
    ),
    gives('citation: the text has no marks of the model', [say('the lift is slow')], plain('the lift is slow')),
    [
      'citation needs messageId',
      async () =>
        expect(
          await warningsAbout(agentPhase, ndjson(say('a'), event('citation', 'generating', { content: 'a' }), done)),
        ).to.deep.equal(['malformed']),
    ],
    gives(
      'citation: a messageId that is a number',
      [say('a'), event('citation', 'generating', { messageId: 431 })],
      plain('a', { citations: [{ id: '431', end: 1, extra: {} }] }),
    ),
    [
      'citation: the last occurrence counts, and no occurrence counts twice',
      async () => {
        const [{ citations } = {}] = await blocks(
          say('slow lift, slow lift'),
          cite({ content: 'slow lift', messageId: 'a' }),
          cite({ content: 'slow lift', messageId: 'b' }),
          cite({ content: 'slow lift', messageId: 'c' }),
          done,
        );
        expect((citations as readonly ExpectedFields[]).map(({ id, start, end }) => [id, start, end])).to.deep.equal([
          ['a', 11, 20],
          ['b', 0, 9],
          ['c', undefined, 20],
        ]);
      },
    ],
    gives(
      'citation: a mark of the model that the server left in is text',
      [say('slow[cite:431]')],
      plain('slow[cite:431]'),
    ),
    [
      'citations are placed in the order of index',
      async () => {
        const [{ citations } = {}] = await blocks(
          say('the lift is slow, the lift is slow'),
          cite({ index: 1, messageId: 'b' }),
          cite({ index: 0, messageId: 'a' }),
          done,
        );
        expect((citations as readonly ExpectedFields[]).map(({ id, end }) => [id, end])).to.deep.equal([
          ['a', 34],
          ['b', 16],
        ]);
      },
    ],
    ...(
      [
        ['length', 'complete', 'max_tokens'],
        ['content-filter', 'error', 'error'],
        ['error', 'error', 'error'],
        ['cancelled', 'cancelled', 'cancelled'],
      ] as const
    ).map(([finishReason, status, ended]): Thing => [
      `done: ${finishReason}`,
      async () =>
        expect(await message(say('a'), event('done', 'completed', { finishReason }))).to.deep.include({
          status,
          finish: ended,
        }),
      'the document has only stop; other reasons are read as other protocols mean them',
    ]),
    [
      'done: without stats',
      async () => {
        const ended = await message(say('a'), event('done', 'completed', { finishReason: 'stop' }));
        expect(ended).to.include({ status: 'complete' }).and.not.have.property('usage');
      },
    ],
    [
      'without done the answer was cut off',
      async () => expect((await message(say('a')))['status']).to.equal('interrupted'),
    ],
    ['done: stop', async () => expect((await message(say('a'), done))['finish']).to.equal('complete')],
    [
      'done: totalTokens are counted',
      async () => expect(((await message(say('a'), done))['usage'] as ExpectedFields)['total_tokens']).to.equal(640),
    ],
    [
      'done: iterations are among the details',
      async () => {
        const chat = await shown(say('a'), done);
        expect(wordsIn(await inside(chat, 'details.written'))).to.contain('Steps 2');
      },
    ],
    [
      'error: code, message, recoverable',
      async () => {
        expect(
          await blocks(
            event('error', 'error', { code: 'EXECUTION_ERROR', message: 'The model is away', recoverable: true }),
          ),
        ).to.deep.equal([failure('The model is away', { code: 'EXECUTION_ERROR', recoverable: true })]);
      },
    ],
    [
      'error: needs its message',
      async () =>
        expect(
          await warningsAbout(agentPhase, ndjson(event('error', 'error', { code: 'X' }), say('a'), done)),
        ).to.deep.equal(['malformed']),
    ],
    [
      'error: no retry if it is not recoverable',
      async () => {
        const { element } = await showBlock({
          type: 'error',
          status: 'error',
          content: 'x',
          extra: { recoverable: false },
        });
        expect(element.querySelector('button')).to.equal(null);
      },
    ],
    [
      'error: the text before it stays',
      async () =>
        expect(await blocks(say('a'), event('error', 'error', { message: 'Away' }))).to.deep.equal([
          plain('a'),
          failure('Away', { recoverable: false }),
        ]),
    ],
    [
      'error: a done after it does not make it a success',
      async () =>
        expect(
          (await message(say('a'), event('error', 'error', { message: 'Away', recoverable: false }), done))['status'],
        ).to.equal('error'),
    ],
    [
      'error: an agent that recovered is done',
      async () =>
        expect(
          (await message(event('error', 'error', { message: 'Busy', recoverable: true }), say('a'), done))['status'],
        ).to.equal('complete'),
    ],
    [
      'error: a recoverable one does not end the reply, however long the agent waits before it continues',
      async () => {
        const body = ndjson(event('error', 'error', { message: 'Busy', recoverable: true }), say('a'), done);
        const { events } = await playBody(agentPhase, body);
        const ends = events.flatMap(({ type, data }) => (type === 'response' && data.finish ? [data.finish] : []));
        expect(ends).to.deep.equal(['complete']);
      },
    ],
    [
      'error: no retry if the agent has recovered',
      async () => {
        const chat = await showBlocks([
          { type: 'error', status: 'error', content: 'Busy', extra: { recoverable: true } },
          { type: 'content', content: 'Here it is' },
        ]);
        expect((await inside(chat, '[part~="block-error"]')).querySelector('button')).to.equal(null);
      },
    ],
    [
      'error: retry if it is recoverable',
      async () => {
        const { element } = await showBlock({
          type: 'error',
          status: 'error',
          content: 'x',
          extra: { recoverable: true },
        });
        expect(element.querySelector('button')).not.to.equal(null);
      },
    ],
  ],
  [
    'the complete flow',
    [
      'a citation whose text is not in the answer goes to the end of what came before it',
      async () => {
        const { blocks: all } = await message(...flow);
        const answer = (all as readonly ExpectedFields[]).find(({ type }) => type === 'content');
        expect(answer?.['content']).to.equal(
          'Reported this week:\n\nInes says the lift is slow, most of all in the morning.\n\n',
        );
        expect((answer?.['citations'] as readonly ExpectedFields[]).map(({ id, end }) => [id, end])).to.deep.equal([
          ['77', 47],
          ['78', 75],
        ]);
      },
    ],
    [
      'it runs under auto and in the widget',
      async () => {
        const chat = await shown(...flow);
        await waitUntil(() => wordsOf(chat).includes('2 sources'), 'the sources come', { timeout: 10_000 });
        expect(wordsOf(chat)).to.contain('Reported this week');
      },
    ],
  ],
  [
    'the client',
    [
      'the callbacks of the sample parser',
      async () => {
        const { chat } = await mount({
          protocol: 'agent-phase',
          fetch: () =>
            Promise.resolve(new Response(ndjson(...flow), { headers: { 'content-type': 'text/event-stream' } })),
        });
        const heard = new Set<string>();
        chat.addEventListener('agent-chat-event', ({ detail }) => {
          for (const name of Object.keys(
            (detail as { data?: object }).data ?? (detail as unknown as { event: { data: object } }).event.data,
          ))
            heard.add(name);
        });
        await chat.send('Hi');
        expect([...heard]).to.include.members(['phase', 'tool_call', 'content', 'citation', 'finish']);
      },
      'the page hears agent-chat-event for each of them, in one form for all protocols',
    ],
    [
      'reset: the next answer starts without the last one',
      async () => {
        const { chat } = makeChat(
          [stream(ndjson(...flow)), stream(ndjson(say('Anew'), cite({ content: 'Anew' }), done))],
          {
            protocol: 'agent-phase',
          },
        );
        await chat.send('Hi');
        const { blocks: second } = await chat.send('And?');
        const answer = second.find(({ type }) => type === 'content');
        expect(answer).to.deep.include({ content: 'Anew' });
        expect(answer?.type === 'content' && answer.citations?.map(({ start, end }) => [start, end])).to.deep.equal([
          [0, 4],
        ]);
      },
    ],
    [
      'the complete text and the citations at the end',
      async () => {
        const chat = await shown(...flow);
        expect(
          chat.messages.at(-1)?.blocks.flatMap((block) => (block.type === 'content' ? (block.citations ?? []) : [])),
        ).to.have.length(2);
      },
    ],
    [
      'a chunk that ends in the middle of a line is no loss',
      async () => expect(await blocks(say('é'.repeat(40)), done)).to.deep.equal([plain('é'.repeat(40))]),
      'the sample client loses such lines',
    ],
  ],
  [
    'suggestions for the UI',
    [
      'the phases are steps, the last one complete',
      async () => {
        const chat = await showBlocks([
          steps('thinking', 'tool_calling', 'generating', 'completed'),
          { type: 'content', content: 'a' },
        ]);
        expect(wordsIn(await inside(chat, 'details.activity summary'))).to.equal('Complete');
        expect([...chat.renderRoot.querySelectorAll('.step')].map(wordsIn)).to.deep.equal([
          'Thinking',
          'Getting data',
          'Writing',
          'Complete',
        ]);
      },
    ],
    [
      'a tool card: description, parameters, summary',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          description: 'Read the notes',
          summary: '40 notes read',
          tool_call: { id: 't', name: 'read_notes', params: '{"limit":40}' },
        });
        const row = element.closest('.step') ?? element;
        expect(wordsIn(row)).to.contain('Read the notes').and.contain('40').and.contain('40 notes read');
      },
    ],
    [
      'a failed tool stays visible when the run is folded',
      async () => {
        const chat = await showBlocks([
          steps('tool_calling', 'completed'),
          {
            type: 'tool_call',
            status: 'error',
            description: 'Read the notes',
            error: { message: 'Device not found' },
            tool_call: { id: 't', name: 'read_notes' },
          },
          { type: 'content', content: 'a' },
        ]);
        const failures = await inside(chat, '.failures');
        expect([wordsIn(failures), failures.checkVisibility()]).to.deep.equal([
          'Read the notes Device not found',
          true,
        ]);
        (await inside(chat, 'details.activity > summary')).click();
        await waitUntil(() => !failures.checkVisibility());
      },
    ],
    [
      'a citation is a mark in the text that leads to the message',
      async () => {
        const chat = await shown(...flow);
        const action = next(chat, 'agent-chat-action');
        (await inside(chat, 'button.citation')).click();
        const { detail } = await action;
        expect([detail.action, (detail.payload as ExpectedFields)['extra']]).to.deep.equal([
          'citation',
          { senderId: 'u5', timestamp: 1_736_985_600_000, chatId: '200' },
        ]);
      },
    ],
    [
      'a citation shows sender, time and text',
      async () => {
        const chat = await shown(...flow);
        (await inside(chat, 'button.citation')).focus();
        const words = wordsIn(await inside(chat, '.preview'));
        expect(words).to.contain('Ines').and.contain('2025').and.contain('the lift is slow');
      },
    ],
    ...(
      [
        ['thinking', 'Thinking'],
        ['tool_calling', 'Getting data'],
        ['generating', 'Writing'],
        ['completed', 'Complete'],
      ] as const
    ).map(([phase, words]): Thing => [
      `the phase ${phase} has words of its own where the server sends none`,
      async () => {
        const chat = await showBlocks([steps(phase), { type: 'content', content: 'a' }]);
        expect([...(await inside(chat, 'details.activity')).querySelectorAll('.step')].map(wordsIn)).to.deep.equal([
          words,
        ]);
      },
    ]),
    [
      'the text is shown in its lines',
      async () => {
        const chat = await shown(say('First\n\nSecond'), done);
        const [first, second] = ['First', 'Second'].map((word) => {
          const range = document.createRange();
          const block = chat.renderRoot.querySelector('[part~="block-content"]')!;
          const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.textContent?.indexOf(word) ?? -1;
            if (at >= 0) {
              range.setStart(walker.currentNode, at);
              range.setEnd(walker.currentNode, at + word.length);
            }
          }
          return range.getBoundingClientRect().top;
        });
        expect(second).to.be.greaterThan(first ?? Infinity);
      },
    ],
    [
      'the text of each phase is shown while it lasts',
      async () => {
        const chat = await showBlocks(
          [
            {
              type: 'status',
              status: 'loading',
              phase: 'thinking',
              message: 'Analysing',
              extra: { steps: [{ phase: 'thinking', message: 'Analysing', start: 1 }] },
            },
          ],
          { message: { status: 'streaming' } },
        );
        await waitUntil(() => has(chat, '.step[data-state="running"], .step'));
        expect(wordsOf(chat)).to.contain('Analysing');
      },
    ],
  ],
  [
    'notes',
    [
      'text is plain: no Markdown',
      async () => {
        const chat = await shown(say('2 * 3 * 4 and **5**'), done);
        await waitUntil(() => wordsOf(chat).includes('2 * 3 * 4 and **5**'), 'the text comes', { timeout: 10_000 });
        expect(has(chat, 'strong')).to.equal(false);
      },
    ],
    [
      'a citation follows its text, and the text continues after it',
      async () => {
        const [{ content } = {}] = await blocks(say('the lift is slow'), cite(), say(', they say'), done);
        expect(content).to.equal('the lift is slow, they say');
      },
    ],
    [
      'without tool events the answer is the same',
      async () => expect(await blocks(change('tool_calling', 'x'), say('a'), done)).to.deep.equal([plain('a')]),
    ],
  ],
  [
    'the older format',
    [
      '0: is text, e: a citation, d: the end',
      async () => {
        const body = '0:"the lift is slow"\ne:{"type":"citation","messageId":"123"}\nd:{"finishReason":"stop"}\n';
        const [only] = await messagesOf(agentPhase, body);
        expect([only?.['status'], withoutSteps(only?.['blocks'] as readonly ExpectedFields[])]).to.deep.equal([
          'complete',
          [plain('the lift is slow', { citations: [{ id: '123', end: 16, extra: {} }] })],
        ]);
      },
      'the document calls it obsolete; it is read where the protocol is named',
    ],
    ...(
      [
        ['0:"half"\nd:{"finishReason":"stop"}\n', ['half', 'complete', 0]],
        ['0:"half"\ne:{"type":"citation","messageId":"1"}\n', ['half', 'interrupted', 1]],
        ['0:"ha"\n0:"lf"\nd:{"finishReason":"length"}\n', ['half', 'complete', 0]],
      ] as const
    ).map(([lines, expected]): Thing => [
      `the old lines ${lines.replaceAll('\n', ' ')}`,
      async () => {
        const [only] = await messagesOf(agentPhase, lines);
        const [{ content, citations = [] } = {}] = withoutSteps(only?.['blocks'] as readonly ExpectedFields[]);
        expect([content, only?.['status'], (citations as unknown[]).length]).to.deep.equal(expected);
      },
    ]),
    [
      'another old line is reported',
      async () =>
        expect(await warningsAbout(agentPhase, '0:"a"\n9:{}\nd:{"finishReason":"stop"}\n')).to.deep.equal(['unknown']),
    ],
    [
      'its citations have their id as the name',
      async () => {
        const chat = await showBlocks([
          { type: 'content', content: 'the lift is slow', citations: [{ id: '123', end: 16 }] },
        ]);
        const mark = await inside(chat, 'button.citation');
        expect(mark.ariaLabel).to.equal('Source 1: 123');
        mark.focus();
        expect(wordsIn(await inside(chat, '.preview'))).to.equal('123');
      },
    ],
    [
      'under auto it is the AI SDK’s',
      async () =>
        expect(await findProtocol('0:"a"\nd:{"finishReason":"stop"}\n', protocols.list())).to.equal('ai-sdk-v4'),
      'the lines are the same',
    ],
  ],
  [
    'extensions',
    gives('structured data', [event('structured', 'generating', { dataType: 'summary', stats: { total: 5 } })], {
      type: 'data',
      data: {
        data_type: 'custom',
        data: { dataType: 'summary', stats: { total: 5 } },
        metadata: { dataType: 'summary' },
      },
    }),
    gives('thinking', [event('thinking', 'thinking', { content: 'I need a week' })], thought('I need a week')),
    [
      'structured data is for a renderer of its dataType',
      async () => {
        const { RendererRegistry } = await import('../../src/renderers/core/registry.ts');
        const { defineRenderer } = await import('../../src/renderers/core/renderer.ts');
        const registry = new RendererRegistry();
        registry.register(
          defineRenderer({
            type: 'data',
            dataType: 'summary',
            getProps: ({ data: { data } }) => (data as { stats: { total: number } }).stats.total,
            component: (total) => `${String(total)} in all`,
          }),
        );
        const structured = event('structured', 'generating', { dataType: 'summary', stats: { total: 5 } });
        const [data] = await blocks(structured, done);
        const chat = await showBlocks([data as never], { settings: { renderers: registry } });
        expect(wordsIn(await inside(chat, 'agent-chat-message article'))).to.contain('5 in all');
      },
    ],
    [
      'structured data without a renderer is shown as a tree',
      async () => {
        const chat = await showBlocks([
          {
            type: 'data',
            data: { data_type: 'custom', data: { stats: { total: 5 } }, metadata: { dataType: 'summary' } },
          },
        ]);
        await waitUntil(() => wordsOf(chat).includes('total'), 'the tree comes', { timeout: 10_000 });
      },
    ],
    [
      'thinking that comes unasked is there, folded or hidden as the page decides',
      async () => {
        const chat = await showBlocks(
          [
            { type: 'reasoning_content', content: 'I need a week' },
            { type: 'content', content: 'a' },
          ],
          {
            settings: { showReasoning: 'hidden' },
          },
        );
        await inside(chat, '[part~="block-content"]');
        expect(wordsOf(chat)).not.to.contain('I need a week');
      },
    ],
    [
      'an unknown type changes nothing',
      async () => {
        expect(
          await warningsAbout(agentPhase, ndjson(event('weather', 'generating', {}), say('a'), done)),
        ).to.deep.equal(['unknown']);
        expect(await blocks(event('weather', 'generating', {}), say('a'), done)).to.deep.equal([plain('a')]);
      },
    ],
  ],
]);
