/** A2UI inside another protocol's stream. Source: A2UI 0.8 to 1.0, "Envelope message structure"; AG-UI's A2UI middleware. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';

const KINDS = [
  'beginRendering',
  'surfaceUpdate',
  'dataModelUpdate',
  'createSurface',
  'updateComponents',
  'updateDataModel',
  'deleteSurface',
];
/** Where a list of messages stands, by who sends it. */
const LISTS = ['a2ui_operations', 'operations', 'messages', 'a2ui'];

type Message = Readonly<Record<string, unknown>>;

/** The messages in what was sent: one, a list, or a list by one of the names it goes by. */
export function a2uiMessages(value: unknown): readonly Message[] | undefined {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => a2uiMessages(item) ?? []);
  if (!isRecord(value)) return undefined;
  if (KINDS.some((kind) => isRecord(value[kind]))) return [value];
  const list = LISTS.map((name) => value[name]).find((item) => typeof item === 'object' && item !== null);
  return list === undefined ? undefined : a2uiMessages(list);
}

export const surfaceData = (messages: readonly unknown[], id: string): Pick<LLMAgentEventData, 'ui' | 'data_id'> => ({
  ui: { kind: 'a2ui', messages },
  data_id: id,
});

/**
 * Puts the messages of each surface together: a surface is told in many of them, and shown as one. `key`: what is told again
 * under the same one takes the place of what was told.
 */
export function collectSurfaces() {
  const told = new Map<string, readonly Message[]>();
  return (key: string, messages: readonly Message[]): readonly Pick<LLMAgentEventData, 'ui' | 'data_id'>[] => {
    told.set(key, messages);
    const all = [...told.values()].flat();
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
