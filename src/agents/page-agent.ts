import type { AgentMessage, AgentResponse } from '../model/agent-message.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { BaseAgent } from '../model/agent.ts';
import { checkResponseTypes } from './check-response-types.ts';

/**
 * Sends a message to an agent that runs in the page and yields its responses as events.
 * Source: `docs/protocols/deepchat-events.md`.
 */
export async function* askAgent(
  agent: BaseAgent,
  message: AgentMessage,
  { eventId, signal }: { readonly eventId: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly LLMAgentEvent[]> {
  const sender = { id: `${eventId}:${agent.id}`, name: agent.name };
  const checkType = checkResponseTypes(agent);
  let failed = false;
  try {
    // An `async` method without a star returns a promise of the generator.
    for await (const response of await Promise.resolve(agent.processMessage(message, { signal }))) {
      checkType(response.type);
      failed ||= response.type === 'error';
      yield [toEvent(response, eventId, sender)];
    }
  } catch (cause) {
    if (signal.aborted) return;
    failed = true;
    const error = cause instanceof Error ? cause.message : String(cause);
    yield [{ type: 'error', data: { eventId, error: error || 'The agent reports an error.' } }];
  }
  yield [
    { type: 'response', data: { eventId, finish: failed ? 'error' : 'complete' } },
    { type: 'end', data: { eventId, userStop: false } },
  ];
}

function toEvent(
  { id, type, content }: AgentResponse,
  eventId: string,
  message: NonNullable<LLMAgentEventData['message']>,
): LLMAgentEvent {
  if (type === 'error') {
    const {
      code,
      message: text,
      details,
    } = content.error ?? { code: 'unknown', message: 'The agent reports an error.' };
    return { type: 'error', data: { eventId, error: text, code, ...(details !== undefined && { details }) } };
  }
  const data = { eventId, message };
  if (type === 'text') return { type: 'response', data: { ...data, content: content.text ?? '' } };
  if (type === 'image' && content.image) {
    const { data: bytes, mimeType } = content.image;
    return { type: 'response', data: { ...data, image_data: { data: bytes, mimeType } } };
  }
  if (type === 'data' && content.data) return { type: 'response', data: { ...data, data: toPayload(content.data) } };
  return { type: 'response', data: { ...data, agent_response: { id, type, content } } };
}

/** CSV becomes a table and data with a `visualization` a chart. Everything else is shown unchanged. */
function toPayload({
  format,
  content,
  visualization,
}: NonNullable<AgentResponse['content']['data']>): NonNullable<LLMAgentEventData['data']> {
  if (visualization) return { data_type: 'chart', data: { ...visualization, data: parse(format, content) } };
  if (format === 'csv') return { data_type: 'dataframe', data: parse(format, content) };
  return { data_type: 'custom', data: format === 'json' ? parse(format, content) : content };
}

/** Parses text by its format; other data is returned unchanged. A list of rows uses its first row as the columns. */
function parse(format: string, content: unknown): unknown {
  if (typeof content !== 'string') {
    if (format !== 'csv' || !isTable(content)) return content;
    const [columns = [], ...rows] = content;
    return { columns, rows };
  }
  if (format === 'csv') {
    const [columns = [], ...rows] = parseCsv(content);
    return { columns, rows };
  }
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

const isTable = (value: unknown): value is readonly (readonly unknown[])[] =>
  Array.isArray(value) && value.every((row) => Array.isArray(row));

/** RFC 4180: quoted fields may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n?|\n|$)/gy)) {
    const [whole, field = '', end = ''] = match;
    if (whole === '' && row.length === 0) break;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
