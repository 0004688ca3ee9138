/** When work in slices goes on: after the page could run its own tasks. */

export interface YieldScheduler {
  /** The current time in milliseconds. */
  now(): number;
  /** Resolves after the page could run its own tasks. */
  giveWay(): Promise<void>;
  /** Releases resources. */
  dispose?(): void;
}

/**
 * Yields with a `MessageChannel`, whose messages are tasks like the page's own. Timers are throttled, in a hidden tab
 * to one a second. One channel serves the whole stream, because creating one takes longer than the work. It is closed
 * with the stream, since an open channel keeps Node from exiting.
 */
export function taskScheduler(): YieldScheduler {
  let channel: MessageChannel | undefined;
  const waiting: (() => void)[] = [];
  return {
    now: () => performance.now(),
    giveWay() {
      if (!channel) {
        channel = new MessageChannel();
        channel.port1.onmessage = () => waiting.shift()?.();
      }
      const { port2 } = channel;
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
        port2.postMessage(undefined);
      });
    },
    dispose() {
      channel?.port1.close();
    },
  };
}
