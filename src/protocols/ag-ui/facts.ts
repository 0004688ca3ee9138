/** What replies of AG-UI keep in their `metadata`, for decoder and request. Source: `ag-ui.md`, "Next turn". */
import type { Turn } from '../adapter.ts';
import { isRecord } from '../../model/json.ts';

export const PROTOCOL = 'ag-ui';

/** A question that is open, and what an answer to it has to know. */
export interface OpenInterrupt {
  readonly id: string;
  readonly schema?: unknown;
  readonly expiresAt?: string;
  /** It came as a `CUSTOM` event `on_interrupt`, and this was its value. */
  readonly event?: unknown;
}

/** What the newest reply that knows of it says. */
export const lastFact = ({ messages }: Pick<Turn, 'messages'>, name: string): unknown =>
  messages.findLast(({ metadata }) => metadata?.[name] !== undefined)?.metadata?.[name];

/** How many streams this turn has had. */
export function runsSoFar({ messages }: Pick<Turn, 'messages'>): number {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const runs = lastFact({ messages: turn }, 'runs');
  return typeof runs === 'number' ? runs : 0;
}

/** The schema of one field of an answer. */
export const propertyOf = (schema: unknown, name: string): Readonly<Record<string, unknown>> | undefined => {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(property) ? property : undefined;
};
