/**
 * Session events that a plain answer does not contain: tool calls, `final_answer`, `dataframe_data` and errors. Loaded with
 * the first of them.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { lenientNumber, lenientText, textValue } from '../shared/lenient.ts';

/**
 * The part of a final answer that is not yet in the text. The answer may repeat all of the text, the text after the
 * last tool, or its last sentences, and may continue it. Otherwise it is a new paragraph, even if the text happens to
 * end with the same words: a short answer may equal the last word by chance.
 *
 * @param section - the last uninterrupted stretch of text
 * @param isSectionOver - whether an event of another kind came after that stretch, so that new text begins the next one
 */
export function newTextOf(answer: string, fullText: string, section: string, isSectionOver: boolean): string {
  const compactAnswer = withoutSpace(answer);
  if (compactAnswer === '' || compactAnswer === withoutSpace(fullText) || compactAnswer === withoutSpace(section))
    return '';
  if (endsWithSentences(section, answer.trim())) return '';
  const known = [fullText, section].find((text) => text !== '' && answer.startsWith(text));
  if (known !== undefined) return answer.slice(known.length);
  return section === '' || isSectionOver || /\s$/.test(section) || /^\s/.test(answer) ? answer : `\n\n${answer}`;
}

/** If the answer so far has at least this length and the next event begins with it, the event repeats it; it is no fragment. */
const MIN_REPEATED_LENGTH = 12;

/** The new part of a final answer that arrives in several events: they are fragments, or each is the answer so far. */
export const nextOfAnswer = (next: string, answer: string): string =>
  answer.length >= MIN_REPEATED_LENGTH && next.startsWith(answer) ? next.slice(answer.length) : next;

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** What may precede a sentence: a line end, or the end of another sentence. */
const SENTENCE_START = /(?:^|\n|[.!?…:]["')\]”’»]{0,3}\s|[。！？：])\s{0,8}$/u;

/** Whether the text ends with these sentences. */
function endsWithSentences(text: string, sentences: string): boolean {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(sentences) && SENTENCE_START.test(trimmed.slice(0, -sentences.length).slice(-16));
}

/**
 * The payload of a dataframe. `data` may be the payload of a `data` event or only the table (an object, a list of rows, or JSON).
 * Without `data`, the other fields are the table.
 */
export function dataframeOf(data: unknown, { metadata: _own, ...fields }: Readonly<Record<string, unknown>>): unknown {
  const table = typeof data === 'string' ? parseJson(data) : (data ?? fields);
  const isPayload = isRecord(table) && (table['data_type'] !== undefined || isRecord(table['data']));
  return isPayload ? { data_type: 'dataframe', ...table } : { data_type: 'dataframe', data: table };
}

/** The fields of an error. Older servers have its text in another field. A `message` that is no text, such as `null`, is empty if no other field has one. */
export const withErrorText = (fields: Readonly<Record<string, unknown>>): unknown =>
  typeof fields['message'] === 'string'
    ? fields
    : { ...fields, message: errorMessage(fields) ?? ('message' in fields ? '' : undefined) };

const optional = z.exactOptional;
/** Some servers have numeric call ids. */
const toolId = optional(textValue);
const payloads = {
  tool_call_start: z.object({
    tool_id: toolId,
    tool_name: z.string(),
    description: lenientText,
    arguments: optional(z.unknown()),
  }),
  tool_call_progress: z.object({
    tool_id: toolId,
    tool_name: lenientText,
    progress: lenientNumber,
    message: lenientText,
  }),
  tool_call_end: z.object({
    tool_id: toolId,
    tool_name: lenientText,
    status: lenientText,
    result: optional(z.unknown()),
    error: optional(z.unknown()),
  }),
};
type ToolEventName = keyof typeof payloads;
type Payload<Name extends ToolEventName> = z.infer<(typeof payloads)[Name]>;

interface ToolEvent {
  readonly data: unknown;
  readonly metadata?:
    | { readonly request_id?: string | null | undefined; readonly duration_ms?: number | null | undefined }
    | null
    | undefined;
  /** Whether the event belongs to another request, such as that of a sub-agent. */
  readonly isInner: boolean;
  readonly frame: Frame;
}
type CallData = Omit<LLMAgentEventData, 'eventId'>;

/** The fields of an event outside of its payload. */
interface EventContext {
  /** The id of an inner request, such as that of a sub-agent; empty for the reply's own. Call ids are unique only within a request. */
  readonly request: string;
  readonly duration: number | null | undefined;
}

interface Call {
  readonly id: string;
  /** The name of the tool, only for a call without an id (older servers). */
  readonly tool?: string;
  /** Its name, description and arguments as JSON; undefined until its start has arrived. */
  definition?: string;
}

/** The tool calls of one reply. */
export class SessionCalls {
  readonly #context: Pick<DecodeContext, 'newId' | 'report'>;
  /** The newest call of each request and id. */
  readonly #calls = new Map<string, Call>();
  /** The newest call of each id. */
  readonly #callsById = new Map<string, Call>();
  readonly #openCalls = new Set<Call>();
  readonly #toFraction = makeProgressReader();

  constructor(context: Pick<DecodeContext, 'newId' | 'report'>) {
    this.#context = context;
  }

  /** Reads an event. Returns undefined for an unknown or invalid event, which is reported. */
  take(name: string, { data, metadata, isInner, frame }: ToolEvent): CallData | undefined {
    const { report } = this.#context;
    if (!isToolEvent(name)) {
      report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
      return undefined;
    }
    const payload = fit(payloads[name], withoutNulls(data), frame, report);
    const eventContext = { request: (isInner && metadata?.request_id) || '', duration: metadata?.duration_ms };
    // TypeScript cannot relate the name to the type of the payload; the mapped type guarantees it.
    return payload && HANDLERS[name](this, payload as never, eventContext);
  }

  /** Ends the calls without a result. */
  endOpen(): readonly CallData[] {
    return [...this.#openCalls].map(({ id }) => ({ tool_call: 'end', tool_call_id: id }));
  }

  start(
    { tool_id: toolId, tool_name: name, description, arguments: params }: Payload<'tool_call_start'>,
    { request }: EventContext,
  ): CallData {
    const definition = JSON.stringify([name, description, params]);
    const known = toolId === undefined ? undefined : this.#calls.get(keyOf(request, toolId));
    // An identical start is a repetition. A different one after the call has ended is a new call: some servers reuse ids.
    const isKnown = known && (this.#openCalls.has(known) || [undefined, definition].includes(known.definition));
    const call = isKnown ? known : this.#open(request, toolId, name);
    call.definition = definition;
    return {
      tool_call: 'start',
      tool_call_id: call.id,
      tool_call_name: name,
      tool_call_params: asText(params),
      ...(description && { tool_call_description: description }),
    };
  }

  progress(
    { tool_id, tool_name, progress, message }: Payload<'tool_call_progress'>,
    { request }: EventContext,
  ): CallData {
    const call = this.#callOf(request, tool_id, tool_name);
    return {
      tool_call: 'running',
      ...callIdField(call),
      tool_call_progress: {
        ...(progress != null && { value: this.#toFraction(call?.id ?? '', progress) }),
        ...(message != null && { message }),
      },
    };
  }

  end(
    { tool_id, tool_name, status, result, error }: Payload<'tool_call_end'>,
    { request, duration }: EventContext,
  ): CallData {
    const call = this.#callOf(request, tool_id, tool_name);
    if (call) this.#openCalls.delete(call);
    const problem = toProblem(error);
    const failed = isToolFailure({ status, success: problem ? false : undefined }, asText(result));
    // A failed call may have a result too, such as what it has read so far.
    const responseText = [failed ? problem?.message : '', asText(result)].filter(Boolean).join('\n\n');
    return {
      tool_call: failed ? 'error' : 'end',
      ...callIdField(call),
      ...(tool_name && { tool_call_name: tool_name }),
      ...(responseText && { tool_call_response: responseText }),
      ...(failed && problem && { tool_call_error: problem }),
      ...(duration != null && { tool_call_duration: duration }),
    };
  }

  /**
   * The call of an event. Its id may be that of an open call of another request. Without an id, it is the oldest open call
   * of that tool, else the oldest one without an id, else the oldest.
   */
  #callOf(request: string, toolId: string | undefined, toolName: string | null | undefined): Call | undefined {
    if (toolId !== undefined) {
      const sameId = this.#callsById.get(toolId);
      const other = sameId && this.#openCalls.has(sameId) ? sameId : undefined;
      return this.#calls.get(keyOf(request, toolId)) ?? other ?? this.#open(request, toolId);
    }
    const open = [...this.#openCalls];
    return open.find(({ tool }) => tool && tool === toolName) ?? open.find(({ tool }) => tool) ?? open[0];
  }

  #open(request: string, toolId: string | undefined, toolName?: string): Call {
    const isNewId = toolId !== undefined && !this.#callsById.has(toolId);
    const tool = toolId === undefined && toolName !== undefined ? { tool: toolName } : {};
    const call: Call = { id: isNewId ? toolId : this.#context.newId(), ...tool };
    this.#openCalls.add(call);
    if (toolId === undefined) return call;
    this.#calls.set(keyOf(request, toolId), call);
    this.#callsById.set(toolId, call);
    return call;
  }
}

const keyOf = (request: string, toolId: string): string => JSON.stringify([request, toolId]);

/** What each type of event does. */
const HANDLERS: {
  readonly [Name in ToolEventName]: (
    calls: SessionCalls,
    payload: Payload<Name>,
    eventContext: EventContext,
  ) => CallData;
} = {
  tool_call_start: (calls, payload, eventContext) => calls.start(payload, eventContext),
  tool_call_progress: (calls, payload, eventContext) => calls.progress(payload, eventContext),
  tool_call_end: (calls, payload, eventContext) => calls.end(payload, eventContext),
};

const isToolEvent = (name: string): name is ToolEventName => Object.hasOwn(payloads, name);

const callIdField = (call: Call | undefined): { readonly tool_call_id?: string } =>
  call ? { tool_call_id: call.id } : {};

/**
 * The error of a call: its text alone, or with a code. Without a text, the code replaces it. An error of any other type is
 * shown as it is, so that the call still fails.
 */
function toProblem(error: unknown): { readonly message: string; readonly code?: string } | undefined {
  if (!error) return undefined;
  const { message, code } = isRecord(error) ? errorFields.parse(error) : {};
  const text = message ?? (typeof error === 'string' ? error : errorMessage(error)) ?? code ?? asText(error);
  return { message: text, ...(code != null && { code }) };
}
const errorFields = z.object({ message: lenientText, code: lenientText });

/**
 * Converts the progress of each call to a fraction from 0 to 1. The format does not say whether a server counts to 1 or to
 * 100: values between 0 and 1 are fractions until a larger one comes. A 1 is the end if fractions came before it, otherwise
 * one percent.
 */
function makeProgressReader(): (callId: string, progress: number) => number {
  const scales = new Map<string, 1 | 100>();
  return (callId, progress) => {
    if (progress > 1) scales.set(callId, 100);
    else if (progress > 0 && progress < 1 && !scales.has(callId)) scales.set(callId, 1);
    const scale = scales.get(callId) ?? (progress === 1 ? 100 : 1);
    return Math.min(1, Math.max(0, progress / scale));
  };
}
