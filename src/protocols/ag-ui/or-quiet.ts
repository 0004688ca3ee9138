/**
 * The batches, and `undefined` once when nothing has come for as long as `quiet` waits: for protocols in which only silence
 * tells that there is no more. `quiet` is asked behind each batch and gives nothing where no silence counts.
 */
export async function* orQuiet<Batch>(
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
    // A read that is still under way ends when its stream does, and nobody waits for it then.
    if (read) for (const promise of [read, ended]) promise?.catch(() => undefined);
    else await ended;
  }
}
