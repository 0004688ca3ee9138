/**
 * Finds agents when the URL is not an endpoint but the root of a server, or a document about one. It requests only
 * public documents, with GET.
 */
import { isRecord } from '../../src/model/json.ts';
import { readStart, send } from '../request.ts';

/** A discovered agent, as it can be named on the command line. */
export interface Candidate {
  readonly url: string;
  readonly protocol?: string;
  readonly agent?: string;
  /** The document or route that named it. */
  readonly by: string;
}

type Headers = Readonly<Record<string, string>>;

/** Discovery documents, and how to read the agents of a server from each. */
const DOCUMENTS: readonly (readonly [path: string, read: (json: unknown, url: URL) => readonly Candidate[]])[] = [
  ['/.well-known/agent-card.json', ofCard],
  ['/.well-known/agent.json', ofCard],
  ['/openapi.json', ofOpenApi],
  ['/v1/models', ofModels],
  ['/api/tags', ofOllama],
  ['/api/agents', ofMastra],
  ['/list-apps', ofAdk],
  ['/info', ofLanggraph],
];

/** Whether the URL may be something other than an endpoint. */
export const isDocument = ({ pathname, search }: URL): boolean =>
  (pathname === '/' && search === '') || DOCUMENTS.some(([path]) => pathname.endsWith(path));

export async function lookAround(url: URL, headers: Headers): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    DOCUMENTS.map(async ([path, read]) => {
      const own = url.pathname.endsWith(path) ? url : new URL(path, url);
      const json = await readDocument(own, headers);
      return json === undefined ? [] : read(json, own);
    }),
  );
  return [...new Map(found.flat().map((candidate) => [candidate.url + (candidate.agent ?? ''), candidate])).values()];
}

/** Maximum length of a discovery document. */
const LONGEST = 4_000_000;

async function readDocument(url: URL, headers: Headers): Promise<unknown> {
  try {
    const { status, body } = await send(url, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(5000),
    });
    const text = await readStart(body, LONGEST);
    body.destroy();
    return status === 200 ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    // The server has no such document.
    return undefined;
  }
}

const at = (json: unknown, field: string): unknown => (isRecord(json) ? json[field] : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function ofCard(json: unknown, url: URL): readonly Candidate[] {
  if (typeof at(json, 'name') !== 'string' || (at(json, 'url') ?? at(json, 'supportedInterfaces')) === undefined)
    return [];
  return [{ url: url.href, protocol: 'a2a', by: `the agent card ${url.pathname}` }];
}

/** Common paths of agent endpoints. */
const AGENT_PATH = /(?:chat|completions|agent|invoke|stream|message|ask|run|generate|respond)/i;

function ofOpenApi(json: unknown, url: URL): readonly Candidate[] {
  const paths = at(json, 'paths');
  if (!isRecord(paths)) return [];
  return Object.entries(paths)
    .filter(([path, methods]) => AGENT_PATH.test(path) && !path.includes('{') && isRecord(methods) && 'post' in methods)
    .map(([path]) => ({ url: new URL(path, url).href, by: `POST ${path} of ${url.pathname}` }));
}

function ofModels(json: unknown, url: URL): readonly Candidate[] {
  if (list(at(json, 'data')).length === 0) return [];
  return [
    { url: new URL('/v1/chat/completions', url).href, protocol: 'openai-chat', by: `the models of ${url.pathname}` },
  ];
}

function ofOllama(json: unknown, url: URL): readonly Candidate[] {
  if (!Array.isArray(at(json, 'models'))) return [];
  return [{ url: new URL('/api/chat', url).href, protocol: 'ollama', by: `the models of ${url.pathname}` }];
}

function ofMastra(json: unknown, url: URL): readonly Candidate[] {
  if (!isRecord(json)) return [];
  return Object.entries(json)
    .filter(([, agent]) => isRecord(agent) && typeof agent['name'] === 'string')
    .map(([id]) => ({
      url: new URL(`/api/agents/${encodeURIComponent(id)}/stream`, url).href,
      by: `the agent ${id} of ${url.pathname}`,
    }));
}

function ofAdk(json: unknown, url: URL): readonly Candidate[] {
  return list(json)
    .filter((name) => typeof name === 'string')
    .map((name) => ({ url: new URL('/run_sse', url).href, agent: name, by: `the app ${name} of ${url.pathname}` }));
}

function ofLanggraph(json: unknown, url: URL): readonly Candidate[] {
  const isServer = ['langgraph_js_version', 'langgraph_py_version', 'langgraph_version'].some(
    (field) => at(json, field) !== undefined,
  );
  return isServer ? [{ url: url.origin, protocol: 'langgraph', by: `LangGraph's ${url.pathname}` }] : [];
}
