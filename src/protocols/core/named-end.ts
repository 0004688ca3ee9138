import type { SignFrame } from './adapter.ts';

const NAMED_END = /^(?:done|end|error|close|complete|finish)$/;

/** Whether a frame of a text stream is its end or its error, as an event with a name: Replicate ends with `{}`. */
export const isNamedEnd = ({ event, data }: Pick<SignFrame, 'event' | 'data'>): boolean =>
  event !== undefined && NAMED_END.test(event) && (event === 'error' || /^(?:\{.*\}|null)?$/s.test(data));
