/**
 * Every recorded stream with every protocol's detection function: only its own protocol detects it with certainty. No
 * stream is detected with certainty as a generic JSON stream. `STREAMS` may name a folder of more recordings, with a
 * folder for each protocol.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { DetectionFrame, DetectionInput } from '../../src/protocols/core/adapter.ts';
import { detectors } from '../../src/protocols/detectors.ts';
import { detectJsonStream } from '../../src/protocols/json-stream/detect.ts';
import { parseJson } from '../../src/model/json.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import type { Framing } from '../../src/transport/frame.ts';

/** The number of frames that detection examines before a stream counts as unknown. */
const ENOUGH = 16;
const HOME_MADE = 'json-stream';

interface Stream {
  readonly protocol: string;
  readonly name: string;
  readonly path: string;
}

interface Expectation {
  readonly http?: { readonly headers?: Readonly<Record<string, string>> };
  readonly modes?: readonly string[];
}

async function streamsIn(folder: string): Promise<readonly Stream[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter(
      (file) => file.isFile() && /\.(?:sse|ndjson|txt|json)$/.test(file.name) && !file.name.endsWith('expect.json'),
    )
    .map((file) => ({ protocol: basename(file.parentPath), name: file.name, path: join(file.parentPath, file.name) }))
    .filter(({ protocol, path }) => (protocol in detectors || protocol === HOME_MADE) && dirname(path) !== folder);
}

async function expectationOf(path: string): Promise<Expectation> {
  const text = await readFile(path.replace(/\.[a-z]+$/, '.expect.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Expectation;
}

async function framesOf(
  path: string,
): Promise<{ readonly framing: Framing; readonly frames: readonly DetectionFrame[] }> {
  const body = await readFile(path, 'utf8');
  const chunks = (async function* () {
    yield await Promise.resolve(body);
  })();
  const { framing, batches } = await openFrames(chunks);
  const frames: DetectionFrame[] = [];
  for await (const batch of batches) {
    for (const frame of batch) frames.push({ ...frame, json: parseJson(frame.data) });
    if (frames.length >= ENOUGH) break;
  }
  return { framing, frames: frames.slice(0, ENOUGH) };
}

/** The protocols that are certain, and after how many frames. */
function sureOf(signs: DetectionInput): readonly string[] {
  return Object.keys(detectors).filter((id) => detectors[id]?.(signs) === 'sure');
}

const folders = ['test/protocols', process.env['STREAMS'] ?? ''].filter((folder) => folder !== '');
const streams = (await Promise.all(folders.map(streamsIn))).flat();

describe('detection', () => {
  it('has streams to examine', () => {
    assert.ok(streams.length > 50, String(streams.length));
  });

  for (const { protocol, name, path } of streams) {
    it(`${protocol}/${name} is detected by no other protocol`, async () => {
      const { http, modes } = await expectationOf(path);
      // The old lines of agent-phase look like the AI SDK's: a page with them sets the protocol.
      if (modes?.includes('auto') === false) return;
      const { framing, frames } = await framesOf(path);
      const headers = new Headers(http?.headers);
      const url = new URL('https://a.example/agent');
      const seen = new Set<string>();
      let isHomeMade = false;
      for (let count = 1; count <= frames.length; count++) {
        const signs: DetectionInput = {
          url,
          headers,
          framing,
          frames: frames.slice(0, count),
          ended: count === frames.length,
        };
        for (const id of sureOf(signs)) seen.add(id);
        isHomeMade ||= seen.size === 0 && detectJsonStream(signs) === 'maybe';
      }
      assert.equal(isHomeMade, protocol === HOME_MADE);
      if (protocol === HOME_MADE) {
        assert.deepEqual([...seen], []);
        return;
      }
      const others = [...seen].filter((id) => id !== protocol);
      assert.deepEqual(others, [], `Others are sure: ${others.join(', ')}`);
      if (frames.every(isOnlyTrouble)) return;
      assert.deepEqual([...seen], [protocol]);
    });
  }
});

/** An error alone or an empty stream identifies no protocol: any adapter shows it. */
const isOnlyTrouble = ({ data, event, json }: DetectionFrame): boolean =>
  data === '' ||
  data === '[DONE]' ||
  event === 'error' ||
  (typeof json === 'object' && json !== null && ('error' in json || ('type' in json && json.type === 'error')));
