/** How long a visitor with a phone waits: from the page to the composer, and from Enter to the first word. */
import type { Page } from 'playwright-core';
import { median, formatNumber, formatFigure, formatRatio, type Figure } from '../harness/figures.ts';
import { FIRST_WORD, openFirstAnswerSite, PAGES } from '../harness/first-answer-site.ts';
import { atMost } from '../harness/goals.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import type { Server } from '../harness/serve.ts';
import type { Bench, Suite } from '../harness/suite.ts';

const ROUND_TRIP_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;
const CPU_SLOWDOWN = 4;
/** Time from the start of typing to Enter. */
const PAUSES_MS = [3000, 0] as const;

interface FirstAnswer {
  readonly composer: number;
  readonly firstWord: number;
  readonly kilobytes: number;
  readonly files: number;
}

export const firstAnswer: Suite = {
  name: 'first-answer',
  // Installs the peer.
  entries: () => ['contestants/deep-chat'],
  async run(bench) {
    const names = bench.chosen('contestants', Object.keys(PAGES));
    const site = await openFirstAnswerSite();
    const results = new Map<string, FirstAnswer[]>();
    try {
      const jobs = names.flatMap((name) =>
        PAUSES_MS.map((pause): Job => {
          const job = jobName(name, pause);
          return {
            name: job,
            run: async () => {
              const measured = await ask(bench, site, name, pause);
              results.set(job, [...(results.get(job) ?? []), measured]);
              return { value: measured.firstWord };
            },
          };
        }),
      );
      const medians = await inRounds(jobs, bench.rounds);
      const medianOf = (name: string, key: keyof FirstAnswer): number =>
        median(results.get(jobName(name, PAUSES_MS[0]))?.map((measured) => measured[key]) ?? []);
      const answered = (name: string, pause: number): Figure | undefined => medians.get(jobName(name, pause));
      const ratio = (name: string, pause: number): number =>
        (answered(name, pause)?.value ?? NaN) / (answered('deep-chat', pause)?.value ?? NaN);
      const toFirstWord = (name: string): number =>
        medianOf(name, 'composer') + (answered(name, PAUSES_MS[0])?.value ?? NaN);
      const ours = names.filter((name) => name.startsWith('ours'));
      const inPage = ours.filter((name) => name !== 'ours, launcher');
      return {
        title: 'The first answer',
        how: `Milliseconds in a browser with an empty cache: HTTP/1.1, a round trip of ${String(ROUND_TRIP_MS)} ms, 1.6 Mbit/s, a CPU ${String(CPU_SLOWDOWN)} times slower, a window of 390 × 844. The agent answers at once, in the form that each widget reads. Of the launcher, the composer is counted from the click. KB (1,024 bytes, as transferred) and files until the first word.`,
        tables: [
          {
            head: ['', 'page to composer', 'Enter to first word, after 3 s', 'Enter at once', 'KB', 'files'],
            rows: names.map((name) => [
              name,
              formatNumber(medianOf(name, 'composer')),
              formatFigure(answered(name, PAUSES_MS[0])),
              formatFigure(answered(name, PAUSES_MS[1])),
              formatNumber(medianOf(name, 'kilobytes')),
              formatNumber(medianOf(name, 'files')),
            ]),
          },
        ],
        goals: inPage.flatMap((name) => [
          ...atMost(11, `${name}, 3 s after typing began: at most 1.1× deep-chat`, ratio(name, 3000), 1.1, formatRatio),
          ...atMost(11, `${name}, Enter at once: at most 2× deep-chat`, ratio(name, 0), 2, formatRatio),
          ...atMost(
            11,
            `${name}, page to first word: at most 0.8× deep-chat`,
            toFirstWord(name) / toFirstWord('deep-chat'),
            0.8,
            formatRatio,
          ),
        ]),
      };
    } finally {
      await site.close();
    }
  },
};

const jobName = (name: string, pause: number): string => `${name}, ${String(pause)} ms`;

async function ask({ browser }: Bench, site: Server, name: string, pause: number): Promise<FirstAnswer> {
  const { page, cdp, close } = await browser.openStage();
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    await cdp.send('Network.enable');
    await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: ROUND_TRIP_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const loaded = { bytes: 0, files: 0 };
    cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
      loaded.bytes += encodedDataLength;
      loaded.files++;
    });
    // The compiler of this script calls a helper in functions, which the page lacks.
    await page.addInitScript('globalThis.__name = (named) => named');
    await page.addInitScript(watchTexts, FIRST_WORD);
    // With a launcher, the time starts with the click, because the page itself waits for nothing.
    await page.goto(`${site.origin}/${encodeURIComponent(name)}`, { waitUntil: 'commit' });
    if (name === 'ours, launcher') await page.locator('agent-chat-launcher, [part="launcher"], button').first().click();
    const composer = page.locator('agent-chat [part="input"], deep-chat #text-input').first();
    await composer.waitFor({ state: 'visible' });
    const shown = await page.evaluate(() => globalThis.firstAnswer.composerAt);
    await composer.pressSequentially('Where is my parcel?');
    await page.waitForTimeout(pause);
    await page.keyboard.press('Enter');
    const firstWord = await waitForAnswer(page);
    return { composer: shown, firstWord, kilobytes: loaded.bytes / 1024, files: loaded.files };
  } finally {
    await close();
  }
}

const waitForAnswer = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const check = (): void => {
          const { enterAt, wordAt } = globalThis.firstAnswer;
          if (enterAt !== undefined && wordAt !== undefined) resolve(wordAt - enterAt);
          else requestAnimationFrame(check);
        };
        check();
      }),
  );

declare global {
  var firstAnswer: { composerAt: number; enterAt?: number; wordAt?: number };
}

/**
 * Runs in the page: records in each frame whether the composer and the first word are visible, and when Enter was
 * pressed.
 */
function watchTexts(word: string): void {
  const times: { composerAt: number; enterAt?: number; wordAt?: number } = { composerAt: NaN };
  globalThis.firstAnswer = times;
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') times.enterAt ??= performance.now();
    },
    true,
  );
  addEventListener(
    'click',
    () => {
      times.composerAt = NaN;
      clickedAt ??= performance.now();
    },
    true,
  );
  let clickedAt: number | undefined;
  const check = (): void => {
    const root = document.querySelector('agent-chat, deep-chat')?.shadowRoot;
    const input = root?.querySelector('[part="input"], #text-input');
    if (Number.isNaN(times.composerAt) && input?.checkVisibility())
      times.composerAt = performance.now() - (clickedAt ?? 0);
    if (times.enterAt !== undefined && root?.textContent.includes(word)) times.wordAt ??= performance.now();
    else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}
