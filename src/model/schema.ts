import { config } from 'zod/mini';

// Must run before the first parse: zod otherwise probes `new Function`, and a strict CSP reports that.
config({ jitless: true });

export * as z from 'zod/mini';
