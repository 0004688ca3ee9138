import type * as Detection from './detect-protocol.ts';

/** Loads the detection of protocols, which a page that names its protocol does not need. */
export const loadDetection = (): Promise<typeof Detection> => import('./detect-protocol.ts');
