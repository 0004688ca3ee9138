/** So that a burst leaves the page its turns: typing, scrolling and drawing come between its pieces. */

/** Milliseconds of work in one go: half of what a frame has, since the frame has to be drawn too. */
const TURN_MS = 8;
/** So many are handed on at once, at most: what they make of themselves can't be interrupted. */
const PIECE = 256;

export interface Pace {
  /** Milliseconds. */
  now(): number;
  /** Resolves when the page has had its turn. */
  giveWay(): Promise<void>;
}

/** The batches in pieces, with turns for the page between those that whoever reads them works on for long. */
export async function* paced<T>(
  batches: AsyncIterable<readonly T[]>,
  { now, giveWay }: Pace = browserPace,
): AsyncGenerator<readonly T[]> {
  let worked = 0;
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += PIECE) {
      const begun = now();
      yield batch.length > PIECE ? batch.slice(start, start + PIECE) : batch;
      worked += now() - begun;
      if (worked < TURN_MS) continue;
      await giveWay();
      worked = 0;
    }
  }
}

export const browserPace: Pace = { now: () => performance.now(), giveWay };

let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

/**
 * A message to ourselves is a task like the page's own. Timers are held back, in a hidden tab for a second. One channel for all:
 * to make one takes longer than what was worked on.
 */
function giveWay(): Promise<void> {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(undefined);
  });
}
