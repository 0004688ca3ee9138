import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import type { LLMAgentEvent } from '../../src/model/agent-events.ts';
import { outcomeOf, untilDone } from '../../src/runtime/stream-end.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { end, error, response } from '../support/events.ts';
import { chunksOf } from '../support/cuts.ts';
import { playEvents } from '../support/play-body.ts';

const words = response({ content: 'a' });
const ask = response({ tool_call: 'permission-required', tool_call_id: 't' });

interface Row {
  readonly name: string;
  readonly events: readonly LLMAgentEvent[];
  /** `[DONE]` was seen. */
  readonly done?: boolean;
  readonly outcome: string;
}

/** Source: `security/README.md`, rule 15; the contract, section 3, how `status` and `finish` go together. */
const rows: readonly Row[] = [
  { name: 'a finish', events: [words, response({ finish: 'complete' })], outcome: 'complete, complete' },
  { name: 'a finish without words', events: [response({ finish: 'complete' })], outcome: 'complete, complete' },
  { name: 'an end mark behind words', events: [words], done: true, outcome: 'complete, complete' },
  { name: 'an end mark and nothing else', events: [], done: true, outcome: 'empty' },
  { name: 'nothing', events: [], outcome: 'empty' },
  { name: 'words alone', events: [words], outcome: 'cut' },
  { name: 'the longest length', events: [words, response({ finish: 'max_tokens' })], outcome: 'complete, max_tokens' },
  { name: 'tools to be run', events: [words, response({ finish: 'tool_use' })], outcome: 'complete, tool_use' },
  { name: 'an error event', events: [words, error('boom')], outcome: 'error, error' },
  { name: 'an error event and an end mark', events: [error('boom')], done: true, outcome: 'error, error' },
  { name: 'a filter', events: [words, response({ finish: 'error' })], outcome: 'error, error' },
  { name: 'a stop on the server’s side', events: [words, end(true)], outcome: 'cancelled, cancelled' },
  { name: 'an open question', events: [ask, end()], outcome: 'streaming, tool_use' },
  {
    name: 'an open question behind a finish',
    events: [ask, response({ finish: 'complete' })],
    outcome: 'streaming, tool_use',
  },
];

describe('rule 15: outcomeOf()', () => {
  for (const { name, events, done = false, outcome } of rows) {
    it(`${name} → ${outcome}`, () => {
      const seen = (): string => {
        try {
          const { status, finish } = outcomeOf(playEvents(events), done);
          return `${status}, ${finish}`;
        } catch (problem) {
          return problem instanceof ChatError ? problem.reason : String(problem);
        }
      };
      expect(seen()).to.equal(outcome);
    });
  }
});

describe('untilDone()', () => {
  const frames = (...data: readonly string[]): readonly Frame[] => data.map((text) => ({ data: text }));
  const marks = [
    { name: 'no mark', batches: [frames('a'), frames('b')], seen: [['a'], ['b']], done: false },
    { name: 'a mark inside a batch', batches: [frames('a', '[DONE]', 'b'), frames('c')], seen: [['a']], done: true },
    { name: 'a mark alone', batches: [frames('a'), frames('[DONE]'), frames('c')], seen: [['a']], done: true },
  ];
  for (const { name, batches, seen, done } of marks) {
    it(name, async () => {
      const mark = { done: false };
      const read: string[][] = [];
      for await (const batch of untilDone(chunksOf(batches), mark)) read.push(batch.map(({ data }) => data));
      expect([read, mark.done]).to.deep.equal([seen, done]);
    });
  }
});
