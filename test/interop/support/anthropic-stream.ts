/** Streams of Anthropic's messages as its server sends them: named events with token counts. */
import { close, delta, end, open, start, stop } from '../../protocols/anthropic/streams.ts';
import { sse } from '../../support/play-body.ts';

interface Event {
  readonly type: string;
}

/** A reply with these events, from its start to its stop. */
export const reply = (events: readonly Event[], reason = 'end_turn', more: object = {}): string =>
  named(messageStart, ...events, end(reason, more, { usage: { output_tokens: 4 } }), stop);

export const messageStart: Event = start({ usage: { input_tokens: 3, output_tokens: 1 } });

/** The client ignores events without a name. */
export const named = (...events: readonly Event[]): string =>
  events.map((event) => `event: ${event.type}\n${sse(event)}`).join('');

/** Reasoning in chunks, with its signature. */
export const thinking = (index: number, ...chunks: readonly string[]): readonly Event[] => [
  open(index, { type: 'thinking', thinking: '', signature: '' }),
  ...chunks.map((chunk) => delta(index, 'thinking_delta', { thinking: chunk })),
  delta(index, 'signature_delta', { signature: 'SIGNED' }),
  close(index),
];
