/**
 * Requests of MCP Apps, which AG-UI's middleware passes on to the MCP server. Source: `@ag-ui/mcp-apps-middleware` 0.1,
 * README, "Proxied MCP Requests". Loaded with the first such request.
 */
import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { AppRequest, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import { isRuntimeUrl } from './addresses.ts';
import { agUiEventSchema } from './reply-schema.ts';

/** Builds a run that the middleware answers itself: it does not reach the agent. */
export async function request(
  { id, method, params, server = {} }: AppRequest,
  turn: Turn,
  options: RequestOptions,
): Promise<WireRequest> {
  const { url, headers = {} } = options;
  const body = {
    // A thread of its own: that of the conversation may still be running, and a server may store the run in it.
    threadId: id,
    runId: id,
    state: {},
    messages: [],
    tools: [],
    context: [],
    forwardedProps: { __proxiedMCPRequest: { serverId: server.id, serverHash: server.hash, method, params } },
  };
  const run: WireRequest = {
    url,
    init: { method: 'POST', headers: { accept: 'text/event-stream', ...headers }, body },
  };
  if (!isRuntimeUrl(url)) return run;
  // To the agent that has shown the app: the page may have selected another one since.
  const toAuthor = { ...options, model: undefined, body: undefined };
  return (await import('./copilotkit.ts')).copilotKitRun(run, turn, toAuthor);
}

/** Reads the result of the run. The middleware reports a failure as a result with an `error`. */
export async function result(batches: AsyncIterable<readonly Frame[]>): Promise<unknown> {
  for await (const frames of batches) {
    for (const { json } of readJsonFrames(frames, () => undefined)) {
      const { data: event } = agUiEventSchema.safeParse(json);
      if (event?.type === 'RUN_ERROR') throw failure(event.message ?? 'The run has failed.');
      if (event?.type !== 'RUN_FINISHED') continue;
      if (!isRecord(event.result)) throw failure('The run has no result.');
      const { error } = event.result;
      if (typeof error === 'string') throw failure(error);
      return event.result;
    }
  }
  throw failure('The run has not finished.');
}

const failure = (detail: string): ChatError =>
  new ChatError('agent', `The agent has not passed on the request of an MCP App: ${detail}`);
