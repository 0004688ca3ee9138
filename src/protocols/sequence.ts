import type { DecodeContext } from './adapter.ts';

/** How long a hole in the numbers is waited for, and how many later events are held meanwhile. */
const HOLD_MS = 500;
const HOLD_MAX = 256;

/**
 * Puts numbered events into their order: a future one is held until the hole is filled, the body ends or a short time has
 * passed, one that was applied before is dropped. Events without a number pass at once.
 * Source: session events, section 4.
 */
export async function* inSequence<Event>(
  batches: AsyncIterable<readonly Event[]>,
  sequenceOf: (event: Event) => number | undefined,
  { delay }: Pick<DecodeContext, 'delay'>,
): AsyncGenerator<readonly Event[]> {
  const held = new Map<number, Event>();
  let next = 0;

  const release = (): Event[] => {
    const events = [...held.entries()].sort(([left], [right]) => left - right);
    held.clear();
    next = (events.at(-1)?.[0] ?? next - 1) + 1;
    return events.map(([, event]) => event);
  };
  const take = (event: Event): Event[] => {
    const sequence = sequenceOf(event);
    if (sequence === undefined) return [event];
    if (sequence < next) return [];
    if (sequence > next) {
      held.set(sequence, event);
      return held.size > HOLD_MAX ? release() : [];
    }
    const events = [event];
    for (next++; held.has(next); next++) {
      events.push(held.get(next) as Event);
      held.delete(next);
    }
    return events;
  };

  const iterator = batches[Symbol.asyncIterator]();
  let read = iterator.next();
  try {
    for (;;) {
      const late = held.size > 0 ? delay(HOLD_MS).then(() => 'late' as const) : undefined;
      const result = await (late ? Promise.race([read, late]) : read);
      if (result === 'late') {
        yield release();
        continue;
      }
      if (result.done) break;
      read = iterator.next();
      const events = result.value.flatMap(take);
      if (events.length > 0) yield events;
    }
  } finally {
    // A read that is still under way when the reply is stopped fails later, and nobody waits for it then.
    read.catch(() => undefined);
    await iterator.return?.();
  }
  if (held.size > 0) yield release();
}
