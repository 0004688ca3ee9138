import { expect } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { answerBlock } from '../../../src/runtime/answers/answer-action.ts';
import { continueRun } from '../../../src/conversation/continue-run.ts';

const question: BlockOf<'action'> = {
  id: 'q',
  type: 'action',
  action_type: 'question',
  status: 'pending',
  content: 'Which?',
  timestamp: 1,
};
const run = continueRun([{ id: 'm', role: 'assistant', status: 'streaming', blocks: [question], timestamp: 1 }]);
const answerTo = (payload: unknown): unknown => {
  const [block] = answerBlock(run, 'q', 'answered', { payload })?.run.messages[0]?.blocks ?? [];
  return block?.extra?.['answer'];
};

describe('the answer to a question', () => {
  for (const { payload, shown } of [
    { payload: 'blue', shown: 'blue' },
    { payload: 7, shown: '7' },
    {
      payload: { name: 'Ann', age: 30, tags: ['a', true], none: null, missing: undefined },
      shown: 'Ann · 30 · a · true',
    },
    { payload: { deep: { deeper: [['x'], 'y'] } }, shown: 'x · y' },
    { payload: null, shown: undefined },
    { payload: 'x'.repeat(600), shown: 'x'.repeat(500) },
  ])
    it(`${JSON.stringify(payload).slice(0, 60)} is shown as ${shown?.slice(0, 30) ?? 'nothing'}`, () => {
      expect(answerTo(payload)).to.equal(shown);
    });

  it('is refused for another block, for one that is answered, and with arguments that can not be edited', () => {
    expect(answerBlock(run, 'other', 'answered', {})).to.equal(undefined);
    const answered = answerBlock(run, 'q', 'answered', { payload: 'x' });
    expect(answered && answerBlock(answered.run, 'q', 'answered', { payload: 'y' })).to.equal(undefined);
    expect(answerBlock(run, 'q', 'granted', { arguments: { a: 1 } })).to.equal(undefined);
  });
});
