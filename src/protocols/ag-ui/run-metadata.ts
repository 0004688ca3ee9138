/** `metadata` of AG-UI replies, shared by decoder and request. Source: `docs/protocols/ag-ui.md`. */
import type { Turn } from '../core/adapter.ts';
import { isRecord } from '../../model/json.ts';

export const AG_UI = 'ag-ui';

/** An open interrupt, with the data that its answer needs. */
export interface OpenInterrupt {
  readonly id: string;
  /** What the answer refers to, if an earlier question of the run has the same id. */
  readonly key?: string;
  /** The call that it asks a permission for. */
  readonly callId?: string;
  readonly schema?: unknown;
  readonly expiresAt?: string;
  /** The interrupted run, if the server needs it in the next request. */
  readonly runId?: string;
  /** The value of the `CUSTOM` event `on_interrupt`, if the interrupt came as one. */
  readonly event?: unknown;
}

/** The newest metadata value of a name. */
export const newestMetadata = ({ messages }: Pick<Turn, 'messages'>, name: string): unknown =>
  messages.findLast(({ metadata }) => metadata?.[name] !== undefined)?.metadata?.[name];

/** The number of streams that this turn has had. */
export function countRuns({ messages }: Pick<Turn, 'messages'>): number {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const runs = newestMetadata({ messages: turn }, 'runs');
  return typeof runs === 'number' ? runs : 0;
}

/** The schema of one property. A schema may be one of several, such as an approval and a denial. */
export function schemaProperty(schema: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(schema)) return undefined;
  const { properties, oneOf } = schema;
  const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isRecord(property)) return property;
  if (!Array.isArray(oneOf)) return undefined;
  for (const branch of oneOf as readonly unknown[]) {
    const match = isRecord(branch) && !('oneOf' in branch) ? schemaProperty(branch, name) : undefined;
    if (match) return match;
  }
  return undefined;
}
