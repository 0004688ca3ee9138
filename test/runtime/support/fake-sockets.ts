/** Fake sockets instead of the browser's, for all tests of a `describe`. */
import { FakeSocket } from '../../support/fake-socket.ts';
import { until, type Made } from './make-chat.ts';

let waiting: (() => void)[] = [];

class HeardSocket extends FakeSocket {
  constructor(url: string, protocols: readonly string[]) {
    super(url, protocols);
    for (const heard of waiting.splice(0)) heard();
  }
}

export function useFakeSockets(): void {
  const { WebSocket: real } = globalThis;
  beforeEach(() => {
    FakeSocket.made.length = 0;
    waiting = [];
    Object.assign(globalThis, { WebSocket: HeardSocket });
  });
  afterEach(() => {
    Object.assign(globalThis, { WebSocket: real });
  });
}

/** The socket with this number, as soon as it exists. */
export async function socketOf({ chat }: Made, index = 0): Promise<FakeSocket> {
  await until(chat, () => true);
  for (;;) {
    const socket = FakeSocket.made[index];
    if (socket) return socket;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
}
