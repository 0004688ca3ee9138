/**
 * Gemini's `streamGenerateContent`, of Google AI Studio and Vertex AI (`gemini`): server-sent events or one growing array. A
 * chunk has no type, and any of its fields may be absent. Source: `gemini.md`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { createStreamEvent, type StopReason } from '../../model/core-events.ts';
import { textOf } from '../../model/text-of.ts';
import type { Frame } from '../../transport/frame.ts';
import { detectGemini } from '../detect/providers.ts';
import { gatherCalls } from './calls.ts';
import { keepParts, toContents } from './contents.ts';
import { gatherSources } from './sources.ts';
import { toFunctions } from './tools.ts';
import { chunk, part, type Candidate, type Chunk, type Part, type Problem, type Usage } from './wire.ts';
import { sentHistory } from '../shared/history.ts';
import { pcmToWav } from '../shared/pcm-wav.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { keepRound } from '../../model/rounds.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

/** What Google documents for calls whose signature is not known; models before the third generation check none. */
const NO_SIGNATURE = 'skip_thought_signature_validator';
const UNSIGNED_MODEL = /gemini-[12]\b/;

export const gemini: Adapter = {
  id: 'gemini',
  label: 'Gemini',
  kind: 'model',
  detect: detectGemini,

  request(turn, { url, headers = {}, model, tools = [], show, ...options }) {
    const messages = sentHistory(turn);
    const address = streamUrl(url, model);
    // There are only users and models: what the system says has one place.
    const system = [systemText(options), ...messages.filter(({ role }) => role === 'system').map(textOf)];
    const instruction = system.filter(Boolean).join('\n\n');
    const signature = UNSIGNED_MODEL.test(`${model ?? ''} ${address}`) ? undefined : NO_SIGNATURE;
    return {
      url: address,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream, application/json', ...headers },
        body: {
          // A proxy with an address of its own is told the model here.
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

/** The address of a model's stream, in which the model is named. One of another form is a proxy's, and stays as it is. */
function streamUrl(url: string, model: string | undefined): string {
  const address = new URL(url);
  const path = address.pathname.replace(/^\/v1(?:alpha|beta\d*)?\/?$/, (base) => `${base.replace(/\/$/, '')}/models`);
  const [, models, given, method = 'streamGenerateContent'] =
    /^(.*\/models)(?:\/([^/:]+))?(?::(\w+))?\/?$/.exec(path) ?? [];
  const name = model === undefined ? given : encodeURIComponent(model.replace(/^models\//, ''));
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
  const kept = keepParts();
  const calls = gatherCalls({ eventId, kept, newId });
  const sources = gatherSources();
  const sound: string[] = [];
  const answer = { text: '', blockStart: 0 };
  /** Something stands between the text so far and what is said next. */
  let apart = false;
  let finish: StopReason | undefined;
  /** What the provider runs: the code, and the tool, that the next result belongs to. */
  const running = { code: '', tool: '' };

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const stop = (reason: StopReason): void => {
    finish = reason;
    ended?.();
  };
  const fail = (error: string, code?: string | null, recoverable = false): AdapterEvent => {
    stop('error');
    return { type: 'error', data: { eventId, error, ...(code && { code }), ...(recoverable && { recoverable }) } };
  };
  /** What the provider runs is shown, and never run by the page. */
  const remote = (id: string, name: string | null | undefined, data: Partial<LLMAgentEventData>): AdapterEvent =>
    response({ tool_call: 'end', tool_call_id: id, tool_call_name: name ?? 'tool', tool_call_remote: true, ...data });
  const say = (text: string): readonly AdapterEvent[] => {
    if (text === '') return [];
    if (apart) answer.blockStart = answer.text.length;
    apart = false;
    answer.text += text;
    return [createStreamEvent.text(text)];
  };

  const takeMedia = (
    { inlineData, fileData, thought }: Part,
    raw: Readonly<Record<string, unknown>>,
  ): readonly AdapterEvent[] => {
    // A draft belongs to the thoughts, which have no place for it.
    if (thought) return [];
    const [mimeType = ''] = (inlineData?.mimeType ?? fileData?.mimeType ?? '').toLowerCase().split(';');
    if (inlineData && mimeType === 'audio/l16') {
      sound.push(inlineData.data);
      return [];
    }
    const kind = kindOf(mimeType);
    const shown = { kind, ...(mimeType && { mimeType }) };
    if (!inlineData) {
      kept.take(raw);
      return fileData ? [response({ media: { ...shown, url: fileData.fileUri } })] : [];
    }
    kept.take({ ...raw, inlineData: { mimeType } }, { media: true });
    return [response({ media: { ...shown, data: inlineData.data } })];
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
    const { id, toolType, response: said } = toolResponse;
    return [remote(id || running.tool || newId(), toolType, { tool_call_response: JSON.stringify(said ?? {}) })];
  };

  const takePart = (raw: unknown, frame: Frame): readonly AdapterEvent[] => {
    const data = fit(part, raw, frame, report);
    if (!data || !isRecord(raw)) return [];
    const { text, thought, thoughtSignature, functionCall } = data;
    if (functionCall) {
      apart = true;
      return calls.take(functionCall, raw, (detail) => {
        report({ kind: 'refused', detail, frame });
      });
    }
    if (data.inlineData || data.fileData) {
      apart = true;
      return takeMedia(data, raw);
    }
    if (typeof text === 'string') {
      // The words of a thought do not go back, its signature does.
      if (!thought) kept.take(raw);
      else if (thoughtSignature) kept.take({ ...raw, text: '' });
      if (!thought) return say(text);
      apart ||= text !== '';
      return text ? [createStreamEvent.reasoning(text)] : [];
    }
    if (Object.keys(raw).length > 0) kept.take(raw);
    const events = takeRemote(data);
    if (events.length > 0) apart = true;
    else if (!thoughtSignature) report({ kind: 'unknown', detail: 'This kind of part is new.', frame });
    return events;
  };

  const takeCandidate = (candidate: Candidate, frame: Frame): readonly AdapterEvent[] => {
    const events = candidate.content?.parts?.flatMap((item) => takePart(item, frame)) ?? [];
    sources.take(candidate);
    const { finishReason: reason, finishMessage } = candidate;
    if (!reason || finish === 'error') return events;
    const known = Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
    if (!known) return [...events, fail(finishMessage || `The provider has stopped the answer: ${reason}.`, reason)];
    stop(known);
    return events;
  };

  return {
    take({ candidates, promptFeedback, usageMetadata, error }, frame) {
      const events: AdapterEvent[] = [];
      const first = candidates?.find((candidate) => candidate && !candidate.index);
      if (first) events.push(...takeCandidate(first, frame));
      const used = usageMetadata && toUsage(usageMetadata);
      if (used) events.push(createStreamEvent.usage(used));
      const blocked = promptFeedback?.blockReason;
      if (blocked && !blocked.endsWith('UNSPECIFIED') && !candidates?.length) {
        events.push(fail(promptFeedback.blockReasonMessage || `The request was blocked: ${blocked}.`, blocked));
      }
      if (error) events.push(fail(error.message || UNNAMED, error.status || error.code?.toString(), mayPass(error)));
      return events;
    },
    end() {
      const recording = sound.length > 0 ? pcmToWav(sound) : undefined;
      const events: AdapterEvent[] = [
        ...(finish ? calls.close() : []),
        ...sources.tell(answer).map(response),
        ...(recording === undefined
          ? []
          : [response({ media: { kind: 'audio', data: recording, mimeType: 'audio/wav' } })]),
      ];
      const items = kept.items();
      if (items.length > 0) events.push(response({ metadata: { ...keepRound(turn, { protocol: 'gemini', items }) } }));
      if (!finish) return events;
      // The parts are to be believed, not the reason: it is `STOP` with calls too.
      return [...events, createStreamEvent.stop(calls.any() && finish === 'complete' ? 'tool_use' : finish)];
    },
  };
}

const UNNAMED = 'The provider reports an error.';

const STOPS: Readonly<Record<string, StopReason>> = {
  STOP: 'complete',
  FINISH_REASON_UNSPECIFIED: 'complete',
  MAX_TOKENS: 'max_tokens',
};
const kindOf = (mimeType: string): Media['kind'] =>
  (['image', 'audio', 'video'] as const).find((kind) => mimeType.startsWith(`${kind}/`)) ?? 'file';

/** The first chunks of Vertex count nothing. */
function toUsage({ promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount }: Usage) {
  if (typeof promptTokenCount !== 'number' && typeof totalTokenCount !== 'number') return undefined;
  const prompt = promptTokenCount ?? 0;
  const completion = (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: totalTokenCount ?? prompt + completion };
}

/** Whether another try may help: not when the day's quota is used up. */
const mayPass = ({ code, details }: Problem): boolean =>
  [429, 500, 503, 504].includes(code ?? 0) && !JSON.stringify([details]).includes('PerDay');
