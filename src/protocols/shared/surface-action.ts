/**
 * The button of a surface that the user pressed, in the messages of A2UI. Source: A2UI 0.8 to 1.0,
 * `client_to_server.json` and `client_data_model.json`.
 */
import type { ChatMessage } from '../../model/message.ts';
import { isRecord } from '../../model/json.ts';

export interface SurfaceAction {
  /** `v0.8`, `v0.9`, … */
  readonly version: string;
  readonly action: Readonly<Record<'name' | 'surfaceId' | 'sourceComponentId' | 'timestamp', string>> & {
    readonly context: Readonly<Record<string, unknown>>;
  };
  /** The data of the surface, by its id, if the agent has asked for it. */
  readonly dataModel: { readonly version: string; readonly surfaces: Readonly<Record<string, unknown>> } | undefined;
}

/** The action of the newest user message; undefined if it is an ordinary message. */
export function surfaceActionOf(messages: readonly ChatMessage[]): SurfaceAction | undefined {
  const message = messages.findLast(({ role }) => role === 'user');
  const data = message?.metadata?.['data'];
  if (!message || !isRecord(data)) return undefined;
  const { name, surfaceId, sourceComponentId, context, dataModel } = data;
  if (typeof name !== 'string' || typeof surfaceId !== 'string' || typeof sourceComponentId !== 'string') {
    return undefined;
  }
  const version = typeof data['version'] === 'string' ? data['version'] : 'v0.9';
  const timestamp = new Date(message.timestamp).toISOString();
  return {
    version,
    action: { name, surfaceId, sourceComponentId, timestamp, context: isRecord(context) ? context : {} },
    dataModel: dataModel === undefined ? undefined : { version, surfaces: { [surfaceId]: dataModel } },
  };
}

/** The action as a message of its version. */
export const toActionMessage = ({ version, action }: SurfaceAction): object =>
  version === 'v0.8' ? { userAction: action } : { version, action };
