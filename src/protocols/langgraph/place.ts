/** Where a run of a LangGraph server is, how it is stopped and picked up again. Source: `langgraph.md`, "Request", "Broken streams". */
import type { Adapter, Turn } from '../adapter.ts';

/** What an endpoint's URL says: where the server is, which thread it means, and which of its ways is spoken. */
export interface Place {
  readonly base: string;
  readonly search: string;
  readonly threadId: string | undefined;
  /** Its threads last no longer than a run. */
  readonly stateless: boolean;
  readonly v2: boolean;
  readonly assistant: string;
}

/** What a request has found out. */
export interface RunFacts {
  /** The thread that was made for it, until its reply tells it: a try that is repeated makes no second one. */
  readonly threadId: string;
}

export function placeOf(url: string): Place {
  const { origin, pathname, searchParams } = new URL(url);
  const [, path = '', thread, way] =
    /^(.*?)(?:\/threads\/([^/]+))?(\/runs\/stream|\/stream\/events)?\/?$/.exec(pathname) ?? [];
  const rest = new URLSearchParams(searchParams);
  rest.delete('assistant_id');
  const stateless = way === '/runs/stream' && thread === undefined;
  return {
    base: origin + path,
    search: rest.size > 0 ? `?${rest.toString()}` : '',
    threadId: thread === undefined ? undefined : decodeURIComponent(thread),
    stateless,
    v2: way === '/stream/events',
    assistant: searchParams.get('assistant_id') ?? 'agent',
  };
}

/**
 * The thread that has this conversation. What was edited or is told anew gets a thread of its own: the old one has the old words,
 * and they can't be taken out of it.
 */
export const threadOf = (place: Pick<Place, 'threadId'>, turn: Turn): string | undefined =>
  place.threadId ?? (turn.fork ? undefined : fact(turn, 'threadId'));

const fact = ({ messages }: Pick<Turn, 'messages'>, name: string): string | undefined => {
  const value = messages.findLast(({ metadata }) => typeof metadata?.[name] === 'string')?.metadata?.[name];
  return typeof value === 'string' ? value : undefined;
};

export const cancelRun: NonNullable<Adapter['cancel']> = (turn, { url, headers = {} }) => {
  const run = runUrl(turn, url);
  return run === undefined
    ? undefined
    : { url: `${run}/cancel?wait=0&action=interrupt`, init: { method: 'POST', headers } };
};

export const resumeRun: NonNullable<Adapter<RunFacts>['resume']> = (turn, { url, headers = {}, lastEventId }) => {
  const run = placeOf(url).v2 ? undefined : runUrl(turn, url);
  if (run === undefined) return undefined;
  const from = lastEventId === undefined ? 'start' : 'last';
  return {
    from,
    request: {
      url: `${run}/stream`,
      init: {
        method: 'GET',
        headers: { accept: 'text/event-stream', 'Last-Event-ID': lastEventId ?? '-1', ...headers },
      },
    },
  };
};

function runUrl(turn: Turn, url: string): string | undefined {
  const place = placeOf(url);
  const thread = threadOf(place, turn);
  const last = turn.messages.at(-1);
  const run = last?.role === 'assistant' ? last.metadata?.['runId'] : undefined;
  if (thread === undefined || typeof run !== 'string') return undefined;
  return `${place.base}/threads/${encodeURIComponent(thread)}/runs/${encodeURIComponent(run)}`;
}
