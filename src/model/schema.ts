import { config } from 'zod/mini';

// Before the first parse: zod probes `new Function` unless told not to, and a strict CSP reports the probe.
config({ jitless: true });

export * as z from 'zod/mini';
