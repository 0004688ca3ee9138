import { loadOnce } from '../../load-once.ts';

/** Loads the protocol detection. A page that sets `protocol` needs it only if the response is an HTML page. */
export const loadDetection = loadOnce(() => import('./detect-protocol.ts'));
