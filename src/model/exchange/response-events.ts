/** Converts the responses of an agent to events. Source: `docs/protocols/deepchat-events.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../events/agent-events.ts';
import type { AgentResponse, AgentResponseContent, ResponseType } from '../agent-message.ts';
import type { DataPayload } from '../blocks.ts';
import { isRecord } from '../json.ts';
import { isBase64File } from '../text/is-base64-file.ts';
import { withoutDataUrl } from '../text/without-data-url.ts';
import { responseData } from './response-data.ts';

type Content = AgentResponseContent;
type Field = Exclude<keyof Content, 'text' | 'error' | 'structured'>;

/** A response, as far as it is shown. */
type Response = Pick<AgentResponse, 'id' | 'type' | 'status' | 'content' | 'metadata'>;

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

const knownFields: ReadonlySet<string> = new Set(['text', 'error', 'structured', ...fields.map(([field]) => field)]);

/** Converts the responses of one reply, which may continue each other. */
export function makeResponseEvents(eventId: string) {
  const idOf = makeBlockIds();
  return (
    { id, type, status, content, metadata }: Response,
    message: NonNullable<LLMAgentEventData['message']>,
  ): readonly LLMAgentEvent[] => {
    const isOpen = status === 'streaming' || status === 'pending';
    const own: Response = {
      id: idOf(id, content, isOpen),
      type,
      status: isOpen ? 'streaming' : status,
      content,
      metadata,
    };
    return responseEvents(own, eventId, message);
  };
}

/** A task or an output that is shown in a block. */
interface Shown {
  readonly id: string;
  readonly output: string;
  readonly isOpen: boolean;
  readonly progress?: Content['progress'];
}

/**
 * Returns the id of the block of a response. Progress continues that of its id; agents that give each response an id of its
 * own report a task by its growing number. Code and the result of a command continue a streaming response of their id that
 * they begin with: agents may also use one id for all responses.
 */
function makeBlockIds() {
  const shown = new Map<string, Shown>();
  const earlierTask = ({ current, total }: NonNullable<Content['progress']>): Shown | undefined =>
    [...shown.values()].findLast(
      ({ progress }) => progress?.total === total && progress.current < current && progress.current < progress.total,
    );
  return (id: string, { progress, code, commandResult }: Content, isOpen: boolean): string => {
    if (progress) {
      const known = shown.get(`task ${id}`) ?? earlierTask(progress);
      const task = { id: known?.id ?? id, output: '', isOpen, progress };
      for (const [key, other] of shown) if (other === known) shown.set(key, task);
      shown.set(`task ${id}`, task);
      return task.id;
    }
    const output = code?.content ?? commandResult?.output;
    if (output === undefined) return id;
    const key = `${code ? 'code' : 'command'} ${id}`;
    const known = shown.get(key);
    const continues = known?.isOpen === true && output.startsWith(known.output);
    const own = continues ? known.id : known ? `${known.id}.` : id;
    shown.set(key, { id: own, output, isOpen });
    return own;
  };
}

/** Converts all contents of a response, whatever its type: code may come with a text about it. */
function responseEvents(
  { id, type, status, content, metadata }: Response,
  eventId: string,
  message: NonNullable<LLMAgentEventData['message']>,
): readonly LLMAgentEvent[] {
  const respond = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, message, ...data },
  });
  const fault = content.error || type === 'error' || (status === 'error' && !showsFailure(content));
  const events = [
    ...metadataOf(metadata).map((own) => respond({ metadata: own })),
    ...(isShown(content, type) ? [respond({ content: content.text ?? '' })] : []),
    ...fields
      .filter(([field]) => content[field] !== undefined)
      .map(([field, own]) => respond(eventData(content, field, { id, type: own, status }))),
    ...otherData(content).map((data) => respond({ data })),
    // An error event names no message: it belongs to that of the event before it.
    ...(fault ? [respond({}), errorEvent(content.error, eventId)] : []),
  ];
  // The type promises a content that is missing.
  return events.length > 0 ? events : [respond({ agent_response: { id, type, status, content: {} } })];
}

/** The metadata of the message. The id of a message is that of the question, and would be taken for that of the answer. */
function metadataOf(metadata: unknown): readonly NonNullable<LLMAgentEventData['metadata']>[] {
  if (!isRecord(metadata)) return [];
  const { messageId: _, ...own } = metadata;
  return Object.keys(own).length > 0 ? [own] : [];
}

/** Content of a kind that the format has only for messages, or that an agent has added: a renderer of the page may know it. */
function otherData(content: Content): readonly DataPayload[] {
  const { structured } = content;
  const others = Object.entries<unknown>(content).filter(
    ([name, value]) => !knownFields.has(name) && value !== undefined && value !== null,
  );
  const [[name, value] = []] = others;
  return [
    ...(structured ? [customData(structured.data, structured.type)] : []),
    ...(others.length > 1 ? [customData(Object.fromEntries(others))] : []),
    ...(others.length === 1 ? [customData(value, name)] : []),
  ];
}

const customData = (data: unknown, dataType?: string): DataPayload => ({
  data_type: 'custom',
  data,
  ...(dataType !== undefined && { metadata: { dataType } }),
});

/** Whether the block of the content says that something has failed. */
const showsFailure = ({ commandResult, code }: Content): boolean =>
  commandResult?.success === false || Boolean(code?.error);

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
  const { data, image, file } = content;
  if (field === 'data' && data) return { data: responseData(data) };
  if (field === 'image' && image) return { image_data: { data: withoutDataUrl(image.data), mimeType: image.mimeType } };
  if (field === 'file' && file) {
    const bytes = { ...file, content: withoutDataUrl(file.content) };
    return { agent_response: { ...response, content: { file: isBase64File(bytes) ? bytes : file } } };
  }
  return { agent_response: { ...response, content: { [field]: content[field] } } };
}

function errorEvent(error: Content['error'], eventId: string): LLMAgentEvent {
  const { code, message, details } = error ?? {};
  const fields = { ...(code && { code }), ...(details !== undefined && { details }) };
  return { type: 'error', data: { eventId, error: message || 'The agent reports an error.', ...fields } };
}
