/**
 * Finds an A2A agent and builds requests to it: agent card, protocol version, binding. Source: `docs/protocols/a2a.md`; A2A
 * specification, "Agent Discovery".
 */
import { ChatError } from '../../errors.ts';
import { z } from '../../model/schema.ts';
import { withoutQuery } from '../../model/without-query.ts';
import type { A2aVersion } from './reply-schema.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { lenient, lenientString } from '../shared/lenient.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import { parseUrl } from '../../parse-url.ts';

export interface A2aAgent {
  readonly url: string;
  readonly version: A2aVersion;
  readonly binding: 'rpc' | 'http';
  readonly streaming: boolean;
  readonly tenant?: string | undefined;
  /** The URI of the newest A2UI extension that the card names. */
  readonly a2ui?: string | undefined;
}

/** Number of entries that are read from each list of a card: their addresses are compared again and again. */
const MAX_ENTRIES = 100;

const agentInterface = z.object({
  url: lenientString,
  protocolBinding: lenientString,
  transport: lenientString,
  protocolVersion: lenientString,
  tenant: lenientString,
});
const agentInterfaces = lenient(z.array(z.catch(agentInterface, {})));
const agentCard = z.object({
  url: lenientString,
  preferredTransport: lenientString,
  supportedInterfaces: agentInterfaces,
  additionalInterfaces: agentInterfaces,
  capabilities: lenient(
    z.object({
      streaming: lenient(z.boolean()),
      extensions: lenient(z.array(z.catch(z.object({ uri: lenientString }), { uri: undefined }))),
    }),
  ),
});

const CARD = /\/\.well-known\/agent(?:-card)?\.json$/;
export const isCardUrl = (url: string): boolean => CARD.test(new URL(url).pathname);
/** The URIs of the A2UI extension (surfaces that the agent describes) in the versions that the widget renders. */
const A2UI = /^https:\/\/a2ui\.org\/(?:a2a-extension|ext\/a2a-ui)\/[^\s,]*v(?:0\.(?:[89]|10)|1\.0)(?:\.\d+)?$/;
const METHOD = /\/(?:v1\/)?message:(stream|send)$/;

/**
 * Finds the agent behind an endpoint: the one that its card describes, or the one at the URL. Without a card, the version comes
 * from the path, the page's header, an earlier reply or the default, in this order.
 */
export async function findA2aAgent(turn: Turn, options: RequestOptions): Promise<A2aAgent> {
  if (!isCardUrl(options.url)) return agentOfUrl(turn, options);
  // A request that continues a turn goes to the agent that began the turn.
  return cardAgent(turn.text === '' ? turn.messages : [], options);
}

/**
 * Returns the agent that works on the last reply's task, or undefined if no reply of this protocol states its version. The
 * URL comes from the endpoint or its card, never from the conversation. An import could have put any URL there, and it would
 * receive the page's headers.
 */
export async function findTaskAgent(turn: Turn, options: RequestOptions): Promise<A2aAgent | undefined> {
  const version = versionOfReplies(turn);
  if (version === undefined) return undefined;
  const agent = isCardUrl(options.url) ? await cardAgent(turn.messages, options) : agentOfUrl(turn, options);
  // With the HTTP binding the URL determines the version.
  return agent.binding === 'rpc' ? { ...agent, version } : agent;
}

/** Derives the agent from the endpoint's URL. */
function agentOfUrl(turn: Turn, options: RequestOptions): A2aAgent {
  const url = new URL(options.url);
  const version = versionInHeaders(options) ?? versionOfReplies(turn) ?? '0.3';
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

/**
 * Reads the agent from a card: the one that earlier replies came from if the card still lists it, otherwise the best one.
 */
async function cardAgent(replies: Turn['messages'], { url, headers = {}, ask }: RequestOptions): Promise<A2aAgent> {
  const { json } = await ask({ url, init: { method: 'GET', headers: { accept: 'application/json', ...headers } } });
  const agents = interfacesOf(json, url);
  const agent = agents.find((one) => isAgentOf(replies, one)) ?? agents[0];
  if (!agent) {
    throw new ChatError('protocol', `The card at ${withoutQuery(url)} names no interface over JSON-RPC or HTTP+JSON.`, {
      reason: 'unexpected',
    });
  }
  // The page's headers may hold secrets, so they go only to the origin that the page has configured.
  if (!isSameOrigin(agent.url, url)) {
    throw new ChatError(
      'protocol',
      `The card at ${withoutQuery(url)} leads to another origin: ${agent.url}. Set "endpoint" to that address if it is to be trusted.`,
      { reason: 'unexpected' },
    );
  }
  return agent;
}

/** Whether the replies came from this agent. */
const isAgentOf = (replies: Turn['messages'], { url, binding, tenant }: A2aAgent): boolean =>
  newestMetadata(replies, 'url') === url &&
  (newestMetadata(replies, 'binding') ?? 'rpc') === binding &&
  newestMetadata(replies, 'tenant') === tenant;

/**
 * Returns the interfaces of a card, sorted: the card's own origin before others, JSON-RPC before HTTP, the newer version
 * before the older one.
 */
function interfacesOf(json: unknown, base: string): readonly A2aAgent[] {
  const parsed = agentCard.safeParse(json);
  if (!parsed.success) return [];
  const { url, preferredTransport, supportedInterfaces, additionalInterfaces, capabilities } = parsed.data;
  const legacyInterfaces = [
    { url, transport: preferredTransport ?? 'JSONRPC' },
    ...(additionalInterfaces ?? []).slice(0, MAX_ENTRIES),
  ];
  const all = [
    ...(supportedInterfaces ?? [])
      .slice(0, MAX_ENTRIES)
      .map((item) => ({ ...item, old: item.protocolVersion?.startsWith('0.') === true })),
    ...legacyInterfaces.map((item) => ({ ...item, protocolBinding: item.transport, tenant: undefined, old: true })),
  ];
  const a2ui = (capabilities?.extensions ?? [])
    .slice(0, MAX_ENTRIES)
    .map(({ uri }) => uri ?? '')
    .filter((uri) => A2UI.test(uri))
    .sort()
    .at(-1);
  const agents = all.flatMap(({ url: address, protocolBinding, tenant, old: isLegacy }): readonly A2aAgent[] => {
    const binding = { JSONRPC: 'rpc' as const, 'HTTP+JSON': 'http' as const }[protocolBinding?.toUpperCase() ?? ''];
    if (!binding || !address || !URL.canParse(address, base)) return [];
    return [
      {
        url: new URL(address, base).href,
        version: isLegacy ? '0.3' : '1.0',
        binding,
        streaming: capabilities?.streaming === true,
        ...(tenant && { tenant }),
        ...(a2ui !== undefined && { a2ui }),
      },
    ];
  });
  const rank = (agent: A2aAgent): number =>
    (isSameOrigin(agent.url, base) ? 0 : 4) + (agent.binding === 'rpc' ? 0 : 2) + (agent.version === '1.0' ? 0 : 1);
  return agents.sort((left, right) => rank(left) - rank(right));
}

/** Reads the version from the `A2A-Version` header, if the page sets it. */
function versionInHeaders({ headers = {} }: Pick<RequestOptions, 'headers'>): A2aVersion | undefined {
  const headerVersion = Object.entries(headers).find(([name]) => name.toLowerCase() === 'a2a-version')?.[1];
  return headerVersion === undefined ? undefined : headerVersion.startsWith('0.') ? '0.3' : '1.0';
}

function versionOfReplies({ messages }: Turn): A2aVersion | undefined {
  const version = newestMetadata(messages, 'version');
  return version === '0.3' || version === '1.0' ? version : undefined;
}

const isSameOrigin = (left: string, right: string): boolean => parseUrl(left)?.origin === parseUrl(right)?.origin;

/** The parts of the agent that the next requests need, stored as `metadata`. */
export const a2aAgentMetadata = ({
  url,
  version,
  binding,
  streaming,
  tenant,
  a2ui,
}: A2aAgent): Readonly<Record<string, string>> => ({
  url,
  version,
  ...(binding === 'http' && { binding }),
  ...(!streaming && { streaming: 'no' }),
  ...(tenant !== undefined && { tenant }),
  ...(a2ui !== undefined && { a2ui }),
});

export type A2aMethod = 'send' | 'stream' | 'get' | 'cancel' | 'subscribe';

/** Per method: its name in 0.3 and in 1.0, and the suffix of the task URL in the HTTP binding. */
const methods: Readonly<Record<A2aMethod, readonly [old: string, name: string, suffix: string]>> = {
  send: ['message/send', 'SendMessage', ''],
  stream: ['message/stream', 'SendStreamingMessage', ''],
  get: ['tasks/get', 'GetTask', ''],
  cancel: ['tasks/cancel', 'CancelTask', ':cancel'],
  subscribe: ['tasks/resubscribe', 'SubscribeToTask', ':subscribe'],
};

/** Builds the request for a method. `params` are the parameters of a message, or `{id}` of a task. */
export function buildA2aCall(
  agent: A2aAgent,
  method: A2aMethod,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): WireRequest {
  const { url, version, binding, tenant, a2ui } = agent;
  const [legacyName, name, suffix] = methods[method];
  const streams = method === 'stream' || method === 'subscribe';
  const requestHeaders = {
    accept: streams ? 'text/event-stream' : 'application/json',
    // A request without this header has version 0.3. For 0.3 it is left out, because an older server may not allow it in CORS.
    ...(version === '1.0' && versionInHeaders({ headers }) === undefined && { 'a2a-version': version }),
    ...(a2ui !== undefined && { 'x-a2a-extensions': a2ui }),
    ...headers,
  };
  if (binding === 'rpc') {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: version === '1.0' ? name : legacyName,
      params: { ...(tenant !== undefined && { tenant }), ...params },
    };
    return { url, init: { method: 'POST', headers: requestHeaders, body } };
  }
  const { id } = params;
  const resource = typeof id === 'string' ? `tasks/${pathSegment(id)}${suffix}` : `message:${method}`;
  const path = [version === '0.3' ? 'v1' : '', tenant === undefined ? '' : pathSegment(tenant), resource].filter(
    Boolean,
  );
  const isRead = method === 'get' || method === 'subscribe';
  const address = new URL(url);
  address.pathname = [address.pathname.replace(/(?<!\/)\/+$/, ''), ...path].join('/');
  return {
    url: address.href,
    init: {
      method: isRead ? 'GET' : 'POST',
      headers: requestHeaders,
      ...(typeof id !== 'string' && { body: params }),
    },
  };
}
