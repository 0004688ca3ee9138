/** Opens test pages in WebKit. Windows are reused, because each needs its own browser and driver. */
import type { TestRunnerConfig } from '@web/test-runner';
import { openWebkit, SIZE, type Webkit } from './webkit.ts';

type Launcher = NonNullable<TestRunnerConfig['browsers']>[number];

/** Removes stored data, so that the next test file starts with an empty profile. */
const FORGET = `
  localStorage.clear();
  sessionStorage.clear();
  return indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  }))));`;

/** The runner resizes pages only for launcher types that it knows; this is the simplest. */
interface CommandedAsPlaywright {
  getPage(id: string): { setViewportSize(size: typeof SIZE): Promise<void> };
}

/** `driver`: path of the WebKit driver. */
export function webkitLauncher(driver: string): Launcher & CommandedAsPlaywright {
  const idle: Webkit[] = [];
  const busy = new Map<string, Webkit>();
  const resized = new Set<Webkit>();
  return {
    name: 'WebKit',
    type: 'playwright',
    getPage: (id) => ({
      async setViewportSize(size) {
        const window = busy.get(id);
        if (!window) return;
        resized.add(window);
        await window.resize(size);
      },
    }),
    async startSession(id, url) {
      const window = idle.pop() ?? (await openWebkit(driver));
      busy.set(id, window);
      await window.go(url);
    },
    isActive: (id) => busy.has(id),
    getBrowserUrl: (id) => busy.get(id)?.command<string>('/url'),
    async stopSession(id) {
      const window = busy.get(id);
      busy.delete(id);
      if (!window) return {};
      try {
        await window.run(FORGET);
        if (resized.delete(window)) await window.resize(SIZE);
        await window.go('about:blank');
        idle.push(window);
      } catch {
        // The window of a page that hangs or has crashed is closed.
        await window.close();
      }
      return {};
    },
    async stop() {
      await Promise.all([...idle, ...busy.values()].map((window) => window.close()));
    },
    startDebugSession: () => Promise.reject(new Error('WebKit is not debugged here.')),
  };
}
