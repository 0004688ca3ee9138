/**
 * Reads DeepChat events and responses of agents that do not match their schema. Loaded with the first of them. A side field of
 * a wrong type must lose neither the text beside it, nor an error, nor a question that the agent waits for.
 */
import { isRecord } from '../../model/json.ts';
import type { z } from '../../model/schema.ts';
import { mimeTypeOfDataUrl } from '../../model/text/without-data-url.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from '../core/adapter.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import { asText } from '../shared/as-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Without a valid value of these, it is not known what the other fields of the event belong to. */
const ESSENTIAL: ReadonlySet<PropertyKey | undefined> = new Set([
  undefined,
  'eventId',
  'tool_call_id',
  'parent',
  'message',
]);

/** Completes the fields of an event and removes those that are still invalid. Each of them is reported. */
export function repair<Schema extends z.ZodMiniType>(
  schema: Schema,
  json: unknown,
  frame: Frame,
  report: Report,
): z.infer<Schema> | undefined {
  const completed = complete(json);
  const result = schema.safeParse(completed);
  if (result.success) return result.data;
  const part = ['data', 'content'].find((name) => isRecord(completed) && isRecord(completed[name]));
  const invalid = new Map(
    result.error.issues.map(({ path, message }) => [
      path[0] === part ? path[1] : undefined,
      `${path.join('.')}: ${message}`,
    ]),
  );
  if (part === undefined || !isRecord(completed) || [...invalid.keys()].some((name) => ESSENTIAL.has(name)))
    return fit(schema, completed, frame, report);
  for (const detail of invalid.values()) report({ kind: 'malformed', detail, frame });
  const rest = Object.entries(completed[part] as Fields).filter(([name]) => !invalid.has(name));
  // A response that has failed fails the reply even without its content.
  const hasMeaning = completed['status'] === 'error' || rest.some(([name]) => !ESSENTIAL.has(name));
  return hasMeaning ? fit(schema, { ...completed, [part]: Object.fromEntries(rest) }, frame, report) : undefined;
}

function complete(json: unknown): unknown {
  if (!isRecord(json)) return json;
  const { type, data, content } = json;
  if (isRecord(data)) return { ...json, data: type === 'error' ? completeError(data) : completeData(data) };
  if (isRecord(content)) return { ...json, content: completeContent(content) };
  if (type !== 'error') return completeData(json);
  return { type, error_message: errorText(json['error_message'] ?? json['error'] ?? json['message'] ?? data) };
}

/** The text of an error of any type, so that no error is lost. */
function errorText(error: unknown): string {
  const text = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : error;
  return asText(text) || 'The agent reports an error.';
}

function completeError({ eventId, error, message, code, recoverable }: Fields): Fields {
  const ownCode = code ?? (isRecord(error) ? error['code'] : undefined);
  return {
    eventId: toId(eventId),
    error: errorText(error ?? message),
    ...(ownCode != null && { code: asText(ownCode) }),
    ...(typeof recoverable === 'boolean' && { recoverable }),
  };
}

/** Some servers have numeric ids. */
const toId = (id: unknown): unknown => (typeof id === 'number' ? String(id) : id);

const completed: Readonly<Record<string, (value: unknown) => unknown>> = {
  eventId: toId,
  tool_call_id: toId,
  parent: (parent) => (isRecord(parent) ? { ...parent, tool_call_id: toId(parent['tool_call_id']) } : parent),
  usage: completeUsage,
  totalUsage: completeUsage,
  // The agent waits for the answer to its question, whatever its fields are.
  permission_request: (request) => (isRecord(request) ? { ...request, ...texts(request, REQUEST_TEXTS) } : request),
};
const REQUEST_TEXTS = ['toolName', 'serverName', 'description'];

const completeFields = (fields: Fields, by: typeof completed): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Object.hasOwn(by, name) ? by[name]?.(value) : value]),
  );

const completeData = (data: Fields): Fields => completeFields(data, completed);

/** The total is the sum, if it is missing. */
function completeUsage(usage: unknown): unknown {
  if (!isRecord(usage)) return usage;
  const [prompt = 0, completion = 0, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    typeof usage[name] === 'number' ? usage[name] : undefined,
  );
  const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total ?? prompt + completion };
  const { context_length: length } = usage;
  return counts.total_tokens > 0 ? { ...counts, ...(typeof length === 'number' && { context_length: length }) } : usage;
}

const contents: typeof completed = {
  code: (code) => (isRecord(code) ? { ...code, ...texts(code, ['language']) } : code),
  data: (data) => (isRecord(data) ? { ...data, format: data['format'] ?? 'json' } : data),
  commandResult: (result) => {
    const fields = withoutNulls(result);
    if (!isRecord(fields)) return result;
    const { exitCode, error } = fields;
    return { success: !exitCode && !error, ...fields, ...texts(fields, ['output']) };
  },
  file: (file) => (isRecord(file) ? { ...typeOfDataUrl(file['content']), ...file, ...texts(file, ['name']) } : file),
  image: (image) => (isRecord(image) ? { ...typeOfDataUrl(image['data']), ...image } : image),
  error: (error) => {
    const fields = isRecord(error) ? error : {};
    return { ...fields, code: asText(fields['code']), message: errorText(error) };
  },
  progress: (progress) => (isRecord(progress) ? { ...progress, ...texts(progress, ['message']) } : progress),
  confirmation: (confirmation) => {
    if (!isRecord(confirmation)) return confirmation;
    const { type, message, options } = confirmation;
    return {
      message: asText(message),
      type: type === 'permission' || type === 'data' ? type : 'action',
      ...(Array.isArray(options) && { options: options.map(asText) }),
    };
  },
};

const completeContent = (content: Fields): Fields => completeFields(content, contents);

/** Fields that must be texts; a missing one is empty. */
const texts = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, asText(fields[name])]));

function typeOfDataUrl(data: unknown): Fields {
  const mimeType = typeof data === 'string' ? mimeTypeOfDataUrl(data) : undefined;
  return mimeType === undefined ? {} : { mimeType };
}
