/** Converts the responses of an agent to events. Source: `docs/protocols/deepchat-events.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from './agent-events.ts';
import type { AgentResponse, AgentResponseContent, ResponseType } from './agent-message.ts';
import { responseData } from './response-data.ts';

type Content = AgentResponseContent;
type Field = Exclude<keyof Content, 'text' | 'error'>;

/** The fields of a response, each with the type that names it. */
const fields: readonly (readonly [Field, ResponseType])[] = [
  ['code', 'code'],
  ['data', 'data'],
  ['commandResult', 'command_result'],
  ['file', 'file'],
  ['image', 'image'],
  ['progress', 'progress'],
  ['confirmation', 'confirmation'],
];

/** Converts all contents of a response, whatever its type: code may come with a text about it. */
export function responseEvents(
  { id, type, status, content }: Pick<AgentResponse, 'id' | 'type' | 'status' | 'content'>,
  eventId: string,
  message: NonNullable<LLMAgentEventData['message']>,
): readonly LLMAgentEvent[] {
  const respond = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, message, ...data },
  });
  const events = [
    ...(isShown(content, type) ? [respond({ content: content.text ?? '' })] : []),
    ...fields
      .filter(([field]) => content[field] !== undefined)
      .map(([field, own]) => respond(eventData(content, field, { id, type: own, status }))),
    ...(content.error || type === 'error' ? [errorEvent(content.error, eventId)] : []),
  ];
  // The type promises a content that is missing.
  return events.length > 0 ? events : [respond({ agent_response: { id, type, status, content: {} } })];
}

/** A text that only repeats another content, or the state of a task, is not shown beside it. */
const isShown = ({ text, confirmation, progress, error }: Content, type: ResponseType): boolean =>
  type === 'text'
    ? text !== undefined
    : Boolean(text) && !progress && text !== confirmation?.message && text !== error?.message;

function eventData(
  content: Content,
  field: Field,
  response: Pick<AgentResponse, 'id' | 'type' | 'status'>,
): Omit<LLMAgentEventData, 'eventId'> {
  const { data, image } = content;
  if (field === 'data' && data) return { data: responseData(data) };
  if (field === 'image' && image) return { image_data: { data: image.data, mimeType: image.mimeType } };
  return { agent_response: { ...response, content: { [field]: content[field] } } };
}

function errorEvent(error: Content['error'], eventId: string): LLMAgentEvent {
  const { code = 'unknown', message = 'The agent reports an error.', details } = error ?? {};
  return { type: 'error', data: { eventId, error: message, code, ...(details !== undefined && { details }) } };
}
