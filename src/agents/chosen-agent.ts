/** The agent that answers: the one that was chosen, else the first. */
export const chosenAgent = <Agent extends { readonly id: string }>(
  agents: readonly Agent[] | undefined,
  id: string | undefined,
): Agent | undefined => agents?.find((agent) => agent.id === id) ?? agents?.[0];
