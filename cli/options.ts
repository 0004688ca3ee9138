/** Parses and validates the command line arguments. */
import { parseArgs } from 'node:util';

type Command = 'open' | 'demo' | 'check' | 'record' | 'replay';
const COMMANDS: readonly string[] = ['demo', 'check', 'record', 'replay'];

export interface Options {
  readonly command: Command;
  /** The arguments after the command: a URL, a question, files. */
  readonly rest: readonly string[];
  /** Headers that are sent to the server with every request, and never printed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields that are merged into the body of a turn's request. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly protocol: string | undefined;
  readonly agent: string | undefined;
  readonly tools: string | undefined;
  readonly mapping: string | undefined;
  readonly against: string | undefined;
  readonly out: string | undefined;
  readonly port: number;
  /** Maximum duration of a reply (ms). */
  readonly timeout: number;
  readonly open: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** An error in the user's input: it is printed without a stack trace. */
export class UsageError extends Error {
  /** The lines after the message. A line break in the message itself would be escaped: it may be a server's. */
  readonly lines: readonly string[];

  constructor(
    message: string,
    { cause, lines = [] }: { readonly cause?: unknown; readonly lines?: readonly string[] } = {},
  ) {
    super(message, { cause });
    this.lines = lines;
  }
}

/** Parses the arguments; `env` provides `$NAME` in header values. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parse(args);
  const [first = '', ...others] = positionals;
  const isCommand = COMMANDS.includes(first);
  checkCount(isCommand ? (first as Command) : 'open', positionals);
  return {
    command: isCommand ? (first as Command) : 'open',
    rest: isCommand ? others : positionals,
    headers: Object.fromEntries((values.header ?? []).map((line) => readHeader(line, env))),
    body: values.body === undefined ? undefined : readBody(values.body),
    protocol: values.protocol,
    agent: values.agent,
    tools: values.tools,
    mapping: values.mapping,
    against: values.against,
    out: values.out,
    port: readPort(values.port),
    timeout: readTimeout(values.timeout),
    open: values.open ?? true,
    json: values.json ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

/** How many arguments a command takes; `replay` takes any number of files. */
const MOST: Readonly<Partial<Record<Command, number>>> = { open: 1, demo: 1, check: 2, record: 3 };

function checkCount(command: Command, positionals: readonly string[]): void {
  const extra = positionals[MOST[command] ?? Infinity];
  if (extra === undefined) return;
  const [first = ''] = positionals;
  throw new UsageError(
    command === 'open'
      ? `"${first}" is not a command (${COMMANDS.join(', ')}), and an address has no further arguments: "${extra}".`
      : `${command} does not take "${extra}". Put a text with spaces in quotes.`,
  );
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        header: { type: 'string', short: 'H', multiple: true },
        body: { type: 'string' },
        protocol: { type: 'string' },
        agent: { type: 'string' },
        tools: { type: 'string' },
        mapping: { type: 'string' },
        against: { type: 'string' },
        out: { type: 'string', short: 'o' },
        port: { type: 'string' },
        timeout: { type: 'string' },
        open: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (cause) {
    const [message = '', ...lines] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new UsageError(message, { cause, lines });
  }
}

const HEADER = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** Parses `name: value`, with `$NAME` and `${NAME}` from the environment. */
function readHeader(line: string, env: NodeJS.ProcessEnv): readonly [string, string] {
  const [, name = '', value = ''] = HEADER.exec(line) ?? [];
  if (name === '') throw new UsageError(`--header takes "name: value".`);
  const filled = value.replace(VARIABLE, (_all, braced?: string, bare?: string) => {
    const variable = braced ?? bare ?? '';
    const found = env[variable];
    if (found === undefined || found === '') throw new UsageError(`--header ${name}: $${variable} is not set.`);
    return found;
  });
  return [name.toLowerCase(), filled];
}

function readBody(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError('--body is not JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--body takes a JSON object.');
  return { ...value };
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('--port takes a number from 0 to 65535.');
  return port;
}

function readTimeout(text = '120'): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600)) throw new UsageError('--timeout takes a number of seconds, at most 3600.');
  return seconds * 1000;
}

/** Parses a URL. Without a scheme it uses `http:` for this machine and `https:` for other hosts. */
export function readAddress(text: string | undefined): URL {
  if (text === undefined || text === '') throw new UsageError('The URL is missing. See --help.');
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/i.test(text);
  const full = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `${local ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(full)) throw new UsageError(`"${text}" is not an address.`);
  const url = new URL(full);
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol))
    throw new UsageError(`"${url.protocol}" is not one of http, https, ws, wss.`);
  return url;
}
