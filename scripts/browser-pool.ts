/** Several browsers of one engine, with one page each: only the page in the foreground has the focus. */
import type { TestRunnerConfig } from '@web/test-runner';
import type { PlaywrightLauncher } from '@web/test-runner-playwright';

type Launcher = NonNullable<TestRunnerConfig['browsers']>[number];

export function browserPool(
  size: number,
  launcher: () => PlaywrightLauncher,
): Launcher & Pick<PlaywrightLauncher, 'getPage'> {
  const all = Array.from({ length: size }, launcher);
  const idle = [...all];
  const busy = new Map<string, PlaywrightLauncher>();
  const of = (id: string): PlaywrightLauncher => {
    const found = busy.get(id);
    if (!found) throw new Error(`No page is open for ${id}.`);
    return found;
  };
  return {
    name: all[0]?.name ?? '',
    type: 'playwright',
    concurrency: size,
    async initialize(config, files) {
      await Promise.all(all.map((each) => each.initialize(config, files)));
    },
    async startSession(id, url) {
      const free = idle.pop();
      if (!free) throw new Error('More pages were asked for than there are browsers.');
      busy.set(id, free);
      await free.startSession(id, url);
    },
    isActive: (id) => busy.get(id)?.isActive(id) ?? false,
    getBrowserUrl: (id) => of(id).getBrowserUrl(id),
    getPage: (id) => of(id).getPage(id),
    async stopSession(id) {
      const used = of(id);
      try {
        return await used.stopSession(id);
      } finally {
        busy.delete(id);
        idle.push(used);
      }
    },
    async stop() {
      await Promise.all(all.map((each) => each.stop()));
    },
    startDebugSession: (id, url) => (all[0] ? all[0].startDebugSession(id, url) : Promise.resolve()),
  };
}
