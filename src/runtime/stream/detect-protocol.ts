import { ChatError } from '../../errors.ts';
import type { Adapter, Certainty, SignFrame, DetectionInput } from '../../protocols/core/adapter.ts';
import { detectors } from '../../protocols/detectors.ts';
import type { ProtocolEntry } from '../../protocols/registry.ts';
import { detectUnsupportedProduct } from '../../protocols/unsupported-products.ts';
import { parseServerJson } from '../../model/json.ts';
import type { Frame, FrameStream } from '../../transport/frame.ts';
import type { CustomOptions } from './hand-over.ts';
import { isBroken } from './resume-stream.ts';
import type { TrialContext } from './trial-decode.ts';

/** Maximum number of frames to inspect before detection fails. */
const MAX_INSPECTED_FRAMES = 16;
/** Number of frames after which a generic JSON stream is accepted. Every named protocol is detected by then. */
const GENERIC_JSON_FRAMES = 4;
const GENERIC_JSON = 'json-stream';

const loadErrors = () => import('./unsupported-format.ts');

export interface DetectedProtocol {
  readonly entry: ProtocolEntry;
  /**
   * When this stream makes later requests use this protocol: immediately, when its stream has ended with content and without an error,
   * or never. `never` changes nothing for them: a protocol that was known before stays the known one.
   */
  readonly established: 'now' | 'with-content' | 'never';
  /** Fallback for a complete body in which `entry` finds no content. */
  readonly fallback?: ProtocolEntry | undefined;
  /** All frames, including those that were inspected. */
  readonly batches: AsyncIterable<readonly Frame[]>;
}

/** Protocols without a distinctive format: a server of any other protocol may answer a failure in this form. */
const GENERIC: ReadonlySet<string> = new Set(['text', 'json']);

const specificOf = (known: ProtocolEntry | undefined): ProtocolEntry | undefined =>
  known && !GENERIC.has(known.id) ? known : undefined;

interface Head extends Pick<DetectionInput, 'url' | 'headers'> {
  /** Values of the request headers, which must not be shown. */
  readonly sent?: readonly string[];
  /** Id of the protocol in which the request was made. */
  readonly known?: string | undefined;
  /** The reply, for decoding its first frames on trial. If the known protocol finds content, no signal is needed. */
  readonly trial?: TrialContext;
  /** No mapping is written to the console: the command-line tool prints it itself. */
  readonly quiet?: boolean;
  /** Called when a named protocol takes over a stream that was detected as a custom JSON stream. */
  readonly named?: ((adapter: Adapter) => void) | undefined;
}

/**
 * Detects the protocol of a stream. Frames are buffered until one protocol is certain, or until the known one finds
 * content in them. A frame that is only an error or a ping does not count, unless the body ends with it. A
 * previously detected protocol is replaced only by a certain match.
 *
 * @throws ChatError of kind `unsupported-stream`, with the first characters, if no protocol matches.
 */
export async function detectProtocol(
  { framing, batches }: FrameStream,
  { sent = [], known: knownId, quiet = false, named, trial, ...head }: Head,
  entries: readonly ProtocolEntry[],
): Promise<DetectedProtocol> {
  const known = entries.find(({ id }) => id === knownId);
  const specific = specificOf(known);
  if (framing === 'html') throw await (await loadErrors()).unsupportedFormatError(batches, framing, { sent, quiet });
  const iterator = batches[Symbol.asyncIterator]();
  const buffered: (readonly Frame[])[] = [];
  const frames: SignFrame[] = [];
  let ended = false;
  /** The error of a lost connection, if any. The frames before it are read as far as their protocol can be detected. */
  const lost: unknown[] = [];
  while (!ended) {
    const next = await iterator.next().catch((cause: unknown) => {
      lost.push(cause);
      return { done: true, value: undefined } as const;
    });
    ended = next.done === true;
    if (!next.done) buffered.push(next.value);
    if (ended && frames.length === 0) {
      if (lost.length > 0) return lostBeforeFrames(known, lost[0]);
      break;
    }
    // Inspect the frames one by one: the result must not depend on how many frames one network read returned.
    for (const frame of next.done ? [undefined] : next.value) {
      if (frame) frames.push({ ...frame, json: parseServerJson(frame.data) });
      const enough = ended || frames.length >= MAX_INSPECTED_FRAMES;
      const signs: DetectionInput = { ...head, framing, frames, ended };
      const unsupported = detectUnsupportedProduct(signs);
      if (unsupported && !entries.some((entry) => entry.detect?.(signs) === 'sure')) {
        await iterator.return?.();
        throw await (await loadErrors()).unsupportedProductError(unsupported);
      }
      const choice =
        choose(signs, entries, enough, known) ??
        (await chooseGenericJson({ signs, entries, certaintyOf, known, named, trial })) ??
        (frame && specific && trial ? await tryKnown(specific, frames, trial) : undefined);
      if (choice) return { ...choice, batches: rejoin(buffered, lost.length > 0 ? failing(lost[0]) : iterator) };
      if (enough && lost.length > 0) throw lost[0];
      if (enough)
        throw await (await loadErrors()).unsupportedFormatError(rejoin(buffered, iterator), framing, { sent, quiet });
    }
  }
  // An empty body is a valid reply if the URL identifies the protocol: a bot may have nothing to say.
  const guessed = known ?? guessByUrl(head.url, entries);
  if (guessed) return { entry: guessed, established: 'never', batches: rejoin(buffered, iterator) };
  throw new ChatError('protocol', 'The agent sent an empty reply.', { reason: 'empty', retryable: true });
}

export { likelyProtocol } from '../../protocols/detectors/likely-by-url.ts';

/** The protocol that a URL suggests before the first request, such as `/v1/chat/completions`. */
export const guessByUrl = (url: URL, entries: readonly ProtocolEntry[]): ProtocolEntry | undefined => {
  const signs: DetectionInput = { url, headers: new Headers(), framing: 'sse', frames: [], ended: false };
  return entries.find((entry) => certaintyOf(entry, signs) === 'maybe');
};

function choose(
  signs: DetectionInput,
  entries: readonly ProtocolEntry[],
  enough: boolean,
  known: ProtocolEntry | undefined,
): Omit<DetectedProtocol, 'batches'> | undefined {
  const find = (certainty: Certainty): ProtocolEntry | undefined =>
    entries.find((entry) => certaintyOf(entry, signs) === certainty);
  const specific = specificOf(known);
  const certain = find('sure');
  if (certain) return { entry: certain, established: specific && GENERIC.has(certain.id) ? 'never' : 'now' };
  if (!enough) return undefined;
  const possible = find('maybe');
  if (specific) {
    const instead = signs.ended && possible !== specific ? possible : undefined;
    return { entry: specific, established: 'never', fallback: instead };
  }
  return possible && { entry: possible, established: known ? 'never' : 'with-content' };
}

/** Chooses the known protocol if it finds content in the first frames. */
async function tryKnown(
  entry: ProtocolEntry,
  frames: readonly Frame[],
  trial: TrialContext,
): Promise<Omit<DetectedProtocol, 'batches'> | undefined> {
  const chunk = await import('./trial-decode.ts').catch(() => undefined);
  const hasContent = await chunk?.startsWithContent(await entry.load(), frames, trial);
  return hasContent ? { entry, established: 'never' } : undefined;
}

/**
 * Detects a generic JSON stream that no other protocol claims. Its detector is loaded with its adapter, so that pages
 * with a named protocol do not download it.
 */
async function chooseGenericJson(options: CustomOptions): Promise<Omit<DetectedProtocol, 'batches'> | undefined> {
  const { signs, entries, known } = options;
  const { frames, framing, ended } = signs;
  const entry = entries.find(({ id }) => id === GENERIC_JSON);
  if (!entry || framing === 'text' || (known && known !== entry && !GENERIC.has(known.id))) return undefined;
  if (!ended && !known && frames.length < GENERIC_JSON_FRAMES) return undefined;
  if (entries.some((other) => certaintyOf(other, signs) === 'maybe')) return undefined;
  const { chooseCustom } = await import('./hand-over.ts');
  return chooseCustom(entry, options);
}

/** A custom adapter detects itself; the built-in ones use the detector table. */
const certaintyOf = ({ id, detect }: ProtocolEntry, signs: DetectionInput): Certainty =>
  detect?.(signs) ?? (Object.hasOwn(detectors, id) ? detectors[id]?.(signs) : undefined) ?? 'no';

const failing = (cause: unknown): AsyncIterator<readonly Frame[]> => ({
  next() {
    throw cause;
  },
});

/** The known protocol may be able to resume the reply. */
function lostBeforeFrames(known: ProtocolEntry | undefined, cause: unknown): DetectedProtocol {
  if (!known || !isBroken(cause)) throw cause;
  return { entry: known, established: 'never', batches: rejoin([], failing(cause)) };
}

async function* rejoin(
  buffered: readonly (readonly Frame[])[],
  rest: AsyncIterator<readonly Frame[]>,
): AsyncGenerator<readonly Frame[]> {
  try {
    yield* buffered;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
