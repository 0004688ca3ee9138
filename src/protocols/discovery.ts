/**
 * Finds the agents of a server in its public documents, for a URL that is not an endpoint: the root of a server, a list
 * of agents, an agent card, or an OpenAPI description. Source: `docs/guides/connect.md`.
 */
import { isRecord } from '../model/json.ts';
import { safePathSegment } from './shared/request-urls.ts';

/** A discovered agent. */
export interface Candidate {
  readonly url: string;
  readonly protocol?: string;
  /** The document or route that lists it, in words for the user: `the agent card /.well-known/agent.json`. */
  readonly by: string;
  /** Whether only the route's name suggests that it is an agent. */
  readonly isGuess?: boolean;
}

type Read = (json: unknown, url: URL) => readonly Candidate[];

/** Discovery documents and their parsers: the most specific first. */
const DOCUMENTS: readonly (readonly [path: string, read: Read])[] = [
  ['/.well-known/agent-card.json', ofCard],
  ['/.well-known/agent.json', ofCard],
  ['/list-apps', ofAdk],
  ['/info', ofInfo],
  ['/eve/v1/health', ofEve],
  ['/api/agents', ofAgents],
  ['/agents', ofAgents],
  ['/api/tags', ofOllama],
  ['/v1/models', ofModels],
  ['/openapi.json', ofOpenApi],
];

/** The parsers that any document is tried with, if the one for its path finds no agent. */
const READERS: readonly Read[] = [ofCard, ofInfo, ofModels, ofOllama, ofOpenApi, ofAgents];

/** The address of one instance of a Cloudflare agent. */
const CLOUDFLARE_AGENT = /^\/agents\/[^/]+\/[^/]+\/?$/;
const CLOUDFLARE_MESSAGES = /^(\/agents\/[^/]+\/[^/]+)\/get-messages$/;

const isRoot = ({ pathname, search }: URL): boolean => pathname === '/' && search === '';

/** Whether the URL may be that of a document, or the root of a server, instead of an endpoint. */
export const isDocument = (url: URL): boolean => isRoot(url) || DOCUMENTS.some(([path]) => url.pathname.endsWith(path));

/** The documents that may list the agents of this URL. */
export function documentsOf(url: URL): readonly URL[] {
  if (isRoot(url)) return DOCUMENTS.map(([path]) => new URL(path, url));
  // The base address of an API.
  if (/\/v\d+\/?$/.test(url.pathname)) return [childOf(url, 'models')];
  return CLOUDFLARE_AGENT.test(url.pathname) ? [url, cloudflareMessages(url)] : [url];
}

/** The URL of the messages that a Cloudflare agent stores. It has the same query, which may contain a token. */
const cloudflareMessages = (url: URL): URL => new URL(childOf(url, 'get-messages').pathname + url.search, url);

/** The agents that a document lists. */
export function candidatesIn(json: unknown, url: URL): readonly Candidate[] {
  const parse = DOCUMENTS.find(([path]) => url.pathname.endsWith(path))?.[1];
  const candidates = parse?.(json, url) ?? ofCloudflare(json, url);
  if (candidates.length > 0) return candidates;
  for (const read of READERS) {
    const others = read(json, url);
    if (others.length > 0) return others;
  }
  return [];
}

/** The only candidate, if it may be used without a question. */
export function onlyCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const [first, ...others] = candidates;
  if (!first || others.length > 0) return undefined;
  return first.isGuess && !CLEAR_ROUTE.test(first.url) ? undefined : first;
}

const at = (json: unknown, field: string): unknown => (isRecord(json) ? json[field] : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const nameOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A URL relative to that of a document, without its query. */
function childOf({ origin, pathname }: URL, path: string): URL {
  return new URL(`${origin}${pathname.replace(/(?<!\/)\/+$/, '')}/${path}`);
}

/** The candidate whose URL contains an id as a path segment; none if the id would change the rest of the path. */
function ofSegment(
  id: string,
  address: (segment: string) => URL,
  fields: Omit<Candidate, 'url'>,
): readonly Candidate[] {
  const segment = safePathSegment(id);
  return segment === undefined ? [] : [{ url: address(segment).href, ...fields }];
}

function ofCard(json: unknown, url: URL): readonly Candidate[] {
  if (typeof at(json, 'name') !== 'string' || (at(json, 'url') ?? at(json, 'supportedInterfaces')) === undefined)
    return [];
  return [{ url: url.href, protocol: 'a2a', by: `the agent card ${url.pathname}` }];
}

/** Common paths of agent endpoints. */
const AGENT_PATH = /(?:chat|completions|agent|invoke|stream|message|ask|run|generate|respond)/i;
/** Routes that are so clearly endpoints of an agent that a guess needs no confirmation. */
const CLEAR_ROUTE = /\/(?:chat|completions|invoke|stream|ask|query|generate|respond)$/;

function ofOpenApi(json: unknown, url: URL): readonly Candidate[] {
  const paths = at(json, 'paths');
  if (!isRecord(paths) || at(json, 'openapi') === undefined) return [];
  return Object.entries(paths)
    .filter(([path, methods]) => AGENT_PATH.test(path) && !path.includes('{') && isRecord(methods) && 'post' in methods)
    .filter(([path]) => URL.canParse(path, url))
    .map(([path]) => ({ url: new URL(path, url).href, by: `POST ${path} of ${url.pathname}`, isGuess: true }));
}

function ofModels(json: unknown, url: URL): readonly Candidate[] {
  const models = list(at(json, 'data')).filter((model) => typeof at(model, 'id') === 'string');
  if (models.length === 0) return [];
  const endpoint = /\/models\/?$/.test(url.pathname)
    ? new URL('chat/completions', url)
    : childOf(url, 'chat/completions');
  return [{ url: endpoint.href, protocol: 'openai-chat', by: `the models of ${url.pathname}` }];
}

function ofOllama(json: unknown, url: URL): readonly Candidate[] {
  if (!list(at(json, 'models')).some((model) => typeof at(model, 'name') === 'string')) return [];
  return [{ url: new URL('/api/chat', url).href, protocol: 'ollama', by: `the models of ${url.pathname}` }];
}

/** A list of agents: Mastra's is an object with ids as keys, Agno's an array with ids, a manifest's has endpoints. */
function ofAgents(json: unknown, url: URL): readonly Candidate[] {
  const agents = Array.isArray(at(json, 'agents')) ? at(json, 'agents') : json;
  if (Array.isArray(agents)) return list(agents).flatMap((agent) => ofListed(agent, url));
  if (!isRecord(json)) return [];
  return Object.entries(json)
    .filter(([, agent]) => isRecord(agent) && typeof agent['name'] === 'string')
    .flatMap(([id]) =>
      ofSegment(id, (segment) => childOf(url, `${segment}/stream`), {
        protocol: 'mastra',
        by: `the agent ${id} of ${url.pathname}`,
      }),
    );
}

function ofListed(agent: unknown, url: URL): readonly Candidate[] {
  const id = nameOf(at(agent, 'id')) ?? nameOf(at(agent, 'agent_id'));
  const endpoint = nameOf(at(agent, 'endpoint')) ?? nameOf(at(agent, 'url'));
  const by = `the agent ${id ?? nameOf(at(agent, 'name')) ?? ''} of ${url.pathname}`;
  if (endpoint !== undefined) return URL.canParse(endpoint, url) ? [{ url: new URL(endpoint, url).href, by }] : [];
  return id === undefined || !/\/(?:agents|teams|workflows)\/?$/.test(url.pathname)
    ? []
    : ofSegment(id, (segment) => childOf(url, `${segment}/runs`), { protocol: 'agno', by });
}

function ofAdk(json: unknown, url: URL): readonly Candidate[] {
  return list(json)
    .filter((name) => typeof name === 'string')
    .flatMap((app) =>
      ofSegment(app, (segment) => new URL(`apps/${segment}`, url), {
        protocol: 'adk',
        by: `the app ${app} of ${url.pathname}`,
      }),
    );
}

function ofEve(json: unknown, url: URL): readonly Candidate[] {
  const workflow = nameOf(at(json, 'workflowId')) ?? '';
  if (!/\beve\b/.test(workflow)) return [];
  return [{ url: new URL('session', url).href, protocol: 'eve', by: `eve's ${url.pathname}` }];
}

/** A Cloudflare agent answers over a WebSocket, but returns its messages to a GET. */
function ofCloudflare(json: unknown, url: URL): readonly Candidate[] {
  const [, path] = CLOUDFLARE_MESSAGES.exec(url.pathname) ?? [];
  if (path === undefined || !Array.isArray(json)) return [];
  const address = new URL(path + url.search, url);
  return [{ url: address.href, protocol: 'cloudflare-agents', by: `the messages of ${url.pathname}` }];
}

/** LangGraph's server, or a runtime of CopilotKit, which selects the agent itself. */
function ofInfo(json: unknown, url: URL): readonly Candidate[] {
  const base = new URL('.', url).href.replace(/\/$/, '');
  const isLangGraph = ['langgraph_js_version', 'langgraph_py_version', 'langgraph_version'].some(
    (field) => at(json, field) !== undefined,
  );
  if (isLangGraph) return [{ url: base, protocol: 'langgraph', by: `LangGraph's ${url.pathname}` }];
  const isCopilotKit = isRecord(at(json, 'agents')) && at(json, 'version') !== undefined;
  return isCopilotKit ? [{ url: base, protocol: 'ag-ui', by: `CopilotKit's ${url.pathname}` }] : [];
}
