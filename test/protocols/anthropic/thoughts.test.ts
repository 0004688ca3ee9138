import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text, thought } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { close, delta, done, open, rounds, textBlock, start, stream, completeBlock } from './streams.ts';

const cut = { status: 'interrupted', finish: 'error' };

describe('anthropic, reasoning', () => {
  testBodies(anthropic, [
    {
      name: 'reasoning with its signature, which is stored and not shown',
      body: stream([
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, 'thinking_delta', { thinking: 'Hm' }),
        delta(0, 'thinking_delta', { thinking: ' so' }),
        delta(0, 'signature_delta', { signature: 'SIG' }),
        close(0),
        ...textBlock(1, 'Yes'),
      ]),
      messages: [
        done([thought('Hm so'), text('Yes')], {
          metadata: rounds({ type: 'thinking', thinking: 'Hm so', signature: 'SIG' }, { type: 'text', text: 'Yes' }),
        }),
      ],
    },
    {
      name: 'reasoning with only a signature shows nothing',
      body: stream([
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, 'signature_delta', { signature: 'SIG' }),
        close(0),
        ...textBlock(1, 'Yes'),
      ]),
      messages: [
        done([text('Yes')], {
          metadata: rounds({ type: 'thinking', thinking: '', signature: 'SIG' }, { type: 'text', text: 'Yes' }),
        }),
      ],
    },
    {
      name: 'redacted reasoning: shown as present, without its content',
      body: stream([
        ...completeBlock(0, { type: 'redacted_thinking', data: 'OPAQUE' }),
        ...completeBlock(1, { type: 'thinking', thinking: 'Hm', signature: 'S' }),
      ]),
      messages: [
        done([thought('Hm', { extra: { hidden: true } })], {
          metadata: rounds(
            { type: 'redacted_thinking', data: 'OPAQUE' },
            { type: 'thinking', thinking: 'Hm', signature: 'S' },
          ),
        }),
      ],
    },
    {
      name: 'a stop in the middle keeps complete blocks',
      body: sse(
        start(),
        ...completeBlock(0, { type: 'thinking', thinking: 'Hm', signature: 'S' }),
        ...textBlock(1, 'Ha').slice(0, 2),
      ),
      messages: [
        done([thought('Hm'), text('Ha')], {
          ...cut,
          metadata: rounds({ type: 'thinking', thinking: 'Hm', signature: 'S' }),
        }),
      ],
      problem: 'cut',
    },
  ]);
});
