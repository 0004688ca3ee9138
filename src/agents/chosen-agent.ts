/**
 * The selected agent, otherwise the first one that the page itself lists. If there is none and the page has an endpoint, no
 * agent is returned, because discovered agents don't replace the endpoint.
 */
export const selectAgent = <Agent extends object & { readonly id: string }>(
  agents: readonly Agent[] | undefined,
  id: string | undefined,
  endpoint: string | undefined,
): Agent | undefined =>
  agents?.find((agent) => agent.id === id) ??
  agents?.find((agent) => !isDiscovered(agent)) ??
  (endpoint ? undefined : agents?.[0]);

/** Whether the page's endpoint is an agent of its own, in addition to the list. */
export const isEndpointAgent = (
  agents: readonly (object & { readonly id: string })[] | undefined,
  endpoint: string | undefined,
): boolean => selectAgent(agents, undefined, endpoint) === undefined;

const isDiscovered = (agent: object): boolean => 'discovered' in agent && agent.discovered === true;
