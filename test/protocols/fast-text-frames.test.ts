import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { isRecord } from '../../src/model/json.ts';
import { groupTextFrames, makeTextFrameReader, type FrameText } from '../../src/protocols/shared/fast-text-frames.ts';
import type { Frame } from '../../src/transport/frame.ts';

/** Reads `{"t": text, "id": …}` without further fields. */
function frameTextOf(json: unknown, { event }: Frame): FrameText<{ readonly id: unknown }> | undefined {
  if (event === 'error' || !isRecord(json) || typeof json['t'] !== 'string') return undefined;
  for (const name in json) if (name !== 't' && name !== 'id') return undefined;
  return { text: json['t'], fields: { id: json['id'] } };
}

/** Returns the frames as they were read. `reuse`: one reader for all frames, which can skip parsing; otherwise a new one for each. */
function read(
  frames: readonly Frame[],
  reuse: boolean,
): { readonly results: readonly unknown[]; readonly warned: number } {
  let warned = 0;
  const make = () => makeTextFrameReader(frameTextOf, () => warned++);
  let reader = make();
  const results = frames.flatMap((frame) => {
    if (!reuse) reader = make();
    return reader([frame]).map((one) =>
      'text' in one ? { text: one.text, ...one.fields, frame: one.frame } : { json: one.json, frame: one.frame },
    );
  });
  return { results, warned };
}

const frame = (data: string, event?: string): Frame => ({ data, ...(event !== undefined && { event }) });
const textFrame = (t: string, id: unknown = 'a'): Frame => frame(JSON.stringify({ id, t }));

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

describe('makeTextFrameReader()', () => {
  const rows: readonly { readonly name: string; readonly frames: readonly Frame[] }[] = [
    { name: 'text like the text before', frames: [textFrame('one'), textFrame(' two'), textFrame('')] },
    {
      name: 'escapes',
      frames: [textFrame('one'), textFrame('a\n"b"\\ \u0007'), frame('{"id":"a","t":"\\u00e9\\ud83d"}')],
    },
    { name: 'a quote that ends the text', frames: [textFrame('x'), frame('{"id":"a","t":"y","more":"z"}')] },
    {
      name: 'a repeated field',
      frames: [frame('{"t":"x","t":"x"}'), frame('{"t":"y","t":"x"}'), frame('{"t":"x","t":"y"}')],
    },
    {
      name: 'text that occurs elsewhere too',
      frames: [
        textFrame('a'),
        textFrame('b'),
        textFrame('a', 'b'),
        frame('{"t":"a","id":"a"}'),
        frame('{"t":"a","id":"b"}'),
      ],
    },
    { name: 'text that is a field name', frames: [textFrame('t'), textFrame('id'), textFrame('t')] },
    {
      name: 'another id',
      frames: [textFrame('one'), textFrame('two', 'b'), textFrame('three', 'b'), textFrame('four')],
    },
    {
      name: 'the same under another name',
      frames: [textFrame('one'), { ...textFrame('two'), event: 'error' }, textFrame('three')],
    },
    { name: 'a line break in a string', frames: [textFrame('one'), frame('{"id":"a","t":"a\nb"}')] },
    { name: 'an incomplete frame', frames: [textFrame('one'), { data: '{"id":"a","t":"o', unfinished: true }] },
    {
      name: 'shorter than the common part',
      frames: [textFrame('aaaa'), frame('{"id":"a","t":"}'), frame('{"id":"a","t"')],
    },
    { name: 'an end marker and an empty frame', frames: [textFrame('one'), frame('[DONE]'), frame('')] },
    {
      name: 'two lines',
      frames: [textFrame('one'), frame(`${textFrame('two').data}\n${textFrame('three').data}`), textFrame('four')],
    },
    {
      name: 'the probe itself',
      frames: [textFrame('agent-chat:text'), textFrame('agent-chat:text', 'agent-chat:text'), textFrame('x')],
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
    const frames = Array.from({ length: 1000 }, (_, index) => textFrame(`word ${String(index)} `));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(5);
  });

  it('rule 95: tests few of the places where a frame has the text', () => {
    const frames = [frame(JSON.stringify({ t: 'a', id: Array.from({ length: 1000 }, () => 'a') }))];
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(15);
  });

  it('stops looking after a few attempts if no two frames are alike', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => textFrame(`word ${String(index)} `, index));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(1030);
  });
});

describe('groupTextFrames()', () => {
  it('groups consecutive texts with the same fields, in their order', () => {
    const reader = makeTextFrameReader(frameTextOf, () => expect.fail('Nothing is malformed.'));
    const frames = [
      ...['one', ' two', ' three'].map((text) => textFrame(text)),
      textFrame('other', 'b'),
      frame('{"done":true}'),
      textFrame(' four'),
    ];
    const groups = groupTextFrames(reader(frames)).map((group) =>
      'frames' in group ? group.frames.map(({ text, fields }) => `${String(fields.id)}: ${text}`) : group.json,
    );
    // The first frame teaches the form; those after it share its fields.
    expect(groups.flat()).to.deep.equal(['a: one', 'a:  two', 'a:  three', 'b: other', { done: true }, 'a:  four']);
    expect(groups.map((group) => (Array.isArray(group) ? group.length : 0))).to.deep.equal([1, 2, 1, 0, 1]);
  });
});
