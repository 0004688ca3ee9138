import { loadOnce } from '../../load-once.ts';

/** Loads the detection of protocols, which a page that names its protocol does not need. */
export const loadDetection = loadOnce(() => import('./detect-protocol.ts'));
