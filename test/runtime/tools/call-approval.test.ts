import { expect } from '@open-wc/testing';
import type { Run } from '../../../src/conversation/run.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { openCalls, runClientTools } from '../../../src/runtime/tools/run-client-tools.ts';

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
async function runWith(answers: readonly Answer[]): Promise<number> {
  let ran = 0;
  let run = runOf(CALL);
  await runClientTools({
    tools: [
      {
        name: 'wipe',
        description: '',
        parameters: { type: 'object' },
        needsApproval: true,
        execute: () => ++ran,
      },
    ],
    signal: new AbortController().signal,
    eventId: 'e',
    run: () => run,
    dispatch([event], callBlockId) {
      if (event?.type !== 'response' || event.data.tool_call !== 'permission-required') return;
      const question = { id: 'question', type: 'action', action_type: 'tool_call_permission', status: 'pending' };
      run = runOf(CALL, { ...question, callBlockId, extra: { byPage: true } });
    },
    answers: () => Promise.resolve(answers),
  });
  return ran;
}

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
