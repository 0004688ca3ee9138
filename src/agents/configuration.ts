/**
 * What users have chosen in the settings form of an agent in the page, by the id of the agent: a page may create its agents
 * again. Kept as long as the page, because only the page knows where settings of its agents belong.
 */
import type { BaseAgent } from '../model/agent.ts';

type Configuration = Readonly<Record<string, unknown>>;

const configurations = new Map<string, Configuration>();

export const configurationOf = ({ id }: BaseAgent): Configuration | undefined => configurations.get(id);

export function configureAgent({ id }: BaseAgent, configuration: Configuration): void {
  configurations.set(id, configuration);
}

/** The schema of the settings; undefined if the agent has none. An agent that is not written in TypeScript may lack the method. */
export function configurationSchemaOf(agent: BaseAgent): object | undefined {
  try {
    return agent.getConfigurationSchema();
  } catch {
    return undefined;
  }
}
