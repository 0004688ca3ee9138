/** Converts the chunks of `streamGenerateContent` to the events of one reply. Source: `docs/protocols/gemini.md`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { fit } from '../core/read-frames.ts';
import { errorMessage } from '../shared/error-message.ts';
import { pcmToWav } from '../shared/files/pcm-wav.ts';
import { GeminiCalls } from './calls.ts';
import { makePartStore } from './contents.ts';
import { makeSourceCollector } from './sources.ts';
import { part, type Candidate, type Chunk, type Part, type Problem, type Usage } from './reply-schema.ts';

type RawPart = Readonly<Record<string, unknown>>;

/** The state of one reply, and what a chunk changes in it. */
export class GeminiReply {
  readonly #context: DecodeContext;
  readonly #partStore = makePartStore();
  readonly #sources = makeSourceCollector();
  readonly #calls: GeminiCalls;
  readonly #audioChunks: string[] = [];
  #text = '';
  /** Where the last text block begins in the text. */
  #blockStart = 0;
  /** Another part has followed the text so far. */
  #isInterrupted = false;
  #finish: ReplyEnd | undefined;
  /** The ids of the code and the tool that the provider is running; the next result belongs to them. */
  #runningCode = '';
  #runningTool = '';

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#calls = new GeminiCalls(context, this.#partStore);
  }

  take({ candidates, promptFeedback, usageMetadata, error }: Chunk, frame: Frame): readonly AdapterEvent[] {
    const events: AdapterEvent[] = [];
    const first = candidates?.find((candidate) => candidate && !candidate.index);
    if (first) events.push(...this.#takeCandidate(first, frame));
    const usage = usageMetadata && toUsage(usageMetadata);
    if (usage) events.push(createStreamEvent.usage(usage));
    const blocked = promptFeedback?.blockReason;
    if (blocked && !blocked.endsWith('UNSPECIFIED') && !candidates?.length) {
      events.push(this.#fail(promptFeedback.blockReasonMessage || `The request was blocked: ${blocked}.`, blocked));
    }
    if (error) events.push(this.#takeError(error));
    return events;
  }

  #takeError(error: NonNullable<Chunk['error']>): AdapterEvent {
    if (typeof error === 'string' || Array.isArray(error)) return this.#fail(errorMessage(error) ?? UNKNOWN_ERROR);
    const { message, status, code } = error;
    const text = typeof message === 'string' ? message : errorMessage(message);
    return this.#fail(text || UNKNOWN_ERROR, status || code?.toString(), isTransient(error));
  }

  end(): readonly AdapterEvent[] {
    const finish = this.#finish;
    const events: AdapterEvent[] = [
      ...(finish ? this.#calls.close() : []),
      ...this.#sources.events({ text: this.#text, blockStart: this.#blockStart }).map((data) => this.#response(data)),
    ];
    const recording = this.#audioChunks.length > 0 ? pcmToWav(this.#audioChunks) : undefined;
    if (recording !== undefined)
      events.push(this.#response({ media: { kind: 'audio', data: recording, mimeType: 'audio/wav' } }));
    const items = this.#partStore.items();
    if (items.length > 0) {
      const { turn } = this.#context;
      events.push(this.#response({ metadata: { ...roundsMetadata(turn, { protocol: 'gemini', items }) } }));
    }
    if (!finish) return events;
    // The parts decide, because the finish reason is also `STOP` when there are calls.
    const reason = this.#calls.hasCalls && finish === 'complete' ? 'tool_use' : finish;
    return [...events, ...endEvents(reason, this.#context.eventId)];
  }

  #takeCandidate(candidate: Candidate, frame: Frame): readonly AdapterEvent[] {
    const events = candidate.content?.parts?.flatMap((item) => this.#takePart(item, frame)) ?? [];
    this.#sources.take(candidate);
    const { finishReason: reason, finishMessage } = candidate;
    if (!reason || this.#finish === 'error' || this.#finish === 'filtered') return events;
    const known = replyEnd(reason);
    const isFiltered = known === 'filtered' && !finishMessage;
    const stopReason = NORMAL_ENDS.has(reason) ? 'complete' : known === 'max_tokens' || isFiltered ? known : undefined;
    // A finish reason that Google does not define does not invalidate a text or complete calls.
    if (!stopReason && (this.#calls.hasCalls || this.#text !== '') && !FAILURES.has(reason)) {
      this.#context.report({ kind: 'unknown', detail: `The finish reason "${reason}" is unknown.`, frame });
      this.#stop('complete');
      return events;
    }
    if (!stopReason)
      return [...events, this.#fail(finishMessage || `The provider stopped the answer: ${reason}.`, reason)];
    this.#stop(stopReason);
    return events;
  }

  #takePart(raw: unknown, frame: Frame): readonly AdapterEvent[] {
    const { report } = this.#context;
    const data = fit(part, raw, frame, report);
    if (!data || !isRecord(raw)) return [];
    const { text, functionCall, thoughtSignature } = data;
    if (functionCall) {
      this.#isInterrupted = true;
      return this.#calls.take(functionCall, raw, (detail) => {
        report({ kind: 'refused', detail, frame });
      });
    }
    if (data.inlineData || data.fileData) {
      this.#isInterrupted = true;
      return this.#takeMedia(data, raw);
    }
    if (typeof text === 'string') return this.#takeText(text, data, raw);
    if (Object.keys(raw).length > 0) this.#partStore.take(raw);
    const events = this.#takeRemote(data);
    if (events.length > 0) this.#isInterrupted = true;
    else if (!thoughtSignature) report({ kind: 'unknown', detail: 'This kind of part is unknown.', frame });
    return events;
  }

  #takeText(text: string, { thought, thoughtSignature }: Part, raw: RawPart): readonly AdapterEvent[] {
    if (thought) {
      // The text of reasoning is not sent back, but its signature is.
      if (thoughtSignature) this.#partStore.take({ ...raw, text: '' });
      this.#isInterrupted ||= text !== '';
      return text ? [createStreamEvent.reasoning(text)] : [];
    }
    this.#partStore.take(raw);
    if (text === '') return [];
    if (this.#isInterrupted) this.#blockStart = this.#text.length;
    this.#isInterrupted = false;
    this.#text += text;
    return [createStreamEvent.text(text)];
  }

  #takeMedia({ inlineData, fileData, thought }: Part, raw: RawPart): readonly AdapterEvent[] {
    // A draft image belongs to the reasoning, which can't contain media.
    if (thought) return [];
    const [mimeType = ''] = (inlineData?.mimeType ?? fileData?.mimeType ?? '').toLowerCase().split(';');
    if (inlineData && mimeType === 'audio/l16') {
      this.#audioChunks.push(inlineData.data);
      return [];
    }
    const mediaFields = { kind: mediaKind(mimeType), ...(mimeType && { mimeType }) };
    if (!inlineData) {
      this.#partStore.take(raw);
      return fileData ? [this.#response({ media: { ...mediaFields, url: fileData.fileUri } })] : [];
    }
    this.#partStore.take({ ...raw, inlineData: { mimeType } }, { media: true });
    return [this.#response({ media: { ...mediaFields, data: inlineData.data } })];
  }

  /** Calls that the provider runs are displayed and never executed by the page. */
  #takeRemote({ executableCode, codeExecutionResult, toolCall, toolResponse }: Part): readonly AdapterEvent[] {
    const { newId } = this.#context;
    if (executableCode) {
      const { id, language, code } = executableCode;
      this.#runningCode = id || newId();
      return [this.#remoteCall(this.#runningCode, CODE, { language, code })];
    }
    if (toolCall) {
      this.#runningTool = toolCall.id || newId();
      return [this.#remoteCall(this.#runningTool, toolCall.toolType, toolCall.args ?? {})];
    }
    if (codeExecutionResult) {
      const { id, outcome, output } = codeExecutionResult;
      const failure = outcome && outcome !== 'OUTCOME_OK' ? outcome : undefined;
      const error = failure ? { message: output || failure, code: failure } : undefined;
      return [this.#remoteResult(id || this.#runningCode, CODE, output ?? '', error)];
    }
    if (!toolResponse) return [];
    const { id, toolType, response } = toolResponse;
    return [this.#remoteResult(id || this.#runningTool, toolType, JSON.stringify(response ?? {}))];
  }

  #remoteCall(id: string, name: string | null | undefined, args: unknown): AdapterEvent {
    return this.#response({
      tool_call: 'start',
      tool_call_id: id,
      tool_call_name: name ?? 'tool',
      tool_call_remote: true,
      tool_call_params: JSON.stringify(args),
    });
  }

  #remoteResult(
    id: string,
    name: string | null | undefined,
    result: string,
    error?: LLMAgentEventData['tool_call_error'],
  ): AdapterEvent {
    return this.#response({
      tool_call: error ? 'error' : 'end',
      tool_call_id: id || this.#context.newId(),
      tool_call_name: name ?? 'tool',
      tool_call_remote: true,
      tool_call_response: result,
      ...(error && { tool_call_error: error }),
    });
  }

  #stop(reason: ReplyEnd): void {
    this.#finish = reason;
    this.#context.reportEnd?.();
  }

  #fail(error: string, code?: string | null, recoverable = false): AdapterEvent {
    this.#stop('error');
    const { eventId } = this.#context;
    return { type: 'error', data: { eventId, error, ...(code && { code }), ...(recoverable && { recoverable }) } };
  }

  #response(data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

const CODE = 'code_execution';
const UNKNOWN_ERROR = 'The provider reported an error.';

const NORMAL_ENDS = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED']);
/** Finish reasons that mean failure. Source: https://ai.google.dev/api/generate-content#FinishReason */
const FAILURES = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_OTHER',
  'NO_IMAGE',
]);
const mediaKind = (mimeType: string): Media['kind'] =>
  (['image', 'audio', 'video'] as const).find((kind) => mimeType.startsWith(`${kind}/`)) ?? 'file';

/** The first chunks of Vertex AI have no token counts. */
function toUsage({ promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount }: Usage) {
  if (typeof promptTokenCount !== 'number' && typeof totalTokenCount !== 'number') return undefined;
  const prompt = promptTokenCount ?? 0;
  const completion = (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: totalTokenCount ?? prompt + completion };
}

/** Whether a retry may help. It can't when the daily quota is used up. */
const isTransient = ({ code, details }: Problem): boolean =>
  [429, 500, 503, 504].includes(code ?? 0) && !JSON.stringify([details]).includes('PerDay');
