/** The browser and its stages: each is a page in its own process, so that its main thread can be measured. */
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts';

type Functions<M> = { [K in keyof M]: M[K] extends (...input: infer I) => infer O ? (...input: I) => O : never };

export interface Stage {
  readonly page: Page;
  readonly cdp: CDPSession;
  /**
   * Calls a function that a script of `page/` exports. The script stays loaded and keeps its state until the stage
   * closes.
   */
  script<M>(
    name: string,
  ): <K extends keyof M & string>(
    called: K,
    ...input: Parameters<Functions<M>[K]>
  ) => Promise<Awaited<ReturnType<Functions<M>[K]>>>;
  /** Returns the main-thread CPU time (ms) of `work`. */
  cpuOf<T>(work: () => Promise<T>): Promise<{ readonly cpu: number; readonly result: T }>;
  collectGarbage(): Promise<void>;
  /** The number of nodes in the page's process, attached or not. */
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
    // Reads the heap immediately, without waiting for a timer.
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
      // Thread time, because wall time includes the other load of the machine. `Performance.setTimeDomain` would still
      // measure wall time.
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto(origin + path);
      return stageOf(page, cdp);
    },
    close: () => browser.close(),
  };
}

function stageOf(page: Page, cdp: CDPSession): Stage {
  /** `ScriptDuration` omits promise callbacks, so all tasks are counted. */
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
        const result: unknown = await page.evaluate(async ({ url, called: functionName, input: argument }) => {
          const module = (await import(url)) as Record<string, (...input: readonly unknown[]) => unknown>;
          return await module[functionName]?.(...(argument as readonly unknown[]));
        }, call);
        // The script's type describes the result: both are part of this project.
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
