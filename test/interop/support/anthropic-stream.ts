/** Streams of Anthropic's messages as its server sends them: under their names, and with tokens that are counted. */
import { close, delta, end, open, start, stop } from '../../protocols/anthropic/wire.ts';
import { sse } from '../../support/play-body.ts';

interface Event {
  readonly type: string;
}

/** A reply of these events, from its start to its stop. */
export const reply = (events: readonly Event[], reason = 'end_turn', more: object = {}): string =>
  named(begin, ...events, end(reason, more, { usage: { output_tokens: 4 } }), stop);

export const begin: Event = start({ usage: { input_tokens: 3, output_tokens: 1 } });

/** The client reads no event without a name. */
export const named = (...events: readonly Event[]): string =>
  events.map((event) => `event: ${event.type}\n${sse(event)}`).join('');

/** A thought in pieces, with its signature. */
export const thinking = (index: number, ...pieces: readonly string[]): readonly Event[] => [
  open(index, { type: 'thinking', thinking: '', signature: '' }),
  ...pieces.map((piece) => delta(index, 'thinking_delta', { thinking: piece })),
  delta(index, 'signature_delta', { signature: 'SIGNED' }),
  close(index),
];
