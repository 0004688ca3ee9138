/**
 * Session events that a plain answer does not contain: tool calls, `final_answer` and `dataframe_data`. Loaded with the
 * first of them.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import { lenientNumber, lenientText, textValue } from '../shared/lenient.ts';

/**
 * The part of a final answer that is not yet in the text. The answer may repeat all of the text, the text after the
 * last tool, or its last sentences, and may continue it. Otherwise it is a separate paragraph: a short answer may equal
 * the last word of the text by chance.
 */
export function newTextOf(answer: string, fullText: string, section: string, isSectionOver: boolean): string {
  const words = withoutSpace(answer);
  if (words === '' || words === withoutSpace(fullText) || words === withoutSpace(section)) return '';
  if (endsWithSentences(section, answer.trim())) return '';
  const known = [fullText, section].find((text) => text !== '' && answer.startsWith(text));
  if (known !== undefined) return answer.slice(known.length);
  return section === '' || isSectionOver || /\s$/.test(section) || /^\s/.test(answer) ? answer : `\n\n${answer}`;
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** What may precede a sentence: a line end, or the end of another sentence. */
const SENTENCE_START = /(?:^|\n|[.!?…:]["')\]”’»]{0,3}\s|[。！？：])\s{0,8}$/u;

/** Whether the text ends with these sentences. */
function endsWithSentences(text: string, sentences: string): boolean {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(sentences) && SENTENCE_START.test(trimmed.slice(0, -sentences.length).slice(-16));
}

/** The payload of a dataframe: that of a `data` event, or the table itself: an object, a list of rows, JSON, or the fields. */
export function dataframeOf(data: unknown, { metadata: _own, ...fields }: Readonly<Record<string, unknown>>): unknown {
  const table = typeof data === 'string' ? parseJson(data) : (data ?? fields);
  const isPayload = isRecord(table) && (table['data_type'] !== undefined || isRecord(table['data']));
  return isPayload ? { data_type: 'dataframe', ...table } : { data_type: 'dataframe', data: table };
}

const optional = z.exactOptional;
/** Servers with numeric call ids. */
const toolId = optional(textValue);
const payloads = {
  tool_call_start: z.object({
    tool_id: toolId,
    tool_name: z.string(),
    description: optional(z.string()),
    arguments: optional(z.unknown()),
  }),
  tool_call_progress: z.object({
    tool_id: toolId,
    tool_name: lenientText,
    progress: lenientNumber,
    message: optional(z.string()),
  }),
  tool_call_end: z.object({
    tool_id: toolId,
    tool_name: lenientText,
    status: optional(z.string()),
    result: optional(z.unknown()),
    error: optional(z.union([z.string(), z.object({ message: lenientText, code: lenientText })])),
  }),
};
type ToolEventName = keyof typeof payloads;
type Payload<Name extends ToolEventName> = z.infer<(typeof payloads)[Name]>;

interface ToolEvent {
  readonly data: unknown;
  readonly metadata?: { readonly duration_ms?: number | null | undefined } | null | undefined;
  readonly frame: Frame;
}
type CallData = Omit<LLMAgentEventData, 'eventId'>;

/** The tool calls of one reply. */
export class SessionCalls {
  readonly #context: Pick<DecodeContext, 'newId' | 'report'>;
  /** A call of the older format has no id, so it gets one; its tool is stored for the result. */
  readonly #openCalls = new Map<string, string | undefined>();
  readonly #toFraction = makeProgressReader();

  constructor(context: Pick<DecodeContext, 'newId' | 'report'>) {
    this.#context = context;
  }

  /** Returns undefined for an unknown or invalid event, which is reported. */
  take(name: string, { data, metadata, frame }: ToolEvent): CallData | undefined {
    const { report } = this.#context;
    if (!isToolEvent(name)) {
      report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
      return undefined;
    }
    const payload = fit(payloads[name], withoutNulls(data), frame, report);
    // TypeScript cannot relate the name to the type of the payload; the mapped type guarantees it.
    return payload && HANDLERS[name](this, payload as never, metadata?.duration_ms);
  }

  /** Ends the calls without a result. */
  endOpen(): readonly CallData[] {
    return [...this.#openCalls.keys()].map((id) => ({ tool_call: 'end', tool_call_id: id }));
  }

  start({ tool_id, tool_name, description, arguments: params }: Payload<'tool_call_start'>): CallData {
    const id = tool_id ?? this.#context.newId();
    this.#openCalls.set(id, tool_id === undefined ? tool_name : undefined);
    return {
      tool_call: 'start',
      tool_call_id: id,
      tool_call_name: tool_name,
      tool_call_params: asText(params),
      ...(description && { tool_call_description: description }),
    };
  }

  progress({ tool_id, tool_name, progress, message }: Payload<'tool_call_progress'>): CallData {
    const id = this.#callOf(tool_id, tool_name);
    return {
      tool_call: 'running',
      ...callId(id),
      tool_call_progress: {
        ...(progress != null && { value: this.#toFraction(id ?? '', progress) }),
        ...(message !== undefined && { message }),
      },
    };
  }

  end(
    { tool_id, tool_name, status, result, error }: Payload<'tool_call_end'>,
    duration: number | null | undefined,
  ): CallData {
    const id = this.#callOf(tool_id, tool_name);
    this.#openCalls.delete(id ?? '');
    const problem = toProblem(error);
    const failed = isToolFailure({ status, success: problem && false }, asText(result));
    const answer = failed ? (problem?.message ?? asText(result)) : asText(result);
    return {
      tool_call: failed ? 'error' : 'end',
      ...callId(id),
      ...(tool_name && { tool_call_name: tool_name }),
      ...(answer && { tool_call_response: answer }),
      ...(failed && problem && { tool_call_error: problem }),
      ...(duration != null && { tool_call_duration: duration }),
    };
  }

  /** The call of an event: by its id, otherwise the oldest open one of that tool. */
  #callOf(id: string | undefined, toolName: string | null | undefined): string | undefined {
    const calls = [...this.#openCalls];
    return (
      id ?? (calls.find(([, tool]) => tool && tool === toolName) ?? calls.find(([, tool]) => tool) ?? calls[0])?.[0]
    );
  }
}

/** What each type of event does. */
const HANDLERS: {
  readonly [Name in ToolEventName]: (
    calls: SessionCalls,
    payload: Payload<Name>,
    duration: number | null | undefined,
  ) => CallData;
} = {
  tool_call_start: (calls, payload) => calls.start(payload),
  tool_call_progress: (calls, payload) => calls.progress(payload),
  tool_call_end: (calls, payload, duration) => calls.end(payload, duration),
};

const isToolEvent = (name: string): name is ToolEventName => Object.hasOwn(payloads, name);

const callId = (id: string | undefined): { readonly tool_call_id?: string } =>
  id === undefined ? {} : { tool_call_id: id };

/** The error of a call: its text alone, or with a code. Without a text, the code replaces it. */
function toProblem(
  error: Payload<'tool_call_end'>['error'],
): { readonly message: string; readonly code?: string } | undefined {
  if (typeof error === 'string') return { message: error };
  return error && { message: error.message ?? error.code ?? '', ...(error.code != null && { code: error.code }) };
}

/**
 * Converts the progress of each call to a fraction from 0 to 1. The format does not say whether a server counts to 1 or to
 * 100: values between 0 and 1 are fractions until a larger one comes. A 1 is the end if fractions came before it, otherwise
 * one percent.
 */
function makeProgressReader(): (toolId: string, progress: number) => number {
  const scales = new Map<string, 1 | 100>();
  return (toolId, progress) => {
    if (progress > 1) scales.set(toolId, 100);
    else if (progress > 0 && progress < 1 && !scales.has(toolId)) scales.set(toolId, 1);
    const scale = scales.get(toolId) ?? (progress === 1 ? 100 : 1);
    return Math.min(1, Math.max(0, progress / scale));
  };
}

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
