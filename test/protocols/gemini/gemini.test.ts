import { adapter as gemini } from '../../../src/protocols/gemini/gemini.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call as toolCall, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { call, chunk, say, stop, stream } from './streams.ts';

/** The tests of the request check what is sent back. */
const done = (
  blocks: readonly ExpectedFields[],
  items: readonly object[] = [],
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...(items.length > 0 && { metadata: { rounds: [{ protocol: 'gemini', items }] } }),
  ...more,
  blocks,
});
const textItem = (words: string): object => ({ part: { text: words } });
const failed = { status: 'error', finish: 'error' };
const remote = { extra: { remote: true } };

describe('gemini', () => {
  testRecordings(gemini, 'gemini');

  testBodies(gemini, [
    {
      name: 'the array form, on any number of lines',
      body: `[${JSON.stringify(say('Hel"},{'), null, 2)}\n,\r\n${JSON.stringify(stop(), null, 2)}\n]\n`,
      messages: [done([text('Hel"},{')], [textItem('Hel"},{')])],
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify(chunk([{ text: 'Hi' }], {}, { finishReason: 'STOP' }), null, 2),
      messages: [done([text('Hi')], [textItem('Hi')])],
    },
    {
      name: 'missing candidates, content and parts; only the first candidate counts',
      body: stream(
        { usageMetadata: { trafficType: 'ON_DEMAND' }, modelVersion: 'm' },
        { candidates: [{ index: 0 }], promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' } },
        { candidates: [{ content: { role: 'model' } }] },
        { candidates: [{ index: 1, content: { parts: [{ text: 'other' }] } }, ...say('mine').candidates] },
        stop(),
      ),
      messages: [done([text('mine')], [textItem('mine')])],
    },
    {
      name: 'a part that is only a signature belongs to the reasoning before it',
      body: stream(chunk([{ text: 'Yes' }]), chunk([{ thoughtSignature: 'c2ln' }]), stop()),
      messages: [done([text('Yes')], [textItem('Yes'), { part: { thoughtSignature: 'c2ln' } }])],
    },
    {
      name: 'reasoning summaries, and drafts, which are not shown',
      body: stream(
        chunk([{ text: '**Plan**', thought: true }]),
        chunk([{ inlineData: { mimeType: 'image/png', data: 'AA==' }, thought: true }]),
        chunk([{ text: ' more', thought: true }, { text: 'Yes' }]),
        stop(),
      ),
      messages: [done([thought('**Plan** more'), text('Yes')], [textItem('Yes')])],
    },
    {
      name: 'usage: reasoning counts as completion, the last complete count wins',
      body: stream(
        chunk([{ text: 'a' }], { usageMetadata: { trafficType: 'ON_DEMAND' } }),
        chunk([], { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 } }),
        { ...stop(), usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 5 } },
      ),
      messages: [
        done([text('a')], [textItem('a')], {
          usage: { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 },
        }),
      ],
    },
    ...[
      { reason: 'MAX_TOKENS', finish: 'max_tokens' },
      { reason: 'FINISH_REASON_UNSPECIFIED', finish: 'complete' },
    ].map(({ reason, finish }) => ({
      name: `finishReason ${reason}`,
      body: stream(say('a'), stop(reason)),
      messages: [done([text('a')], [textItem('a')], { finish })],
    })),
    ...['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT'].map((reason) => ({
      name: `finishReason ${reason} is a filter`,
      body: stream(say('a'), stop(reason)),
      messages: [
        {
          ...done([text('a')], [textItem('a')], failed),
          metadata: { rounds: [{ protocol: 'gemini', items: [textItem('a')] }], filtered: true },
        },
      ],
    })),
    ...[
      { reason: 'SAFETY', message: 'Not about this.', words: 'Not about this.' },
      { reason: 'TOO_MANY_TOOL_CALLS', words: 'The provider stopped the answer: TOO_MANY_TOOL_CALLS.' },
      { reason: 'MALFORMED_FUNCTION_CALL', message: 'Bad call: f(', words: 'Bad call: f(' },
    ].map(({ reason, message, words }) => ({
      name: `finishReason ${reason}`,
      body: stream(say('a'), stop(reason, message ? { finishMessage: message } : {})),
      messages: [done([text('a'), failure(words, { code: reason })], [textItem('a')], failed)],
    })),
    ...['constructor', 'END_TURN'].map((reason) => ({
      name: `finishReason ${reason}, which Google does not define, after a text`,
      body: stream(say('a'), stop(reason)),
      messages: [done([text('a')], [textItem('a')])],
      warnings: ['unknown'] as const,
    })),
    {
      name: 'an unknown finishReason and no text',
      body: stream(stop('NEW_REASON')),
      messages: [done([failure('The provider stopped the answer: NEW_REASON.', { code: 'NEW_REASON' })], [], failed)],
    },
    {
      name: 'a blocked prompt with the message of Vertex',
      body: stream({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'Not this.' } }),
      messages: [done([failure('Not this.', { code: 'SAFETY' })], [], failed)],
    },
    {
      name: 'a retryable error in the stream',
      body: stream(say('Half'), { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
      messages: [
        done(
          [text('Half'), failure('Overloaded', { code: 'UNAVAILABLE', recoverable: true })],
          [textItem('Half')],
          failed,
        ),
      ],
    },
    ...[{ error: 'busy' }, { error: { message: { detail: 'busy' } } }, { error: [{ message: 'busy' }] }].map(
      (problem) => ({
        name: `an error as ${JSON.stringify(problem)}`,
        body: stream(say('Half'), problem),
        messages: [done([text('Half'), failure('busy')], [textItem('Half')], failed)],
      }),
    ),
    {
      name: 'an error in the array form, and a daily quota',
      body: JSON.stringify([
        {
          error: {
            code: 429,
            message: 'Quota',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ violations: [{ quotaId: 'RequestsPerDayPerProject' }] }],
          },
        },
      ]),
      messages: [done([failure('Quota', { code: 'RESOURCE_EXHAUSTED' })], [], failed)],
    },
    {
      name: 'no reason at the end: interrupted',
      body: stream(say('Hi')),
      messages: [done([text('Hi')], [textItem('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'code that the provider runs: its result, and its error',
      body: stream(
        chunk([{ executableCode: { language: 'PYTHON', code: 'print(1)' } }]),
        chunk([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }]),
        chunk([{ executableCode: { language: 'PYTHON', code: 'x' } }]),
        chunk([{ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'NameError' } }, { text: 'One.' }]),
        stop(),
      ),
      messages: [
        done(
          [
            toolCall(
              'new1',
              'code_execution',
              { params: '{"language":"PYTHON","code":"print(1)"}', response: '1\n' },
              remote,
            ),
            toolCall(
              'new2',
              'code_execution',
              { params: '{"language":"PYTHON","code":"x"}', response: 'NameError' },
              { status: 'error', error: { message: 'NameError', code: 'OUTCOME_FAILED' }, ...remote },
            ),
            text('One.'),
          ],
          [
            { part: { executableCode: { language: 'PYTHON', code: 'print(1)' } } },
            { part: { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } } },
            { part: { executableCode: { language: 'PYTHON', code: 'x' } } },
            { part: { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'NameError' } } },
            textItem('One.'),
          ],
        ),
      ],
    },
    {
      name: 'a tool that the provider runs beside the page’s',
      body: stream(
        chunk([
          { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] }, id: 's1' }, thoughtSignature: 'S' },
        ]),
        chunk([{ toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { n: 1 }, id: 's1' } }]),
        stop(),
      ),
      messages: [
        done(
          [toolCall('s1', 'GOOGLE_SEARCH_WEB', { params: '{"queries":["q"]}', response: '{"n":1}' }, remote)],
          [
            {
              part: {
                toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] }, id: 's1' },
                thoughtSignature: 'S',
              },
            },
            { part: { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { n: 1 }, id: 's1' } } },
          ],
        ),
      ],
    },
    {
      name: 'files by address, and raw audio as a recording',
      body: stream(
        chunk([{ fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/x.pdf' } }]),
        chunk([{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: '%' } }]),
        stop(),
      ),
      messages: [
        done(
          [{ type: 'file', url: 'https://a.example/x.pdf', mimeType: 'application/pdf' }],
          [{ part: { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/x.pdf' } } }],
        ),
      ],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: stream(say('a'), '{"candidates":', 7, chunk([{ hologram: {} }]), say('b'), stop()),
      messages: [done([text('ab')], [textItem('a'), { part: { hologram: {} } }, textItem('b')])],
      warnings: ['malformed', 'malformed', 'unknown'],
    },
  ]);

  testNeverThrows(gemini, [
    chunk(
      [
        { text: 'x', thought: true, thoughtSignature: 's' },
        { text: 'x', thoughtSignature: 's' },
        { inlineData: { mimeType: 'image/png', data: 'AA' } },
        { inlineData: { mimeType: 'audio/L16', data: 'AA' } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'u' } },
        { executableCode: { language: 'PYTHON', code: 'x' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'x' } },
        { toolCall: { toolType: 't', args: {}, id: 'i' } },
        { toolResponse: { toolType: 't', response: {}, id: 'i' } },
      ],
      { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, thoughtsTokenCount: 1, totalTokenCount: 3 } },
    ),
    call({ id: 'c', name: 'f', args: { a: 1 } }, { thoughtSignature: 's' }),
    call({ name: 'f', willContinue: true }),
    call({
      partialArgs: [
        { jsonPath: '$.a.b[0]', stringValue: 'x', willContinue: true },
        { jsonPath: '$.a.__proto__.polluted', stringValue: 'x' },
        { jsonPath: '$.n', numberValue: 1 },
        { jsonPath: '$.b', boolValue: true },
        { jsonPath: '$.z', nullValue: 'NULL_VALUE' },
      ],
      willContinue: true,
    }),
    call({}),
    stop('STOP', {
      finishMessage: 'm',
      groundingMetadata: {
        webSearchQueries: ['q'],
        searchEntryPoint: { renderedContent: '<b>' },
        groundingChunks: [{ web: { uri: 'https://a.example/', title: 't' } }, { maps: { uri: 'u', title: 't' } }],
        groundingSupports: [{ segment: { startIndex: 0, endIndex: 1, text: 'x' }, groundingChunkIndices: [0, 1] }],
      },
      urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'u', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }] },
      citationMetadata: { citationSources: [{ uri: 'u', startIndex: 0, endIndex: 1, license: 'mit' }] },
    }),
    { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'm' } },
    [{ error: { code: 429, message: 'm', status: 's', details: [{}] } }],
  ]);
});
