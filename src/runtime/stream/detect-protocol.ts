import { ChatError } from '../../errors.ts';
import type { Adapter, Certainty, DetectionFrame, DetectionInput } from '../../protocols/core/adapter.ts';
import { detectors } from '../../protocols/detectors.ts';
import type { ProtocolEntry } from '../../protocols/registry.ts';
import { detectUnsupportedProduct } from '../../protocols/unsupported-products.ts';
import { parseServerJson } from '../../model/json.ts';
import type { Frame, FrameStream } from '../../transport/frame.ts';
import type { JsonStreamOptions } from './hand-over.ts';
import { isConnectionLost } from './resume-stream.ts';
import type { TrialContext } from './trial-decode.ts';

/** Maximum number of frames to inspect before detection fails. */
const MAX_INSPECTED_FRAMES = 16;
/** Number of frames after which a generic JSON stream is accepted. Every other protocol is detected by then. */
const JSON_STREAM_FRAMES = 4;
/** The id of the fallback protocol for JSON streams in a server's own format. */
const JSON_STREAM = 'json-stream';

const loadErrors = () => import('./unsupported-format.ts');

export interface DetectedProtocol {
  readonly entry: ProtocolEntry;
  /**
   * When the protocol becomes the known one, which later requests use. `now`: immediately. `with-content`: after the stream has ended,
   * if the reply has content and no error. `never`: this reply does not change the known protocol, even if there is none.
   */
  readonly established: 'now' | 'with-content' | 'never';
  /** Used instead of `entry` if that finds no content in the complete body. */
  readonly fallback?: ProtocolEntry | undefined;
  /** All frames, including those that were inspected. */
  readonly batches: AsyncIterable<readonly Frame[]>;
}

/**
 * Protocols without a distinctive format. They never become the known protocol in place of another one, because any server may send an
 * error as plain text or JSON.
 */
const INDISTINCT: ReadonlySet<string> = new Set(['text', 'json']);

/** The known protocol, unless it is an indistinct one. */
const specificOf = (known: ProtocolEntry | undefined): ProtocolEntry | undefined =>
  known && !INDISTINCT.has(known.id) ? known : undefined;

interface DetectionContext extends Pick<DetectionInput, 'url' | 'headers'> {
  /** Values of the request headers. They may be secrets, so errors and the console must not show them. */
  readonly secrets?: readonly string[];
  /** Id of the known protocol: the one in which the request was made. */
  readonly knownId?: string | undefined;
  /** For a trial decoding of the first frames with the known protocol. If that finds content in them, no detector has to be sure. */
  readonly trial?: TrialContext;
  /** Whether to write no proposed mapping to the console. The command-line tool prints it itself. */
  readonly quiet?: boolean;
  /** Called when another protocol takes over a stream that was detected as a generic JSON stream. */
  readonly onTakeover?: ((adapter: Adapter) => void) | undefined;
}

/**
 * Detects the protocol of a stream. Frames are buffered until one protocol is certain, or until the known one finds content in them.
 * Errors and pings decide nothing, unless the body ends after them. A known protocol is replaced only by a certain match.
 *
 * @throws ChatError of kind `unsupported-stream`, with the first characters, if no protocol matches.
 */
export async function detectProtocol(
  { framing, batches }: FrameStream,
  { secrets = [], knownId, quiet = false, onTakeover, trial, ...head }: DetectionContext,
  entries: readonly ProtocolEntry[],
): Promise<DetectedProtocol> {
  const known = entries.find(({ id }) => id === knownId);
  const specific = specificOf(known);
  if (framing === 'html') throw await (await loadErrors()).unsupportedFormatError(batches, framing, { secrets, quiet });
  const iterator = batches[Symbol.asyncIterator]();
  const buffered: (readonly Frame[])[] = [];
  const frames: DetectionFrame[] = [];
  let ended = false;
  /** The error of a lost connection, at most one. The frames that arrived before it may be enough for the detection. */
  const connectionErrors: unknown[] = [];
  while (!ended) {
    const next = await iterator.next().catch((cause: unknown) => {
      connectionErrors.push(cause);
      return { done: true, value: undefined } as const;
    });
    ended = next.done === true;
    if (!next.done) buffered.push(next.value);
    if (ended && frames.length === 0) {
      if (connectionErrors.length > 0) return lostBeforeFrames(known, connectionErrors[0]);
      break;
    }
    // Inspect the frames one by one: the result must not depend on how many frames one network read returned.
    for (const frame of next.done ? [undefined] : next.value) {
      if (frame) frames.push({ ...frame, json: parseServerJson(frame.data) });
      const mustDecide = ended || frames.length >= MAX_INSPECTED_FRAMES;
      const input: DetectionInput = { ...head, framing, frames, ended };
      const unsupported = detectUnsupportedProduct(input);
      if (unsupported && !entries.some((entry) => entry.detect?.(input) === 'sure')) {
        await iterator.return?.();
        throw await (await loadErrors()).unsupportedProductError(unsupported);
      }
      const choice =
        choose(input, entries, mustDecide, known) ??
        (await chooseJsonStream({ input, entries, certaintyOf, known, onTakeover, trial })) ??
        (frame && specific && trial ? await tryKnown(specific, frames, trial) : undefined);
      if (choice) {
        const rest = connectionErrors.length > 0 ? failingIterator(connectionErrors[0]) : iterator;
        return { ...choice, batches: rejoin(buffered, rest) };
      }
      if (mustDecide && connectionErrors.length > 0) throw connectionErrors[0];
      if (mustDecide)
        throw await (
          await loadErrors()
        ).unsupportedFormatError(rejoin(buffered, iterator), framing, { secrets, quiet });
    }
  }
  // An empty body is a valid reply if the URL identifies the protocol: a bot may have nothing to say.
  const assumed = known ?? guessByUrl(head.url, entries);
  if (assumed) return { entry: assumed, established: 'never', batches: rejoin(buffered, iterator) };
  throw new ChatError('protocol', 'The agent sent an empty reply.', { reason: 'empty', retryable: true });
}

// Re-exported for preloading: the chunk of the detection is loaded anyway.
export { protocolToPreload } from '../../protocols/detectors/preload-by-url.ts';

/** Guesses the protocol from a URL such as `/v1/chat/completions`, for the format of the first request. */
export const guessByUrl = (url: URL, entries: readonly ProtocolEntry[]): ProtocolEntry | undefined => {
  const input: DetectionInput = { url, headers: new Headers(), framing: 'sse', frames: [], ended: false };
  return entries.find((entry) => certaintyOf(entry, input) === 'maybe');
};

/** Chooses a protocol from the frames so far. Undefined if more frames are needed, or if none matches. */
function choose(
  input: DetectionInput,
  entries: readonly ProtocolEntry[],
  mustDecide: boolean,
  known: ProtocolEntry | undefined,
): Omit<DetectedProtocol, 'batches'> | undefined {
  const find = (certainty: Certainty): ProtocolEntry | undefined =>
    entries.find((entry) => certaintyOf(entry, input) === certainty);
  const specific = specificOf(known);
  const certain = find('sure');
  if (certain) return { entry: certain, established: specific && INDISTINCT.has(certain.id) ? 'never' : 'now' };
  if (!mustDecide) return undefined;
  const possible = find('maybe');
  if (specific) {
    const fallback = input.ended && possible !== specific ? possible : undefined;
    return { entry: specific, established: 'never', fallback };
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
 * Chooses the generic JSON stream if no other protocol claims the frames. Its detector is loaded with its adapter, so that pages with
 * another protocol do not download it.
 */
async function chooseJsonStream(options: JsonStreamOptions): Promise<Omit<DetectedProtocol, 'batches'> | undefined> {
  const { input, entries, known } = options;
  const { frames, framing, ended } = input;
  const entry = entries.find(({ id }) => id === JSON_STREAM);
  if (!entry || framing === 'text' || (known && known !== entry && !INDISTINCT.has(known.id))) return undefined;
  if (!ended && !known && frames.length < JSON_STREAM_FRAMES) return undefined;
  if (entries.some((other) => certaintyOf(other, input) === 'maybe')) return undefined;
  const { chooseJsonOrNamed } = await import('./hand-over.ts');
  return chooseJsonOrNamed(entry, options);
}

/**
 * How certain a protocol is. An adapter that the page registered may have a `detect()` method. The functions for built-in protocols are
 * in the table `detectors`, because they run before the adapter is loaded.
 */
const certaintyOf = ({ id, detect }: ProtocolEntry, input: DetectionInput): Certainty =>
  detect?.(input) ?? (Object.hasOwn(detectors, id) ? detectors[id]?.(input) : undefined) ?? 'no';

const failingIterator = (cause: unknown): AsyncIterator<readonly Frame[]> => ({
  next() {
    throw cause;
  },
});

/** The connection was lost before the first frame. The known protocol is used, because it may be able to resume the reply. */
function lostBeforeFrames(known: ProtocolEntry | undefined, cause: unknown): DetectedProtocol {
  if (!known || !isConnectionLost(cause)) throw cause;
  return { entry: known, established: 'never', batches: rejoin([], failingIterator(cause)) };
}

/** All frames of the stream: the buffered ones, then the rest. */
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
