/** Which discovered agents the page still names. Source: `docs/security.md`, rule 22. */
import { parseUrl } from '../../parse-url.ts';
import { pageBase } from '../page-base.ts';

/** The server of the page's endpoint when an agent was discovered. */
const discoveredAt = new WeakMap<object, string>();
/** The last result for each list: the same list as long as nothing changes. */
const known = new WeakMap<object, { readonly server: string; readonly agents: readonly unknown[] }>();

const serverOf = (endpoint: string | undefined): string =>
  (endpoint === undefined ? undefined : parseUrl(endpoint, pageBase()))?.origin ?? '';

/** Remembers which endpoint the page had when it discovered some agents. */
export function markDiscovered(agents: readonly object[], endpoint: string | undefined): void {
  for (const agent of agents) discoveredAt.set(agent, serverOf(endpoint));
}

/**
 * Removes the agents that were discovered for an endpoint on another server: the page's headers are for the one that it
 * has set since.
 */
export function stillNamed<Agent extends object>(
  agents: readonly Agent[] | undefined,
  endpoint: string | undefined,
): readonly Agent[] | undefined {
  if (!agents) return undefined;
  const server = serverOf(endpoint);
  const before = known.get(agents);
  if (before?.server === server) return before.agents as readonly Agent[];
  const named = agents.filter((agent) => (discoveredAt.get(agent) ?? server) === server);
  const result = named.length === agents.length ? agents : named;
  known.set(agents, { server, agents: result });
  return result;
}
