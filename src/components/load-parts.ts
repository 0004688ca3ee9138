import type * as Parts from './parts.ts';

let parts: Promise<typeof Parts> | undefined;

/** The runner of turns and the elements of the transcript, fetched once. After a failure the next need tries again. */
export function loadParts(): Promise<typeof Parts> {
  parts ??= import('./parts.ts').catch((error: unknown) => {
    parts = undefined;
    throw error;
  });
  return parts;
}
