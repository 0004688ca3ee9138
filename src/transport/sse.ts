import { createParser } from 'eventsource-parser';
import { tooLong, type Frame, type FrameLimits } from './frame.ts';

/**
 * Server-sent events as WHATWG says, with two kindnesses that agents need: an event without its blank line at the end of
 * the body still counts, and whole JSON objects on `data` lines directly under one another are an event each.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readSse(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  let batch: Frame[] = [];
  const seen = { overflow: false };
  const parser = createParser({
    onEvent: (frame) => batch.push(frame),
    onError: (error) => (seen.overflow ||= error.type === 'max-buffer-size-exceeded'),
    maxBufferSize: maxEventLength,
  });
  const separate = separateObjects();
  for await (const chunk of chunks) {
    parser.feed(separate(chunk));
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
    if (seen.overflow) throw tooLong('event', maxEventLength);
  }
  parser.feed(separate('\n\n'));
  if (batch.length > 0) yield batch;
}

/**
 * Puts the missing blank line between `data: {…}` and `data: {…}`. No JSON document has a line that ends an object before
 * one that begins another, so nothing that belongs together is taken apart, and a reader need not wait for the end of the
 * body. Source: message-field, section 2 ("Trap").
 */
function separateObjects(): (chunk: string) => string {
  let held = '';
  return (chunk) => {
    const text = held + chunk;
    const end = heldFrom(text);
    held = text.slice(end);
    return text.slice(0, end).replace(/\}(\r\n|\n|\r)(?=data: ?\{)/g, '}$1$1');
  };
}

/** Where the part begins that may turn out to be such a gap: its other half can be in the next read. */
function heldFrom(text: string): number {
  const tail = text.slice(-10);
  const gap = /\}(?:(?:\r\n|\n|\r)(?:d(?:a(?:t(?:a(?:: ?)?)?)?)?)?)?$/.exec(tail);
  return gap ? text.length - gap[0].length : text.length;
}
