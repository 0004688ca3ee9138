import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/agent-events.ts';
import { response } from '../support/events.ts';
import { playEvents } from '../support/play-body.ts';

const say = (content: string): LLMAgentEvent => response({ content });
const quote = (id: string, words: string): LLMAgentEvent =>
  response({ citation: { id, quote: words, anchor: 'quote' } });
const atEnd = (id: string): LLMAgentEvent => response({ citation: { id, anchor: 'end' } });
const plain = (id: string, place: object = {}): LLMAgentEvent => response({ citation: { id, ...place } });

/** The text with each citation's mark where it stands: `cited‹id›`; those of a whole block behind it: `‹id›*`. */
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
  { name: 'behind its words', events: [say('It rains. More'), quote('a', 'It rains.')], text: 'It rains.‹a› More' },
  {
    name: 'text that goes on behind it continues the sentence',
    events: [say('It rains'), quote('a', 'It rains'), say(' today.')],
    text: 'It rains‹a› today.',
  },
  {
    name: 'words that occur twice: the last place',
    events: [say('yes and yes!'), quote('a', 'yes')],
    text: 'yes and yes‹a›!',
  },
  {
    name: 'a place is taken once',
    events: [say('yes and yes!'), quote('a', 'yes'), quote('b', 'yes'), quote('c', 'yes')],
    text: 'yes‹b› and yes‹a›!‹c›',
  },
  {
    name: 'a place that overlaps one that is taken is not free',
    events: [say('aaa'), quote('x', 'aa'), quote('y', 'aa')],
    text: 'aaa‹x›‹y›',
  },
  {
    name: 'words that the agent wrote otherwise: the end of what has come',
    events: [say('Rain it is. '), quote('a', 'It rains.'), say('Next.')],
    text: 'Rain it is.‹a› Next.',
  },
  {
    name: 'without words: the end of what has come',
    events: [say('Done.\n'), atEnd('a'), say('x')],
    text: 'Done.‹a›\nx',
  },
  {
    name: 'words of an earlier block',
    events: [say('First.'), response({ tool_call: 'start', tool_call_id: 't' }), say('Second.'), quote('a', 'First')],
    text: 'First‹a›. | Second.',
  },
  { name: 'with a place of its own', events: [say('abc'), plain('a', { start: 0, end: 2 })], text: 'ab‹a›c' },
  { name: 'without any place: the whole block', events: [say('abc'), plain('a')], text: 'abc‹a›*' },
  { name: 'before a word was said', events: [plain('a'), say('abc')], text: 'abc‹a›*' },
  { name: 'one source twice', events: [say('a b'), quote('s', 'a'), quote('s', 'b')], text: 'a‹s› b‹s›' },
  { name: 'offsets count UTF-16 code units', events: [say('😀中 x'), quote('a', '中')], text: '😀中‹a› x' },
];

describe('citations stand', () => {
  for (const { name, events, text } of rows) {
    it(name, () => {
      expect(marked(events)).to.equal(text);
    });
  }

  it('with what names their source', () => {
    const source = { id: 's', url: 'https://a.example/', title: 't', quote: 'x', extra: { chatId: 'c' } };
    const [block] = playEvents([say('x'), response({ citation: { ...source, anchor: 'quote' } })]).messages[0]!.blocks;
    expect(block).to.deep.include({ citations: [{ ...source, start: 0, end: 1 }] });
  });
});
