import { expect } from '@open-wc/testing';
import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { playBody, sse } from '../../support/play-body.ts';
import { toolInput, finish, finishStep, toolOutput, startStep, stream, textChunks } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
/** What is stored of a text and a call with its result. */
const toolRound = {
  rounds: [
    {
      protocol: 'ai-sdk',
      items: [
        { type: 'step-start' },
        { type: 'text', text: 'Hi', state: 'done' },
        { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 'ok' },
      ],
    },
  ],
};
const withMessageId = (id: string): ExpectedFields => ({ metadata: { messageId: id } });

describe('ai-sdk', () => {
  testRecordings(aiSdk, 'ai-sdk');

  testBodies(aiSdk, [
    {
      name: 'the server’s id is kept, an empty step is ignored',
      body: stream(
        { type: 'start', messageId: 'm' },
        startStep,
        finishStep,
        startStep,
        ...textChunks('1', 'Hi', '!'),
        finish('stop'),
      ),
      messages: [done([text('Hi!')], withMessageId('m'))],
    },
    {
      name: 'an id that repeats in the next step',
      body: stream(
        startStep,
        ...textChunks('0', 'One.'),
        finishStep,
        startStep,
        ...textChunks('0', ' Two.'),
        finishStep,
        finish(),
      ),
      messages: [done([text('One. Two.')])],
    },
    {
      name: 'interleaved texts are shown one after the other',
      body: stream(
        { type: 'text-start', id: 'a' },
        { type: 'text-start', id: 'b' },
        { type: 'text-delta', id: 'a', delta: 'A1 ' },
        { type: 'text-delta', id: 'b', delta: 'B1 ' },
        { type: 'text-delta', id: 'a', delta: 'A2 ' },
        { type: 'text-end', id: 'a' },
        { type: 'text-delta', id: 'b', delta: 'B2' },
        { type: 'text-end', id: 'b' },
        finish(),
      ),
      messages: [done([text('A1 A2 B1 B2')])],
    },
    {
      name: 'a text that never ends does not swallow the next one',
      body: stream(
        startStep,
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta: 'A' },
        ...textChunks('b', 'B'),
        finishStep,
        finish(),
      ),
      messages: [done([text('AB')])],
    },
    {
      name: 'text arrives while reasoning is still open',
      body: stream(
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
        ...textChunks('1', 'Yes'),
        { type: 'reasoning-end', id: 'r' },
        finish(),
      ),
      messages: [done([thought('Hm'), text('Yes')])],
    },
    {
      name: 'chunks without their start are skipped with a warning',
      body: stream(
        { type: 'text-delta', id: 'x', delta: 'lost' },
        toolOutput('y', 1),
        ...textChunks('1', 'Hi'),
        finish(),
      ),
      messages: [done([text('Hi')])],
      warnings: ['malformed', 'malformed'],
    },
    {
      name: 'an unknown and a malformed chunk',
      body: stream({ type: 'new-thing', id: 1 }, { type: 'text-start' }, ...textChunks('1', 'Hi'), finish()),
      messages: [done([text('Hi')])],
      warnings: ['unknown', 'malformed'],
    },
    {
      name: 'sources of both kinds, one before any text',
      body: stream(
        { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
        ...textChunks('1', 'Hi'),
        { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'Report', filename: 'r.pdf' },
        finish(),
      ),
      messages: [
        done([
          text('Hi', {
            citations: [
              { id: 's', url: 'https://a.example/', title: 'A' },
              { id: 'd', title: 'Report', extra: { mediaType: 'application/pdf', filename: 'r.pdf' } },
            ],
          }),
        ]),
      ],
    },
    {
      name: 'files by their media type',
      body: stream(
        { type: 'file', mediaType: 'image/png', url: 'https://a.example/p.png' },
        { type: 'reasoning-file', mediaType: 'audio/wav', url: 'data:audio/wav;base64,AA==' },
        { type: 'file', mediaType: 'application/pdf', url: 'https://a.example/d.pdf' },
        finish(),
      ),
      messages: [
        done(
          [
            { type: 'image', url: 'https://a.example/p.png' },
            { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
            { type: 'file', url: 'https://a.example/d.pdf', mimeType: 'application/pdf' },
          ],
          {
            metadata: {
              rounds: [
                {
                  protocol: 'ai-sdk',
                  items: [
                    { type: 'file', mediaType: 'image/png', url: 'https://a.example/p.png' },
                    { type: 'reasoning-file', mediaType: 'audio/wav' },
                    { type: 'file', mediaType: 'application/pdf', url: 'https://a.example/d.pdf' },
                  ],
                },
              ],
            },
          },
        ),
      ],
    },
    {
      name: 'metadata is merged deeply, and its tokens count',
      body: stream(
        { type: 'start', messageMetadata: { a: { b: 1 }, c: 1 } },
        ...textChunks('1', 'Hi'),
        { type: 'message-metadata', messageMetadata: { a: { d: 2 } } },
        { type: 'finish', messageMetadata: { c: null, totalUsage: { inputTokens: 2, outputTokens: 3 } } },
      ),
      messages: [
        done([text('Hi')], {
          usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
          metadata: {
            messageMetadata: { a: { b: 1, d: 2 }, c: null, totalUsage: { inputTokens: 2, outputTokens: 3 } },
          },
        }),
      ],
    },
    ...(
      [
        ['stop', 'complete', 'complete'],
        ['length', 'complete', 'max_tokens'],
        ['tool-calls', 'complete', 'tool_use'],
        ['content-filter', 'error', 'error'],
        ['error', 'error', 'error'],
        ['other', 'complete', 'complete'],
        ['constructor', 'complete', 'complete'],
      ] as const
    ).map(([reason, status, ending]) => ({
      name: `finishReason ${reason}`,
      body: stream(...textChunks('1', 'Hi'), finish(reason)),
      messages: [
        done([text('Hi')], {
          status,
          finish: ending,
          ...(reason === 'content-filter' && { metadata: { filtered: true } }),
        }),
      ],
    })),
    {
      name: 'an end marker without a finish',
      body: stream(...textChunks('1', 'Hi')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'neither, but every part has ended: complete',
      body: sse({ type: 'start' }, startStep, ...textChunks('1', 'Hi'), finishStep),
      messages: [done([text('Hi')])],
    },
    {
      name: 'neither, and no steps: complete',
      body: sse(...textChunks('1', 'Hi'), toolInput('c', 'f'), toolOutput('c', 1)),
      messages: [
        done([text('Hi'), call('c', 'f', { params: '{}', response: '1' })], {
          metadata: {
            rounds: [
              {
                protocol: 'ai-sdk',
                items: [
                  { type: 'text', text: 'Hi', state: 'done' },
                  { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 1 },
                ],
              },
            ],
          },
        }),
      ],
    },
    ...[
      { name: 'a text without its end', chunks: [textChunks('1', 'Hi').slice(0, -1)], blocks: [text('Hi')] },
      { name: 'a step without its end', chunks: [startStep, textChunks('1', 'Hi')], blocks: [text('Hi')] },
    ].map(({ name, chunks, blocks }) => ({
      name: `${name}: interrupted`,
      body: sse(...chunks.flat()),
      messages: [done(blocks, { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    })),
    {
      name: 'a call without its end: interrupted',
      body: sse(...textChunks('1', 'Hi'), { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' }),
      messages: [
        done([text('Hi'), call('c', 'f', {}, { status: 'loading' })], {
          status: 'interrupted',
          finish: 'error',
          metadata: {
            rounds: [
              {
                protocol: 'ai-sdk',
                items: [
                  { type: 'text', text: 'Hi', state: 'done' },
                  { type: 'tool-f', toolCallId: 'c', state: 'input-streaming' },
                ],
              },
            ],
          },
        }),
      ],
      problem: 'cut',
    },
    {
      name: 'an error in the middle keeps the text, and a later finish is ignored',
      body: stream(...textChunks('1', 'Hi'), { type: 'error', errorText: 'Boom' }, finishStep, finish('stop')),
      messages: [done([text('Hi'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    ...[{ errorText: { message: 'Boom' } }, { error: 'Boom' }, { error: { message: 'Boom' } }].map((problem) => ({
      name: `an error as ${JSON.stringify(problem)}`,
      body: sse(...textChunks('1', 'Hi'), { type: 'error', ...problem }),
      messages: [done([text('Hi'), failure('Boom')], { status: 'error', finish: 'error' })],
    })),
    {
      name: 'a reply that is cut between two steps: interrupted',
      body: sse(
        { type: 'start' },
        startStep,
        ...textChunks('1', 'Hi'),
        toolInput('c', 'f'),
        toolOutput('c', 'ok'),
        finishStep,
      ),
      messages: [
        done([text('Hi'), call('c', 'f', { params: '{}', response: 'ok' })], {
          status: 'interrupted',
          finish: 'error',
          metadata: toolRound,
        }),
      ],
      problem: 'cut',
    },
    {
      name: 'a reply whose last part is a result, and the end mark',
      body: stream(
        { type: 'start' },
        startStep,
        ...textChunks('1', 'Hi'),
        toolInput('c', 'f'),
        toolOutput('c', 'ok'),
        finishStep,
      ),
      messages: [done([text('Hi'), call('c', 'f', { params: '{}', response: 'ok' })], { metadata: toolRound })],
    },
    {
      name: 'only an error',
      body: sse({ type: 'error', errorText: 'Boom' }),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'stopped by the server: unfinished text stays',
      body: stream({ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Half' }, { type: 'abort' }),
      messages: [done([text('Half')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'a step that restarts removes its own content, and nothing else',
      body: stream(
        { type: 'start', messageId: 'm' },
        startStep,
        ...textChunks('1', 'Kept. '),
        finishStep,
        startStep,
        ...textChunks('1', 'Wrong'),
        toolInput('w', 'g'),
        { type: 'reset-step' },
        ...textChunks('1', 'Right.'),
        finishStep,
        finish('stop'),
      ),
      messages: [done([text('Kept. Right.')], withMessageId('m'))],
    },
  ]);

  it('removes a step whose message has no id, with its files', async () => {
    const { seen } = await playBody(
      aiSdk,
      stream(
        startStep,
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
        startStep,
        ...textChunks('1', 'Wrong'),
        { type: 'reset-step' },
        ...textChunks('1', 'Right'),
        finish('stop'),
      ),
    );
    expect(seen).to.have.length(1);
    expect(seen[0]?.['blocks']).to.deep.equal([
      { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
      text('Right'),
    ]);
  });

  describe('data parts', () => {
    const data = (dataType: string, value: unknown, more: ExpectedFields = {}): ExpectedFields => ({
      type: 'data',
      data: { data_type: 'custom', data: value, metadata: { dataType } },
      ...more,
    });
    const body = stream(
      { type: 'data-weather', id: 'w', data: { t: 1 } },
      { type: 'data-note', data: 'n', transient: true },
      { type: 'data-other', id: 'w', data: null },
      { type: 'data-weather', id: 'w', data: { t: 2 } },
      { type: 'data-weather', data: { t: 3 } },
      finish(),
    );

    it('are replaced by name and id, transient ones are not shown', async () => {
      const { seen } = await playBody(aiSdk, body);
      expect(seen[0]?.['blocks']).to.deep.equal([
        data('weather', { t: 2 }, { extra: { dataId: 'weather:w' } }),
        data('other', null, { extra: { dataId: 'other:w' } }),
        data('weather', { t: 3 }),
      ]);
    });

    it('are all in the agent’s state', async () => {
      const { events } = await playBody(aiSdk, body);
      const states = events.flatMap((event) =>
        event.type === 'response' && event.data.state ? [event.data.state.value] : [],
      );
      expect(states).to.have.length(5);
      expect(states[1]).to.deep.equal({ weather: { t: 1 }, note: 'n' });
      expect(states[4]).to.deep.equal({ weather: { t: 3 }, note: 'n', other: null });
    });
  });

  it('emits reasoning as it arrives and keeps its metadata', async () => {
    const { seen } = await playBody(
      aiSdk,
      stream(
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
        { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { a: { signature: 's' } } },
        { type: 'reasoning-end', id: 'r' },
        { type: 'reasoning-start', id: 'e', providerMetadata: { a: { redactedData: 'x' } } },
        { type: 'reasoning-end', id: 'e' },
        { type: 'custom', kind: 'a.compaction', providerMetadata: { a: { k: 1 } } },
        ...textChunks('1', 'Yes'),
        ...textChunks('2'),
        finish('stop'),
      ),
    );
    expect(seen).to.deep.equal([
      done([thought('Hm'), text('Yes')], {
        metadata: {
          rounds: [
            {
              protocol: 'ai-sdk',
              items: [
                { type: 'reasoning', id: 'r', text: 'Hm', state: 'done', providerMetadata: { a: { signature: 's' } } },
                { type: 'reasoning', id: 'e', text: '', state: 'done', providerMetadata: { a: { redactedData: 'x' } } },
                { type: 'custom', kind: 'a.compaction', providerMetadata: { a: { k: 1 } } },
                { type: 'text', text: 'Yes', state: 'done' },
              ],
            },
          ],
        },
      }),
    ]);
  });

  testNeverThrows(aiSdk, [
    { type: 'start', messageId: 'm', messageMetadata: { a: { b: 1 } } },
    startStep,
    finishStep,
    { type: 'reset-step' },
    ...textChunks('1', 'Hi'),
    { type: 'reasoning-start', id: 'r', providerMetadata: { a: {} } },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'f', dynamic: true, title: 'F' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{' },
    toolInput('c', 'f', { x: [1] }),
    { type: 'tool-input-error', toolCallId: 'c', toolName: 'f', input: 'x', errorText: 'no' },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c', signature: 's' },
    { type: 'tool-approval-response', approvalId: 'a', approved: true, reason: 'r' },
    toolOutput('c', { y: 1 }, { preliminary: true }),
    { type: 'tool-output-error', toolCallId: 'c', errorText: 'no' },
    { type: 'tool-output-denied', toolCallId: 'c' },
    { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
    { type: 'source-document', sourceId: 's', mediaType: 'a/b', title: 'A', filename: 'f' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    { type: 'custom', kind: 'a.b' },
    { type: 'data-x', id: '1', data: { a: 1 }, transient: true },
    { type: 'data-__proto__', id: '1', data: { polluted: 1 } },
    { type: 'message-metadata', messageMetadata: { polluted: [1] } },
    { type: 'error', errorText: 'x' },
    { type: 'abort', reason: 'x' },
    finish('stop'),
  ]);
});
