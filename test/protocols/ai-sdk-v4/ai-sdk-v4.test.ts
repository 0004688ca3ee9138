import { expect } from '@open-wc/testing';
import { adapter as aiSdkV4 } from '../../../src/protocols/ai-sdk/ai-sdk-v4.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { chunksOf } from '../../support/cuts.ts';
import { decodeContext, playBody } from '../../support/play-body.ts';

/** A line for each code and its value. */
const lines = (...rows: readonly (readonly [code: string, value: unknown])[]): string =>
  rows.map(([code, value]) => `${code}:${JSON.stringify(value)}\n`).join('');
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const stop = ['d', { finishReason: 'stop' }] as const;
const step = (finishReason: string, more: ExpectedFields = {}) =>
  ['e', { finishReason, isContinued: false, ...more }] as const;
const data = (value: unknown, dataType?: string): ExpectedFields => ({
  type: 'data',
  data: { data_type: 'custom', data: value, ...(dataType !== undefined && { metadata: { dataType } }) },
});

describe('ai-sdk-v4', () => {
  testRecordings(aiSdkV4, 'ai-sdk-v4');

  testBodies(aiSdkV4, [
    {
      name: 'characters cut in two, obsolete codes, a blank line',
      body: `0:"\\ud83d"\n\n4:{"id":"x"}\n0:"\\ude00"\n${lines(stop)}`,
      messages: [done([text('😀')])],
    },
    {
      name: 'a last line without its line break, which is complete',
      body: `${lines(['0', 'Hel'])}0:"lo"`,
      messages: [done([text('Hello')])],
    },
    {
      name: 'reasoning with its metadata',
      body: lines(
        ['i', { data: 'xx' }],
        ['g', 'Hm'],
        ['g', ' so'],
        ['j', { signature: 's' }],
        ['0', 'Yes'],
        ['g', 'More'],
        stop,
      ),
      messages: [
        done([thought('Hm so', { extra: { hidden: true } }), text('Yes'), thought('More')], {
          metadata: {
            rounds: [
              {
                protocol: 'ai-sdk-v4',
                items: [
                  {
                    details: [
                      { type: 'redacted', data: 'xx' },
                      { type: 'text', text: 'Hm so', signature: 's' },
                    ],
                  },
                  { details: [{ type: 'text', text: 'More' }] },
                ],
              },
            ],
          },
        }),
      ],
    },
    {
      name: 'reasoning of an inner message of assistant-ui',
      body: lines(['aui-reasoning-delta', { reasoningDelta: 'Hm', parentId: 'p' }], ['0', 'Hi'], stop),
      messages: [done([thought('Hm'), text('Hi')])],
    },
    {
      name: 'sources, files, data and notes',
      body: lines(
        ['0', 'Hi'],
        ['h', { sourceType: 'url', id: 's', url: 'https://a.example/', title: 'A' }],
        ['k', { data: 'AA==', mimeType: 'image/png' }],
        ['k', { data: 'data:audio/wav;base64,BB==', mimeType: 'audio/wav' }],
        ['2', [{ type: 'status', n: 1 }, 'x']],
        ['aui-data', { name: 'w', data: { t: 1 } }],
        ['8', [{ a: 1 }]],
        ['8', [{ b: 2 }]],
        stop,
      ),
      messages: [
        done(
          [
            text('Hi', { citations: [{ id: 's', url: 'https://a.example/', title: 'A' }] }),
            { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
            { type: 'audio', data: 'BB==', mimeType: 'audio/wav' },
            data({ type: 'status', n: 1 }, 'status'),
            data('x'),
            data({ t: 1 }, 'w'),
          ],
          { metadata: { annotations: [{ a: 1 }, { b: 2 }] } },
        ),
      ],
    },
    {
      name: 'parallel calls; chunks after the complete arguments are ignored',
      body: lines(
        ['b', { toolCallId: 'a', toolName: 'f' }],
        ['b', { toolCallId: 'b', toolName: 'g' }],
        ['c', { toolCallId: 'a', argsTextDelta: '{"x":' }],
        ['c', { toolCallId: 'b', argsTextDelta: '{}', isFinal: true }],
        ['9', { toolCallId: 'a', toolName: 'f', args: { x: 2 } }],
        ['c', { toolCallId: 'a', argsTextDelta: '1}' }],
        ['c', { toolCallId: 'b', argsTextDelta: ' ' }],
        ['a', { toolCallId: 'a', result: { y: 1 } }],
        ['a', { toolCallId: 'b', result: 'Broken', isError: true }],
        ['a', { toolCallId: 'z', result: null }],
        stop,
      ),
      messages: [
        done([
          call('a', 'f', { params: '{"x":2}', response: '{"y":1}' }),
          call('b', 'g', { params: '{}', response: 'Broken' }, { status: 'error' }),
          { type: 'tool_call', tool_call: { id: 'z', response: 'null' } },
        ]),
      ],
    },
    {
      name: 'a call for the page',
      body: lines(['9', { toolCallId: 'a', toolName: 'f', args: {} }], step('stop'), stop),
      messages: [done([call('a', 'f', { params: '{}' }, { status: 'loading' })], { finish: 'tool_use' })],
    },
    {
      name: 'the tokens of the steps if the message has none, in either spelling',
      body: lines(
        ['0', 'a'],
        step('stop', { usage: { promptTokens: 1, completionTokens: null } }),
        ['0', 'b'],
        step('stop', { usage: { inputTokens: 2, outputTokens: 3 } }),
        ['d', { finishReason: 'stop', usage: { promptTokens: null, completionTokens: null } }],
      ),
      messages: [done([text('ab')], { usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 } })],
    },
    ...(
      [
        ['stop', 'complete', 'complete'],
        ['length', 'complete', 'max_tokens'],
        ['tool-calls', 'complete', 'tool_use'],
        ['content-filter', 'error', 'error'],
        ['error', 'error', 'error'],
        ['unknown', 'complete', 'complete'],
      ] as const
    ).map(([finishReason, status, finish]) => ({
      name: `finishReason ${finishReason}`,
      body: lines(['0', 'Hi'], ['d', { finishReason }]),
      messages: [
        done([text('Hi')], {
          status,
          finish,
          ...(finishReason === 'content-filter' && { metadata: { filtered: true } }),
        }),
      ],
    })),
    {
      name: 'only the end of its last step',
      body: lines(['0', 'Hi'], step('length'), ['8', [1]]),
      messages: [done([text('Hi')], { finish: 'max_tokens', metadata: { annotations: [1] } })],
    },
    {
      name: 'only text: complete',
      body: lines(['0', 'Hi'], ['0', ' there']),
      messages: [done([text('Hi there')])],
    },
    {
      name: 'only text, with a truncated line',
      body: `${lines(['0', 'Hi'])}0:" the`,
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'a named step without its end: interrupted',
      body: lines(['f', { messageId: 'm' }], ['0', 'Hi']),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error', metadata: { messageId: 'm' } })],
      problem: 'cut',
    },
    {
      name: 'the end of a step that announces another, and then nothing: interrupted',
      body: lines(['0', 'Hi'], ['e', { finishReason: 'length', isContinued: true }]),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'the end of a step, and another step that is interrupted',
      body: lines(['0', 'Hi'], step('tool-calls'), ['0', ' there']),
      messages: [done([text('Hi there')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'only an error',
      body: lines(['3', 'Boom']),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    ...[{ message: 'Boom' }, [{ error: 'Boom' }]].map((problem) => ({
      name: `an error as ${JSON.stringify(problem)}`,
      body: lines(['0', 'Hi'], ['3', problem]),
      messages: [done([text('Hi'), failure('Boom')], { status: 'error', finish: 'error' })],
    })),
    {
      name: 'an error without a message',
      body: lines(['0', 'Hi'], ['3', null]),
      messages: [done([text('Hi'), failure('The agent reported an error.')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'preliminary results, then the final one',
      body: lines(
        ['9', { toolCallId: 'c', toolName: 'f', args: {} }],
        ['a', { toolCallId: 'c', result: '10%', isPreliminary: true }],
        ['a', { toolCallId: 'c', result: 'done' }],
        stop,
      ),
      messages: [done([call('c', 'f', { params: '{}', response: 'done' })])],
    },
    {
      name: 'a preliminary result leaves its call open',
      body: lines(
        ['9', { toolCallId: 'c', toolName: 'f', args: {} }],
        ['a', { toolCallId: 'c', result: '10%', isPreliminary: true }],
        ['0', 'Hi'],
      ),
      messages: [
        done([call('c', 'f', { params: '{}', response: '10%' }, { status: 'loading' }), text('Hi')], {
          status: 'interrupted',
          finish: 'error',
        }),
      ],
      problem: 'cut',
    },
    {
      name: 'an error and an end that does not mention it',
      body: lines(['0', 'Hi'], ['3', 'Boom'], stop),
      messages: [done([text('Hi'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'the citations of an old dialect',
      body: lines(['0', 'Hi'], ['e', { type: 'citation', messageId: 7 }], stop),
      messages: [done([text('Hi', { citations: [{ id: '7', end: 2 }] })])],
    },
    {
      name: 'invalid lines, an unknown code and a malformed value',
      body: `0:"Hi"\n0:30 remaining\nz:1\n9:{"toolCallId":1}\n${lines(stop)}`,
      messages: [done([text('Hi')])],
      warnings: ['malformed', 'unknown', 'malformed'],
    },
  ]);

  it('emits assistant-ui’s state, and ignores invalid changes', async () => {
    const { events, warnings } = await playBody(
      aiSdkV4,
      lines(
        ['aui-state', [{ type: 'set', path: [], value: { list: ['a'] } }]],
        [
          'aui-state',
          [
            { type: 'append-text', path: ['list', '0'], value: 'b' },
            { type: 'set', path: ['list', '1'], value: 1 },
          ],
        ],
        ['aui-state', [{ type: 'set', path: ['__proto__', 'polluted'], value: 1 }]],
        ['aui-text-delta', { textDelta: 'Hi', parentId: 'p' }],
        stop,
      ),
    );
    const states = events.flatMap((event) =>
      event.type === 'response' && event.data.state ? [event.data.state.value] : [],
    );
    expect(states.slice(0, 2)).to.deep.equal([{ list: ['a'] }, { list: ['ab', 1] }]);
    expect(warnings.map(({ kind }) => kind)).to.deep.equal(['malformed']);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  // The lines of this protocol, as the frames of the transport.
  testNeverThrows(
    {
      ...aiSdkV4,
      decode: (batches, context) =>
        aiSdkV4.decode(
          (async function* () {
            for await (const batch of batches) {
              yield batch.map((frame) => ({ ...frame, data: frame.data.replace(/^\["([^"]*)",(.*)\]$/s, '$1:$2') }));
            }
          })(),
          context,
        ),
    },
    [
      ['0', 'x'],
      ['g', 'x'],
      ['i', { data: 'x' }],
      ['j', { signature: 'x' }],
      ['h', { sourceType: 'url', id: 's', url: 'https://a.example/' }],
      ['k', { data: 'AA==', mimeType: 'image/png' }],
      ['2', [{ a: 1 }]],
      ['8', [{ a: 1 }]],
      ['3', 'x'],
      ['b', { toolCallId: 'c', toolName: 'f' }],
      ['c', { toolCallId: 'c', argsTextDelta: '{' }],
      ['9', { toolCallId: 'c', toolName: 'f', args: { x: 1 } }],
      ['a', { toolCallId: 'c', result: { y: 1 } }],
      ['f', { messageId: 'm' }],
      step('stop', { usage: { promptTokens: 1, completionTokens: 2 } }),
      ['d', { finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 2 } }],
      ['aui-state', [{ type: 'set', path: ['polluted', 0], value: { a: 1 } }]],
      ['aui-state', [{ type: 'append-text', path: ['a'], value: 'x' }]],
      ['aui-data', { name: 'n', data: 1 }],
    ],
  );

  it('reads a last line without its line end', async () => {
    const events = [];
    const frames = [[{ data: '0:"Hi"' }], [{ data: 'd:{"finishReason":"st', unfinished: true as const }]];
    const context = decodeContext();
    const warnings: unknown[] = [];
    for await (const batch of aiSdkV4.decode(chunksOf(frames), {
      ...context,
      report: (warning) => warnings.push(warning),
    })) {
      events.push(...batch);
    }
    expect(events).to.have.length(1);
    expect(warnings).to.deep.equal([]);
  });
});
