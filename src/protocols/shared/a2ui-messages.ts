/**
 * A2UI, a format for user interfaces ("surfaces") as JSON, inside another protocol: its messages in a stream, and the
 * pressed button in a request. Source: A2UI 0.8 to 1.0, "Envelope message structure", `client_to_server.json` and
 * `client_data_model.json`; AG-UI's A2UI middleware.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import { isRecord } from '../../model/json.ts';

/** The types of messages: the name of the field that contains the message. */
const KINDS = [
  'beginRendering',
  'surfaceUpdate',
  'dataModelUpdate',
  'createSurface',
  'updateComponents',
  'updateDataModel',
  'deleteSurface',
];
/** The fields that contain a list of messages; the name depends on the sender. */
const LISTS = ['a2ui_operations', 'operations', 'messages', 'a2ui'];

type Message = Readonly<Record<string, unknown>>;

/**
 * Extracts A2UI messages from a value: a single message, a list, or an object with a list under one of the known
 * names.
 */
export function a2uiMessages(value: unknown): readonly Message[] | undefined {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => a2uiMessages(item) ?? []);
  if (!isRecord(value)) return undefined;
  if (KINDS.some((kind) => isRecord(value[kind]))) return [value];
  const list = LISTS.map((name) => value[name]).find((item) => typeof item === 'object' && item !== null);
  return list === undefined ? undefined : a2uiMessages(list);
}

/** The event for a block of A2UI messages. Those of a later event with the same `id` replace them. */
export const surfaceData = (messages: readonly unknown[], id: string): Pick<LLMAgentEventData, 'ui' | 'data_id'> => ({
  ui: { kind: 'a2ui', messages },
  data_id: id,
});

/**
 * Returns a function that groups A2UI messages by surface: a surface is built from many messages and rendered as one block. A later
 * call of that function with the same `key`, such as the id of a part of the stream, replaces the messages of the earlier call.
 */
export function collectSurfaces() {
  const messagesByKey = new Map<string, readonly Message[]>();
  return (key: string, messages: readonly Message[]): readonly Pick<LLMAgentEventData, 'ui' | 'data_id'>[] => {
    messagesByKey.set(key, messages);
    const all = [...messagesByKey.values()].flat();
    return [...new Set(messages.map(surfaceOf))].map((surface) =>
      surfaceData(
        all.filter((message) => surfaceOf(message) === surface),
        `surface ${surface}`,
      ),
    );
  };
}

function surfaceOf(message: Message): string {
  const body = KINDS.map((kind) => message[kind]).find(isRecord);
  return typeof body?.['surfaceId'] === 'string' ? body['surfaceId'] : '';
}

/** The ids of the surfaces that a chat message shows, changes or deletes; an empty one for A2UI messages without an id. */
export const surfacesIn = ({ blocks }: ChatMessage): ReadonlySet<string> =>
  new Set(blocks.flatMap((block) => (block.type === 'ui' ? (a2uiMessages(block.ui) ?? []) : [])).map(surfaceOf));

export interface SurfaceAction {
  /** `v0.8`, `v0.9`, … */
  readonly version: string;
  readonly action: Readonly<Record<'name' | 'surfaceId' | 'sourceComponentId' | 'timestamp', string>> & {
    readonly context: Readonly<Record<string, unknown>>;
  };
  /** The data of the surface, by its id, if the agent has requested it. */
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
