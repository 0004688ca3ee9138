/** The commands `agent-chat-element <url>` and `agent-chat-element demo`. */
import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { proposeMapping } from '../../src/protocols/propose-mapping.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { guessByUrl } from '../../src/runtime/stream/detect-protocol.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { maskFor, oneLine } from '../mask.ts';
import { readAddress, UsageError, type Options } from '../options.ts';
import type { Output } from '../terminal.ts';
import { adapterOf, readJsonFile } from '../turn/adapter-of.ts';
import type { Candidate } from '../../src/protocols/discovery.ts';
import { chooseEndpoint } from '../look-around.ts';
import { startServer, type LocalServer, type PageConfig } from './server.ts';
import { watchExchanges, type Line } from './watch.ts';

export interface Folders {
  /** The folder of the package's build, and that of the page. */
  readonly dist: string;
  readonly home: string;
}

/** Serves until the process is stopped. */
export async function openDemo(options: Options, folders: Folders, out: Output): Promise<void> {
  const server = await startServer({
    ...folders,
    port: options.port,
    config: { title: 'Demo', protocols: [] },
    watch: () => {
      throw new Error('The demo has no server to forward to.');
    },
  });
  announce(server, options, out);
}

export async function openUrl(options: Options, folders: Folders, out: Output): Promise<void> {
  const mask = maskFor(options.headers, options.rest[0]);
  const parsed = readAddress(options.rest[0]);
  const candidate = await chooseEndpoint(parsed, options, (text) => {
    out.print(text);
  });
  const url = candidate ? new URL(candidate.url) : parsed;
  if (options.tools !== undefined)
    await access(options.tools).catch((cause: unknown) => {
      throw new UsageError(`${options.tools ?? ''} can't be read.`, { cause });
    });
  // Errors in it are reported here.
  const named = await adapterOf(options);
  const protocol = await protocolFor(options, candidate);
  const mapping = options.mapping !== undefined && named ? { id: named.id, json: JSON.stringify(protocol) } : undefined;
  const { agent } = options;
  const config: PageConfig = {
    title: url.origin + url.pathname,
    endpoint: url.href,
    origin: url.origin.replace(/^ws/, 'http'),
    protocol,
    protocols: protocols.list().map(({ id }) => id),
    agent,
    body: options.body,
    tools: options.tools !== undefined,
  };
  const print = (line: Line): void => {
    printLine(line, out);
    server.tell(mask.json(line));
  };
  const known = typeof protocol === 'string' ? protocol : guessByUrl(url, protocols.list())?.id;
  const watch = watchExchanges({
    target: url,
    headers: options.headers,
    agent,
    known,
    mapping,
    mask,
    tell: print,
    propose,
  });
  const server = await startServer({
    ...folders,
    port: options.port,
    config,
    upstream: { target: url, headers: options.headers },
    watch,
    ...(options.tools !== undefined && { tools: resolve(options.tools) }),
  });
  announce(server, options, out);
}

/** The mapping that parses a stream, ready to be saved. */
function propose(frames: readonly Frame[]): string | undefined {
  const mapping = proposeMapping(frames);
  return mapping && JSON.stringify(mapping, undefined, 2);
}

/** The widget's `protocol` setting. */
async function protocolFor(options: Options, candidate: Candidate | undefined): Promise<unknown> {
  return options.mapping === undefined ? (options.protocol ?? candidate?.protocol) : readJsonFile(options.mapping);
}

function announce(server: LocalServer, { open }: Options, out: Output): void {
  out.print(`Open ${server.address}`);
  out.print('The URL contains a token: whoever has it can use your keys through this page. Stop with Ctrl+C.');
  if (open && out.isTerminal) openBrowser(server.address);
}

const SIGNS: Readonly<Record<Line['kind'], string>> = {
  sent: '→',
  answer: '←',
  ok: '✓',
  problem: '✗',
  advice: '!',
  snippet: '·',
};

function printLine({ kind, text, code }: Line, out: Output): void {
  out.print(`${SIGNS[kind]} ${oneLine(text, 600)}`);
  if (code !== undefined) out.print(...code.split('\n').map((line) => `    ${line}`));
}

function openBrowser(address: string): void {
  const [command, args]: readonly [string, readonly string[]] =
    process.platform === 'darwin'
      ? ['open', [address]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', address]]
        : ['xdg-open', [address]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  // If no browser can be opened, the user can follow the printed URL.
  child.on('error', () => undefined);
  child.unref();
}
