/**
 * The URL of a run on a LangGraph server, and the requests that cancel and resume it. Source:
 * `docs/protocols/langgraph.md`.
 */
import { pathSegment, withQuery } from '../shared/request-urls.ts';
import { headerValue } from '../shared/header-value.ts';
import type { Adapter, Turn } from '../core/adapter.ts';

/** The parts of an endpoint's URL: the server, the thread and the API variant. */
export interface RunLocation {
  readonly base: string;
  readonly search: string;
  readonly threadId: string | undefined;
  /** Threads are deleted after each run. */
  readonly stateless: boolean;
  readonly v2: boolean;
  readonly assistant: string;
}

/** Data that a request passes to its decoder. */
export interface RunState {
  /** The thread that was created for the request. A retry reuses it until the reply has reported it. */
  readonly threadId: string;
}

export function parseRunLocation(url: string): RunLocation {
  const { origin, pathname, searchParams } = new URL(url);
  const [, path = '', thread, variant] =
    /^(.*?)(?:\/threads\/([^/]+))?(\/runs\/stream|\/stream\/events)?\/?$/.exec(pathname) ?? [];
  const rest = new URLSearchParams(searchParams);
  rest.delete('assistant_id');
  const stateless = variant === '/runs/stream' && thread === undefined;
  return {
    base: origin + path,
    search: rest.size > 0 ? `?${rest.toString()}` : '',
    threadId: thread === undefined ? undefined : decodeURIComponent(thread),
    stateless,
    v2: variant === '/stream/events',
    assistant: searchParams.get('assistant_id') ?? 'agent',
  };
}

/**
 * The thread of this conversation. An edited or regenerated message gets a new thread, because the old thread
 * contains the old messages and they can't be removed.
 */
export const threadIdOf = (location: Pick<RunLocation, 'threadId'>, turn: Turn): string | undefined =>
  location.threadId ?? (turn.fork ? undefined : metadataValue(turn, 'threadId'));

/**
 * Whether a custom route streams a graph, as LangChain does with `encoding: 'text/event-stream'`. Such a route
 * answers the request itself and has no threads or runs.
 */
export const isOwnRoute = (location: RunLocation, turn: Turn): boolean =>
  !isServer(location, turn) && turn.messages.some(({ metadata }) => metadata?.['ownRoute'] === true);

/** Whether the URL or the conversation shows that this is a LangGraph server. */
export const isServer = (location: RunLocation, turn: Turn): boolean =>
  location.stateless || location.v2 || location.threadId !== undefined || metadataValue(turn, 'threadId') !== undefined;

const metadataValue = ({ messages }: Pick<Turn, 'messages'>, name: string): string | undefined => {
  const value = messages.findLast(({ metadata }) => typeof metadata?.[name] === 'string')?.metadata?.[name];
  return typeof value === 'string' ? value : undefined;
};

export const cancelRun: NonNullable<Adapter['cancel']> = (turn, { url, headers = {} }) => {
  const run = runUrl(turn, url);
  return run === undefined
    ? undefined
    : { url: withQuery(run('/cancel'), { wait: '0', action: 'interrupt' }), init: { method: 'POST', headers } };
};

export const resumeRun: NonNullable<Adapter<RunState>['resume']> = (turn, { url, headers = {}, lastEventId }) => {
  const run = parseRunLocation(url).v2 ? undefined : runUrl(turn, url);
  if (run === undefined) return undefined;
  const from = lastEventId === undefined ? 'start' : 'last';
  return {
    from,
    request: {
      url: run('/stream'),
      init: {
        method: 'GET',
        headers: { accept: 'text/event-stream', 'Last-Event-ID': headerValue(lastEventId ?? '-1'), ...headers },
      },
    },
  };
};

/** Returns the URLs below the current run, with the query of the endpoint, which a proxy may need. */
function runUrl(turn: Turn, url: string): ((path: string) => string) | undefined {
  const location = parseRunLocation(url);
  const thread = threadIdOf(location, turn);
  const last = turn.messages.at(-1);
  const run = last?.role === 'assistant' ? last.metadata?.['runId'] : undefined;
  if (thread === undefined || typeof run !== 'string') return undefined;
  const { base, search } = location;
  return (path) => `${base}/threads/${pathSegment(thread)}/runs/${pathSegment(run)}${path}${search}`;
}
