/** A run for the test of stopped runs: a browser, and a tool that ignores SIGTERM. */
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { browserArguments, findBrowser } from '../../../scripts/find-browser.ts';
import { stopTogether } from '../../../scripts/stop-together.ts';

stopTogether();
spawn(process.execPath, [
  '-e',
  "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)",
]);
await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
