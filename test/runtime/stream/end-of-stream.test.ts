import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { LLMAgentEvent } from '../../../src/model/events/agent-events.ts';
import { outcomeOf, untilDoneMark, untilEnd, watchEnd } from '../../../src/runtime/stream/end-of-stream.ts';
import type { Frame } from '../../../src/transport/frame.ts';
import { end, error, response } from '../../support/events.ts';
import { chunksOf } from '../../support/cuts.ts';
import { playEvents } from '../../support/play-body.ts';

const words = response({ content: 'a' });
const ask = response({ tool_call: 'permission-required', tool_call_id: 't' });

interface Row {
  readonly name: string;
  readonly events: readonly LLMAgentEvent[];
  /** `[DONE]` was received. */
  readonly done?: boolean;
  readonly outcome: string;
}

/** Source: `docs/security.md`, rule 15: how `status` and `finish` correspond. */
const rows: readonly Row[] = [
  { name: 'a finish', events: [words, response({ finish: 'complete' })], outcome: 'complete, complete' },
  { name: 'a finish without text', events: [response({ finish: 'complete' })], outcome: 'complete, complete' },
  { name: 'an end marker after text', events: [words], done: true, outcome: 'complete, complete' },
  { name: 'only an end marker', events: [], done: true, outcome: 'empty' },
  { name: 'nothing', events: [], outcome: 'empty' },
  { name: 'only text', events: [words], outcome: 'cut' },
  { name: 'the maximum length', events: [words, response({ finish: 'max_tokens' })], outcome: 'complete, max_tokens' },
  { name: 'tool calls to run', events: [words, response({ finish: 'tool_use' })], outcome: 'complete, tool_use' },
  { name: 'an error event', events: [words, error('boom')], outcome: 'error, error' },
  { name: 'an error event and an end marker', events: [error('boom')], done: true, outcome: 'error, error' },
  { name: 'a content filter', events: [words, response({ finish: 'error' })], outcome: 'error, error' },
  { name: 'a stop by the server', events: [words, end(true)], outcome: 'cancelled, cancelled' },
  { name: 'an open request', events: [ask, end()], outcome: 'streaming, tool_use' },
  {
    name: 'an open request after a finish',
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
    { name: 'no marker', batches: [frames('a'), frames('b')], seen: [['a'], ['b']], done: false },
    { name: 'a marker inside a batch', batches: [frames('a', '[DONE]', 'b'), frames('c')], seen: [['a']], done: true },
    { name: 'only a marker', batches: [frames('a'), frames('[DONE]'), frames('c')], seen: [['a']], done: true },
  ];
  for (const { name, batches, seen, done } of marks) {
    it(name, async () => {
      const mark = { done: false };
      const read: string[][] = [];
      for await (const batch of untilDoneMark(chunksOf(batches), mark)) read.push(batch.map(({ data }) => data));
      expect([read, mark.done]).to.deep.equal([seen, done]);
    });
  }
});

describe('untilEnd()', () => {
  const frames: readonly Frame[] = [{ data: 'a' }];

  /** A connection that stays open after its end was reported; the test decides how its pending read settles. */
  async function readToTheEnd() {
    const pending = Promise.withResolvers<readonly Frame[]>();
    const released = Promise.withResolvers<undefined>();
    async function* connection(): AsyncGenerator<readonly Frame[]> {
      try {
        yield frames;
        yield await pending.promise;
      } finally {
        released.resolve(undefined);
      }
    }
    const end = watchEnd(0);
    const read: (readonly Frame[])[] = [];
    for await (const batch of untilEnd(connection(), end)) {
      read.push(batch);
      end.report();
    }
    return { read, pending, released: released.promise };
  }

  it('ends although a read is pending', async () => {
    const { read, pending } = await readToTheEnd();
    expect(read).to.deep.equal([frames]);
    pending.resolve(frames);
  });

  it('closes the connection when its pending read settles later', async () => {
    const { pending, released } = await readToTheEnd();
    pending.resolve(frames);
    await released;
  });

  it('handles the error of a read that fails later', async () => {
    const unhandled: unknown[] = [];
    const listen = (event: PromiseRejectionEvent): void => {
      event.preventDefault();
      unhandled.push(event.reason);
    };
    addEventListener('unhandledrejection', listen);
    try {
      const { pending, released } = await readToTheEnd();
      pending.reject(new TypeError('connection lost'));
      await released;
      // The browser reports unhandled rejections after the current task, before the next one.
      await new Promise((resolve) => setTimeout(resolve));
      expect(unhandled).to.deep.equal([]);
    } finally {
      removeEventListener('unhandledrejection', listen);
    }
  });
});
