/**
 * `npm run fuzz -- gfm`: the examples of the GFM specification, rendered whole and a character at a time, compared with
 * the HTML of the specification. It is fetched into `.cache/gfm` and not stored in this repository, because its licence
 * (CC BY-SA 4.0) is not ours. `--all` also prints the differences on purpose.
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startBrowser } from '../bench/harness/browser.ts';
import { bundle } from '../bench/harness/bundle.ts';
import { openSite } from '../bench/harness/site.ts';
import type * as Page from './answers-page.ts';
import { fetchFile } from './fetch-file.ts';
import { gfmDifferences } from './gfm-differences.ts';

const { values } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean', default: false } } });

interface Example {
  readonly section: string;
  readonly number: number;
  readonly markdown: string;
  readonly html: string;
}

/** Reads the examples: Markdown and HTML between fences of 32 backquotes, a dot between them, arrows for tabs. */
function readExamples(specification: string): readonly Example[] {
  const pattern = /^#{1,6} +(.*)$|^`{32} example[^\n]*\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm;
  const examples: Example[] = [];
  let section = '';
  for (const [, heading, markdown = '', html = ''] of specification.matchAll(pattern)) {
    if (heading !== undefined) section = heading;
    else
      examples.push({
        section,
        number: examples.length + 1,
        markdown: markdown.replaceAll('→', '\t'),
        html: html.replaceAll('→', '\t'),
      });
  }
  return examples;
}

const examples = readExamples(
  await fetchFile('gfm', {
    repository: 'github/cmark-gfm',
    commit: '85d895289c5ab67f988ca659493a64abb5fec7b4',
    file: 'test/spec.txt',
  }),
);
const bundled = await bundle(['../fuzz/answers-page']);
const site = await openSite(bundled);
const browser = await startBrowser(site.origin);
const stage = await browser.openStage();
const compare = stage.script<typeof Page>('answers-page');
let unexplained = 0;
const explained = new Map<string, number>();
for (const { section, number, markdown, html } of examples) {
  const difference = await compare('compareExample', markdown, html);
  const reason = gfmDifferences.get(markdown);
  const title = `${section} ${String(number)}: ${JSON.stringify(markdown)}`;
  if (difference === undefined) {
    if (reason === undefined) continue;
    unexplained++;
    console.log(`${title} no longer differs: ${reason}\n`);
    continue;
  }
  if (reason === undefined || difference.isGrowing) unexplained++;
  else explained.set(reason, (explained.get(reason) ?? 0) + 1);
  if (reason === undefined || difference.isGrowing || values.all)
    console.log(`${title}: ${reason ?? 'unexplained'}\n${difference.detail}\n`);
}
await browser.close();
await site.close();
await rm(bundled, { recursive: true });
for (const [reason, count] of explained) console.log(`${String(count)}: ${reason}`);
console.log(`${String(examples.length)} examples of GFM, ${String(unexplained)} unexplained differences`);
process.exit(unexplained > 0 || examples.length === 0 ? 1 : 0);
