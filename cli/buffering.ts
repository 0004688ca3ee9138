/** When a reply arrived, in milliseconds since its request. */
export interface Arrival {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** A shorter reply may be written all at once after some thought, whatever is in between. */
const ENOUGH_EVENTS = 20;
/** A reply that begins sooner proves nothing (ms). */
const THINKING_MS = 500;

const arrivedTogether = ({ first, last, end }: Arrival): boolean => last - first < Math.max(50, end / 20);

/** `unknown`: the reply came in one piece, but it is too short, or came too soon, to say why. */
export function deliveryOf(arrival: Arrival): 'steady' | 'buffered' | 'unknown' {
  if (!arrivedTogether(arrival)) return 'steady';
  return arrival.events >= ENOUGH_EVENTS && arrival.first > THINKING_MS ? 'buffered' : 'unknown';
}

export const bufferedText = ({ events, first }: Arrival): string =>
  `${String(events)} events came together after ${String(first)} ms: something holds them back.`;
