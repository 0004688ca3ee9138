import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { nextRound, pauseRun, reduceRun, settleRun, startRun, type Run } from '../../src/conversation/run.ts';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import type { BlockType } from '../../src/model/blocks.ts';
import { assistant, conversation } from '../support/messages.ts';
import { bareMessage, call, failure, text, type ExpectedFields } from '../support/bare.ts';
import { end, error, response } from '../support/events.ts';
import { emptyRun, NOW, playEvents } from '../support/play-body.ts';

const usage = (total: number) => ({ prompt_tokens: total - 1, completion_tokens: 1, total_tokens: total });
const speak = (id: string, more: object = {}) => response({ message: { id, ...more } });
const words = (run: Run): unknown[] =>
  run.messages.map(({ name, blocks }) => [
    ...(name === undefined ? [] : [name]),
    ...blocks.map((block) => ('content' in block ? block.content : block.type)),
  ]);

interface Row {
  readonly name: string;
  readonly events: readonly LLMAgentEvent[];
  readonly words: readonly unknown[];
}

const speakers: readonly Row[] = [
  {
    name: 'the first speaker uses the empty message',
    events: [speak('a', { name: 'Ann' }), response({ content: '1' })],
    words: [['Ann', '1']],
  },
  {
    name: 'another id begins another message',
    events: [
      speak('a', { name: 'Ann' }),
      response({ content: '1' }),
      speak('b', { name: 'Bob' }),
      response({ content: '2' }),
    ],
    words: [
      ['Ann', '1'],
      ['Bob', '2'],
    ],
  },
  {
    name: 'a known id continues its message, wherever it is',
    events: [
      speak('a'),
      response({ content: '1' }),
      speak('b'),
      response({ content: '2' }),
      speak('a'),
      response({ content: '3' }),
    ],
    words: [['13'], ['2']],
  },
  {
    name: 'the speaker may be named in the event of the text',
    events: [response({ message: { id: 'a' }, content: '1' }), response({ message: { id: 'b' }, content: '2' })],
    words: [['1'], ['2']],
  },
  {
    name: 'text before the first speaker keeps its message',
    events: [response({ content: '0' }), speak('a'), response({ content: '1' })],
    words: [['0'], ['1']],
  },
  {
    name: 'replace empties a message before new text',
    events: [speak('a'), response({ content: '1' }), response({ message: { id: 'a', replace: true }, content: '2' })],
    words: [['2']],
  },
  {
    name: 'replace of one message leaves the others',
    events: [
      speak('a'),
      response({ content: '1' }),
      speak('b'),
      response({ content: '2' }),
      response({ message: { id: 'a', replace: true }, content: '3' }),
    ],
    words: [['3'], ['2']],
  },
  {
    name: 'replace keeps a pending question',
    events: [
      speak('a'),
      response({ content: '1' }),
      response({ tool_call: 'permission-required', tool_call_id: 't' }),
      response({ message: { id: 'a', replace: true }, content: '2' }),
    ],
    words: [['action', '2']],
  },
  {
    name: 'replace of an unknown message begins a new one',
    events: [response({ message: { id: 'a', replace: true }, content: '1' })],
    words: [['1']],
  },
  {
    name: 'a result is stored in the message with the call, whoever speaks',
    events: [
      speak('a'),
      response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' }),
      speak('b'),
      response({ tool_call: 'end', tool_call_id: 't', tool_call_response: 'x' }),
      response({ content: '2' }),
    ],
    words: [['tool_call'], ['2']],
  },
  {
    name: 'an error is stored in the message of the current speaker',
    events: [speak('a'), response({ content: '1' }), speak('b'), error('boom')],
    words: [['1'], ['boom']],
  },
];

describe('speakers', () => {
  for (const row of speakers) {
    it(row.name, () => {
      expect(words(playEvents(row.events))).to.deep.equal(row.words);
    });
  }

  it('a notice before the answer is a message of its own', () => {
    const { messages } = playEvents([
      speak('s', { role: 'system' }),
      response({ content: 'Maintenance at noon.' }),
      speak('a'),
      response({ content: 'Hello' }),
    ]);
    expect(
      messages.map(({ role, blocks }) => [role, blocks.map((block) => 'content' in block && block.content)]),
    ).to.deep.equal([
      ['system', ['Maintenance at noon.']],
      ['assistant', ['Hello']],
    ]);
    expect(messages[1]?.parentId).to.equal(messages[0]?.id);
  });

  it('a message has the protocol’s message id, its role and its parent', () => {
    const [first, second] = playEvents([
      speak('a'),
      response({ content: '1' }),
      speak('b', { role: 'system' }),
    ]).messages;
    expect(first).to.deep.include({ id: 'm', role: 'assistant', metadata: { messageId: 'a' } });
    expect(second).to.deep.include({
      role: 'system',
      metadata: { messageId: 'b', spokenBy: 'agent' },
      parentId: 'm',
      status: 'streaming',
    });
    expect(second?.timestamp).to.equal(NOW);
  });

  it('naming the current speaker again changes nothing', () => {
    const run = playEvents([speak('a'), response({ content: '1' })]);
    expect(playEvents([speak('a')], run)).to.equal(run);
  });
});

const ends: readonly {
  readonly name: string;
  readonly events: readonly LLMAgentEvent[];
  readonly finish: Run['finish'];
}[] = [
  { name: 'end → complete', events: [response({ content: 'a' }), end()], finish: 'complete' },
  {
    name: 'end after the user stopped → cancelled',
    events: [response({ content: 'a' }), end(true)],
    finish: 'cancelled',
  },
  { name: 'end after an error → error', events: [error('boom'), end()], finish: 'error' },
  {
    name: 'end with a pending permission → tool_use',
    events: [response({ tool_call: 'permission-required', tool_call_id: 't' }), end()],
    finish: 'tool_use',
  },
  {
    name: 'end with a pending rate limit → complete',
    events: [response({ rate_limit: { providerId: 'p', qpsLimit: 1, currentQps: 1, queueLength: 1 } }), end()],
    finish: 'complete',
  },
  {
    name: 'the finish reason of the stream is kept',
    events: [response({ finish: 'max_tokens' }), end()],
    finish: 'max_tokens',
  },
  { name: 'neither an end event nor a finish reason', events: [response({ content: 'a' })], finish: undefined },
];

describe('the end of a run', () => {
  for (const { name, events, finish } of ends) {
    it(name, () => {
      expect(playEvents(events).finish).to.equal(finish);
    });
  }

  it('end closes the blocks of every message', () => {
    const run = playEvents([
      speak('a'),
      response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' }),
      speak('b'),
      response({ tool_call: 'start', tool_call_id: 'u', tool_call_name: 'g' }),
      end(true),
    ]);
    expect(run.messages.map(({ blocks }) => blocks[0]?.status)).to.deep.equal(['cancel', 'cancel']);
  });

  it('an error marks the run as failed', () => {
    expect(playEvents([error('boom')]).failed).to.equal(true);
    expect(playEvents([error('boom')]).messages.map(bareMessage)).to.deep.equal([
      { status: 'streaming', blocks: [failure('boom')] },
    ]);
  });

  const two = playEvents([speak('a'), response({ content: '1' }), speak('b'), response({ content: '2' })]);
  const outcomes = [
    { outcome: { status: 'complete', finish: 'complete' }, expected: ['complete complete', 'complete complete'] },
    { outcome: { status: 'complete', finish: 'tool_use' }, expected: ['complete complete', 'complete tool_use'] },
    { outcome: { status: 'error', finish: 'error' }, expected: ['error error', 'error error'] },
    { outcome: { status: 'cancelled', finish: 'cancelled' }, expected: ['cancelled cancelled', 'cancelled cancelled'] },
    { outcome: { status: 'interrupted', finish: 'error' }, expected: ['interrupted error', 'interrupted error'] },
    { outcome: { status: 'streaming', finish: 'tool_use' }, expected: ['streaming undefined', 'streaming tool_use'] },
  ] as const;
  for (const { outcome, expected } of outcomes) {
    it(`settles as ${outcome.status} ${outcome.finish}`, () => {
      const { messages } = settleRun(two, outcome);
      expect(messages.map(({ status, finish }) => `${status} ${String(finish)}`)).to.deep.equal(expected);
    });
  }

  it('a paused run has the finish reason tool_use in each of its messages, the next round has none', () => {
    const paused = pauseRun(two);
    for (const message of paused.messages) {
      expect(message).to.deep.include({ status: 'streaming', finish: 'tool_use' });
    }
    for (const message of nextRound(paused).messages) expect(message).not.to.have.property('finish');
    expect(nextRound({ ...paused, finish: 'tool_use' })).not.to.have.property('finish');
  });
});

describe('a phase', () => {
  const run = playEvents([response({ phase: { name: 'plan' } }), response({ content: 'Hi' })]);
  const phaseOf = ({ messages }: Run): unknown => messages[0]?.blocks.find(({ type }) => type === 'status')?.status;

  for (const [name, over] of [
    ['has ended', settleRun(run, { status: 'complete', finish: 'complete' })],
    ['was interrupted', settleRun(run, { status: 'interrupted', finish: 'error' })],
    ['waits for the user', pauseRun(run)],
  ] as const) {
    it(`is no longer loading when its run ${name}`, () => {
      expect([phaseOf(run), phaseOf(over)]).to.deep.equal(['loading', 'success']);
    });
  }

  it('is loading again when the run continues with it', () => {
    const next = playEvents([response({ phase: { name: 'act' } })], nextRound(pauseRun(run)));
    expect(phaseOf(next)).to.equal('loading');
  });

  for (const steps of ['plan', { start: 1 }, [null, 'plan'], 7]) {
    it(`is added to a restored message whose phases are ${JSON.stringify(steps)}`, () => {
      const [restored] = conversation(
        assistant([{ type: 'status', phase: 'plan', extra: { steps: steps as string } }]),
      );
      const odd: Run = { ...emptyRun(), messages: [restored!] };
      const next = playEvents([response({ content: 'Hi' }), response({ phase: { name: 'act' } })], odd);
      expect(next.messages.map(bareMessage)[0]?.['blocks']).to.deep.equal([
        { type: 'status', status: 'loading', phase: 'act', extra: { steps: [{ phase: 'act' }] } },
        text('Hi'),
      ]);
    });
  }
});

describe('usage', () => {
  const sum = (run: Run): number =>
    run.messages.reduce((total, { usage: used }) => total + (used?.total_tokens ?? 0), 0);

  const rows: readonly {
    readonly name: string;
    readonly rounds: readonly (readonly LLMAgentEvent[])[];
    readonly total: number;
  }[] = [
    { name: 'one report', rounds: [[response({ totalUsage: usage(5) })]], total: 5 },
    {
      name: 'a growing report: the last one counts',
      rounds: [[response({ totalUsage: usage(3) }), response({ totalUsage: usage(5) })]],
      total: 5,
    },
    {
      name: 'rounds are summed',
      rounds: [[response({ totalUsage: usage(5) })], [response({ totalUsage: usage(7) })]],
      total: 12,
    },
    {
      name: 'rounds with growing reports',
      rounds: [
        [response({ totalUsage: usage(3) }), response({ totalUsage: usage(5) })],
        [response({ totalUsage: usage(2) }), response({ totalUsage: usage(7) })],
        [],
        [response({ totalUsage: usage(1) })],
      ],
      total: 13,
    },
    {
      name: 'a round without a report keeps the previous counts',
      rounds: [[response({ totalUsage: usage(5) })], []],
      total: 5,
    },
    {
      name: 'speakers share one report',
      rounds: [
        [
          speak('a'),
          response({ content: '1' }),
          response({ totalUsage: usage(5) }),
          speak('b'),
          response({ totalUsage: usage(6) }),
        ],
      ],
      total: 6,
    },
    {
      name: 'speakers of several rounds',
      rounds: [
        [speak('a'), response({ content: '1' }), response({ totalUsage: usage(5) })],
        [speak('b'), response({ content: '2' }), response({ totalUsage: usage(6) })],
      ],
      total: 11,
    },
  ];
  for (const { name, rounds, total } of rows) {
    it(`${name}, nothing is counted twice`, () => {
      const run = rounds.reduce(
        (before, events, index) => playEvents(events, index > 0 ? nextRound(before) : before),
        emptyRun(),
      );
      expect(sum(run)).to.equal(total);
    });
  }

  it('keeps the context length', () => {
    const run = playEvents([response({ totalUsage: { ...usage(5), context_length: 100 } })]);
    expect(run.messages[0]?.usage).to.deep.equal({ ...usage(5), context_length: 100 });
  });
});

describe('any sequence of events', () => {
  const id = fc.constantFrom('t', 'u', 'v');
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const data = fc
    .record({
      content: maybe(fc.constantFrom('', 'a', 'bc\n')),
      reasoning_content: maybe(fc.constantFrom('', 'x')),
      format: maybe(fc.constantFrom('text' as const, 'html' as const)),
      tool_call: maybe(
        fc.constantFrom(
          'start' as const,
          'running' as const,
          'update' as const,
          'end' as const,
          'error' as const,
          'permission-required' as const,
          'permission-granted' as const,
          'permission-denied' as const,
        ),
      ),
      tool_call_id: maybe(id),
      tool_call_params: maybe(fc.constantFrom('{', '}')),
      tool_call_response: maybe(fc.constantFrom('r')),
      message: maybe(fc.record({ id: fc.constantFrom('m1', 'm2'), replace: fc.constantFrom(false, false, true) })),
      rate_limit: maybe(
        fc.record({
          providerId: id,
          qpsLimit: fc.nat(),
          currentQps: fc.nat(),
          queueLength: fc.nat(),
          estimatedWaitTime: fc.nat(100_000),
        }),
      ),
      maximum_tool_calls_reached: maybe(fc.boolean()),
      image_data: maybe(fc.constant({ data: 'AA', mimeType: 'image/png' })),
      phase: maybe(fc.record({ name: fc.constantFrom('a', 'b', 'completed') })),
      citation: maybe(fc.constantFrom({ id: 'c', anchor: 'quote' as const, quote: 'a' }, { id: 'd' })),
      content_was_reasoning: maybe(fc.boolean()),
    })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  const event = fc.oneof(
    { weight: 10, arbitrary: data.map((fields) => response(fields)) },
    fc.constant(error('boom')),
    fc.boolean().map(end),
  );
  const ticking = fc.array(fc.tuple(event, fc.integer({ min: -50, max: 50 })), { maxLength: 40 });
  const final = new Set(['success', 'error', 'cancel']);

  it('keeps unchanged blocks the same objects, keeps timestamps in order and never reopens a tool call', () => {
    fc.assert(
      fc.property(ticking, (events) => {
        let count = 0;
        let run = emptyRun();
        for (const [next, tick] of events) {
          const before = run;
          run = reduceRun(before, next, { now: NOW + tick, newId: () => String(++count) });
          for (const message of run.messages) {
            const old = before.messages.find(({ id: known }) => known === message.id);
            let time = message.timestamp;
            for (const block of message.blocks) {
              expect(block.timestamp).to.be.at.least(time);
              time = block.timestamp;
              const same = old?.blocks.find(({ id: known }) => known === block.id);
              if (same && next.type === 'response' && Object.keys(next.data).length === 1) expect(block).to.equal(same);
              if (same?.type === 'tool_call' && final.has(same.status)) {
                // Only the start that its result has overtaken may change it.
                if (same.tool_call.params !== undefined) expect(block).to.equal(same);
                expect(block).to.deep.include({ status: same.status });
              }
              if (same && !touches(next, block.type)) expect(block).to.equal(same);
            }
          }
        }
      }),
    );
  });

  /** Whether an event may change blocks of a type. */
  function touches(next: LLMAgentEvent, type: BlockType): boolean {
    if (next.type === 'error') return false;
    if (next.type === 'end') return ['tool_call', 'action', 'status'].includes(type);
    const { data: fields } = next;
    const by: Partial<Record<BlockType, boolean>> = {
      content: fields.content !== undefined || fields.citation !== undefined || fields.content_was_reasoning === true,
      reasoning_content: fields.reasoning_content !== undefined || fields.content_was_reasoning === true,
      tool_call: fields.tool_call !== undefined,
      action: fields.tool_call !== undefined || fields.rate_limit !== undefined,
      status: fields.phase !== undefined,
    };
    return by[type] ?? false;
  }

  it('gives the same messages when it is played again', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const [left, right] = [playEvents(events), playEvents(events)];
        expect(left).to.deep.equal(right);
      }),
    );
  });
});

describe('a turn of several rounds', () => {
  it('continues in the same message', () => {
    const first = playEvents([
      response({ content: 'Wait.' }),
      response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' }),
      response({ finish: 'tool_use' }),
    ]);
    const answered = playEvents([response({ tool_call: 'end', tool_call_id: 't', tool_call_response: 'x' })], first);
    const run = playEvents([response({ content: 'Done.' }), response({ finish: 'complete' })], nextRound(answered));
    const expected: readonly ExpectedFields[] = [
      {
        status: 'complete',
        finish: 'complete',
        blocks: [text('Wait.'), call('t', 'f', { response: 'x' }), text('Done.')],
      },
    ];
    expect(settleRun(run, { status: 'complete', finish: 'complete' }).messages.map(bareMessage)).to.deep.equal(
      expected,
    );
  });

  it('counts its text over all rounds', () => {
    const first = playEvents([response({ content: 'abc', reasoning_content: 'de' })]);
    expect(playEvents([response({ content: 'f' })], nextRound(first)).length).to.equal(6);
  });
});

describe('a call of the page in an earlier message', () => {
  it('gets its result by its block, whatever message is current', () => {
    const run = playEvents([
      speak('a'),
      response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'look' }),
      speak('b'),
      response({ content: '2' }),
    ]);
    const callBlockId = run.messages[0]?.blocks[0]?.id;
    const result = response({ tool_call: 'end', tool_call_id: 't', tool_call_response_complete: 'seen' });
    const { messages } = reduceRun(run, result, { now: NOW, newId: () => 'new', callBlockId });
    expect(messages.map(({ blocks }) => blocks.map(({ type, status }) => `${type} ${status}`))).to.deep.equal([
      ['tool_call success'],
      ['content success'],
    ]);
  });
});

describe('a call at the end of the stream', () => {
  for (const [status, round, after] of [
    ['pending', 'this', 'loading'],
    ['granted', 'this', 'loading'],
    ['granted', 'an earlier', 'error'],
  ] as const)
    it(`is ${after} if the question about it is ${status} in ${round} round`, () => {
      const loading = { type: 'tool_call' as const, status: 'loading' as const, tool_call: { id: 't', name: 'look' } };
      const asked = {
        type: 'action' as const,
        status,
        action_type: 'tool_call_permission' as const,
        tool_call: { id: 't', name: 'look' },
      };
      const [message] = conversation(assistant([loading, asked], { status: 'streaming' }));
      const before = startRun(message!);
      const run = playEvents([end()], round === 'this' ? before : nextRound(before));
      expect(run.messages[0]?.blocks[0]?.status).to.equal(after);
    });
});
