import { expect } from '@open-wc/testing';
import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text } from '../../support/bare.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { decodeContext, emptyTurn, framesOf, sse } from '../../support/play-body.ts';
import { toolUseBlock, done, end, rounds, textBlock, start, stop } from './streams.ts';

const tokens = { input_tokens: 113, output_tokens: 1 };
const usage = { prompt_tokens: 113, completion_tokens: 1, total_tokens: 114 };

describe('anthropic, proxies that retry', () => {
  testBodies(anthropic, [
    {
      name: 'a proxy repeats the start',
      body: sse(start(), start(), ...textBlock(0, 'Hi'), end(), stop),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a proxy starts another reply in the middle: the first one is removed',
      body: sse(
        start({ usage: tokens }),
        ...textBlock(0, 'Half'),
        ...toolUseBlock(1, 'a', '{}'),
        start({}, 'm2'),
        ...textBlock(0, 'Whole'),
        end(),
        stop,
      ),
      messages: [
        done([text('Whole')], {
          usage,
          metadata: { ...rounds({ type: 'text', text: 'Whole' }), messageId: 'm2' },
        }),
      ],
    },
  ]);

  it('in a later round the shown text stays: the reply fails', async () => {
    const messages = conversation(user('hi'), assistant([toolBlock('a', 'f', '{}', 'ok')]));
    const frames = framesOf(start(), ...textBlock(0, 'Half'), start({}, 'm2'), ...textBlock(0, 'Whole'), end(), stop);
    const context = { ...decodeContext(), turn: { ...emptyTurn, messages } };
    const types = [];
    for await (const events of anthropic.decode(chunksOf([frames]), context))
      types.push(...events.map(({ type }) => type));
    expect(types).to.include('error');
  });
});
