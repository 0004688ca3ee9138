import { expect } from '@open-wc/testing';
import { langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import { call, text, type ExpectedFields } from '../../support/bare.ts';
import { goOn } from '../../support/go-on.ts';
import { playBody } from '../../support/play-body.ts';
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

  it('continues a message without its start, after the connection was lost', async () => {
    const { messages } = await playBody(langgraph, run(values(human), piece('a', 'Hel')));
    const body = run(piece('a', 'lo'), values(human, ai('a', 'Hello')));
    expect(blocksOf(await goOn(langgraph, messages, body))).to.deep.equal([[text('Hello')]]);
  });
});
