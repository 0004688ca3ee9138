import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { mergeDeltas } from '../../src/conversation/merge-deltas.ts';
import { reduceRun, type Run } from '../../src/conversation/run.ts';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { end, error, response } from '../support/events.ts';
import { emptyRun, NOW, playEvents } from '../support/play-body.ts';
import { effort } from '../support/effort.ts';

const text = (content: string, more: object = {}): LLMAgentEvent => response({ content, ...more });
const thought = (words: string, more: object = {}): LLMAgentEvent => response({ reasoning_content: words, ...more });
const grows = (id: string, params: string): LLMAgentEvent =>
  response({ tool_call: 'update', tool_call_id: id, tool_call_params: params });
const begins = (id: string): LLMAgentEvent =>
  response({ tool_call: 'start', tool_call_id: id, tool_call_name: 'find' });

/** Plays the events of each batch after merging them. */
function playJoined(batches: readonly (readonly LLMAgentEvent[])[]): Run {
  let count = 0;
  const newId = (): string => `b${String(++count)}`;
  return batches
    .flatMap((batch) => mergeDeltas(batch))
    .reduce((run, { event }) => deepFreeze(reduceRun(run, event, { now: NOW, newId })), emptyRun());
}

describe('mergeDeltas()', () => {
  const rows: readonly {
    readonly name: string;
    readonly events: readonly LLMAgentEvent[];
    readonly sizes: readonly number[];
  }[] = [
    { name: 'nothing', events: [], sizes: [] },
    { name: 'one', events: [text('a')], sizes: [1] },
    { name: 'words', events: [text('a'), text('b'), text('c')], sizes: [3] },
    { name: 'empty text', events: [text(''), text('b'), text('')], sizes: [3] },
    { name: 'reasoning and text', events: [thought('a'), thought('b'), text('c'), text('d')], sizes: [2, 2] },
    { name: 'text in two formats', events: [text('a'), text('b', { format: 'html' })], sizes: [1, 1] },
    { name: 'reasoning of two stages', events: [thought('a', { stage: 'x' }), thought('b')], sizes: [1, 1] },
    { name: 'text that begins a new block', events: [text('a'), text('b', { content_begins: true })], sizes: [1, 1] },
    {
      name: 'text and reasoning in one event',
      events: [text('a'), text('b', { reasoning_content: 'c' })],
      sizes: [1, 1],
    },
    { name: 'text of another speaker', events: [text('a'), text('b', { message: { id: '2' } })], sizes: [1, 1] },
    {
      name: 'text that was reasoning',
      events: [text('a'), response({ content_was_reasoning: true })],
      sizes: [1, 1],
    },
    { name: 'arguments of one call', events: [begins('1'), grows('1', '{'), grows('1', '}')], sizes: [1, 2] },
    { name: 'arguments of two calls', events: [grows('1', '{'), grows('2', '{')], sizes: [1, 1] },
    {
      name: 'text with a call',
      events: [text('a', { tool_call: 'update' }), text('b', { tool_call: 'update' })],
      sizes: [1, 1],
    },
    { name: 'an end and an error', events: [text('a'), error('no'), text('b'), end()], sizes: [1, 1, 1, 1] },
  ];
  for (const { name, events, sizes } of rows) {
    it(name, () => {
      const joined = mergeDeltas(events);
      expect(joined.map(({ originals }) => originals.length)).to.deep.equal(sizes);
      expect(joined.flatMap(({ originals }) => originals)).to.have.ordered.members(events);
    });
  }

  it('keeps a single event as it is', () => {
    const event = text('a');
    expect(mergeDeltas([event])[0]?.event).to.equal(event);
  });

  const word = fc.constantFrom('', 'a', 'Bc ', '\n', '😀');
  const id = fc.constantFrom('1', '2');
  const some = fc.oneof(
    { weight: 6, arbitrary: word.map((words) => text(words)) },
    { weight: 4, arbitrary: word.map((words) => thought(words)) },
    { weight: 4, arbitrary: fc.tuple(id, word).map(([call, words]) => grows(call, words)) },
    fc.tuple(word, fc.constantFrom('markdown', 'text', 'html')).map(([words, format]) => text(words, { format })),
    fc.tuple(word, fc.constantFrom('plan', 'act')).map(([words, stage]) => thought(words, { stage })),
    fc.tuple(id, word).map(([call, words]) => text(words, { tool_call_id: call })),
    fc.tuple(id, word).map(([call, words]) => text(words, { tool_call: 'update', tool_call_id: call })),
    word.map((words) => response({ tool_call: 'update', tool_call_params: words })),
    word.map((words) => text(words, { content_begins: true })),
    word.map((words) => text(words, { reasoning_content: 'so' })),
    id.map(begins),
    id.map((call) => response({ tool_call: 'end', tool_call_id: call, tool_call_response: 'ok' })),
    id.map((message) => response({ message: { id: message } })),
    id.map((name) => response({ phase: { name } })),
    id.map((source) => response({ citation: { id: source, anchor: 'end' } })),
    fc.constantFrom(response({ content_was_reasoning: true }), error('no'), end(), response({ finish: 'complete' })),
  );

  it('gives the same run as the single events, for any batches', () => {
    fc.assert(
      fc.property(fc.array(fc.array(some, { maxLength: 12 }), { maxLength: 6 }), (batches) => {
        expect(playJoined(batches)).to.deep.equal(playEvents(batches.flat()));
      }),
      { numRuns: effort(500) },
    );
  });

  it('changes at most one block for a batch of text', () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 20 }), fc.array(word, { minLength: 1 }), (before, words) => {
        const run = playEvents([...before, text('Now', { content_begins: true })]);
        const after = words.map((piece) => text(piece));
        const [only] = mergeDeltas(after);
        if (!only) throw new TypeError('Words are something.');
        const next = reduceRun(run, only.event, { now: NOW, newId: () => 'new' });
        const blocks = (of: Run) => of.messages.flatMap((message) => message.blocks);
        const grown = blocks(run).filter((block, index) => block !== blocks(next)[index]);
        expect(grown.length).to.be.at.most(1);
      }),
    );
  });
});
