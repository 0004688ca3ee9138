import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import type { AdapterEvent } from '../../src/protocols/core/adapter.ts';
import { readThinkTags, splitThinkTags } from '../../src/protocols/shared/think-tags.ts';
import { effort } from '../support/effort.ts';

/** The answer with its reasoning in brackets, however it is cut: `[reasoning]answer`. */
function split(pieces: readonly string[]): string {
  const splitter = splitThinkTags();
  const parts: { kind: string; text: string }[] = [];
  for (const piece of [...pieces.flatMap((text) => splitter.feed(text)), ...splitter.end()]) {
    const last = parts.at(-1);
    if (piece.kind === 'text-was-reasoning') for (const part of parts) part.kind = 'reasoning';
    else if (last?.kind === piece.kind) last.text += piece.text;
    else parts.push({ ...piece });
  }
  // Adjacent reasoning chunks are joined.
  const joined = parts.reduce<typeof parts>((all, part) => {
    const last = all.at(-1);
    return last?.kind === part.kind ? [...all.slice(0, -1), { ...last, text: last.text + part.text }] : [...all, part];
  }, []);
  return joined.map(({ kind, text }) => (kind === 'reasoning' ? `[${text}]` : text)).join('');
}

const rows: readonly { readonly name: string; readonly text: string; readonly expected: string }[] = [
  { name: 'text without a tag', text: 'Hello', expected: 'Hello' },
  { name: 'reasoning first', text: '<think>Hm</think>Yes', expected: '[Hm]Yes' },
  { name: 'with the line ends beside the tags', text: '<think>\n\nHm\n\n</think>\n\nYes\n', expected: '[Hm]Yes\n' },
  { name: '<thinking>', text: '<thinking>Hm</thinking>Yes', expected: '[Hm]Yes' },
  { name: '<reasoning>', text: '<reasoning>Hm</reasoning>Yes', expected: '[Hm]Yes' },
  { name: '◁think▷', text: '◁think▷Hm◁/think▷Yes', expected: '[Hm]Yes' },
  { name: 'white space before the tag', text: '\n <think>Hm</think>Yes', expected: '[Hm]Yes' },
  { name: 'white space before text stays', text: ' \nYes', expected: ' \nYes' },
  { name: 'empty reasoning', text: '<think>\n\n</think>\n\nYes', expected: 'Yes' },
  { name: 'reasoning that is not closed', text: '<think>Hm, so', expected: '[Hm, so]' },
  { name: 'reasoning with tags in it', text: '<think>a <b> </b> < c</think>Yes', expected: '[a <b> </b> < c]Yes' },
  { name: 'an answer with a partial tag', text: '<thin', expected: '<thin' },
  { name: 'an answer that begins with another tag', text: '<table>', expected: '<table>' },
  { name: 'a tag in the middle is text', text: 'I <think>so</think> too', expected: 'I <think>so</think> too' },
  { name: 'a second tag is text', text: '<think>a</think>b <think>c</think>', expected: '[a]b <think>c</think>' },
  { name: 'only the closing tag, on its own line', text: 'Hm\n</think>\n\nYes', expected: '[Hm]Yes' },
  { name: 'and with trailing spaces', text: 'Hm\n\n</think>  \nYes', expected: '[Hm]Yes' },
  { name: 'only the closing tag, at the start', text: '</think>\nYes', expected: 'Yes' },
  { name: 'only the closing tag, at the end', text: 'Hm\n</think>', expected: '[Hm]' },
  { name: 'a closing tag in a sentence is text', text: 'Write </think> here', expected: 'Write </think> here' },
  { name: 'a closing tag at the end of a line is text', text: 'Write</think>\nhere', expected: 'Write</think>\nhere' },
  {
    name: 'a closing tag at the beginning of a line is text',
    text: 'So:\n</think> ends it',
    expected: 'So:\n</think> ends it',
  },
  { name: 'spaces at the end of reasoning stay', text: '<think>Hm \n</think>Yes', expected: '[Hm ]Yes' },
  { name: 'nothing', text: '', expected: '' },
];

describe('splitThinkTags, cut in every way', () => {
  for (const { name, text, expected } of rows) {
    it(name, () => {
      expect(split([text])).to.equal(expected);
      expect(split(Array.from(text))).to.equal(expected);
      for (let place = 1; place < text.length; place++) {
        expect(split([text.slice(0, place), text.slice(place)]), `cut at ${String(place)}`).to.equal(expected);
      }
    });
  }

  it('has the same result for any text cut anywhere', () => {
    const words = fc
      .array(
        fc.constantFrom(
          '<think>',
          '</think>',
          '◁/think▷',
          '<',
          '</',
          '>',
          '\n',
          ' ',
          '\n\n',
          'a',
          'bc',
          'think',
          '<thinking>',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, fc.array(fc.nat(60)), (text, places) => {
        const cuts = [0, ...new Set(places.filter((place) => place < text.length)), text.length].sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
        expect(split(pieces)).to.equal(split([text]));
      }),
      { numRuns: effort(1000) },
    );
  });

  it('shows text as soon as it can’t become a tag', () => {
    const splitter = splitThinkTags();
    expect(splitter.feed('Hello')).to.deep.equal([{ kind: 'text', text: 'Hello' }]);
    expect(splitter.feed(' world. ')).to.deep.equal([{ kind: 'text', text: ' world.' }]);
  });

  it('shows reasoning before it is closed', () => {
    const splitter = splitThinkTags();
    expect(splitter.feed('<think>Hm')).to.deep.equal([{ kind: 'reasoning', text: 'Hm' }]);
  });

  it('does not treat another stream’s text as reasoning', () => {
    expect(splitThinkTags().feed('</think>\nYes')).to.deep.equal([{ kind: 'text', text: 'Yes' }]);
  });

  it('rule 65: reads leading white space once, however many chunks it comes in', () => {
    const { trimStart } = String.prototype;
    let read = 0;
    String.prototype.trimStart = function (this: string): string {
      read += this.length;
      return trimStart.call(this);
    };
    try {
      expect(split([...Array.from({ length: 2000 }, () => ' \n'), 'Hello'])).to.equal(`${' \n'.repeat(2000)}Hello`);
      expect(split([...Array.from({ length: 2000 }, () => ' \n'), '<th', 'ink>Hm</think>Yes'])).to.equal('[Hm]Yes');
    } finally {
      String.prototype.trimStart = trimStart;
    }
    expect(read).to.be.lessThan(10_000);
  });
});

describe('the reader of think tags in events', () => {
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId: 'a', ...data },
  });
  const dataOf = (events: readonly AdapterEvent[]): readonly unknown[] =>
    events.map((event) => (event.type === 'response' ? event.data : event));

  it('keeps the other fields of text that may be the start of a tag', () => {
    const reader = readThinkTags('a');
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const held = reader.read([response({ content: '<thi', totalUsage: usage })]);
    expect(dataOf(held)).to.deep.equal([{ eventId: 'a', totalUsage: usage }]);
    expect(dataOf(reader.end())).to.deep.equal([{ eventId: 'a', content: '<thi' }]);
  });

  it('sends the other fields once, and its place with each part of the text', () => {
    const message = { id: 'm', name: 'Planner' };
    const read = readThinkTags('a').read([
      response({ content: '<think>Hm</think>Yes', message: { ...message, replace: true }, content_begins: true }),
    ]);
    expect(dataOf(read)).to.deep.equal([
      { eventId: 'a', reasoning_content: 'Hm', message: { ...message, replace: true }, content_begins: true },
      { eventId: 'a', content: 'Yes', message },
    ]);
  });

  it('reads a message that is sent again from its start', () => {
    const reader = readThinkTags('a');
    reader.read([response({ content: 'Plain text. ', message: { id: 'm' } })]);
    const again = reader.read([response({ content: '<think>Hm</think>Yes', message: { id: 'm', replace: true } })]);
    expect(dataOf(again)).to.deep.include({ eventId: 'a', content: 'Yes', message: { id: 'm' } });
  });
});
