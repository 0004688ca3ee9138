/** What a page fetches and runs until an empty widget is visible. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median, formatNumber, formatFigure, formatRatio } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import type { Bench, Options, Suite } from '../harness/suite.ts';
import type * as Load from '../page/load.ts';

const EMBED = join(import.meta.dirname, '../../dist/embed.js');
const KB = 1024;

const names: Readonly<Record<string, string>> = {
  'widgets/widget-ours': '`<agent-chat>`',
  'widgets/widget-deep-chat': 'deep-chat',
  'contestants/ours': '`<agent-chat-markdown>`',
  'contestants/sketch': 'sketch: marked + DOMPurify',
  'contestants/smd': 'streaming-markdown',
  'contestants/streamdown': 'streamdown + React',
};
const chosen = ({ chosen }: Options): readonly string[] => chosen('contestants', Object.keys(names));

export const firstLoad: Suite = {
  name: 'first-load',
  entries: (options) => ['page/load', ...chosen(options)],
  async run(bench) {
    const loaded = chosen(bench);
    const fetched = new Map<string, number[]>();
    const jobs = loaded.map((path): Job => ({
      name: path,
      run: async () => {
        const { cpu, bytes } = await load(bench, path);
        fetched.set(path, [...(fetched.get(path) ?? []), bytes]);
        return { value: cpu };
      },
    }));
    const medians = await inRounds(jobs, bench.rounds);
    const kb = (path: string): number => median(fetched.get(path) ?? []) / KB;
    const embed = gzipSync(await readFile(EMBED), { level: 9 }).length / KB;
    const ours = 'widgets/widget-ours';
    const cpuRatio = (medians.get(ours)?.value ?? NaN) / (medians.get('widgets/widget-deep-chat')?.value ?? NaN);
    return {
      title: 'The first load',
      how: 'KB (1,024 bytes, gzip) of all scripts that are fetched until an empty widget is visible, without the bench’s own loader. CPU ms for fetching, compiling and running them and for the first frames. Peers are bundled and minified by Vite. Our own files are those of `dist/`.',
      tables: [
        {
          head: ['', 'KB', 'CPU ms'],
          rows: [
            ...loaded.map((path) => [names[path] ?? path, formatNumber(kb(path)), formatFigure(medians.get(path))]),
            ['`embed.js`, the launcher', formatNumber(embed), '–'],
          ],
        },
      ],
      goals: [
        ...atMost(6, 'first load: at most 60 KB', kb(ours), 60, (value) => `${formatNumber(value)} KB`),
        ...atMost(6, 'launcher: at most 2 KB', embed, 2, (value) => `${formatNumber(value)} KB`),
        ...atMost(6, 'boot CPU: at most that of deep-chat', cpuRatio, 1, formatRatio),
      ],
    };
  },
};

async function load({ browser, site }: Bench, path: string): Promise<{ readonly cpu: number; readonly bytes: number }> {
  const stage = await browser.openStage();
  try {
    const name = path.split('/').at(-1) ?? path;
    const script = stage.script<typeof Load>('load');
    const ownLoader = /\/(?:load|chunks\/(?:frames|host)-[\w-]+)\.js$/;
    site.takeFetched();
    const { cpu } = await stage.cpuOf(() => script('load', name));
    const fetched = site.takeFetched().filter(({ file }) => !ownLoader.test(file));
    // Files outside of `dist/` belong to the bench too.
    const own = fetched.some(({ file }) => file.startsWith('/dist/'));
    const counted = own ? fetched.filter(({ file }) => file.startsWith('/dist/')) : fetched;
    return { cpu, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await stage.close();
  }
}
