import { loadOnce } from '../../load-once.ts';

/** Loads what opens a WebSocket. Most endpoints answer over HTTP. */
export const loadSocket = loadOnce(() => import('./open-socket.ts'));
