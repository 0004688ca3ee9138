import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { isRecord } from '../../src/model/json.ts';
import { makeTextFrameReader, type FrameText } from '../../src/protocols/shared/fast-text-frames.ts';
import type { Frame } from '../../src/transport/frame.ts';

/** `{"t": words}` with nothing else but an id. */
function wordsOf(json: unknown, { event }: Frame): FrameText<{ readonly id: unknown }> | undefined {
  if (event === 'error' || !isRecord(json) || typeof json['t'] !== 'string') return undefined;
  for (const name in json) if (name !== 't' && name !== 'id') return undefined;
  return { text: json['t'], fields: { id: json['id'] } };
}

/** The values in short; `parsed` counts the parsed frames. */
function read(
  frames: readonly Frame[],
  memory: boolean,
): { readonly said: readonly unknown[]; readonly warned: number } {
  let warned = 0;
  const make = () => makeTextFrameReader(wordsOf, () => warned++);
  let reader = make();
  const said = frames.flatMap((frame) => {
    if (!memory) reader = make();
    return reader([frame]).map((one) =>
      'text' in one ? { words: one.text, ...one.fields, frame: one.frame } : { json: one.json, frame: one.frame },
    );
  });
  return { said, warned };
}

const frame = (data: string, event?: string): Frame => ({ data, ...(event !== undefined && { event }) });
const words = (t: string, id: unknown = 'a'): Frame => frame(JSON.stringify({ id, t }));

function parsesOf(work: () => void): number {
  const parse = JSON.parse.bind(JSON);
  let parses = 0;
  JSON.parse = (text: string) => (parses++, parse(text) as unknown);
  try {
    work();
  } finally {
    JSON.parse = parse;
  }
  return parses;
}

describe('readerOfWords()', () => {
  const rows: readonly { readonly name: string; readonly frames: readonly Frame[] }[] = [
    { name: 'text like the text before', frames: [words('one'), words(' two'), words('')] },
    { name: 'escapes', frames: [words('one'), words('a\n"b"\\ \u0007'), frame('{"id":"a","t":"\\u00e9\\ud83d"}')] },
    { name: 'a quote that ends the text', frames: [words('x'), frame('{"id":"a","t":"y","more":"z"}')] },
    {
      name: 'a repeated field',
      frames: [frame('{"t":"x","t":"x"}'), frame('{"t":"y","t":"x"}'), frame('{"t":"x","t":"y"}')],
    },
    {
      name: 'text that occurs elsewhere too',
      frames: [words('a'), words('b'), words('a', 'b'), frame('{"t":"a","id":"a"}'), frame('{"t":"a","id":"b"}')],
    },
    { name: 'text that is a field name', frames: [words('t'), words('id'), words('t')] },
    { name: 'another id', frames: [words('one'), words('two', 'b'), words('three', 'b'), words('four')] },
    {
      name: 'the same under another name',
      frames: [words('one'), { ...words('two'), event: 'error' }, words('three')],
    },
    { name: 'a line break in a string', frames: [words('one'), frame('{"id":"a","t":"a\nb"}')] },
    { name: 'an incomplete frame', frames: [words('one'), { data: '{"id":"a","t":"o', unfinished: true }] },
    {
      name: 'shorter than the common part',
      frames: [words('aaaa'), frame('{"id":"a","t":"}'), frame('{"id":"a","t"')],
    },
    { name: 'an end marker and an empty frame', frames: [words('one'), frame('[DONE]'), frame('')] },
    { name: 'two lines', frames: [words('one'), frame(`${words('two').data}\n${words('three').data}`), words('four')] },
    {
      name: 'the probe itself',
      frames: [words('agent-chat:words'), words('agent-chat:words', 'agent-chat:words'), words('x')],
    },
  ];
  for (const { name, frames } of rows) {
    it(`reads as if each frame were the first: ${name}`, () => {
      expect(read(frames, true)).to.deep.equal(read(frames, false));
    });
  }

  it('reads any frames as if each were the first', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\n', ',"', '":"', 'a', 't'));
    const data = fc.oneof(
      fc.tuple(text, fc.constantFrom('a', 'b', 1)).map(([t, id]) => JSON.stringify({ id, t })),
      fc.tuple(text, text).map(([t, more]) => JSON.stringify({ t, more })),
      text.map((t) => `{"id":"a","t":"${t}"}`),
    );
    const event = fc.constantFrom(undefined, undefined, undefined, 'error');
    const list = fc.array(
      fc.tuple(data, event).map(([one, name]) => frame(one, name)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(list, (frames) => {
        expect(read(frames, true)).to.deep.equal(read(frames, false));
      }),
    );
  });

  it('parses only a few of a thousand frames that differ only in their text', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => words(`word ${String(index)} `));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(5);
  });

  it('rule 95: tests few of the places where a frame has the text', () => {
    const frames = [frame(JSON.stringify({ t: 'a', id: Array.from({ length: 1000 }, () => 'a') }))];
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(15);
  });

  it('stops looking after a few attempts if no two frames are alike', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => words(`word ${String(index)} `, index));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(1030);
  });
});
