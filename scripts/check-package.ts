/** The package as it would be published: publint reads its manifest, are-the-types-wrong resolves each of its entries. */
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
  // It is an ES module: `require()` of it and the resolution of Node 10 are no promises of ours.
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
