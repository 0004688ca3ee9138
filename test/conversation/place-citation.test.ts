import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import { response } from '../support/events.ts';
import { playEvents } from '../support/play-body.ts';

const say = (content: string): LLMAgentEvent => response({ content });
const quote = (id: string, words: string): LLMAgentEvent =>
  response({ citation: { id, quote: words, anchor: 'quote' } });
const atEnd = (id: string): LLMAgentEvent => response({ citation: { id, anchor: 'end' } });
const plain = (id: string, position: object = {}): LLMAgentEvent => response({ citation: { id, ...position } });

/** The text with each citation's mark at its position: `cited‹id›`. A citation of a whole block follows it: `‹id›*`. */
function marked(events: readonly LLMAgentEvent[]): string {
  const blocks = playEvents(events).messages.flatMap((message) => message.blocks);
  return blocks
    .flatMap((block) => {
      if (block.type !== 'content') return [];
      const all = block.citations ?? [];
      const placed = all
        .filter(({ end }) => end !== undefined)
        .sort((left, right) => (left.end ?? 0) - (right.end ?? 0));
      let text = '';
      let from = 0;
      for (const { id, end = 0 } of placed) {
        text += `${block.content.slice(from, end)}‹${id}›`;
        from = end;
      }
      const whole = all.filter(({ end }) => end === undefined).map(({ id }) => `‹${id}›*`);
      return [text + block.content.slice(from) + whole.join('')];
    })
    .join(' | ');
}

const rows: readonly { readonly name: string; readonly events: readonly LLMAgentEvent[]; readonly text: string }[] = [
  {
    name: 'after the quoted text',
    events: [say('It rains. More'), quote('a', 'It rains.')],
    text: 'It rains.‹a› More',
  },
  {
    name: 'before text that continues the sentence',
    events: [say('It rains'), quote('a', 'It rains'), say(' today.')],
    text: 'It rains‹a› today.',
  },
  {
    name: 'after the last occurrence of the quoted text',
    events: [say('yes and yes!'), quote('a', 'yes')],
    text: 'yes and yes‹a›!',
  },
  {
    name: 'at a different occurrence for each citation',
    events: [say('yes and yes!'), quote('a', 'yes'), quote('b', 'yes'), quote('c', 'yes')],
    text: 'yes‹b› and yes‹a›!‹c›',
  },
  {
    name: 'at the end when the only free occurrence overlaps another citation',
    events: [say('aaa'), quote('x', 'aa'), quote('y', 'aa')],
    text: 'aaa‹x›‹y›',
  },
  {
    name: 'at the end of the text so far when the quoted text is not found',
    events: [say('Rain it is. '), quote('a', 'It rains.'), say('Next.')],
    text: 'Rain it is.‹a› Next.',
  },
  {
    name: 'at the end of the text so far without a quote',
    events: [say('Done.\n'), atEnd('a'), say('x')],
    text: 'Done.‹a›\nx',
  },
  {
    name: 'in an earlier block',
    events: [say('First.'), response({ tool_call: 'start', tool_call_id: 't' }), say('Second.'), quote('a', 'First')],
    text: 'First‹a›. | Second.',
  },
  { name: 'at explicit offsets', events: [say('abc'), plain('a', { start: 0, end: 2 })], text: 'ab‹a›c' },
  { name: 'for the whole block without a position', events: [say('abc'), plain('a')], text: 'abc‹a›*' },
  { name: 'for the whole block when they arrive before any text', events: [plain('a'), say('abc')], text: 'abc‹a›*' },
  {
    name: 'twice for one source that is quoted twice',
    events: [say('a b'), quote('s', 'a'), quote('s', 'b')],
    text: 'a‹s› b‹s›',
  },
  { name: 'at offsets in UTF-16 code units', events: [say('😀中 x'), quote('a', '中')], text: '😀中‹a› x' },
];

describe('citations are placed', () => {
  for (const { name, events, text } of rows) {
    it(name, () => {
      expect(marked(events)).to.equal(text);
    });
  }

  it('with the fields of their source', () => {
    const source = { id: 's', url: 'https://a.example/', title: 't', quote: 'x', extra: { chatId: 'c' } };
    const [block] = playEvents([say('x'), response({ citation: { ...source, anchor: 'quote' } })]).messages[0]!.blocks;
    expect(block).to.deep.include({ citations: [{ ...source, start: 0, end: 1 }] });
  });
});
