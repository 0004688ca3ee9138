/**
 * Builds the apps of `examples/` against the packed package and drives them in Chromium with `test/examples`. Needs `dist/`,
 * except with `--install`, which only installs their build tools. `--lock` writes their lock file again.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import packageJson from '../package.json' with { type: 'json' };
import type { Count } from './count.ts';
import { runFile } from './e2e.ts';
import { pack } from './pack.ts';
import { stopTogether } from './stop-together.ts';

const SOURCE = 'examples';
/** A folder outside the project, so that an app finds only what a user of the package has. */
const HOME = '.cache/examples';
const NAME = 'agent-chat-element';
const LOCK = 'package-lock.json';
const TARBALL = `${NAME}.tgz`;

/** Apps that use `dist/` without a build. */
const SERVED = ['plain', 'embed'];
/** All apps, the slowest builds first. */
const BUILT = ['angular', 'next', 'astro', 'react', 'vue', 'svelte'];
const AT_ONCE = 2;

interface Run {
  readonly status: number | null;
  readonly output: string;
}

async function run(folder: string, command: string, ...args: readonly string[]): Promise<Run> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    // Turns off telemetry and update checks of the build tools.
    env: {
      ...process.env,
      CI: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      NG_CLI_ANALYTICS: 'false',
    },
  });
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, output: out + err };
}

/** Builds and drives the apps with the given names, or all. */
export async function examples(only: readonly string[] = []): Promise<Count> {
  const isSelected = (name: string): boolean => only.length === 0 || only.includes(name);
  await copySources();
  for (const name of SERVED) await cp(`${HOME}/package/dist`, `${HOME}/${name}/agent-chat`, { recursive: true });
  const startedAt = Date.now();
  const served = SERVED.filter(isSelected);
  let built = BUILT.filter(isSelected);
  if (built.length > 0) {
    if (await install()) console.log(`examples: installed, ${seconds(startedAt)}`);
    else {
      console.log(`The registry of npm does not answer: of the examples only those without a build are run.`);
      built = [];
    }
  }
  const counts: Count[] = [];
  const queue = [...built, ...served].values();
  const work = async (): Promise<void> => {
    for (const name of queue) counts.push(await example(name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

async function example(name: string): Promise<Count> {
  const startedAt = Date.now();
  if (BUILT.includes(name)) {
    const { status, output } = await run(join(HOME, name), 'npm', 'run', 'build');
    if (status !== 0) {
      console.log(`${output}\n${name}: failed, it does not build`);
      return { passed: 0, failed: 1 };
    }
  }
  const count = await runFile(`test/examples/${name}.test.ts`);
  console.log(`${name}: ${count.failed > 0 ? 'failed' : 'passed'}, ${seconds(startedAt)}`);
  return count;
}

const seconds = (startedAt: number): string => `${String(Math.round((Date.now() - startedAt) / 1000))} s`;

/** Installed packages are kept, because installing takes longest. */
async function copySources(): Promise<void> {
  await mkdir(HOME, { recursive: true });
  for (const name of [...SERVED, ...BUILT]) await rm(join(HOME, name), { recursive: true, force: true });
  await cp(SOURCE, HOME, { recursive: true, filter: (path) => !/\/(?:node_modules|dist|\.\w+)$/.test(path) });
  await cp(`${SOURCE}/.npmrc`, `${HOME}/.npmrc`);
  await rename(pack(HOME).tarball, join(HOME, TARBALL));
  const { status, output } = await run(HOME, 'tar', '-xzf', TARBALL);
  if (status !== 0) throw new Error(output);
}

/**
 * Installs the build tools if the lock file has changed, and always the package that was just packed.
 *
 * @returns false if no registry can be reached
 */
async function install(): Promise<boolean> {
  const lock = await readFile(`${HOME}/${LOCK}`, 'utf8');
  checkLock(lock);
  const hash = createHash('sha256').update(lock).digest('hex');
  const mark = `${HOME}/node_modules/.installed`;
  if (!existsSync(mark) || (await readFile(mark, 'utf8')) !== hash) {
    // One request first: without a registry, `npm ci` would retry each package several times.
    const once = ['--prefer-online', '--fetch-retries=0', '--fetch-timeout=10000'];
    if ((await run(HOME, 'npm', 'view', 'lit', 'version', ...once)).status !== 0) return false;
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    const { status, output } = await run(HOME, 'npm', 'ci', ...options);
    if (status !== 0) throw new Error(`The examples can’t be installed:\n${output}`);
    await writeFile(mark, hash);
  }
  const home = `${HOME}/node_modules/${NAME}`;
  await rm(`${home}/dist`, { recursive: true, force: true });
  await cp(`${HOME}/package`, home, { recursive: true });
  return true;
}

interface Lock {
  readonly packages: Readonly<Record<string, { integrity?: string; readonly dependencies?: object } | undefined>>;
}

/** Throws if the lock file names other dependencies of the package than package.json, which `npm ci` does not check. */
function checkLock(lock: string): void {
  const locked = (JSON.parse(lock) as Lock).packages[`node_modules/${NAME}`]?.dependencies ?? {};
  const sorted = (of: object): string => JSON.stringify(Object.entries(of).sort());
  if (sorted(locked) === sorted(packageJson.dependencies)) return;
  throw new Error(
    `${SOURCE}/${LOCK} names other dependencies than package.json; run "npm run examples -- --lock" to update it.`,
  );
}

const withoutOwn = (packages: Lock['packages']): Lock['packages'] =>
  Object.fromEntries(Object.entries(packages).filter(([path]) => path !== `node_modules/${NAME}`));

async function writeLock(): Promise<void> {
  await copySources();
  const former = JSON.parse(await readFile(`${HOME}/${LOCK}`, 'utf8')) as Lock;
  // npm keeps the dependencies of an entry whose version is the same.
  await writeFile(`${HOME}/${LOCK}`, JSON.stringify({ ...former, packages: withoutOwn(former.packages) }));
  const { status, output } = await run(HOME, 'npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit');
  if (status !== 0) throw new Error(output);
  const lock = JSON.parse(await readFile(`${HOME}/${LOCK}`, 'utf8')) as Lock;
  // Each build creates a different tarball.
  delete lock.packages[`node_modules/${NAME}`]?.integrity;
  await writeFile(`${SOURCE}/${LOCK}`, `${JSON.stringify(lock, null, 2)}\n`);
}

if (process.argv[1]?.endsWith('examples.ts')) {
  stopTogether();
  const args = process.argv.slice(2);
  if (args.includes('--lock')) await writeLock();
  else if (args.includes('--install')) {
    await copySources();
    console.log(`examples: ${(await install()) ? 'installed' : 'the registry of npm does not answer'}`);
  } else {
    const { passed, failed } = await examples(args);
    console.log(`${String(passed)} passed, ${String(failed)} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  }
}
