import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { isRecord } from '../../src/model/json.ts';
import { readerOfWords, type Words } from '../../src/protocols/shared/read-words.ts';
import type { Frame } from '../../src/transport/frame.ts';

/** `{"t": words}` with nothing else but an id. */
function wordsOf(json: unknown, { event }: Frame): Words<{ readonly id: unknown }> | undefined {
  if (event === 'error' || !isRecord(json) || typeof json['t'] !== 'string') return undefined;
  for (const name in json) if (name !== 't' && name !== 'id') return undefined;
  return { words: json['t'], facts: { id: json['id'] } };
}

/** What is read, in short; `parsed` counts what had to be parsed. */
function read(
  frames: readonly Frame[],
  memory: boolean,
): { readonly said: readonly unknown[]; readonly warned: number } {
  let warned = 0;
  const make = () => readerOfWords(wordsOf, () => warned++);
  let reader = make();
  const said = frames.flatMap((frame) => {
    if (!memory) reader = make();
    return reader([frame]).map((one) =>
      'words' in one ? { words: one.words, ...one.facts, frame: one.frame } : { json: one.json, frame: one.frame },
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
    { name: 'words like those before', frames: [words('one'), words(' two'), words('')] },
    { name: 'escapes', frames: [words('one'), words('a\n"b"\\ \u0007'), frame('{"id":"a","t":"\\u00e9\\ud83d"}')] },
    { name: 'a quote that ends the words', frames: [words('x'), frame('{"id":"a","t":"y","more":"z"}')] },
    {
      name: 'a field that is said twice',
      frames: [frame('{"t":"x","t":"x"}'), frame('{"t":"y","t":"x"}'), frame('{"t":"x","t":"y"}')],
    },
    {
      name: 'words that stand elsewhere too',
      frames: [words('a'), words('b'), words('a', 'b'), frame('{"t":"a","id":"a"}'), frame('{"t":"a","id":"b"}')],
    },
    { name: 'words that are a name', frames: [words('t'), words('id'), words('t')] },
    { name: 'another id', frames: [words('one'), words('two', 'b'), words('three', 'b'), words('four')] },
    {
      name: 'the same under another name',
      frames: [words('one'), { ...words('two'), event: 'error' }, words('three')],
    },
    { name: 'a line break in a string', frames: [words('one'), frame('{"id":"a","t":"a\nb"}')] },
    { name: 'half a frame', frames: [words('one'), { data: '{"id":"a","t":"o', unfinished: true }] },
    { name: 'shorter than what is alike', frames: [words('aaaa'), frame('{"id":"a","t":"}'), frame('{"id":"a","t"')] },
    { name: 'an end mark and nothing', frames: [words('one'), frame('[DONE]'), frame('')] },
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

  it('parses a thousand frames that are alike but for their words a few times', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => words(`word ${String(index)} `));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(5);
  });

  it('looks in vain a few times only where no two frames are alike', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => words(`word ${String(index)} `, index));
    expect(parsesOf(() => read(frames, true))).to.be.lessThan(1030);
  });
});
