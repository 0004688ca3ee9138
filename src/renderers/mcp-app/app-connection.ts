import type { McpRequest, RenderContext, RequestThroughAgent } from '../core/renderer.ts';
import type { McpAppReference } from './read-resource.ts';

type Request = Parameters<McpRequest>[0];
type Options = Parameters<RequestThroughAgent>[1];
/** Performs a request of an app at its server. */
export type AppConnection = (request: Pick<Request, 'method' | 'params'>, options: Options) => Promise<unknown>;

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
