/** The ids of a conversation with a custom JSON server. Source: `docs/protocols/json-stream.md`. */
import { isRecord } from '../../model/json.ts';
import type { Turn, WireRequest } from '../core/adapter.ts';

/** The metadata key under which the ids of a conversation are stored. */
export const SESSION = 'json-stream';

/** Adds the ids that the server gave last to a request, under the server's names. */
export function withSession<State>(request: WireRequest<State>, { messages }: Turn): WireRequest<State> {
  const { body } = request.init;
  const ids = messages.findLast(({ metadata }) => isRecord(metadata?.[SESSION]))?.metadata?.[SESSION];
  if (!isRecord(body) || !isRecord(ids)) return request;
  return { ...request, init: { ...request.init, body: { ...body, ...ids } } };
}
