/** A process of `frames.ts`. Arguments: the first seed, the number of frames, and the protocol if it is only one. */
import { cpuUsage } from 'node:process';
import type { Frame } from '../src/transport/frame.ts';
import { checkFrames, quiet, silentKinds } from './check-frames.ts';
import { randomStream, readVocabularies, type Vocabulary } from './frame-source.ts';
import { randomFrom } from './random.ts';

export interface FramesResult {
  readonly frames: number;
  readonly streams: number;
  readonly failures: number;
  readonly seconds: number;
  /** Other programs on the machine hardly change this figure. */
  readonly cpuSeconds: number;
}

/** Maximum number of printed failures. */
const SHOWN = 12;

const [first = '0', wanted = '0', only] = process.argv.slice(2);
const seed = Number(first);
const vocabularies: Vocabulary[] = [];
for (const one of await readVocabularies(only)) vocabularies.push({ ...one, silent: await silentKinds(one) });

const failures = new Map<string, number>();
const startedAt = performance.now();
const cpuBefore = cpuUsage();
let count = 0;
let streams = 0;
for (; count < Number(wanted); streams++) {
  const random = randomFrom(seed + streams);
  const vocabulary = random.one(vocabularies);
  if (!vocabulary) break;
  const frames = randomStream(vocabulary, random);
  count += frames.length;
  try {
    await checkFrames(vocabulary, frames, random);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const key = `${vocabulary.id}: ${message.slice(0, 60)}`;
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    if (count > 0 || failures.size > SHOWN) continue;
    const fewest = await shrink(vocabulary, frames, message);
    console.log(`\n${vocabulary.id}, --seed ${String(seed + streams)}\n${message.slice(0, 1500)}`);
    for (const { event, data } of fewest) console.log(`  ${event ?? ''} ${data.slice(0, 400)}`);
  }
}
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = cpuUsage(cpuBefore);
for (const [name, { data }] of [...quiet].slice(0, SHOWN)) console.log(`no output: ${name} ${data.slice(0, 200)}`);
for (const [key, times] of failures) console.log(`${String(times)} × ${key}`);
const result: FramesResult = {
  frames: count,
  streams,
  failures: failures.size,
  seconds,
  cpuSeconds: (user + system) / 1e6,
};
process.send?.(result);
process.disconnect();

/** Reduces a failing stream by dropping one frame at a time. */
async function shrink(vocabulary: Vocabulary, frames: readonly Frame[], message: string): Promise<readonly Frame[]> {
  let fewest = frames;
  for (let at = 0; at < fewest.length;) {
    const fewer = fewest.toSpliced(at, 1);
    const same = await checkFrames(vocabulary, fewer, randomFrom(1)).then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.slice(0, 30) === message.slice(0, 30),
    );
    if (same) fewest = fewer;
    else at++;
  }
  return fewest;
}
