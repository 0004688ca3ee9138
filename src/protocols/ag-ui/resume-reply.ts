/**
 * Resumes AG-UI replies. The protocol itself can't, but two of its servers can. CopilotKit's runtime replays the runs of a
 * thread (`/agent/<id>/connect`); source: `@copilotkit/runtime` 1.75, `v2/runtime/runner/in-memory`, read 2026-11-25.
 * TanStack AI numbers its events and continues after any of them; source: its guide "Resumable Streams" of version 0.58,
 * read 2026-11-25.
 */
import type { Resumption, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { copilotKitConnect, type AgUiState } from './copilotkit.ts';

type Options = RequestOptions & { readonly lastEventId?: string | undefined };

export function resumeReply(turn: Turn, options: Options): Resumption<AgUiState> | undefined {
  return copilotKitConnect(turn, options) ?? continueEvents(turn, options);
}

/**
 * Continues after the last event. After a reload that id is lost. The id of the first event is stored, and the server then
 * sends everything that follows it. It is a GET request, which never starts a run.
 */
function continueEvents(turn: Turn, { url, headers = {}, lastEventId }: Options): Resumption<AgUiState> | undefined {
  const metadata = turn.messages.at(-1)?.metadata;
  const firstId = metadata?.['firstEventId'];
  const offset = lastEventId ?? (typeof firstId === 'string' ? firstId : undefined);
  if (offset === undefined) return undefined;
  const address = new URL(url);
  address.searchParams.set('offset', offset);
  const runId = metadata?.['runId'];
  if (typeof runId === 'string') address.searchParams.set('runId', runId);
  const request: WireRequest<AgUiState> = {
    url: address.href,
    init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    providerState: {},
  };
  return { request, from: lastEventId === undefined ? 'start' : 'last' };
}
