/**
 * Yields the batches, and `undefined` when nothing has arrived for as long as `quiet` waits. This is for protocols in which
 * only silence marks the end. `quiet` is called after each batch and returns undefined while silence has no meaning.
 */
export async function* withIdleSignal<Batch>(
  batches: AsyncIterable<Batch>,
  quiet: () => Promise<void> | undefined,
): AsyncGenerator<Batch | undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  let read: Promise<IteratorResult<Batch>> | undefined;
  let silence: Promise<undefined> | undefined;
  try {
    for (;;) {
      read ??= iterator.next();
      const next = await (silence ? Promise.race([read, silence]) : read);
      silence = undefined;
      if (next === undefined) {
        yield undefined;
        continue;
      }
      read = undefined;
      if (next.done) return;
      yield next.value;
      silence = quiet()?.then(() => undefined);
    }
  } finally {
    const ended = iterator.return?.();
    // A pending read ends with its stream; nobody waits for it.
    if (read) for (const promise of [read, ended]) promise?.catch(() => undefined);
    else await ended;
  }
}
