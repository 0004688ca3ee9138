/** Random streams of frames: mutated recordings, and new streams with a plausible order. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from '../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../src/protocols/registry.ts';
import type { Frame } from '../src/transport/frame.ts';
import { openFrames } from '../src/transport/open-frames.ts';
import { decodeUtf8 } from '../src/transport/text.ts';
import { bytesOf, chunksOf } from '../test/support/cuts.ts';
import { demoBodies } from './demo-bodies.ts';
import { changeValue } from './mutate.ts';
import type { Random } from './random.ts';

const RECORDINGS = 'test/protocols';
/** Maximum number of frames in a stream. */
const LENGTH = 48;

/** A protocol with frames of its servers. */
export interface Vocabulary {
  readonly id: string;
  readonly adapter: Adapter;
  readonly recordings: readonly (readonly Frame[])[];
  /** The frames that followed each kind of frame in any recording. The empty kind is the start. */
  readonly next: ReadonlyMap<string, readonly Frame[]>;
  /** Whether all its frames are JSON. */
  readonly json: boolean;
  /** The kinds of frames that have no visible effect. */
  readonly silent: ReadonlySet<string>;
}

/** The vocabularies of all built-in protocols, or of one, from the test recordings and the demo server. */
export async function readVocabularies(only?: string): Promise<readonly Vocabulary[]> {
  const entries = new ProtocolRegistry().list().filter(({ id }) => only === undefined || id === only);
  const demo = await demoBodies();
  const all = await Promise.all(
    entries.map(async ({ id, load }) => {
      const adapter = await load();
      const bodies = [...(await readBodies(id)), ...(demo.get(id) ?? [])];
      const recordings = await Promise.all(bodies.map((body) => framesOf(body, adapter)));
      const json = recordings.flat().every(({ data }) => data === '' || data === '[DONE]' || parse(data) !== undefined);
      return { id, adapter, recordings, json, next: successors(recordings), silent: new Set<string>() };
    }),
  );
  return all.filter(({ recordings }) => recordings.length > 0);
}

async function readBodies(id: string): Promise<readonly string[]> {
  const folder = join(RECORDINGS, id);
  const names = await readdir(folder).catch(() => []);
  const bodies = names.filter((name) => /\.(?:sse|ndjson|txt|json)$/.test(name) && !name.endsWith('.expect.json'));
  return Promise.all(bodies.map((name) => readFile(join(folder, name), 'utf8')));
}

async function framesOf(body: string, { framing }: Adapter): Promise<readonly Frame[]> {
  const text = decodeUtf8(chunksOf([bytesOf(body)]), { maxStreamBytes: 1e8 });
  const frames: Frame[] = [];
  for await (const batch of (await openFrames(text, { framing })).batches) frames.push(...batch);
  return frames;
}

/** The name of a frame: its event name, `type` and `event`. */
export function nameOf({ event = '', data }: Frame): string {
  const value = parse(data);
  if (typeof value !== 'object' || value === null) return `${event}:${typeof value}`;
  const { type, event: named } = value as { readonly type?: unknown; readonly event?: unknown };
  return [event, type, named].map((part) => (typeof part === 'string' ? part : '')).join(':');
}

/** Cached, because the kinds of recorded frames are read millions of times. */
const kinds = new WeakMap<Frame, string>();

/** Frames of one kind have the same name and fields. */
function kindOf(frame: Frame): string {
  const known = kinds.get(frame);
  if (known !== undefined) return known;
  const kind = readKind(frame);
  kinds.set(frame, kind);
  return kind;
}

function readKind(frame: Frame): string {
  const value = parse(frame.data);
  const fields = typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : '';
  return `${nameOf(frame)}:${fields}`;
}

function successors(recordings: readonly (readonly Frame[])[]): ReadonlyMap<string, readonly Frame[]> {
  const next = new Map<string, Frame[]>();
  for (const frames of recordings) {
    let kind = '';
    for (const frame of frames) {
      const known = next.get(kind);
      if (known) known.push(frame);
      else next.set(kind, [frame]);
      kind = kindOf(frame);
    }
  }
  return next;
}

/** Returns a random stream. */
export function randomStream(vocabulary: Vocabulary, random: Random): readonly Frame[] {
  const parts = random.below(2) === 0 ? changedRecording(vocabulary, random) : likelyStream(vocabulary, random);
  // Only the last frame of a stream can lack its end.
  const frames = parts.map((frame, index) =>
    frame.unfinished && index < parts.length - 1 ? { event: frame.event, data: frame.data } : frame,
  );
  return random.below(3) === 0
    ? frames
    : frames.map((frame) => (random.below(12) === 0 ? changed(frame, random) : frame));
}

function likelyStream({ next, recordings }: Vocabulary, random: Random): readonly Frame[] {
  const frames: Frame[] = [];
  let kind = '';
  while (frames.length < LENGTH) {
    const frame = random.one(next.get(kind) ?? []) ?? random.one(random.one(recordings) ?? []);
    if (!frame || random.below(LENGTH) === 0) break;
    frames.push(frame);
    kind = kindOf(frame);
  }
  return frames;
}

function changedRecording({ recordings }: Vocabulary, random: Random): readonly Frame[] {
  const recording = random.one(recordings) ?? [];
  const start = random.below(Math.max(1, recording.length - LENGTH));
  let frames = recording.slice(start, start + LENGTH);
  for (let times = random.below(4); times > 0 && frames.length > 0; times--) {
    const at = random.below(frames.length);
    const other = random.below(frames.length);
    const frame = frames[at];
    if (!frame) continue;
    frames =
      [
        () => frames.toSpliced(at, 1),
        () => frames.toSpliced(other, 0, frame),
        () => frames.with(at, frames[other] ?? frame).with(other, frame),
        () => frames.slice(0, at + 1),
        () => [...frames.slice(0, at), ...(random.one(recordings) ?? []).slice(0, LENGTH)],
      ][random.below(5)]?.() ?? frames;
  }
  return frames;
}

function changed(frame: Frame, random: Random): Frame {
  const value = parse(frame.data);
  if (value === undefined || random.below(20) === 0) {
    const at = random.below(frame.data.length + 1);
    return { ...frame, data: frame.data.slice(0, at) + frame.data.slice(at + 1 + random.below(8)) };
  }
  return { ...frame, data: JSON.stringify(changeValue(value, random)) };
}

export function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
