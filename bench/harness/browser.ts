/** The browser, and stages in it: a page each, in a process of its own, whose main thread can be timed. */
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts';

type Functions<M> = { [K in keyof M]: M[K] extends (...input: infer I) => infer O ? (...input: I) => O : never };

export interface Stage {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Calls what a script of `page/` exports. It stays loaded, and keeps its state, as long as the stage. */
  script<M>(
    name: string,
  ): <K extends keyof M & string>(
    called: K,
    ...input: Parameters<Functions<M>[K]>
  ) => Promise<Awaited<ReturnType<Functions<M>[K]>>>;
  /** Main-thread CPU, in milliseconds, that was spent while `work` ran. */
  cpuOf<T>(work: () => Promise<T>): Promise<{ readonly cpu: number; readonly result: T }>;
  collectGarbage(): Promise<void>;
  /** Nodes that live in the page's process, in the document or not. */
  countNodes(): Promise<number>;
  close(): Promise<void>;
}

export interface Browser {
  readonly version: string;
  openStage(path?: string): Promise<Stage>;
  close(): Promise<void>;
}

export async function startBrowser(origin: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    // A heap that is read at once, not by the grace of a timer.
    args: [...browserArguments, '--js-flags=--expose-gc', '--enable-precise-memory-info'],
  });
  return {
    version: browser.version(),
    async openStage(path = '/') {
      const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        console.error(`page: ${error.message}`);
      });
      const cdp = await context.newCDPSession(page);
      // Thread time, since wall time says what else the machine had to do. `Performance.setTimeDomain` would leave it at wall time.
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto(origin + path);
      return stageOf(page, cdp);
    },
    close: () => browser.close(),
  };
}

function stageOf(page: Page, cdp: CDPSession): Stage {
  /** `ScriptDuration` leaves out what promises call, so all tasks are counted. */
  const taskTime = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
  return {
    page,
    cdp,
    script:
      (name) =>
      async (called, ...input) => {
        const call = { url: `/page/${name}.js`, called, input };
        const result: unknown = await page.evaluate(async ({ url, called: wanted, input: given }) => {
          const module = (await import(url)) as Record<string, (...input: readonly unknown[]) => unknown>;
          return await module[wanted]?.(...(given as readonly unknown[]));
        }, call);
        // What a page gives back is what the script's type says: both are ours.
        return result as never;
      },
    async cpuOf(work) {
      const before = await taskTime();
      const result = await work();
      return { cpu: (await taskTime()) - before, result };
    },
    collectGarbage: async () => {
      await cdp.send('HeapProfiler.collectGarbage');
    },
    countNodes: async () => (await cdp.send('Memory.getDOMCounters')).nodes,
    close: () => page.context().close(),
  };
}
