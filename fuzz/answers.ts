/**
 * `npm run fuzz -- answers`: answers of models, rendered whole and at random cuts, compared with remark. `--count` answers of
 * each file; `--all` also prints the explained differences. The files are fetched once into `.cache/answers`.
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startBrowser } from '../bench/harness/browser.ts';
import { bundle } from '../bench/harness/bundle.ts';
import { openSite } from '../bench/harness/site.ts';
import { answerSources } from './answer-sources.ts';
import type * as Page from './answers-page.ts';
import { fetchFile } from './fetch-file.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
  },
});
/** Longer answers would take most of the time. */
const MAX_LENGTH = 20_000;

/** Any answers, but rather those with syntax: half of the answers are paragraphs only. */
function choose(answers: readonly string[], count: number): readonly string[] {
  const random = randomFrom(Number(values.seed));
  const richness = (text: string): number =>
    new Set(text.match(/```|\n\||\n\s*[-*+] |\n\s*\d+\. |\*\*|\$|<[a-z]|\[|\n#|`/g)).size;
  return answers
    .filter(({ length }) => length > 0 && length < MAX_LENGTH)
    .map((text) => ({ text, rank: richness(text) + random.below(6) }))
    .sort((one, two) => two.rank - one.rank)
    .slice(0, count)
    .map(({ text }) => text);
}

// All files first: without a network, the run ends before a browser is open.
const files: { readonly file: string; readonly answers: readonly string[] }[] = [];
for (const source of answerSources)
  for (const file of source.files)
    files.push({ file, answers: source.read(await fetchFile('answers', { ...source, file })) });

const bundled = await bundle(['../fuzz/answers-page']);
const site = await openSite(bundled);
const browser = await startBrowser(site.origin);
const stage = await browser.openStage();
const compare = stage.script<typeof Page>('answers-page');
let [total, unexplained] = [0, 0];
const explained = new Map<string, number>();
for (const { file, answers } of files) {
  for (const text of choose(answers, Number(values.count))) {
    total++;
    const difference = await compare('compare', text, total);
    if (!difference) continue;
    const { reason, detail } = difference;
    if (reason === undefined) unexplained++;
    else explained.set(reason, (explained.get(reason) ?? 0) + 1);
    if (reason === undefined || values.all) console.log(`${file}: ${reason ?? 'unexplained'}\n${detail}\n`);
  }
}
await browser.close();
await site.close();
await rm(bundled, { recursive: true });
for (const [reason, count] of explained) console.log(`${String(count)}: ${reason}`);
console.log(`${String(total)} answers, ${String(unexplained)} unexplained differences`);
process.exit(unexplained > 0 ? 1 : 0);
