/**
 * What users have chosen in the settings form of an agent in the page, by the id of the agent: a page may create its agents
 * again. They are not stored, because only the page knows where settings of its agents belong.
 */
import type { BaseAgent } from '../model/agent.ts';
import { savedConfigurations } from './saved-configurations.ts';

type Configuration = Readonly<Record<string, unknown>>;

export const configurationOf = ({ id }: BaseAgent): Configuration | undefined => savedConfigurations.get(id)?.values;

/** Whether the user has saved a field, with a value or empty. Otherwise its default applies. */
export const isConfigured = ({ id }: BaseAgent, field: string): boolean =>
  savedConfigurations.get(id)?.fields.has(field) === true;

/** @param fields - the keys of all fields of the form */
export function configureAgent({ id }: BaseAgent, values: Configuration, fields: readonly string[]): void {
  savedConfigurations.set(id, { values, fields: new Set(fields) });
}

/** The schema of the settings; undefined if the agent has none. An agent that is not written in TypeScript may lack the method. */
export function configurationSchemaOf(agent: BaseAgent): object | undefined {
  try {
    return agent.getConfigurationSchema();
  } catch {
    return undefined;
  }
}
