import { loadOnce } from '../../load-once.ts';

/** Loads the code that opens a WebSocket. Most endpoints answer over HTTP. */
export const loadSocket = loadOnce(() => import('./open-socket.ts'));
