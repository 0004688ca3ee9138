import { expect } from '@open-wc/testing';
import type { Run } from '../../../src/conversation/run.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { isAnswerForPage, isCurrentQuestion, openCalls } from '../../../src/runtime/tools/open-calls.ts';
import { refuseCalls, runClientTools } from '../../../src/runtime/tools/run-client-tools.ts';

const CALL = {
  id: 'call',
  type: 'tool_call',
  status: 'loading',
  timestamp: 1,
  tool_call: { id: 'c', name: 'wipe', params: '{}' },
} as const;

const runOf = (...blocks: readonly object[]): Run =>
  ({ messages: [{ id: 'm', role: 'assistant', status: 'streaming', timestamp: 1, blocks }] }) as unknown as Run;

const answer = (blockId: string, decision: Answer['decision']): Answer => ({
  blockId,
  decision,
  actionType: 'tool_call_permission',
});

/** Runs the call of a tool that needs approval. @returns how often the tool ran */
async function runWith(
  answers: readonly Answer[],
  stopped: 'before' | 'meanwhile' | 'never' = 'never',
): Promise<number> {
  const controller = new AbortController();
  if (stopped === 'before') controller.abort();
  let ran = 0;
  let run = runOf(CALL);
  await runClientTools({
    tools: () => [
      {
        name: 'wipe',
        description: '',
        parameters: { type: 'object' },
        needsApproval: true,
        execute: () => ++ran,
      },
    ],
    listTools: () => Promise.resolve(),
    isRestored: () => false,
    isRevoked: () => false,
    signal: controller.signal,
    eventId: 'e',
    run: () => run,
    dispatch([event], callBlockId) {
      if (event?.type !== 'response' || event.data.tool_call !== 'permission-required') return;
      const question = { id: 'question', type: 'action', action_type: 'tool_call_permission', status: 'pending' };
      run = runOf(CALL, { ...question, callBlockId, extra: { byPage: true } });
    },
    answers: () => {
      if (stopped === 'meanwhile') controller.abort();
      return Promise.resolve(answers);
    },
  });
  return ran;
}

describe('rule 100: a call of a reply that the user has stopped does not run', () => {
  for (const stopped of ['before', 'meanwhile'] as const) {
    it(stopped, async () => {
      expect(await runWith([answer('question', 'granted')], stopped)).to.equal(0);
    });
  }
});

describe('rule 40: a call that needs approval runs only if its own question was granted', () => {
  const rows: readonly { name: string; answers: readonly Answer[]; expected: number }[] = [
    { name: 'granted', answers: [answer('question', 'granted')], expected: 1 },
    { name: 'no answer at all', answers: [], expected: 0 },
    { name: 'another question granted', answers: [answer('other', 'granted')], expected: 0 },
    ...(['denied', 'dismissed', 'answered'] as const).map((decision) => ({
      name: decision,
      answers: [answer('question', decision), answer('other', 'granted')],
      expected: 0,
    })),
  ];
  for (const { name, answers, expected } of rows)
    it(name, async () => {
      expect(await runWith(answers)).to.equal(expected);
    });

  it('a call that the server runs is not the page’s', () => {
    expect(
      openCalls(runOf(CALL, { ...CALL, id: 'remote', extra: { remote: true } })).map(({ id }) => id),
    ).to.deep.equal(['call']);
  });
});

describe('an answer', () => {
  const forPage = { ...answer('q', 'granted'), callBlockId: 'call', extra: { byPage: true } };

  it('is for the page only if the page has asked about a call', () => {
    expect(isAnswerForPage(forPage)).to.equal(true);
    const { callBlockId: _, ...withoutCall } = forPage;
    expect(isAnswerForPage(withoutCall)).to.equal(false);
    expect(isAnswerForPage({ ...forPage, actionType: 'question' })).to.equal(false);
    for (const byPage of [undefined, false, 'true', 1])
      expect(isAnswerForPage({ ...forPage, extra: { byPage } }), String(byPage)).to.equal(false);
  });
});

describe('a restored question', () => {
  const tool = { name: 'wipe', description: 'Wipes.', parameters: { type: 'object' }, execute: () => 0 } as const;
  const question = {
    id: 'q',
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'pending',
    timestamp: 1,
    callBlockId: 'call',
    content: 'Wipes.',
    tool_call: { name: 'wipe', params: '{}' },
    extra: { byPage: true },
  };
  const isCurrent = (changes: object, tools: readonly object[] = [tool], open: readonly object[] = [CALL]): boolean =>
    isCurrentQuestion({ ...question, ...changes } as never, tools as never, open as never);

  it('is current if the page would ask the same now', () => {
    expect(isCurrent({})).to.equal(true);
    expect(isCurrent({ tool_call: { name: 'wipe', params: ' { } ', server_name: '' } })).to.equal(true);
    const asking = { ...tool, question: () => 'Sure?' };
    expect(isCurrent({ extra: { byPage: true, question: 'Sure?' } }, [asking])).to.equal(true);
    expect(isCurrent({ extra: { byPage: true, question: 'Safe?' } }, [asking])).to.equal(false);
    const failing = {
      ...tool,
      question: () => {
        throw new Error('Unexpected arguments');
      },
    };
    // Such a question can't be answered permanently.
    expect(isCurrent({ extra: { byPage: true, rememberable: false } }, [failing])).to.equal(true);
    expect(isCurrent({}, [failing])).to.equal(false);
  });

  const changes: Readonly<Record<string, object>> = {
    'another call': { callBlockId: 'other' },
    'no call': { callBlockId: undefined },
    'a server’s question': { extra: { byPage: false } },
    'another description': { content: 'Harmless.' },
    'no description': { content: undefined },
    'another tool': { tool_call: { name: 'read', params: '{}' } },
    'no tool': { tool_call: undefined },
    'other arguments': { tool_call: { name: 'wipe', params: '{"all":true}' } },
    'a server': { tool_call: { name: 'wipe', params: '{}', server_name: 'files' } },
    'a server elsewhere': { extra: { byPage: true, serverName: 'files' } },
    'a question of its own': { extra: { byPage: true, question: 'Safe?' } },
  };
  for (const [name, change] of Object.entries(changes))
    it(`is not current with ${name}`, () => {
      expect(isCurrent(change)).to.equal(false);
    });

  it('is not current without its tool or its call', () => {
    expect(isCurrent({}, [])).to.equal(false);
    expect(isCurrent({}, [tool], [])).to.equal(false);
  });
});

it('refused calls end with the reason and do not run', () => {
  const told: unknown[] = [];
  const noCall = { ...CALL, id: 'without', tool_call: { name: 'wipe' } };
  refuseCalls(
    {
      tools: () => [],
      listTools: () => Promise.resolve(),
      isRestored: () => false,
      isRevoked: () => false,
      signal: new AbortController().signal,
      eventId: 'e',
      run: () => runOf(CALL, noCall),
      dispatch([event], id) {
        if (event?.type === 'response')
          told.push([id, event.data.tool_call, event.data.tool_call_id, event.data.tool_call_error]);
      },
      answers: () => Promise.resolve([]),
    },
    openCalls(runOf(CALL, noCall)),
    'Too many rounds.',
  );
  const error = { message: 'Too many rounds.', code: 'not-run' };
  expect(told).to.deep.equal([
    ['call', 'error', 'c', error],
    ['without', 'error', undefined, error],
  ]);
});
