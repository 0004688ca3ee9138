/** Plays one recording in every way and compares each result with the expected content. */
import { randomFrom } from '../fuzz/random.ts';
import { differences } from './compare.ts';
import { readerOf } from './expected/expect.ts';
import { readPayloads } from './expected/frames.ts';
import { explanationOf, NEUTRAL, type Found } from './explanations.ts';
import { play, type Endpoint } from './play.ts';
import type { Recording } from './recording.ts';
import { shownSummary } from './shown.ts';

export interface Result {
  readonly recording: Recording;
  readonly protocol: string;
  readonly unexplained: readonly Found[];
  /** The explanations of the other differences. */
  readonly explained: readonly string[];
}

export async function checkRecording(
  recording: Recording,
  { seed, cuts }: { readonly seed: number; readonly cuts: number },
): Promise<Result> {
  const reader = readerOf(recording.url);
  if (!reader) throw new Error(`${recording.url.href} is not the address of a chat.`);
  const payloads = readPayloads(recording.body);
  const expected = reader.expect(payloads);
  const found: Found[] = [];
  for (const [name, endpoint] of endpointsOf(recording, reader.protocol)) {
    for (let time = 0; time <= cuts; time++) {
      const random = time === 0 ? undefined : randomFrom(seed + time);
      const { messages, protocol } = await play(recording, endpoint, random);
      const way = `${name}${endpoint.protocol === protocol ? '' : ` (${protocol})`}, ${random ? 'cut' : 'whole'}`;
      for (const difference of differences(expected, shownSummary(messages))) found.push({ ...difference, way });
    }
  }
  const reasons = found.map((one) => explanationOf({ found: one, payloads, expected }));
  const unexplained = found.filter((_one, index) => reasons[index] === undefined);
  const explained = [...new Set(reasons.filter((reason) => reason !== undefined))];
  return { recording, protocol: reader.protocol, unexplained, explained };
}

/** The recorded address tells a protocol too; the neutral one doesn't. */
const endpointsOf = ({ url }: Recording, protocol: string): readonly (readonly [string, Endpoint])[] => [
  ['named', { url, protocol }],
  ['auto', { url, protocol: 'auto' }],
  [NEUTRAL, { url: new URL('https://api.example/agent'), protocol: 'auto' }],
];
