import type { DetectionFrame } from './adapter.ts';

const NAMED_END = /^(?:done|end|error|close|complete|finish)$/;

/** Whether a frame of a text stream is a named event for its end or an error. Replicate's event `done` has the data `{}`. */
export const isNamedEnd = ({ event, data }: Pick<DetectionFrame, 'event' | 'data'>): boolean =>
  event !== undefined && NAMED_END.test(event) && (event === 'error' || /^(?:\{.*\}|null)?$/s.test(data));
