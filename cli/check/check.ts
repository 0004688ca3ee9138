/**
 * `agent-chat-element check <url>`: reports everything that can keep a page from talking to a server, one line each.
 */
import { ChatError } from '../../src/errors.ts';
import { oneLine, maskFor } from '../mask.ts';
import { askPreflight } from '../cors.ts';
import { readAddress, type Options } from '../options.ts';
import type { Output } from '../terminal.ts';
import { chooseEndpoint } from '../look-around.ts';
import { adapterOf } from '../turn/adapter-of.ts';
import { askTurn, type Endpoint, type Reply } from '../turn/ask.ts';
import { findingsOf, isSocket } from './answer.ts';
import { errorForm } from './error-form.ts';
import { exposedOf } from './exposed.ts';
import { failure, ok, warning, type Finding } from './finding.ts';
import { leaving, secondTurn } from './more-turns.ts';
import { resumeOf } from './resume.ts';
import { toolRound } from './tool-round.ts';

const QUESTION = 'Hello! Please answer in a few sentences.';

const LEVELS = { ok: '✓', warning: '!', failure: '✗' } as const;

/** The exit code: 1 if a finding keeps a page from working. */
export async function check(options: Options, out: Output): Promise<number> {
  const parsed = readAddress(options.rest[0]);
  const candidate = await chooseEndpoint(parsed, options, (text) => {
    out.note(text);
  });
  const url = candidate ? new URL(candidate.url) : parsed;
  const found: Finding[] = [];
  const printFindings = (findings: readonly Finding[]): void => {
    found.push(...findings);
    if (!options.json) for (const finding of findings) printFinding(finding, out);
  };
  const adapter = await adapterOf({ ...options, protocol: options.protocol ?? candidate?.protocol });
  const endpoint: Endpoint = {
    url,
    headers: options.headers,
    body: options.body,
    adapter,
    timeout: options.timeout,
    threadId: `check-${String(Date.now())}`,
  };
  await examine(endpoint, printFindings);
  const failures = found.filter(({ level }) => level === 'failure').length;
  const warnings = found.filter(({ level }) => level === 'warning').length;
  if (options.json) out.printJson({ url: url.origin + url.pathname, failures, warnings, findings: found });
  else out.print(`${String(failures)} failures, ${String(warnings)} warnings`);
  return failures > 0 ? 1 : 0;
}

function printFinding({ id, level, text, remedy, docs }: Finding, out: Output): void {
  out.print(`${LEVELS[level]} ${id}: ${text}${remedy === undefined ? '' : ` → ${remedy} (${docs ?? ''})`}`);
}

async function examine(endpoint: Endpoint, printFindings: (findings: readonly Finding[]) => void): Promise<void> {
  const mask = maskFor(endpoint.headers, endpoint.url.href);
  let first: Reply;
  try {
    first = await askTurn(endpoint, { text: QUESTION });
  } catch (error) {
    printFindings([networkFinding(error)]);
    return;
  }
  printFindings(findingsOf(first, mask));
  if (!isSocket(first.request.url)) printFindings(await preflightOf(first));
  // An immediate failure says nothing about the later steps.
  if (!first.adapter || !first.outcome || first.outcome.status === 'error') return;
  const known = { ...endpoint, adapter: endpoint.adapter ?? first.adapter };
  printFindings(await exposedOf(first));
  const second = await secondTurn(known, first);
  printFindings(second);
  if (second.some(({ id }) => id === 'rate-limit')) return;
  printFindings(await toolRound(newThread(known, 'tool'), mask));
  printFindings(await resumeOf(newThread(known, 'resume'), QUESTION, mask));
  printFindings(await leaving(newThread(known, 'left'), first, QUESTION));
  // Comes last, because an unprepared server may fail on it.
  printFindings(await errorForm(first, mask));
}

/** Another conversation per check, so that the history of one does not affect the next. */
const newThread = <Known extends Endpoint>(endpoint: Known, name: string): Known => ({
  ...endpoint,
  threadId: `${endpoint.threadId}-${name}`,
});

/** OpenSSL's message for a response that is not TLS. */
const PLAIN = /wrong.version.number|packet length too long|record layer failure/i;
const TLS = /CERT|TLS|SSL|self.signed|EPROTO|ALTNAME/i;

function networkFinding(error: unknown): Finding {
  if (error instanceof ChatError && error.kind === 'timeout') return failure('timeout', error.message);
  const { code = '', message = String(error) } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const text = oneLine(message === '' ? code : message);
  if (PLAIN.test(message)) return failure('unreachable', 'The server does not speak TLS at this port.', 'Use http://.');
  if (TLS.test(code) || TLS.test(message)) return failure('tls', `The certificate is refused: ${text}`);
  return failure('unreachable', `The server can't be reached: ${text}`);
}

async function preflightOf({ request }: Reply): Promise<readonly Finding[]> {
  try {
    const { status, missing } = await askPreflight(request.url, {
      method: request.method,
      names: Object.keys(request.headers),
    });
    const isFine = status >= 200 && status < 300;
    if (isFine && missing.length === 0) return [ok('preflight', 'Pages of another origin can send requests.')];
    const text = `The preflight for pages of another origin fails (OPTIONS: ${String(status)}).`;
    return [warning('cors-preflight', text, missing.length > 0 ? `Missing: ${missing.join('; ')}` : '')];
  } catch (error) {
    return [warning('cors-preflight', `OPTIONS is not answered: ${oneLine(String(error))}`)];
  }
}
