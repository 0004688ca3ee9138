/**
 * Requests to an Agno server (AgentOS): they are forms. Source: `agno-agi/agno`, `os/routers/agents/router.py`,
 * `os/utils.py` (`get_request_kwargs`).
 */
import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { currentMetadata, newestMetadata } from '../shared/last-metadata.ts';
import { withPageFields } from '../core/page-fields.ts';
import { isInline, sentFiles, toForm } from '../shared/files/sent-files.ts';
import { pathSegment, withQuery } from '../shared/request-urls.ts';
import { answeredItems, type PausedRun } from './paused-tools.ts';

type Fields = Readonly<Record<string, unknown>>;

export async function agnoRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const session = sessionOf(turn, options);
  const runId = currentMetadata(turn.messages, 'runId');
  const paused = pausedIn(turn);
  if (runId !== undefined && paused) {
    const answers = { [paused.field]: answeredItems(paused, turn), session_id: session };
    return form(runUrl(options.url, runId, 'continue'), answers, options);
  }
  const stored = await storedRun(turn, options);
  if (stored) {
    const fields = { regenerate: true, session_id: stored.session };
    return form(runUrl(options.url, stored.runId, 'continue'), fields, options);
  }
  const dependencies = contextOf(options);
  const files = sentFiles(turn);
  const linked = Object.entries(LINKED).flatMap(([kind, name]) => {
    const list = files.filter((file) => file.kind === kind && !isInline(file));
    return list.length > 0 ? [[name, list.map(({ url, mimeType }) => ({ url, mime_type: mimeType }))]] : [];
  });
  const fields: Fields = {
    // A form field without text counts as missing.
    message: turn.text || ' ',
    stream: true,
    session_id: session,
    ...(dependencies && { dependencies, add_dependencies_to_context: true }),
    ...(Object.fromEntries(linked) as Fields),
  };
  return form(runsUrl(options.url), fields, options, files.filter(isInline));
}

/** The run continues after the connection has closed if it was started in the background. */
export function agnoCancel(turn: Turn, options: RequestOptions): WireRequest | undefined {
  const runId = currentMetadata(turn.messages, 'runId');
  if (runId === undefined) return undefined;
  const url = withQuery(runUrl(options.url, runId, 'cancel'), { session_id: sessionOf(turn, options) });
  return { url, init: { method: 'POST', headers: options.headers ?? {} } };
}

/** The server stores the events of runs that were started with `background`. */
export function agnoResume(turn: Turn, options: RequestOptions) {
  const runId = currentMetadata(turn.messages, 'runId');
  const isStored = turn.messages.at(-1)?.metadata?.['resumable'] === true;
  if (runId === undefined || !isStored) return undefined;
  const fields = { session_id: sessionOf(turn, options) };
  const request = form(runUrl(options.url, runId, 'resume'), fields, { ...options, body: undefined });
  return { request, from: 'start' as const };
}

/** The fields in which a file's address is sent. */
const LINKED = { image: 'images', audio: 'audio', video: 'videos', file: 'input_files' } as const;

const sessionOf = ({ threadId, messages }: Turn, { body }: RequestOptions): string => {
  const configured = body?.['session_id'];
  if (typeof configured === 'string') return configured;
  return newestMetadata(messages, 'sessionId') ?? threadId;
};

/** The paused run that the answers or results of this request continue. A new message starts a new run. */
function pausedIn({ messages, text }: Turn): PausedRun | undefined {
  const last = messages.at(-1);
  const stored = text === '' && last?.role === 'assistant' ? last.metadata?.['paused'] : undefined;
  if (!isRecord(stored) || !Array.isArray(stored['items'])) return undefined;
  return stored as unknown as PausedRun;
}

/** The run whose reply is regenerated, if the server has stored it: agents without a database store none. */
async function storedRun(
  { fork, messages }: Turn,
  options: RequestOptions,
): Promise<{ readonly runId: string; readonly session: string } | undefined> {
  if (fork?.by !== 'regenerate' || !fork.reply) return undefined;
  const runId = newestMetadata([fork.reply], 'runId');
  const session = newestMetadata([fork.reply], 'sessionId');
  if (runId === undefined || session === undefined || !messages.some(({ role }) => role === 'user')) return undefined;
  const url = withQuery(runUrl(options.url, runId), { session_id: session });
  try {
    await options.ask({ url, init: { method: 'GET', headers: options.headers ?? {} } });
    return { runId, session };
  } catch (error) {
    if (error instanceof ChatError && error.status !== undefined && error.status !== 401) return undefined;
    throw error;
  }
}

/** The page's `context` and `system` are dependencies of the run, which Agno adds to the message. */
function contextOf({ system, context }: RequestOptions): Fields | undefined {
  const values = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  const all = { ...(system && { instructions: system }), ...values };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The page's `body` is merged here, because only a JSON body is merged automatically. */
function form(
  url: string,
  fields: Fields,
  { headers = {}, body = {} }: RequestOptions,
  files: Parameters<typeof toForm>[2] = [],
): WireRequest {
  const texts = Object.entries(withPageFields(fields, body)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: toForm(Object.fromEntries(texts) as Record<string, string>, 'files', files),
    },
  };
}

const COMPONENT = /\/(?:agents|teams|workflows)\/[^/]+$/;

/** Accepts the address of the agent, team or workflow itself and appends `/runs`. */
function runsUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (COMPONENT.test(path)) url.pathname = `${path}/runs`;
  return url.href;
}

function runUrl(endpoint: string, runId: string, action?: string): string {
  const url = new URL(runsUrl(endpoint));
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  url.pathname = [path, pathSegment(runId), ...(action === undefined ? [] : [action])].join('/');
  return url.href;
}
