/** A2UI inside another protocol's stream. Source: A2UI 0.8 to 1.0, "Envelope message structure"; AG-UI's A2UI middleware. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { surfaceData } from './surface-data.ts';

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

/**
 * Groups messages by surface: a surface is built from many messages and rendered as one block. Messages with the same
 * `key` replace the earlier ones with that key.
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
