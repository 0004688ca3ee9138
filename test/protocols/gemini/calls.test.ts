import { adapter as gemini } from '../../../src/protocols/gemini/gemini.ts';
import { expect } from '@open-wc/testing';
import { testBodies } from '../../support/adapter-tests.ts';
import { call as toolCall, text, type ExpectedFields } from '../../support/bare.ts';
import { chunksOf } from '../../support/cuts.ts';
import { decodeContext, emptyRun, framesOf, playEvents } from '../../support/play-body.ts';
import { toAgentEvent } from '../../../src/protocols/to-agent-event.ts';
import { call, chunk, say, stop, stream } from './streams.ts';

const waitingReply = (
  blocks: readonly ExpectedFields[],
  items: readonly object[],
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'tool_use',
  metadata: { rounds: [{ protocol: 'gemini', items }] },
  ...more,
  blocks,
});
const open = (id: string, name: string, params: string): ExpectedFields =>
  toolCall(id, name, { params }, { status: 'loading' });
const piece = (jsonPath: string, value: object, more: object = {}) =>
  call({ partialArgs: [{ jsonPath, ...value }], willContinue: true, ...more });

/** The visible arguments after each of these chunks. */
async function shownAfter(...chunks: readonly unknown[]): Promise<readonly (string | undefined)[]> {
  let run = emptyRun();
  const shown = [];
  for await (const batch of gemini.decode(chunksOf(chunks.map((one) => framesOf(one))), decodeContext())) {
    run = playEvents(
      batch.map((event) => toAgentEvent(event, 'reply')),
      run,
    );
    const block = run.messages[0]?.blocks.at(-1);
    shown.push(block?.type === 'tool_call' ? block.tool_call.params : undefined);
  }
  return shown.slice(0, chunks.length);
}

describe('gemini, function calls', () => {
  testBodies(gemini, [
    {
      name: 'another finish reason than Google’s keeps complete calls',
      body: stream(call({ id: 'a', name: 'f', args: { x: 1 } }), stop('FUNCTION_CALL')),
      messages: [
        waitingReply(
          [open('a', 'f', '{"x":1}')],
          [{ part: { functionCall: { id: 'a', name: 'f', args: { x: 1 } } }, call: 'a' }],
        ),
      ],
      warnings: ['unknown'],
    },
    {
      name: 'complete calls: with STOP, with ids of theirs or ours, a repeated name, no arguments, text arguments',
      body: stream(
        chunk([
          { text: 'Wait.' },
          { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, thoughtSignature: 'S' },
          { functionCall: { name: 'f' } },
        ]),
        call({ id: 'a', name: 'g', args: '{"y":2}' }),
        stop(),
      ),
      messages: [
        waitingReply(
          [text('Wait.'), open('a', 'f', '{"x":1}'), open('new1', 'f', '{}'), open('new2', 'g', '{"y":2}')],
          [
            { part: { text: 'Wait.' } },
            { part: { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, thoughtSignature: 'S' }, call: 'a' },
            { part: { functionCall: { name: 'f' } }, call: 'new1' },
            { part: { functionCall: { id: 'a', name: 'g', args: '{"y":2}' } }, call: 'new2' },
          ],
        ),
      ],
    },
    {
      name: 'arguments in chunks: continued strings, every kind of value, lists; the merged call is stored as one part',
      body: stream(
        call({ id: 'c', name: 'f', willContinue: true }, { thoughtSignature: 'S' }),
        piece('$.a.text', { stringValue: 'Bos', willContinue: true }),
        piece('$.a.text', { stringValue: 't"on', willContinue: true }),
        piece('$.a.text', { stringValue: '' }),
        piece('$.list[0].n', { numberValue: 0.5 }),
        call({ willContinue: true }),
        piece('$.list[1].n', { nullValue: 'NULL_VALUE' }),
        piece("$['yes']", { boolValue: false }),
        call({}),
        stop(),
      ),
      messages: [
        waitingReply(
          [open('c', 'f', '{"a":{"text":"Bost\\"on"},"list":[{"n":0.5},{"n":null}],"yes":false}')],
          [
            {
              part: {
                functionCall: {
                  id: 'c',
                  name: 'f',
                  args: { a: { text: 'Bost"on' }, list: [{ n: 0.5 }, { n: null }], yes: false },
                },
                thoughtSignature: 'S',
              },
              call: 'c',
            },
          ],
        ),
      ],
    },
    ...[
      {
        name: 'a last chunk that does not continue',
        end: [piece('$.n', { numberValue: 1 }, { willContinue: false }), stop()],
      },
      { name: 'the finish', end: [piece('$.n', { numberValue: 1 }), stop()] },
      {
        name: 'a chunk in the same part as the name',
        end: [stop()],
        first: { partialArgs: [{ jsonPath: '$.n', numberValue: 1 }] },
      },
    ].map(({ name, end, first = { willContinue: true } }) => ({
      name: `a call in chunks ends with ${name}`,
      body: stream(call({ name: 'f', ...first }), ...end),
      messages: [
        waitingReply(
          [open('new1', 'f', '{"n":1}')],
          [{ part: { functionCall: { name: 'f', args: { n: 1 } } }, call: 'new1' }],
        ),
      ],
    })),
    {
      name: 'a call in chunks ends with the next name',
      body: stream(call({ name: 'f', willContinue: true }), call({ name: 'g', args: {} }), call({}), stop()),
      messages: [
        waitingReply(
          [open('new1', 'f', '{}'), open('new2', 'g', '{}')],
          [
            { part: { functionCall: { name: 'f', args: {} } }, call: 'new1' },
            { part: { functionCall: { name: 'g', args: {} } }, call: 'new2' },
          ],
        ),
      ],
    },
    {
      name: 'a path that is refused',
      body: stream(
        call({ name: 'f', willContinue: true }),
        piece('$.__proto__.x', { stringValue: 'x' }),
        piece('$.a[99999]', { stringValue: 'x' }),
        call({}),
        stop(),
      ),
      messages: [
        waitingReply([open('new1', 'f', '{}')], [{ part: { functionCall: { name: 'f', args: {} } }, call: 'new1' }]),
      ],
      warnings: ['refused', 'refused'],
    },
    {
      name: 'a stream that is cut within a call: it is not stored',
      body: stream(say('Hm'), call({ name: 'f', willContinue: true }), piece('$.a', { stringValue: 'x' })),
      messages: [
        waitingReply([text('Hm'), open('new1', 'f', '{"a":"x"')], [{ part: { text: 'Hm' } }], {
          status: 'interrupted',
          finish: 'error',
        }),
      ],
      problem: 'cut',
    },
    {
      name: 'an error reason: calls are not run',
      body: stream(call({ name: 'f' }), stop('MAX_TOKENS')),
      messages: [
        waitingReply([open('new1', 'f', '{}')], [{ part: { functionCall: { name: 'f' } }, call: 'new1' }], {
          finish: 'max_tokens',
        }),
      ],
    },
  ]);

  it('shows the arguments as they stream', async () => {
    expect(
      await shownAfter(
        call({ name: 'f', willContinue: true }),
        piece('$.a.text', { stringValue: 'Bos', willContinue: true }),
        piece('$.a.text', { stringValue: 't"on', willContinue: true }),
        piece('$.a.text', { stringValue: '' }),
        piece('$.n', { numberValue: 1 }),
        // Not at the end of the received text.
        piece('$.a.more', { stringValue: 'x', willContinue: true }),
        piece('$.a.more', { stringValue: 'y', willContinue: true }),
        call({}),
      ),
    ).to.deep.equal([
      undefined,
      '{"a":{"text":"Bos',
      '{"a":{"text":"Bost\\"on',
      '{"a":{"text":"Bost\\"on',
      '{"a":{"text":"Bost\\"on"},"n":1',
      '{"a":{"text":"Bost\\"on","more":"x"},"n":1}',
      '{"a":{"text":"Bost\\"on","more":"xy"},"n":1}',
      '{"a":{"text":"Bost\\"on","more":"xy"},"n":1}',
    ]);
  });
});
