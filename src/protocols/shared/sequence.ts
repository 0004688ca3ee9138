import type { DecodeContext } from '../adapter.ts';

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
  const order = makeOrder(sequenceOf);
  const iterator = batches[Symbol.asyncIterator]();
  let read: Promise<IteratorResult<readonly Event[]>> | undefined;
  /** The hole that is waited for, from when it was seen: what comes meanwhile does not prolong it. */
  let hole: { readonly at: number; readonly late: Promise<'late'> } | undefined;
  try {
    for (;;) {
      const at = order.hole();
      if (at === undefined) hole = undefined;
      else if (hole?.at !== at) hole = { at, late: delay(HOLD_MS).then(() => 'late') };
      read ??= iterator.next();
      const result = await (hole ? Promise.race([read, hole.late]) : read);
      if (result === 'late') {
        yield order.release();
        continue;
      }
      read = undefined;
      if (result.done) break;
      const events = result.value.flatMap(order.take);
      if (events.length > 0) yield events;
    }
  } finally {
    const ended = iterator.return?.();
    // A read that is still under way ends when its stream does, and nobody waits for it then.
    if (read) for (const promise of [read, ended]) promise?.catch(() => undefined);
    else await ended;
  }
  if (order.hole() !== undefined) yield order.release();
}

function makeOrder<Event>(sequenceOf: (event: Event) => number | undefined) {
  const held = new Map<number, Event>();
  const applied = new Set<number>();
  let next = 0;

  const apply = (sequence: number, event: Event): Event => {
    applied.add(sequence);
    return event;
  };
  const release = (): Event[] => {
    const events = [...held.entries()].sort(([left], [right]) => left - right);
    held.clear();
    next = (events.at(-1)?.[0] ?? next - 1) + 1;
    return events.map(([sequence, event]) => apply(sequence, event));
  };
  return {
    /** The number that is missing while later ones are held. */
    hole: () => (held.size > 0 ? next : undefined),
    release,
    take: (event: Event): Event[] => {
      const sequence = sequenceOf(event);
      if (sequence === undefined) return [event];
      if (applied.has(sequence)) return [];
      if (sequence > next) {
        held.set(sequence, event);
        return held.size > HOLD_MAX ? release() : [];
      }
      const events = [apply(sequence, event)];
      // One that comes after it was waited for is told late, since nothing that arrived is lost.
      if (sequence < next) return events;
      for (next++; held.has(next); next++) {
        events.push(apply(next, held.get(next) as Event));
        held.delete(next);
      }
      return events;
    },
  };
}
