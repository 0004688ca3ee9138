import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import { adapter as langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import type { RunState } from '../../../src/protocols/langgraph/run-location.ts';
import { bareMessage, call, text, type ExpectedFields } from '../../support/bare.ts';
import { goOn } from '../../support/go-on.ts';
import { emptyTurn, playBody, type Played } from '../../support/play-body.ts';
import { ai, callPiece, human, piece, run, toolMessage, values } from './streams.ts';

const blocksOf = (messages: readonly ExpectedFields[]): readonly unknown[] => messages.map(({ blocks }) => blocks);
const calls = { tool_calls: [{ id: 'c', name: 'f', args: {} }] };
const answered = call('c', 'f', { params: '{}', response: 'ok' }, { extra: { remote: true } });

describe('langgraph, a stream that continues a reply', () => {
  const first = async () => {
    const body = run(
      values(human),
      piece('a', 'Wait'),
      callPiece('a', { index: 0, id: 'c', name: 'f', args: '{}' }),
      values(human, ai('a', 'Wait', calls)),
    );
    return (await playBody(langgraph, body)).messages;
  };

  it('knows its earlier text, and adds the result to the call', async () => {
    const state = [human, ai('a', 'Wait', calls), toolMessage('c', 'ok')];
    const body = run(
      values(human, ai('a', 'Wait', calls)),
      values(...state),
      piece('b', 'Done'),
      values(...state, ai('b', 'Done')),
    );
    expect(blocksOf(await goOn(langgraph, await first(), body))).to.deep.equal([
      [text('Wait'), answered, text('Done')],
    ]);
  });

  it('repeats all of it if the state removes text', async () => {
    const state = [human, ai('a', 'Wait', calls), toolMessage('c', 'ok')];
    const body = run(values(...state), piece('b', 'Wrong'), values(...state, ai('b', 'Right')));
    expect(blocksOf(await goOn(langgraph, await first(), body))).to.deep.equal([
      [text('Wait'), call('c', 'f', { params: '{}', response: 'ok' }), text('Right')],
    ]);
  });

  it('does not repeat the old answer of a thread when the user tries again, and again', async () => {
    const url = 'https://graph.example/threads/t9/runs/stream';
    const again = async (reply: ChatMessage | undefined, ...state: readonly object[]): Promise<Played> => {
      const turn = { ...emptyTurn, fork: { by: 'regenerate', reply } } as const;
      const inThread: Adapter<RunState> = {
        ...langgraph,
        decode: (batches, context) => langgraph.decode(batches, { ...context, url, turn }),
      };
      return playBody(inThread, run(values(human, ...state)));
    };
    const state = [ai('ai1', 'First'), ai('ai2', 'Second'), ai('ai3', 'Third')];
    const one = await again(undefined, ...state.slice(0, 1));
    const two = await again(one.messages[0], ...state.slice(0, 2));
    const three = await again(two.messages[0], ...state);
    const shown = [one, two, three].map(({ messages }) => blocksOf(messages.map(bareMessage)));
    expect(shown).to.deep.equal([[[text('First')]], [[text('Second')]], [[text('Third')]]]);
  });

  it('continues a message without its start, after the connection was lost', async () => {
    const { messages } = await playBody(langgraph, run(values(human), piece('a', 'Hel')));
    const body = run(piece('a', 'lo'), values(human, ai('a', 'Hello')));
    expect(blocksOf(await goOn(langgraph, messages, body))).to.deep.equal([[text('Hello')]]);
  });
});
