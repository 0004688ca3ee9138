/**
 * Fuzzes frames → events → blocks in Node, without bytes or a page, in one process for each processor. The parent adds up the
 * counts of its processes.
 */
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import type { FramesResult } from './frames-process.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: 'string', default: '200000' },
    seed: { type: 'string' },
    protocol: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const SEEDS = 2 ** 31;
const processes = Number(values.processes);
const seed = Number(values.seed ?? Date.now() % 1e9);

// The loader of the scripts gives each function a name when it is created, which takes a fifth of the time.
const folder = join('.cache', `frames-${String(process.pid)}`);
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: 'fuzz/frames-process.ts',
    outDir: folder,
    rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
  },
});
const results = await Promise.all(
  Array.from({ length: processes }, (_, index) => {
    const first = String((seed + Math.floor((SEEDS / processes) * index)) % SEEDS);
    return run(first, String(Math.ceil(Number(values.frames) / processes)));
  }),
);
await rm(folder, { recursive: true });

function run(first: string, frames: string): Promise<FramesResult> {
  const only = values.protocol === undefined ? [] : [values.protocol];
  const child = fork(join(folder, 'frames-process.mjs'), [first, frames, ...only]);
  return new Promise((resolve, reject) => {
    child.once('message', (result) => {
      resolve(result as FramesResult);
    });
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`A process ended with ${String(code)}.`));
    });
  });
}

const sum = (field: 'frames' | 'streams' | 'failures' | 'cpuSeconds'): number =>
  results.reduce((total, result) => total + result[field], 0);
const perSecond = Math.round(results.reduce((total, { frames, seconds }) => total + frames / seconds, 0));
console.log(
  `${String(sum('frames'))} frames in ${String(sum('streams'))} streams, ${String(perSecond)} frames/s ` +
    `(${String(Math.round(sum('frames') / sum('cpuSeconds')))} for each second of a processor), ` +
    `${String(sum('failures'))} failures; the first seed was ${String(seed)}`,
);
process.exit(sum('failures') > 0 ? 1 : 0);
