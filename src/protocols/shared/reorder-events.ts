import type { DecodeContext } from '../core/adapter.ts';

/** How long to wait for a missing sequence number, and how many later events are buffered meanwhile. */
const MAX_WAIT_MS = 500;
const MAX_BUFFERED = 256;

/**
 * Sorts numbered events. Events after a gap are buffered until the gap is filled, the body ends or a short time has
 * passed; duplicates are dropped. Events without a number pass through immediately.
 * Source: `docs/protocols/agent-session.md`.
 */
export async function* reorderEvents<Event>(
  batches: AsyncIterable<readonly Event[]>,
  sequenceOf: (event: Event) => number | null | undefined,
  { delay }: Pick<DecodeContext, 'delay'>,
): AsyncGenerator<readonly Event[]> {
  const sequencer = makeSequencer(sequenceOf);
  const iterator = batches[Symbol.asyncIterator]();
  let read: Promise<IteratorResult<readonly Event[]>> | undefined;
  /** The gap that is being waited for. The wait starts when it is detected; later events do not extend it. */
  let gap: { readonly missing: number; readonly timeout: Promise<'late'> } | undefined;
  try {
    for (;;) {
      const missing = sequencer.missing();
      if (missing === undefined) gap = undefined;
      else if (gap?.missing !== missing) gap = { missing, timeout: delay(MAX_WAIT_MS).then(() => 'late') };
      read ??= iterator.next();
      const result = await (gap ? Promise.race([read, gap.timeout]) : read);
      if (result === 'late') {
        yield sequencer.release();
        continue;
      }
      read = undefined;
      if (result.done) break;
      const events = result.value.flatMap(sequencer.take);
      if (events.length > 0) yield events;
    }
  } finally {
    const ended = iterator.return?.();
    // A pending read is not awaited, because it ends only when its stream does. Its errors are ignored.
    if (read) for (const promise of [read, ended]) promise?.catch(() => undefined);
    else await ended;
  }
  if (sequencer.missing() !== undefined) yield sequencer.release();
}

function makeSequencer<Event>(sequenceOf: (event: Event) => number | null | undefined) {
  const buffered = new Map<number, Event>();
  const emitted = new Set<number>();
  let next = 0;

  const markEmitted = (sequence: number, event: Event): Event => {
    emitted.add(sequence);
    return event;
  };
  const release = (): Event[] => {
    const events = [...buffered.entries()].sort(([left], [right]) => left - right);
    buffered.clear();
    next = (events.at(-1)?.[0] ?? next - 1) + 1;
    return events.map(([sequence, event]) => markEmitted(sequence, event));
  };
  return {
    /** The missing sequence number, while later events are buffered. */
    missing: () => (buffered.size > 0 ? next : undefined),
    release,
    take: (event: Event): Event[] => {
      const sequence = sequenceOf(event);
      if (sequence == null) return [event];
      if (emitted.has(sequence)) return [];
      if (sequence > next) {
        buffered.set(sequence, event);
        return buffered.size > MAX_BUFFERED ? release() : [];
      }
      const events = [markEmitted(sequence, event)];
      // An event that arrives after the wait is emitted late, so that nothing is lost.
      if (sequence < next) return events;
      for (next++; buffered.has(next); next++) {
        events.push(markEmitted(next, buffered.get(next) as Event));
        buffered.delete(next);
      }
      return events;
    },
  };
}
