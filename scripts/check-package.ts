/** Checks the package as it would be published: publint checks its manifest, are-the-types-wrong resolves its entry points. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import packageJson from '../package.json' with { type: 'json' };
import { pack } from './pack.ts';

const folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
try {
  const { tarball } = pack(folder);
  const bytes = await readFile(tarball);
  const { messages } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  for (const message of messages) console.log(formatMessage(message, packageJson));
  console.log(`publint: ${String(messages.length)} problems`);
  // The package is ESM only: `require()` and the resolution of Node 10 are not supported.
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'table-flipped',
      '--no-emoji',
    ],
    { stdio: 'inherit' },
  );
  process.exitCode = messages.length > 0 || status !== 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true });
}
