/** Schemas of the ADK events. Source: `google/adk-python`, `events/event.py`, `models/llm_response.py`. */
import { isRecord } from '../../model/json.ts';
import { recordOf, z } from '../../model/schema.ts';
import { errorMessage } from '../shared/error-message.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';

const maybeBoolean = lenient(z.boolean());
const blob = lenient(z.object({ mimeType: lenientString, data: z.string(), displayName: lenientString }));
const fileReference = lenient(z.object({ mimeType: lenientString, fileUri: z.string(), displayName: lenientString }));

const code = lenient(z.pipe(z.union([z.string(), z.number()]), z.transform(String)));

const part = z.object({
  text: lenientText,
  thought: maybeBoolean,
  inlineData: blob,
  fileData: fileReference,
  functionCall: lenient(z.object({ id: lenientString, name: z.string(), args: z.exactOptional(z.unknown()) })),
  functionResponse: lenient(
    z.object({ id: lenientString, name: lenientString, response: z.exactOptional(z.unknown()) }),
  ),
  executableCode: lenient(z.object({ language: lenientString, code: z.string() })),
  codeExecutionResult: lenient(z.object({ outcome: lenientString, output: lenientString })),
});
export type AdkPart = z.infer<typeof part>;

const actions = z.object({
  stateDelta: lenientRecord,
  artifactDelta: lenient(recordOf(z.unknown())),
  transferToAgent: lenientString,
  requestedToolConfirmations: lenientRecord,
});

export const adkEvent = z.object({
  id: lenientString,
  invocationId: lenientString,
  author: lenientString,
  branch: lenientString,
  partial: maybeBoolean,
  turnComplete: maybeBoolean,
  content: lenient(z.object({ parts: lenient(z.array(lenient(part))) })),
  actions: lenient(actions),
  longRunningToolIds: lenient(z.array(z.string())),
  finishReason: lenientString,
  errorCode: code,
  errorMessage: lenientText,
  /** Error of a run that threw an exception: its message, or an object of a gateway or of Google Cloud. */
  error: lenient(z.unknown()),
  /** With `message`, in a frame that is nothing but an error. */
  code,
  message: lenientString,
  usageMetadata: lenient(
    z.object({
      promptTokenCount: lenientNumber,
      candidatesTokenCount: lenientNumber,
      thoughtsTokenCount: lenientNumber,
      totalTokenCount: lenientNumber,
    }),
  ),
  groundingMetadata: lenientRecord,
  citationMetadata: lenientRecord,
});
export type AdkEvent = z.infer<typeof adkEvent>;

/** The error in an event, which may have no code. `STOP`, a normal end, is none. */
export function adkError({ author, error, errorCode, errorMessage: text, code: frameCode, message }: AdkEvent) {
  const sentence = 'The agent reported an error.';
  if (error) {
    const fields = isRecord(error) ? error : {};
    const name = [fields['status'], fields['code']].find(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    return { error: errorMessage(error) ?? sentence, code: name === undefined ? undefined : String(name) };
  }
  if (!author && frameCode && message) return { error: errorMessage(message) ?? sentence, code: frameCode };
  if (errorCode === 'STOP' || !(errorCode || text)) return undefined;
  return { error: text || `The model stopped: ${errorCode ?? ''}.`, code: errorCode ?? undefined };
}

/** Fields whose content belongs to the agent, the tool or the source of an error: their keys are not converted. */
const OPAQUE = new Set(['args', 'response', 'stateDelta', 'artifactDelta', 'requestedToolConfirmations', 'error']);
/** Limit of the recursion; events are nested less deeply. */
const MAX_DEPTH = 8;

/** Converts keys to camelCase: Vertex AI Agent Engine writes the same events in snake_case. */
export function toCamelCaseKeys(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => toCamelCaseKeys(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const camel = name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      return [camel, OPAQUE.has(camel) ? field : toCamelCaseKeys(field, depth + 1)];
    }),
  );
}
