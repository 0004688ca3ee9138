import { detectFraming } from './detect-framing.ts';
import { frameLimits, type FrameLimits, type FrameStream, type Framing } from './frame.ts';
import { readJson } from './json.ts';
import { readLines } from './ndjson.ts';
import { readSse } from './sse.ts';
import { readPlainText } from './text.ts';

/** After this many characters the framing is decided, even if more characters could change it. */
const MAX_INSPECTED = 64 * 1024;

/**
 * Opens a body as frames. The framing is detected from the first characters. A known `framing` is used as it is, unless
 * the server sent a web page instead.
 */
export async function openFrames(
  chunks: AsyncIterable<string>,
  { framing, limits = frameLimits }: { readonly framing?: Framing | undefined; readonly limits?: FrameLimits } = {},
): Promise<FrameStream> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = '';
  let detected: Framing | undefined;
  while (!detected) {
    const next = await iterator.next();
    head += next.done ? '' : next.value;
    detected = detectFraming(head, next.done === true || head.length > MAX_INSPECTED, framing);
  }
  // A body of blank characters counts as empty.
  return { framing: detected, batches: readAs(detected, prepend(head.trim() === '' ? '' : head, iterator), limits) };
}

function readAs(framing: Framing, chunks: AsyncIterable<string>, limits: FrameLimits): FrameStream['batches'] {
  switch (framing) {
    case 'sse':
      return readSse(chunks, limits);
    case 'lines':
      return readLines(chunks, limits);
    case 'json':
      return readJson(chunks, limits);
    default:
      return readPlainText(chunks);
  }
}

async function* prepend(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
