import { ChatError } from '../errors.ts';
import type { Certainty, SignFrame, Signs } from '../protocols/adapter.ts';
import { detectors } from '../protocols/detect.ts';
import type { ProtocolEntry } from '../protocols/registry.ts';
import { foreignOf, type Foreign } from '../protocols/foreign.ts';
import { parseJson } from '../model/json.ts';
import { maskSecrets } from '../safety/secrets.ts';
import type { Frame, FrameStream, Framing } from '../transport/frame.ts';

/** How many frames are looked at before nobody is believed to know them. */
const ENOUGH_FRAMES = 16;
const SHOWN_LENGTH = 200;

export interface Recognised {
  readonly entry: ProtocolEntry;
  /** All frames, those that were looked at in front. */
  readonly batches: AsyncIterable<readonly Frame[]>;
}

/**
 * Finds out whose stream it is (`sent`: the values of our headers, which must not be shown): frames are kept until one protocol is sure. A frame that is only an error or a ping decides
 * nothing, unless the body ends with it.
 *
 * @throws ChatError of kind `unsupported-stream`, with the first characters, when nobody is.
 */
export async function recognise(
  { framing, batches }: FrameStream,
  { sent = [], ...head }: Pick<Signs, 'url' | 'headers'> & { readonly sent?: readonly string[] },
  entries: readonly ProtocolEntry[],
): Promise<Recognised> {
  if (framing === 'html') throw await unsupported(batches, framing, sent);
  const iterator = batches[Symbol.asyncIterator]();
  const kept: (readonly Frame[])[] = [];
  const frames: SignFrame[] = [];
  let ended = false;
  while (!ended) {
    const next = await iterator.next();
    ended = next.done === true;
    if (!next.done) kept.push(next.value);
    if (ended && frames.length === 0) break;
    // One frame after the other: how many of them one read of the network gave must not matter.
    for (const frame of next.done ? [undefined] : next.value) {
      if (frame) frames.push({ ...frame, json: parseJson(frame.data) });
      const enough = ended || frames.length >= ENOUGH_FRAMES;
      const signs: Signs = { ...head, framing, frames, ended };
      const foreign = foreignOf(signs);
      if (foreign && !entries.some((entry) => entry.detect?.(signs) === 'sure')) {
        await iterator.return?.();
        throw notSpoken(foreign);
      }
      const entry = choose(signs, entries, enough);
      if (entry) return { entry, batches: rejoin(kept, iterator) };
      if (enough) throw await unsupported(rejoin(kept, iterator), framing, sent);
    }
  }
  // Nothing is an answer too where the address tells whose: a bot may have nothing to say.
  const guessed = guessByUrl(head.url, entries);
  if (guessed) return { entry: guessed, batches: rejoin(kept, iterator) };
  throw new ChatError('protocol', 'The agent answered with nothing at all.', { reason: 'empty', retryable: true });
}

/** The protocol that a URL suggests before anything was sent, such as `/v1/chat/completions`. */
export const guessByUrl = (url: URL, entries: readonly ProtocolEntry[]): ProtocolEntry | undefined => {
  const signs: Signs = { url, headers: new Headers(), framing: 'sse', frames: [], ended: false };
  return entries.find((entry) => certaintyOf(entry, signs) === 'maybe');
};

function choose(signs: Signs, entries: readonly ProtocolEntry[], enough: boolean): ProtocolEntry | undefined {
  const find = (certainty: Certainty): ProtocolEntry | undefined =>
    entries.find((entry) => certaintyOf(entry, signs) === certainty);
  return find('sure') ?? (enough ? find('maybe') : undefined);
}

/** The page's own adapter says it itself; for the built-in ones the table does. */
const certaintyOf = ({ id, detect }: ProtocolEntry, signs: Signs): Certainty =>
  detect?.(signs) ?? (Object.hasOwn(detectors, id) ? detectors[id]?.(signs) : undefined) ?? 'no';

async function* rejoin(
  kept: readonly (readonly Frame[])[],
  rest: AsyncIterator<readonly Frame[]>,
): AsyncGenerator<readonly Frame[]> {
  try {
    yield* kept;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Known, and nothing that can be spoken to. */
const notSpoken = ({ name, advice }: Foreign): ChatError =>
  new ChatError('unsupported-stream', `The endpoint is ${name}. ${advice}`, { reason: 'foreign', values: { name } });

/** What it looks like, as text: never rendered, and without what was sent. */
async function unsupported(
  batches: AsyncIterable<readonly Frame[]>,
  framing: Framing,
  sent: readonly string[],
): Promise<ChatError> {
  // Frames are told apart; what only the network has cut is not.
  const between = framing === 'html' || framing === 'text' ? '' : '\n';
  let start = '';
  for await (const batch of batches) {
    start += batch.map(({ data }) => data + between).join('');
    if (start.trim().length >= SHOWN_LENGTH) break;
  }
  const shown = maskSecrets(start.trim(), sent).slice(0, SHOWN_LENGTH);
  const message =
    framing === 'html'
      ? 'The endpoint answered with a web page instead of a stream: it is often a login page, a proxy or a wrong URL.'
      : 'The endpoint answered with a stream that no known protocol fits. Set "protocol", or describe yours with defineProtocol().';
  return new ChatError('unsupported-stream', `${message} It begins: ${shown}`, {
    reason: framing === 'html' ? 'html' : 'unsupported',
    values: { start: shown },
  });
}
