/**
 * Gemini's `streamGenerateContent`, of Google AI Studio and Vertex AI (`gemini`): server-sent events or one
 * incremental array. A chunk has no type, and any of its fields may be missing. Source: `docs/protocols/gemini.md`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import { textOf } from '../../model/message-text.ts';
import type { Frame } from '../../transport/frame.ts';
import { makeGeminiCalls } from './calls.ts';
import { makePartStore, toContents } from './contents.ts';
import { makeSourceCollector } from './sources.ts';
import { toFunctions } from './tools.ts';
import { chunk, part, type Candidate, type Chunk, type Part, type Problem, type Usage } from './wire.ts';
import { pathSegment } from '../shared/sibling-url.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { pcmToWav } from '../shared/files/pcm-wav.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

/**
 * The value that Google documents for calls with an unknown signature. Models before the third generation check no
 * signatures.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';
const UNSIGNED_MODEL = /gemini-[12]\b/;

export const gemini: Adapter = {
  id: 'gemini',
  label: 'Gemini',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], show, ...options }) {
    const messages = sentHistory(turn);
    const address = streamUrl(url, model);
    // Contents have only the roles user and model: all system text goes into one field.
    const system = [systemText(options), ...messages.filter(({ role }) => role === 'system').map(textOf)];
    const instruction = system.filter(Boolean).join('\n\n');
    const signature = UNSIGNED_MODEL.test(`${model ?? ''} ${address}`) ? undefined : NO_SIGNATURE;
    return {
      url: address,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream, application/json', ...headers },
        body: {
          // A proxy with its own URL format receives the model here.
          ...(model !== undefined && !address.includes('/models/') && { model }),
          ...(instruction && { systemInstruction: { parts: [{ text: instruction }] } }),
          contents: toContents(messages, { signature }),
          ...(tools.length > 0 && { tools: [{ functionDeclarations: toFunctions(tools) }] }),
          ...(show?.reasoning && { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
          const data = fit(chunk, item, frame, context.report);
          if (data) events.push(...reply.take(data, frame));
        }
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * The URL of a model's stream, which contains the model's name. A URL of another form belongs to a proxy and is not
 * changed.
 */
function streamUrl(url: string, model: string | undefined): string {
  const address = new URL(url);
  const path = address.pathname.replace(/^\/v1(?:alpha|beta\d*)?\/?$/, (base) => `${base.replace(/\/$/, '')}/models`);
  const [, models, modelInUrl, method = 'streamGenerateContent'] =
    /^(.*\/models)(?:\/([^/:]+))?(?::(\w+))?\/?$/.exec(path) ?? [];
  const name = model === undefined ? modelInUrl : pathSegment(model.replace(/^models\//, ''));
  if (models === undefined || name === undefined) return url;
  address.pathname = `${models}/${name}:${method}`;
  if (method === 'streamGenerateContent' && !address.searchParams.has('alt')) address.searchParams.set('alt', 'sse');
  return address.href;
}

interface Reply {
  readonly take: (data: Chunk, frame: Frame) => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId, turn, report, ended }: DecodeContext): Reply {
  const partStore = makePartStore();
  const calls = makeGeminiCalls({ eventId, partStore, newId });
  const sources = makeSourceCollector();
  const audioChunks: string[] = [];
  const answer = { text: '', blockStart: 0 };
  /** Another part has followed the text so far. */
  let isInterrupted = false;
  let finish: ReplyEnd | undefined;
  /** The ids of the code and the tool that the provider is running; the next result belongs to them. */
  const running = { code: '', tool: '' };

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const stop = (reason: ReplyEnd): void => {
    finish = reason;
    ended?.();
  };
  const fail = (error: string, code?: string | null, recoverable = false): AdapterEvent => {
    stop('error');
    return { type: 'error', data: { eventId, error, ...(code && { code }), ...(recoverable && { recoverable }) } };
  };
  /** Calls that the provider runs are displayed and never executed by the page. */
  const remote = (id: string, name: string | null | undefined, data: Partial<LLMAgentEventData>): AdapterEvent =>
    response({ tool_call: 'end', tool_call_id: id, tool_call_name: name ?? 'tool', tool_call_remote: true, ...data });
  const emitText = (text: string): readonly AdapterEvent[] => {
    if (text === '') return [];
    if (isInterrupted) answer.blockStart = answer.text.length;
    isInterrupted = false;
    answer.text += text;
    return [createStreamEvent.text(text)];
  };

  const takeMedia = (
    { inlineData, fileData, thought }: Part,
    raw: Readonly<Record<string, unknown>>,
  ): readonly AdapterEvent[] => {
    // A draft image belongs to the reasoning, which can't contain media.
    if (thought) return [];
    const [mimeType = ''] = (inlineData?.mimeType ?? fileData?.mimeType ?? '').toLowerCase().split(';');
    if (inlineData && mimeType === 'audio/l16') {
      audioChunks.push(inlineData.data);
      return [];
    }
    const kind = mediaKind(mimeType);
    const mediaFields = { kind, ...(mimeType && { mimeType }) };
    if (!inlineData) {
      partStore.take(raw);
      return fileData ? [response({ media: { ...mediaFields, url: fileData.fileUri } })] : [];
    }
    partStore.take({ ...raw, inlineData: { mimeType } }, { media: true });
    return [response({ media: { ...mediaFields, data: inlineData.data } })];
  };

  const takeRemote = (data: Part): readonly AdapterEvent[] => {
    const { executableCode, codeExecutionResult, toolCall, toolResponse } = data;
    if (executableCode) {
      const { id, language, code } = executableCode;
      running.code = id || newId();
      const params = JSON.stringify({ language, code });
      return [remote(running.code, 'code_execution', { tool_call: 'start', tool_call_params: params })];
    }
    if (codeExecutionResult) {
      const { id, outcome, output } = codeExecutionResult;
      const failure = outcome && outcome !== 'OUTCOME_OK' ? outcome : undefined;
      return [
        remote(id || running.code || newId(), 'code_execution', {
          tool_call_response: output ?? '',
          ...(failure && {
            tool_call: 'error',
            tool_call_error: { message: output || failure, code: failure },
          }),
        }),
      ];
    }
    if (toolCall) {
      running.tool = toolCall.id || newId();
      const params = JSON.stringify(toolCall.args ?? {});
      return [remote(running.tool, toolCall.toolType, { tool_call: 'start', tool_call_params: params })];
    }
    if (!toolResponse) return [];
    const { id, toolType, response: responseBody } = toolResponse;
    return [
      remote(id || running.tool || newId(), toolType, { tool_call_response: JSON.stringify(responseBody ?? {}) }),
    ];
  };

  const takePart = (raw: unknown, frame: Frame): readonly AdapterEvent[] => {
    const data = fit(part, raw, frame, report);
    if (!data || !isRecord(raw)) return [];
    const { text, thought, thoughtSignature, functionCall } = data;
    if (functionCall) {
      isInterrupted = true;
      return calls.take(functionCall, raw, (detail) => {
        report({ kind: 'refused', detail, frame });
      });
    }
    if (data.inlineData || data.fileData) {
      isInterrupted = true;
      return takeMedia(data, raw);
    }
    if (typeof text === 'string') {
      // The text of reasoning is not sent back, but its signature is.
      if (!thought) partStore.take(raw);
      else if (thoughtSignature) partStore.take({ ...raw, text: '' });
      if (!thought) return emitText(text);
      isInterrupted ||= text !== '';
      return text ? [createStreamEvent.reasoning(text)] : [];
    }
    if (Object.keys(raw).length > 0) partStore.take(raw);
    const events = takeRemote(data);
    if (events.length > 0) isInterrupted = true;
    else if (!thoughtSignature) report({ kind: 'unknown', detail: 'This kind of part is unknown.', frame });
    return events;
  };

  const takeCandidate = (candidate: Candidate, frame: Frame): readonly AdapterEvent[] => {
    const events = candidate.content?.parts?.flatMap((item) => takePart(item, frame)) ?? [];
    sources.take(candidate);
    const { finishReason: reason, finishMessage } = candidate;
    if (!reason || finish === 'error' || finish === 'filtered') return events;
    const known = replyEnd(reason);
    const isFiltered = known === 'filtered' && !finishMessage;
    const stopReason = NORMAL_ENDS.has(reason) ? 'complete' : known === 'max_tokens' || isFiltered ? known : undefined;
    // A finish reason that Google does not define does not invalidate a text or complete calls.
    if (!stopReason && (calls.any() || answer.text !== '') && !FAILURES.has(reason)) {
      report({ kind: 'unknown', detail: `The finish reason "${reason}" is unknown.`, frame });
      stop('complete');
      return events;
    }
    if (!stopReason) return [...events, fail(finishMessage || `The provider stopped the answer: ${reason}.`, reason)];
    stop(stopReason);
    return events;
  };

  return {
    take({ candidates, promptFeedback, usageMetadata, error }, frame) {
      const events: AdapterEvent[] = [];
      const first = candidates?.find((candidate) => candidate && !candidate.index);
      if (first) events.push(...takeCandidate(first, frame));
      const usage = usageMetadata && toUsage(usageMetadata);
      if (usage) events.push(createStreamEvent.usage(usage));
      const blocked = promptFeedback?.blockReason;
      if (blocked && !blocked.endsWith('UNSPECIFIED') && !candidates?.length) {
        events.push(fail(promptFeedback.blockReasonMessage || `The request was blocked: ${blocked}.`, blocked));
      }
      if (error)
        events.push(fail(error.message || UNKNOWN_ERROR, error.status || error.code?.toString(), isTransient(error)));
      return events;
    },
    end() {
      const recording = audioChunks.length > 0 ? pcmToWav(audioChunks) : undefined;
      const events: AdapterEvent[] = [
        ...(finish ? calls.close() : []),
        ...sources.events(answer).map(response),
        ...(recording === undefined
          ? []
          : [response({ media: { kind: 'audio', data: recording, mimeType: 'audio/wav' } })]),
      ];
      const items = partStore.items();
      if (items.length > 0)
        events.push(response({ metadata: { ...roundsMetadata(turn, { protocol: 'gemini', items }) } }));
      if (!finish) return events;
      // The parts decide, because the finish reason is also `STOP` when there are calls.
      return [...events, ...endEvents(calls.any() && finish === 'complete' ? 'tool_use' : finish, eventId)];
    },
  };
}

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
