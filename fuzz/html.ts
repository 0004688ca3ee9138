/**
 * Compares our tokenizer with the browser's parser on random HTML. Only disallowed markup that passes is a failure. Broken
 * attributes that both read differently are listed: the browser never gets the source, only the tokenizer's output.
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startBrowser } from '../bench/harness/browser.ts';
import { bundle } from '../bench/harness/bundle.ts';
import { openSite } from '../bench/harness/site.ts';
import type * as Page from './html-page.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
/** Inputs per call into the page. */
const BATCH = 2000;
/** Maximum number of printed failures. */
const SHOWN = 40;

const count = Number(values.count);
const first = Number(values.seed ?? Date.now() % 1e9);
const bundled = await bundle(['../fuzz/html-page']);
const site = await openSite(bundled);
const browser = await startBrowser(site.origin);
const stage = await browser.openStage();
const compare = stage.script<typeof Page>('html-page');
let found = 0;
let unsafe = 0;
for (let seed = first; seed < first + count; seed += BATCH) {
  const differences = await compare('compareMany', seed, Math.min(BATCH, first + count - seed));
  for (const { input, reason, unsafe: leak } of differences) {
    if (leak) unsafe++;
    if (found++ < SHOWN) console.log(`${JSON.stringify(input)}\n  ${reason}`);
  }
}
await browser.close();
await site.close();
await rm(bundled, { recursive: true });
console.log(
  `${String(count)} inputs, ${String(unsafe)} unsafe, ${String(found - unsafe)} read differently; the first seed was ${String(first)}`,
);
process.exit(unsafe > 0 ? 1 : 0);
