/**
 * Derives the URLs of an ADK server from the endpoint. Source: `google/adk-python`, `cli/api_server.py`;
 * `googleapis/python-aiplatform`, `agent_engines/templates/adk.py`.
 */
import { siblingUrl, pathSegment, withQuery } from '../shared/request-urls.ts';

/** URLs of an agent on Vertex AI Agent Engine, which has two methods and one agent per URL. */
export interface VertexUrls {
  readonly kind: 'vertex';
  readonly runUrl: string;
  readonly query: string;
}
/** URLs of an `adk api_server` or `adk web` server. */
export interface AdkServerUrls {
  readonly kind: 'server';
  readonly runUrl: string;
  /** The app named by the endpoint, if any. */
  readonly app: string | undefined;
  urlOf(path: string): string;
}

const VERTEX = /:(?:streamQuery|query)$/;
const APP = /^(.*)\/apps\/([^/]+)\/?$/;
const ROOT = /^(.*?)\/(?:list-apps\/?)?$/;

/**
 * Derives the URLs from an endpoint: the route that runs the agent (`/run_sse`, `/run` or a custom route), an app
 * (`/apps/NAME`), or the root of the server.
 */
export function parseAdkEndpoint(endpoint: string): VertexUrls | AdkServerUrls {
  const url = new URL(endpoint);
  if (VERTEX.test(url.pathname)) {
    const method = (name: string): string => {
      const address = new URL(url);
      address.pathname = url.pathname.replace(VERTEX, `:${name}`);
      return address.href;
    };
    return { kind: 'vertex', runUrl: withQuery(method('streamQuery'), { alt: 'sse' }), query: method('query') };
  }
  const [, beforeApp, app] = APP.exec(url.pathname) ?? [];
  const [, beforeRoot] = /\/list-apps\/?$|^\/$/.test(url.pathname) ? (ROOT.exec(url.pathname) ?? []) : [];
  const base = beforeApp ?? beforeRoot;
  const run = new URL(url);
  if (base !== undefined) run.pathname = `${base}/run_sse`;
  return {
    kind: 'server',
    runUrl: run.href,
    app: app === undefined ? undefined : tryDecode(app),
    urlOf: (path) => siblingUrl(run.href, path),
  };
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const sessionsPath = (app: string, user: string): string =>
  `apps/${pathSegment(app)}/users/${pathSegment(user)}/sessions`;
