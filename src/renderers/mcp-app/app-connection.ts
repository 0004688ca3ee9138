import type { McpRequest, RenderContext, RequestThroughAgent } from '../core/renderer.ts';
import type { McpAppReference } from './read-resource.ts';

type Request = Parameters<McpRequest>[0];
type Options = Parameters<RequestThroughAgent>[1];
/** Performs a request of an app at its server. */
export type AppConnection = (request: Pick<Request, 'method' | 'params'>, options: Options) => Promise<unknown>;

/** How many requests the apps of a widget may make in a minute without a press: an app, or a stream that replaces one, could go on for ever. */
const MAX_AUTOMATIC = 120;
const MINUTE_MS = 60_000;
/** The times of these requests, by the root of the widget. */
const requestedAt = new WeakMap<Node, readonly number[]>();

/** Counts a request without a press of the user. @returns false if there were too many */
export function mayRequest(app: HTMLElement): boolean {
  const root = app.getRootNode();
  const now = Date.now();
  const recent = (requestedAt.get(root) ?? []).filter((time) => now - time < MINUTE_MS);
  const isAllowed = recent.length < MAX_AUTOMATIC;
  requestedAt.set(root, isAllowed ? [...recent, now] : recent);
  return isAllowed;
}

/** The connection of an app to its server: the `mcp` function of the page, otherwise the agent that has named the app. */
export function connectionOf({ uri, server, via }: McpAppReference, context: RenderContext): AppConnection | undefined {
  const { mcp } = context.settings;
  const connect = via && context.connectApp;
  const complete = (request: Pick<Request, 'method' | 'params'>): Request => ({
    ...request,
    uri,
    ...(server && { server }),
  });
  if (mcp) return (request) => Promise.resolve(complete(request)).then(mcp);
  if (!connect) return undefined;
  return async (request, options) => {
    const send = await connect();
    options.signal.throwIfAborted();
    return send(complete(request), options);
  };
}
