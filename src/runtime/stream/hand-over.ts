/**
 * Hands a custom JSON stream over to a named protocol that is sure of a later frame: text alone may say too little, and
 * the custom format does not read the tools and data of a named one.
 */
import { enumerate } from '../../enumerate.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type {
  Adapter,
  Certainty,
  DecodeContext,
  DetectionInput,
  DetectionFrame,
} from '../../protocols/core/adapter.ts';
import type { ProtocolEntry } from '../../protocols/registry.ts';
import { toAgentEvent } from '../../protocols/to-agent-event.ts';
import type { Frame } from '../../transport/frame.ts';
import { newId } from '../new-id.ts';
import type { TrialContext } from './trial-decode.ts';

/** The frames so far are decoded once more by the named protocol; a longer reply stays with the custom format. */
const MAX_FRAMES = 10_000;
/** Frames are inspected by their shape. A stream with more shapes has field names that are data. */
const MAX_SHAPES = 200;

interface HandOverOptions {
  readonly entries: readonly ProtocolEntry[];
  /** The input with which the custom stream was detected. */
  readonly input: DetectionInput;
  certaintyOf(entry: ProtocolEntry, input: DetectionInput): Certainty;
  /** Called when a named protocol takes over. */
  onTakeover?: ((adapter: Adapter) => void) | undefined;
}

export interface JsonStreamOptions extends HandOverOptions {
  /** The protocol in which the request was made. */
  readonly known: ProtocolEntry | undefined;
  /** The reply, for decoding its first frames on trial. */
  readonly trial?: TrialContext | undefined;
}

/** Chooses the custom format if it fits, or a named protocol that is sure of one of the first frames. */
export async function chooseJsonOrNamed(entry: ProtocolEntry, options: JsonStreamOptions) {
  const adapter = await entry.load();
  const { input, known, trial } = options;
  if (adapter.detect?.(input) !== 'maybe') return undefined;
  const first = trial && (await readFirst(adapter, trial, options));
  const load = (): Promise<Adapter> => Promise.resolve(withHandOver(adapter, options));
  return {
    entry: first?.named ?? { ...entry, load },
    // The request format stays the same, so a wrong guess loses nothing. An error alone does not show the format.
    established: known ? 'never' : first?.text === '' ? 'with-content' : 'now',
  } as const;
}

/** Decodes the first frames on trial. */
async function readFirst(custom: Adapter, trial: TrialContext, options: JsonStreamOptions) {
  const context = {
    ...trial,
    newId,
    report: () => undefined,
    now: Date.now,
    delay: () => new Promise<never>(() => undefined),
  };
  const { frames } = options.input;
  const { text } = await readAll(custom, frames, context);
  for (const frame of frames) {
    const named = certainEntry(options, frame);
    const adapter = await named?.load();
    if (adapter && (await readAll(adapter, frames, context)).text === text) return { text, named };
  }
  return { text };
}

const certainEntry = (
  { entries, input, certaintyOf }: HandOverOptions,
  frame: DetectionFrame,
): ProtocolEntry | undefined => entries.find((entry) => certaintyOf(entry, { ...input, frames: [frame] }) === 'sure');

const withHandOver = (custom: Adapter, options: HandOverOptions): Adapter => ({
  ...custom,
  async *decode(batches, context) {
    const source = batches[Symbol.asyncIterator]();
    const before: Frame[] = [];
    const findAdapter = makeFinder(custom, options, context);
    let found: { readonly adapter: Adapter; readonly frames: readonly Frame[] } | undefined;

    async function* customFrames(): AsyncGenerator<readonly Frame[]> {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        for (const [index, frame] of enumerate(next.value)) {
          const adapter = await findAdapter(frame, before);
          if (adapter) {
            found = { adapter, frames: next.value.slice(index) };
            yield next.value.slice(0, index);
            return;
          }
          if (before.length < MAX_FRAMES) before.push(frame);
        }
        yield next.value;
      }
    }
    try {
      for await (const events of custom.decode(customFrames(), context)) {
        // After the hand-over, the decoder's last text still counts, but its end is not the end of the reply.
        yield found ? events.filter((event) => !isEnd(toAgentEvent(event, context.eventId))) : events;
      }
      if (!found) return;
      const { adapter, frames } = found;
      options.onTakeover?.(adapter);
      const progress = { isNew: false };
      async function* allFrames(): AsyncGenerator<readonly Frame[]> {
        yield before;
        progress.isNew = true;
        yield frames;
        for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
      }
      for await (const events of adapter.decode(allFrames(), context)) if (progress.isNew) yield events;
    } finally {
      await source.return?.();
    }
  },
});

/** Returns the adapter that is sure of a frame and reads the same text from the frames before it. */
function makeFinder(custom: Adapter, options: HandOverOptions, context: DecodeContext) {
  const shapes = new Set<string>();
  return async (frame: Frame, before: readonly Frame[]): Promise<Adapter | undefined> => {
    if (before.length >= MAX_FRAMES || shapes.size >= MAX_SHAPES) return undefined;
    const json = parseJson(frame.data);
    const shape = shapeOf(json, frame.event);
    if (shape === undefined || shapes.has(shape)) return undefined;
    shapes.add(shape);
    const adapter = await certainEntry(options, { ...frame, json })?.load();
    if (!adapter) return undefined;
    const [own, theirs] = [await readAll(custom, before, context), await readAll(adapter, before, context)];
    return own.text === theirs.text && !theirs.isOver ? adapter : undefined;
  };
}

/** The type and the field names of a frame, on which the detection of protocols depends. */
function shapeOf(json: unknown, event: string | undefined): string | undefined {
  if (!isRecord(json)) return undefined;
  const data = isRecord(json['data']) ? Object.keys(json['data']) : [];
  return JSON.stringify([event, json['type'], Object.keys(json), data]);
}

/** Decodes frames on trial: what the decoder reports does not count. */
async function readAll(
  adapter: Adapter,
  frames: readonly Frame[],
  context: DecodeContext,
): Promise<{ readonly text: string; readonly isOver: boolean }> {
  let text = '';
  let isOver = false;
  const trial: DecodeContext = { ...context, report: () => undefined, reportEnd: () => undefined };
  for await (const events of adapter.decode(once(frames), trial)) {
    for (const event of events) {
      const agentEvent = toAgentEvent(event, context.eventId);
      isOver ||= isEnd(agentEvent);
      if (agentEvent.type === 'response') text += agentEvent.data.content ?? '';
    }
  }
  return { text, isOver };
}

async function* once(frames: readonly Frame[]): AsyncGenerator<readonly Frame[]> {
  yield await Promise.resolve(frames);
}

const isEnd = (event: ReturnType<typeof toAgentEvent>): boolean =>
  event.type === 'end' || (event.type === 'response' && event.data.finish !== undefined);
