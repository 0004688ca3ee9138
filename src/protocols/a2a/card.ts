/**
 * Where an A2A agent is and how it is asked: its card, the version, the binding. Source: `a2a.md`, "Discovery" and "Request".
 */
import { ChatError } from '../../errors.ts';
import { z } from '../../model/schema.ts';
import type { A2aVersion } from './wire.ts';
import type { RequestOptions, Turn, WireRequest } from '../adapter.ts';
import { segment } from '../shared/beside-url.ts';
import { maybe, maybeText } from '../shared/maybe.ts';
import { toldBefore } from '../shared/told-before.ts';

export interface A2aAgent {
  readonly url: string;
  readonly version: A2aVersion;
  readonly binding: 'rpc' | 'http';
  readonly streaming: boolean;
  readonly tenant?: string | undefined;
}

const face = z.object({
  url: maybeText,
  protocolBinding: maybeText,
  transport: maybeText,
  protocolVersion: maybeText,
  tenant: maybeText,
});
const faces = maybe(z.array(z.catch(face, {})));
const agentCard = z.object({
  url: maybeText,
  preferredTransport: maybeText,
  supportedInterfaces: faces,
  additionalInterfaces: faces,
  capabilities: maybe(z.object({ streaming: maybe(z.boolean()) })),
});

const CARD = /\/\.well-known\/agent(?:-card)?\.json$/;
const METHOD = /\/(?:v1\/)?message:(stream|send)$/;

/** The agent behind an endpoint: what the card says, what the address says, what an answer has shown, or what is usual. */
export async function findAgent(turn: Turn, options: RequestOptions): Promise<A2aAgent> {
  const url = new URL(options.url);
  if (CARD.test(url.pathname)) return cardAgent(turn, options);
  const version = versionAsked(options) ?? versionShown(turn) ?? '0.3';
  const method = METHOD.exec(url.pathname);
  if (!method) return { url: url.href, version, binding: 'rpc', streaming: true };
  const [path = '', name] = method;
  return {
    url: url.href.replace(path, ''),
    version: path.startsWith('/v1/') ? '0.3' : '1.0',
    binding: 'http',
    streaming: name === 'stream',
  };
}

async function cardAgent(turn: Turn, { url, headers = {}, ask }: RequestOptions): Promise<A2aAgent> {
  const kept = agentTold(turn);
  // Once a turn is often enough: what goes on with it goes to whom it began with.
  if (kept && turn.text === '') return kept;
  const { json } = await ask({ url, init: { method: 'GET', headers: { accept: 'application/json', ...headers } } });
  const agent = chooseInterface(json, url);
  if (!agent) {
    throw new ChatError('protocol', `The card at ${url} names no interface over JSON-RPC or HTTP+JSON.`, {
      reason: 'unexpected',
    });
  }
  // The page's headers may hold secrets, which go to whom the page has named.
  if (new URL(agent.url).origin !== new URL(url).origin) {
    throw new ChatError(
      'protocol',
      `The card at ${url} leads to another origin: ${agent.url}. Set "endpoint" to that address if it is to be trusted.`,
      { reason: 'unexpected' },
    );
  }
  return agent;
}

/** JSON-RPC before HTTP, the newer version before the older one, an interface of the card's own origin before others. */
function chooseInterface(json: unknown, base: string): A2aAgent | undefined {
  const parsed = agentCard.safeParse(json);
  if (!parsed.success) return undefined;
  const { url, preferredTransport, supportedInterfaces, additionalInterfaces, capabilities } = parsed.data;
  const old = [{ url, transport: preferredTransport ?? 'JSONRPC' }, ...(additionalInterfaces ?? [])];
  const all = [
    ...(supportedInterfaces ?? []).map((item) => ({ ...item, old: item.protocolVersion?.startsWith('0.') === true })),
    ...old.map((item) => ({ ...item, protocolBinding: item.transport, tenant: undefined, old: true })),
  ];
  const agents = all.flatMap(({ url: address, protocolBinding, tenant, old: older }): readonly A2aAgent[] => {
    const binding = { JSONRPC: 'rpc' as const, 'HTTP+JSON': 'http' as const }[protocolBinding?.toUpperCase() ?? ''];
    if (!binding || !address || !URL.canParse(address, base)) return [];
    return [
      {
        url: new URL(address, base).href,
        version: older ? '0.3' : '1.0',
        binding,
        streaming: capabilities?.streaming === true,
        ...(tenant && { tenant }),
      },
    ];
  });
  const rank = (agent: A2aAgent): number =>
    (new URL(agent.url).origin === new URL(base).origin ? 0 : 4) +
    (agent.binding === 'rpc' ? 0 : 2) +
    (agent.version === '1.0' ? 0 : 1);
  return agents.sort((left, right) => rank(left) - rank(right))[0];
}

/** The page says it in the header that says it to the server. */
function versionAsked({ headers = {} }: Pick<RequestOptions, 'headers'>): A2aVersion | undefined {
  const asked = Object.entries(headers).find(([name]) => name.toLowerCase() === 'a2a-version')?.[1];
  return asked === undefined ? undefined : asked.startsWith('0.') ? '0.3' : '1.0';
}

function versionShown({ messages }: Turn): A2aVersion | undefined {
  const version = toldBefore(messages, 'version');
  return version === '0.3' || version === '1.0' ? version : undefined;
}

/** The agent that the conversation has been with, by what its replies keep. */
export function agentTold(turn: Turn): A2aAgent | undefined {
  const { messages } = turn;
  const [url, version] = [toldBefore(messages, 'url'), versionShown(turn)];
  if (url === undefined || version === undefined) return undefined;
  const tenant = toldBefore(messages, 'tenant');
  return {
    url,
    version,
    binding: toldBefore(messages, 'binding') === 'http' ? 'http' : 'rpc',
    streaming: toldBefore(messages, 'streaming') !== 'no',
    ...(tenant !== undefined && { tenant }),
  };
}

/** What the next requests have to know of it, as `metadata`. */
export const agentFacts = ({
  url,
  version,
  binding,
  streaming,
  tenant,
}: A2aAgent): Readonly<Record<string, string>> => ({
  url,
  version,
  ...(binding === 'http' && { binding }),
  ...(!streaming && { streaming: 'no' }),
  ...(tenant !== undefined && { tenant }),
});

export type A2aMethod = 'send' | 'stream' | 'get' | 'cancel' | 'subscribe';

/** By method: the names of 0.3 and 1.0, and what stands behind a task's address. */
const methods: Readonly<Record<A2aMethod, readonly [old: string, name: string, suffix: string]>> = {
  send: ['message/send', 'SendMessage', ''],
  stream: ['message/stream', 'SendStreamingMessage', ''],
  get: ['tasks/get', 'GetTask', ''],
  cancel: ['tasks/cancel', 'CancelTask', ':cancel'],
  subscribe: ['tasks/resubscribe', 'SubscribeToTask', ':subscribe'],
};

/** A call of a method. `params` are those of a message, or `{id}` of a task. */
export function call(
  agent: A2aAgent,
  method: A2aMethod,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): WireRequest {
  const { url, version, binding, tenant } = agent;
  const [old, name, suffix] = methods[method];
  const streams = method === 'stream' || method === 'subscribe';
  const own = {
    accept: streams ? 'text/event-stream' : 'application/json',
    // Left out it is 0.3: an old server need not allow the header.
    ...(version === '1.0' && versionAsked({ headers }) === undefined && { 'a2a-version': version }),
    ...headers,
  };
  if (binding === 'rpc') {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: version === '1.0' ? name : old,
      params: { ...(tenant !== undefined && { tenant }), ...params },
    };
    return { url, init: { method: 'POST', headers: own, body } };
  }
  const { id } = params;
  const place = typeof id === 'string' ? `tasks/${segment(id)}${suffix}` : `message:${method}`;
  const path = [version === '0.3' ? 'v1' : '', tenant === undefined ? '' : segment(tenant), place].filter(Boolean);
  const reads = method === 'get' || method === 'subscribe';
  const address = new URL(url);
  address.pathname = [address.pathname.replace(/\/+$/, ''), ...path].join('/');
  return {
    url: address.href,
    init: {
      method: reads ? 'GET' : 'POST',
      headers: own,
      ...(typeof id !== 'string' && { body: params }),
    },
  };
}
