/**
 * `npm run fuzz -- answers`: answers of models, rendered whole and at random cuts, compared with remark. `--count` answers of
 * each file; `--all` also prints the explained differences. The files are fetched once into `.cache/answers`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBrowser } from '../bench/harness/browser.ts';
import { bundle } from '../bench/harness/bundle.ts';
import { openSite } from '../bench/harness/site.ts';
import { answerSources, type AnswerSource } from './answer-sources.ts';
import type * as Page from './answers-page.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
  },
});
const CACHE = join(import.meta.dirname, '../.cache/answers');
/** Longer answers would take most of the time. */
const MAX_LENGTH = 20_000;

async function fetchFile({ repository, commit }: AnswerSource, file: string): Promise<string> {
  const path = join(CACHE, repository, commit, file);
  try {
    return await readFile(path, 'utf8');
  } catch {
    const response = await fetch(`https://raw.githubusercontent.com/${repository}/${commit}/${file}`);
    if (!response.ok) throw new Error(`${repository}/${file}: ${String(response.status)}`);
    const text = await response.text();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return text;
  }
}

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

const bundled = await bundle(['../fuzz/answers-page']);
const site = await openSite(bundled);
const browser = await startBrowser(site.origin);
const stage = await browser.openStage();
const compare = stage.script<typeof Page>('answers-page');
let [total, unexplained] = [0, 0];
const explained = new Map<string, number>();
for (const source of answerSources) {
  for (const file of source.files) {
    for (const text of choose(source.read(await fetchFile(source, file)), Number(values.count))) {
      total++;
      const difference = await compare('compare', text, total);
      if (!difference) continue;
      const { reason, detail } = difference;
      if (reason === undefined) unexplained++;
      else explained.set(reason, (explained.get(reason) ?? 0) + 1);
      if (reason === undefined || values.all) console.log(`${file}: ${reason ?? 'unexplained'}\n${detail}\n`);
    }
  }
}
await browser.close();
await site.close();
await rm(bundled, { recursive: true });
for (const [reason, count] of explained) console.log(`${String(count)}: ${reason}`);
console.log(`${String(total)} answers, ${String(unexplained)} unexplained differences`);
process.exit(unexplained > 0 ? 1 : 0);
