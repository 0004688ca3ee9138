import { proposeMapping } from '../../protocols/propose-mapping.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import type { Frame } from '../../transport/frame.ts';

/** Writes a mapping for a stream of an unknown format to the console, if one of its strings may be the answer. */
export function logMapping(frames: readonly Frame[], secrets: readonly string[]): void {
  const mapping = proposeMapping(frames, { ended: true });
  if (!mapping) return;
  const json = maskSecrets(JSON.stringify(mapping), secrets);
  console.warn(
    `<agent-chat>: No known protocol fits the stream. This mapping may: chat.protocol = ${json}; ` +
      'Check it, and name what else the stream has: docs/guides/own-protocol.md',
  );
}
