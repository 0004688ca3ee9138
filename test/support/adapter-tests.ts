/** Tests that every adapter shares. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import type { Adapter, RequestOptions, Turn, Warning } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import type { Frame } from '../../src/transport/frame.ts';
import type { ExpectedFields } from './bare.ts';
import { chunksOf } from './cuts.ts';
import { conversation } from './messages.ts';
import { decodeContext, emptyTurn, playBody, playEvents, requestOptions } from './play-body.ts';
import { recordings, readRecording, type Protocol } from './recordings.ts';
import { effort } from './effort.ts';

/** The expected result of a recording: the content of its `.expect.json`. */
interface Expected {
  readonly messages: readonly ExpectedFields[];
  /** The kinds of the warnings, in order. */
  readonly warnings?: readonly Warning['kind'][];
  /** Why the stream counts as interrupted. */
  readonly problem?: string;
}

/** Each recording of a protocol results in its expectation, however it is cut. */
export function testRecordings(adapter: Adapter, protocol: Protocol): void {
  for (const name of recordings[protocol]) {
    it(`recording ${name}`, async () => {
      const { body, expected } = await readRecording(protocol, name);
      const { messages, warnings = [], problem } = expected as Expected;
      const played = await playBody(adapter, body);
      expect(played.seen).to.deep.equal(messages);
      expect(played.warnings.map(({ kind }) => kind)).to.deep.equal(warnings);
      expect(played.problem).to.equal(problem);
    });
  }
}

export interface PlayRow {
  readonly name: string;
  readonly body: string;
  readonly messages: readonly ExpectedFields[];
  readonly warnings?: readonly Warning['kind'][];
  readonly problem?: string;
}

/** Each body results in the messages of its test case, however it is cut. */
export function testBodies(adapter: Adapter, rows: readonly PlayRow[]): void {
  for (const { name, body, messages, warnings = [], problem } of rows) {
    it(name, async () => {
      const played = await playBody(adapter, body);
      expect(played.seen).to.deep.equal(messages);
      // In any order: each network read is parsed completely before its frames are examined.
      expect(played.warnings.map(({ kind }) => kind).sort()).to.deep.equal([...warnings].sort());
      expect(played.problem).to.equal(problem);
    });
  }
}

export interface RequestRow {
  readonly name: string;
  readonly messages?: readonly MessageInput[];
  readonly turn?: Partial<Turn>;
  readonly options?: Partial<RequestOptions>;
  readonly body: object;
}

/** Each turn makes the request of its test case. */
export function testRequests(adapter: Adapter, rows: readonly RequestRow[]): void {
  for (const { name, messages = [], turn, options, body } of rows) {
    it(`request: ${name}`, async () => {
      const sent = await adapter.request(
        { ...emptyTurn, messages: conversation(...messages), ...turn },
        { ...requestOptions, ...options },
      );
      expect(sent.url).to.equal('https://a.example/chat');
      expect(sent.init.method).to.equal('POST');
      expect(JSON.parse(JSON.stringify(sent.init.body))).to.deep.equal(body);
    });
  }

  it('request: the page’s headers win', async () => {
    const sent = await adapter.request(emptyTurn, {
      ...requestOptions,
      headers: { accept: 'x/y', authorization: 'Bearer k' },
    });
    expect(sent.init.headers).to.include({ accept: 'x/y', authorization: 'Bearer k' });
  });
}

/** Names and values that have broken parsers before. */
const hostileName = fc.constantFrom(
  '__proto__',
  'constructor',
  'length',
  'toString',
  'type',
  'data',
  'id',
  'index',
  '',
);
const hostileValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, '', -1, 1e308, 4_294_967_296, [], {}, [null], '[DONE]', '__proto__', true, 'x'),
);

/** A message of the protocol with some of its values changed or removed, at any depth. */
function spoiled(template: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(template)) {
    return fc.oneof(
      { weight: 5, arbitrary: fc.tuple(...template.map(spoiled)) },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: hostileValue },
    );
  }
  if (typeof template !== 'object' || template === null) {
    return fc.oneof({ weight: 8, arbitrary: fc.constant(template) }, { weight: 1, arbitrary: hostileValue });
  }
  const fields = Object.fromEntries(Object.entries(template).map(([name, value]) => [name, spoiled(value)]));
  const record = fc.record(fields, { requiredKeys: Object.keys(fields).slice(0, 1) });
  return fc.oneof(
    { weight: 10, arbitrary: record },
    {
      weight: 2,
      arbitrary: fc
        .tuple(record, hostileName, hostileValue)
        .map(([whole, name, value]) => ({ ...whole, [name]: value })),
    },
    { weight: 1, arbitrary: hostileValue },
  );
}

/** No frame makes the decoder or the reducer throw. `templates`: one message of every kind. */
export function testNeverThrows(adapter: Adapter, templates: readonly unknown[]): void {
  it('throws for no frame', async () => {
    const data = fc.oneof(
      { weight: 20, arbitrary: fc.oneof(...templates.map(spoiled)).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string() },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '[DONE]',
          '',
          'null',
          '0:"x"',
          'e:{}',
          'd:{"finishReason":"stop"}',
          '{"a":1}\n{"b":2}',
        ),
      },
    );
    const frame: fc.Arbitrary<Frame> = fc
      .tuple(data, fc.option(fc.constantFrom('error', 'message', 'x'), { nil: undefined, freq: 5 }))
      .map(([text, event]) => (event === undefined ? { data: text } : { data: text, event }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(frame, { maxLength: 6 }), { maxLength: 6 }), async (batches) => {
        const events = [];
        for await (const batch of adapter.decode(chunksOf(batches), decodeContext())) {
          events.push(...batch.map((event) => toAgentEvent(event, 'reply')));
        }
        playEvents(events);
        expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
      }),
      { numRuns: effort(100) },
    );
  });
}
