import type { AgentMessage, AgentResponse } from '../model/agent-message.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { BaseAgent } from '../model/agent.ts';

/** Whether it is an agent that runs in the page, not one behind an endpoint. */
export const isPageAgent = (agent: object): agent is BaseAgent => 'processMessage' in agent;

/**
 * Asks an agent of the page and gives what it answers as events. Source: DeepChat strong-typed events, section 8
 * ("`AgentResponse` -> block").
 */
export async function* askAgent(
  agent: BaseAgent,
  message: AgentMessage,
  { eventId, signal }: { readonly eventId: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly LLMAgentEvent[]> {
  const speaker = { id: `${eventId}:${agent.id}`, name: agent.name };
  let failed = false;
  try {
    for await (const response of agent.processMessage(message, { signal })) {
      failed ||= response.type === 'error';
      yield [toEvent(response, eventId, speaker)];
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
      message: words,
      details,
    } = content.error ?? { code: 'unknown', message: 'The agent reports an error.' };
    return { type: 'error', data: { eventId, error: words, code, ...(details !== undefined && { details }) } };
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

/** CSV is a table, data with a `visualization` a chart, anything else is shown as it is. */
function toPayload({
  format,
  content,
  visualization,
}: NonNullable<AgentResponse['content']['data']>): NonNullable<LLMAgentEventData['data']> {
  if (visualization) return { data_type: 'chart', data: { ...visualization, data: parse(format, content) } };
  if (format === 'csv') return { data_type: 'dataframe', data: parse(format, content) };
  return { data_type: 'custom', data: format === 'json' ? parse(format, content) : content };
}

function parse(format: string, content: string): unknown {
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

/** RFC 4180: quoted fields may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
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
