import { expect } from '@open-wc/testing';
import { adapter as agUi } from '../../../src/protocols/ag-ui/ag-ui.ts';
import { call, text, type ExpectedFields } from '../../support/bare.ts';
import { goOn } from '../../support/go-on.ts';
import { playBody } from '../../support/play-body.ts';
import { callTool, result, run, say } from './streams.ts';

const blocksOf = (messages: readonly ExpectedFields[]): readonly unknown[] => messages.map(({ blocks }) => blocks);
const answered = call('c', 'f', { params: '{}', response: 'ok' });

describe('ag-ui, a stream that continues a reply', () => {
  const first = async () =>
    (
      await playBody(
        agUi,
        run(
          { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
          { type: 'ACTIVITY_SNAPSHOT', messageId: 'x', activityType: 't', content: { a: 1 } },
          ...say('m', 'Wait'),
          ...callTool('c', 'f', '{}', 'm'),
        ),
      )
    ).messages;
  const activity = {
    type: 'data',
    data: { data_type: 'custom', data: { a: 1 }, metadata: { activityType: 't' } },
    extra: { dataId: 'x' },
  };

  it('adds the result to the call of an earlier run, in the same message', async () => {
    const messages = await goOn(agUi, await first(), run(result('c', 'ok'), ...say('n', 'Done')));
    expect(blocksOf(messages)).to.deep.equal([[activity, text('Wait'), answered, text('Done')]]);
  });

  it('applies patches to the sent state', async () => {
    const messages = await goOn(
      agUi,
      await first(),
      run({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] }),
    );
    expect((messages[0]?.['metadata'] as ExpectedFields)['state']).to.deep.equal({ n: 2 });
  });

  it('keeps its earlier text after a snapshot removed text', async () => {
    const snapshot = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'u', role: 'user', content: 'hi' },
        {
          id: 'm',
          role: 'assistant',
          content: 'Wait',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { id: 'c-r', role: 'tool', toolCallId: 'c', content: 'ok' },
        { id: 'n', role: 'assistant', content: 'Right' },
      ],
    };
    const messages = await goOn(agUi, await first(), run(result('c', 'ok'), ...say('n', 'Wrong'), snapshot));
    expect(blocksOf(messages)).to.deep.equal([[text('Wait'), answered, text('Right'), activity]]);
  });

  it('keeps its own rounds: each stream appends its part', async () => {
    const messages = await goOn(agUi, await first(), run(result('c', 'ok'), ...say('n', 'Done')));
    const rounds = (messages[0]?.['metadata'] as ExpectedFields)['rounds'] as readonly {
      items: readonly ExpectedFields[];
    }[];
    expect(rounds.map(({ items }) => items.map(({ id }) => id))).to.deep.equal([['m'], ['c-r', 'n']]);
  });
});
