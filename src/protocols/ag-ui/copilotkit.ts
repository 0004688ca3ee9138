/**
 * Requests to CopilotKit's runtime. It hosts several AG-UI agents: each at its own URL, or all at one URL, selected by an
 * envelope. Source: `@copilotkit/runtime` 1.75, `v2/runtime/core/fetch-router` and `endpoints/single-route-helpers`, read
 * 2026-11-23.
 */
import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { RequestOptions, Resumption, Turn, WireRequest } from '../core/adapter.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { agentActionUrl } from './addresses.ts';
import { newestMetadata } from './run-metadata.ts';

/** The agent of a runtime that requests go to, and whether all agents share one URL. */
export interface CopilotKitTarget {
  readonly agent: string;
  readonly single: boolean;
}
/** Provider state of an AG-UI run: set for CopilotKit's runtime only. */
export interface AgUiState {
  readonly copilotKit?: CopilotKitTarget;
  /** The run that started the reply to resume. The response replays it, after the earlier runs of the thread. */
  readonly replayedRun?: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Adapts the run to CopilotKit's runtime. Returns it unchanged if no such runtime answers: plain AG-UI may use such a URL
 * too.
 */
export async function copilotKitRun(
  run: WireRequest,
  turn: Turn,
  options: RequestOptions & { readonly providerState?: AgUiState | undefined },
): Promise<WireRequest<AgUiState>> {
  const target = options.providerState?.copilotKit ?? lastTarget(turn, options) ?? (await findTarget(options));
  if (!target) return run as WireRequest<AgUiState>;
  const { agent, single } = target;
  const runState = { copilotKit: target };
  if (!single)
    return { ...run, url: childUrl(options.url, `agent/${pathSegment(agent)}/run`), providerState: runState };
  const input = { ...(run.init.body as Json), ...options.body };
  return {
    ...run,
    init: { ...run.init, body: envelope({ method: 'agent/run', params: { agentId: agent }, body: input }) },
    providerState: runState,
  };
}

/** The runtime continues after the connection has closed, and blocks the thread meanwhile, so it needs a request to stop. */
export function copilotKitStop(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const target = storedTarget(turn);
  if (!target) return undefined;
  const { agent, single } = target;
  const { threadId } = turn;
  return single
    ? {
        url,
        init: {
          method: 'POST',
          headers,
          body: envelope({ method: 'agent/stop', params: { agentId: agent, threadId } }),
        },
      }
    : {
        url: childUrl(url, `agent/${pathSegment(agent)}/stop/${pathSegment(threadId)}`),
        init: { method: 'POST', headers, body: {} },
      };
}

/** Resumes a reply: the runtime replays the runs of the thread, and continues with the one that has not ended. */
export function copilotKitConnect(
  turn: Turn,
  { url, headers = {} }: RequestOptions,
): Resumption<AgUiState> | undefined {
  const stored = turn.messages.at(-1)?.metadata?.['copilotKit'];
  const runId = isRecord(stored) ? stored['runId'] : undefined;
  if (typeof runId !== 'string') return undefined;
  const { threadId } = turn;
  // The runtime requires a complete run input, but uses only the thread.
  const body = { threadId, runId, state: {}, messages: [], tools: [], context: [], forwardedProps: {} };
  const init = { method: 'POST', headers: { accept: 'text/event-stream', ...headers } };
  const target = storedTarget(turn);
  const providerState = { ...(target && { copilotKit: target }), replayedRun: runId };
  if (target?.single) {
    const sharedUrlBody = envelope({ method: 'agent/connect', params: { agentId: target.agent }, body });
    return { request: { url, init: { ...init, body: sharedUrlBody }, providerState }, from: 'start' };
  }
  const connect = target ? childUrl(url, `agent/${pathSegment(target.agent)}/connect`) : agentActionUrl(url, 'connect');
  return connect === undefined
    ? undefined
    : { request: { url: connect, init: { ...init, body }, providerState }, from: 'start' };
}

/**
 * The body of a request to the shared URL. It is a `Blob`, because the page's fields would otherwise be merged next to the inner
 * body, which already contains them.
 */
const envelope = (body: object): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' });

function childUrl(url: string, path: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
  return address.href;
}

function storedTarget(turn: Turn): CopilotKitTarget | undefined {
  const stored = newestMetadata(turn, 'copilotKit');
  if (!isRecord(stored) || typeof stored['agent'] !== 'string') return undefined;
  return { agent: stored['agent'], single: stored['single'] === true };
}

/** The target of the earlier runs, with the agent that the page selects now. */
function lastTarget(turn: Turn, { model }: RequestOptions): CopilotKitTarget | undefined {
  const target = storedTarget(turn);
  return target && model !== undefined ? { ...target, agent: model } : target;
}

/** Asks the runtime for its agents: at the separate URL first, then at the shared one. */
async function findTarget({ url, headers = {}, model, ask }: RequestOptions): Promise<CopilotKitTarget | undefined> {
  const attempts: readonly (readonly [single: boolean, request: WireRequest])[] = [
    [false, { url: childUrl(url, 'info'), init: { method: 'GET', headers } }],
    [true, { url, init: { method: 'POST', headers, body: envelope({ method: 'info' }) } }],
  ];
  for (const [single, request] of attempts) {
    const info = await ask(request).catch(undefinedIfRefused);
    if (!isRecord(info?.json) || !isRecord(info.json['agents'])) continue;
    if (info.json['mode'] === 'intelligence') {
      throw new ChatError(
        'protocol',
        'This CopilotKit runtime uses a socket of its platform, which is not supported.',
        {
          reason: 'unexpected',
        },
      );
    }
    return { agent: chooseAgent(Object.keys(info.json['agents']), model), single };
  }
  return undefined;
}

/** These statuses mean the other kind of runtime, or none. Network errors and a missing login are rethrown. */
function undefinedIfRefused(error: unknown): undefined {
  const status = error instanceof ChatError ? error.status : undefined;
  if (status !== undefined && [400, 404, 405, 415, 422].includes(status)) return undefined;
  throw error;
}

/** The agent that the page names, otherwise the default of CopilotKit's own client. */
function chooseAgent(agents: readonly string[], model: string | undefined): string {
  const chosen = model ?? (agents.includes('default') ? 'default' : agents[0]);
  if (chosen !== undefined && agents.includes(chosen)) return chosen;
  const available = agents.length > 0 ? `It has: ${agents.join(', ')}.` : 'It has none.';
  const missing = chosen === undefined ? 'an agent' : `the agent "${chosen}"`;
  throw new ChatError('protocol', `The CopilotKit runtime does not have ${missing}. ${available}`, {
    reason: 'unexpected',
  });
}
