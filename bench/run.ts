/** `npm run bench`: measures, prints, and writes `docs/performance.md`. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { stopTogether } from '../scripts/stop-together.ts';
import { startBrowser } from './harness/browser.ts';
import { bundle } from './harness/bundle.ts';
import { readOptions } from './harness/options.ts';
import { installPeers, buildElement } from './harness/prepare.ts';
import { storeSection, print, writeReport } from './harness/report.ts';
import { openSite } from './harness/site.ts';
import { suites } from './suites/suites.ts';

stopTogether();
const { only, write, ...options } = readOptions(process.argv.slice(2));
const chosen = suites.filter(({ name }) => !only || only.some((word) => name === word || name.startsWith(`${word}-`)));
if (chosen.length === 0)
  throw new Error(`There is no such suite. There are: ${suites.map(({ name }) => name).join(', ')}.`);

const entries = [...new Set(chosen.flatMap((suite) => suite.entries(options)))];
installPeers(entries);
if (!existsSync('dist/agent-chat.js')) buildElement();
const bundled = await bundle(entries);
const site = await openSite(bundled);
const browser = await startBrowser(site.origin);
try {
  for (const suite of chosen) {
    console.log(`\n── ${suite.name}`);
    const section = await suite.run({ ...options, site, browser });
    print(section);
    if (write) await storeSection(suite.name, section, { rounds: options.rounds, browser: browser.version });
  }
  if (write) await writeReport(suites.map(({ name }) => name));
} finally {
  await browser.close();
  await site.close();
  await rm(bundled, { recursive: true });
}
