/**
 * Converts an agent's activities to events. Source: `docs/protocols/ag-ui.md`; AG-UI documentation, `concepts/messages`, and
 * its A2UI and MCP Apps middlewares.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { PlanEntry } from '../../model/blocks.ts';
import { a2uiMessages, surfaceData } from '../shared/a2ui-messages.ts';
import { isRecord } from '../../model/json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export function activityEvent(id: string, type: string, content: unknown): Data {
  const surface = type === 'a2ui-surface' ? a2uiMessages(content) : undefined;
  if (surface) return surfaceData(surface, id);
  if (type === 'mcp-apps' && isRecord(content)) {
    const { resourceUri: uri, serverId, serverHash: hash, toolInput, result } = content;
    const server = { id: serverId, hash };
    return { ui: { kind: 'mcp-app', uri, server, via: 'agent', arguments: toolInput, result }, data_id: id };
  }
  const plan = planOf(type, content);
  if (plan) return { plan };
  return { data: { data_type: 'custom', data: content, metadata: { activityType: type } }, data_id: id };
}

const LISTS = ['steps', 'tasks', 'todos', 'items', 'plan'];
const TITLES = ['title', 'description', 'content', 'text', 'label', 'name', 'step', 'task'];
const STATES: readonly (readonly [RegExp, PlanEntry['state']])[] = [
  [/^(?:done|complete|success|finish|ok)/i, 'done'],
  [/^(?:active|in[-_ ]?progress|running|executing|working|current|started)/i, 'active'],
  [/^(?:fail|error|cancel)/i, 'failed'],
];

/** Reads a plan: a list of entries that each have a title and a state. Returns undefined for anything else. */
function planOf(type: string, content: unknown): readonly PlanEntry[] | undefined {
  const lists = isRecord(content) ? LISTS.map((name) => content[name]).filter(Array.isArray) : [];
  const [list] = lists as readonly (readonly unknown[])[];
  if (!list || (list.length === 0 && !/plan|todo/i.test(type))) return undefined;
  const entries = list.map((item): PlanEntry | undefined => {
    if (!isRecord(item)) return undefined;
    const title = TITLES.map((name) => item[name]).find((value) => typeof value === 'string');
    const state = item['status'] ?? item['state'];
    if (typeof title !== 'string' || typeof state !== 'string') return undefined;
    return { title, state: STATES.find(([pattern]) => pattern.test(state))?.[1] ?? 'pending' };
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
