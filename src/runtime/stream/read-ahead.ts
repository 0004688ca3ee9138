/** Bytes that nobody has read yet, after which the server has to wait. */
const MAX_UNREAD_BYTES = 1_048_576;

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/**
 * Reads a body before its chunks are asked for: when a connection breaks, its stream discards the chunks that nobody has
 * read yet, which may be the beginning of the reply.
 */
export function readAhead(body: ReadableStream<Uint8Array>): Reader {
  const reader = body.getReader();
  const reads: ReturnType<Reader['read']>[] = [];
  let unread = 0;
  const read = (): ReturnType<Reader['read']> => {
    const result = reader.read();
    result.then(
      ({ value }) => {
        if (value && (unread += value.length) < MAX_UNREAD_BYTES) reads.push(read());
      },
      // The error belongs to the caller that reads this chunk.
      () => undefined,
    );
    return result;
  };
  reads.push(read());
  return {
    async read() {
      const result = await (reads.shift() ?? read());
      unread -= result.value?.length ?? 0;
      return result;
    },
    cancel: () => reader.cancel(),
  };
}
