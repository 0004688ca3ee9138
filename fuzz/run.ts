/**
 * `npm run fuzz -- <suite>`: random input, checked against invariants. Exits with 1 when an invariant fails.
 *
 * - `streams` (default) `--minutes 10 --protocol anthropic`: mutated recordings as bytes, cut in every way, also in a page
 * - `frames` `--frames 1000000 --protocol anthropic`: frames through decoder and reducer, without bytes and without a page
 * - `html` `--count 100000`: our HTML tokenizer against the browser's parser
 * - `answers` `--count 10`: answers of models as Markdown, against remark
 * - `gfm`: the examples of the GFM specification
 */
import { argv } from 'node:process';
import { stopTogether } from '../scripts/stop-together.ts';

stopTogether();

const suites = ['streams', 'frames', 'html', 'answers', 'gfm'];
await import(`./${argv.slice(2).find((argument) => suites.includes(argument)) ?? 'streams'}.ts`);
