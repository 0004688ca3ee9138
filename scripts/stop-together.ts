/** Stopping a run also ends everything that it has started: tools, servers, browsers. */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';

/** Time for processes to end on their own (ms), in which a browser removes its profile. */
const GRACE_MS = 2000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends the process and its descendants on SIGINT and SIGTERM. Playwright starts browsers in process groups of their own and
 * handles SIGTERM without ending the process, so neither a signal to the group nor the default handler is enough.
 */
export function stopTogether(): void {
  let below: readonly number[] = [];
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      // After its parent has ended, a process can't be found any more.
      below = [...new Set([...below, ...descendantsOf(process.pid)])];
      for (const pid of below) send(pid, 'SIGTERM');
      setTimeout(() => {
        process.exit(128 + constants.signals[signal]);
      }, GRACE_MS);
    });
  }
  process.on('exit', () => {
    if (below.length === 0) return;
    // Processes that were started meanwhile.
    for (const pid of [...below, ...descendantsOf(process.pid)]) send(pid, 'SIGKILL');
  });
}

/** Sends a signal to a process if it is still running. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}

/** Returns the descendants of a process. Empty on systems without `ps`. */
export function descendantsOf(root: number): readonly number[] {
  const ps = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const children = new Map<number, number[]>();
  for (const line of ps.status === 0 ? ps.stdout.split('\n') : []) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    if (pid > 0 && pid !== ps.pid) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const queue = [root];
  for (const pid of queue) {
    const next = children.get(pid) ?? [];
    found.push(...next);
    queue.push(...next);
  }
  return found;
}
