/** When a reply arrived, in milliseconds since its request. */
export interface Arrival {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** A reply that took time and arrived in one piece was buffered. A reply that arrived immediately proves nothing. */
export const isBuffered = ({ events, first, last, end }: Arrival): boolean =>
  events >= 4 && first > 500 && last - first < Math.max(50, end / 20);

export const bufferedText = ({ events, first }: Arrival): string =>
  `${String(events)} events came together after ${String(first)} ms: something holds them back.`;
