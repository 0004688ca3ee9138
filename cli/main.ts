#!/usr/bin/env node
/** The command line tool `agent-chat-element`. */
import './older-node.ts';
import { record } from './record/record.ts';
import { replayFiles } from './record/replay.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check/check.ts';
import manifest from '../package.json' with { type: 'json' };
import { HELP } from './help.ts';
import { readOptions, UsageError, type Options } from './options.ts';
import { terminalFor, type Output } from './terminal.ts';
import { openDemo, openUrl, type Folders } from './serve/open.ts';

/** Runs a command; returns the exit code if the process should end. */
async function run(options: Options, terminal: Output): Promise<number | undefined> {
  const home = dirname(fileURLToPath(import.meta.url));
  const folders: Folders = { home, dist: join(home, '..') };
  if (options.version) terminal.print(manifest.version);
  else if (options.help || (options.command === 'open' && options.rest.length === 0))
    terminal.print(...HELP.split('\n'));
  else if (options.command === 'demo') {
    await openDemo(options, folders, terminal);
    return undefined;
  } else if (options.command === 'open') {
    await openUrl(options, folders, terminal);
    return undefined;
  } else if (options.command === 'check') return check(options, terminal);
  else if (options.command === 'record') return record(options, terminal);
  else return replayFiles(options, terminal);
  return 0;
}

let terminal = terminalFor({});
try {
  const options = readOptions(process.argv.slice(2), process.env);
  terminal = terminalFor(options.headers, options.rest[0]);
  const code = await run(options, terminal);
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  if (error instanceof UsageError) terminal.note(error.message, ...error.lines);
  else terminal.note(...String(error instanceof Error ? error.stack : error).split('\n'));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
