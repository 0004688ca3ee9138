/**
 * The AI SDK's data stream, versions 3 and 4, with assistant-ui's extensions (`ai-sdk-v4`). Source:
 * `docs/protocols/ai-sdk-v4.md`; AI SDK 4 documentation, "Data Stream Protocol".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { AI_SDK_V4, toV4Messages, type ReasoningDetail } from './v4-history.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import { isAffordable } from '../shared/change-budget.ts';
import { applyStateOperation, stateOperation } from '../shared/state-operations.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext, Report } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const text = z.string();
const list = z.array(z.unknown());
const json = z.exactOptional(z.unknown());
const usage = lenient(
  z.object({
    promptTokens: lenientNumber,
    completionTokens: lenientNumber,
    inputTokens: lenientNumber,
    outputTokens: lenientNumber,
  }),
);
type Usage = z.infer<typeof usage>;

/** Schema of the value after each code. */
const values = {
  0: text,
  g: text,
  i: z.object({ data: text }),
  j: z.object({ signature: text }),
  h: z.object({ id: lenientString, url: text, title: lenientString }),
  k: z.object({ data: text, mimeType: lenientString }),
  2: list,
  8: list,
  3: text,
  b: z.object({ toolCallId: text, toolName: text }),
  c: z.object({ toolCallId: text, argsTextDelta: text, isFinal: lenient(z.boolean()) }),
  9: z.object({ toolCallId: text, toolName: text, args: json }),
  a: z.object({ toolCallId: text, result: json, isError: lenient(z.boolean()) }),
  f: z.object({ messageId: lenientString }),
  /** An older dialect of phase events sends citations with this code. */
  e: z.object({
    finishReason: lenientString,
    usage,
    isContinued: lenient(z.boolean()),
    type: lenientString,
    messageId: lenient(z.coerce.string()),
  }),
  d: z.object({ finishReason: lenientString, usage }),
  'aui-state': z.array(stateOperation),
  'aui-text-delta': z.object({ textDelta: text }),
  'aui-reasoning-delta': z.object({ reasoningDelta: text }),
  'aui-data': z.object({ name: text, data: json }),
};
type Code = `${keyof typeof values}`;
type ValueOf<C> = C extends `${infer K extends keyof typeof values}` ? z.infer<(typeof values)[K]> : never;
const isCode = (code: string): code is Code => Object.hasOwn(values, code);

/** Ignored codes: obsolete ones, and one that only opens a part. */
const IGNORED = /^(?:[14-7]|aui-reasoning-part-start)$/;

/** Codes that may follow the last step without starting another one. */
const OUTSIDE_STEPS = /^(?:[28]|aui-state)$/;

export const aiSdkV4: Adapter = {
  id: AI_SDK_V4,
  label: 'AI SDK data stream',
  kind: 'agent',
  framing: 'lines',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const system = systemText(options);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/plain, text/event-stream', ...headers },
        body: {
          id: turn.threadId,
          messages: toV4Messages(turn),
          // The protocol does not define these fields; servers that need them, such as assistant-ui's, read them here.
          ...(model !== undefined && { model }),
          ...(system && { system }),
          ...(tools.length > 0 && { tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const { eventId, report } = context;
    const reply = makeReply(context);
    const response = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const frame of batch) {
        const line = readLine(frame, report);
        if (line?.code === '3') {
          events.push({ type: 'error', data: { eventId, error: reply.fail(line.value as string) } });
        } else if (frame.unfinished && !line) reply.cutOff();
        else if (line) events.push(...reply.take(line.code, line.value, frame).map(response));
      }
      yield events;
    }
    yield reply.end().map(response);
  },
};

function readLine(frame: Frame, report: Report): { readonly code: Code; readonly value: unknown } | undefined {
  const { data, unfinished } = frame;
  if (data === '' || data === '[DONE]') return undefined;
  const [, code = '', rest = ''] = /^([0-9a-z]|aui-[a-z-]+):(.*)$/s.exec(data) ?? [];
  const json = parseJson(rest);
  if (json === undefined) {
    if (!unfinished) report({ kind: 'malformed', detail: 'Not a data stream line.', frame });
    return undefined;
  }
  if (!isCode(code)) {
    if (!IGNORED.test(code)) report({ kind: 'unknown', detail: `Unknown code "${code}".`, frame });
    return undefined;
  }
  const value = fit(values[code], json, frame, report);
  return value === undefined ? undefined : { code, value };
}

function makeReply({ turn, report }: DecodeContext) {
  /** The open calls by id. `hasArguments`: their arguments are complete. */
  const calls = new Map<string, { hasArguments: boolean }>();
  const annotations: unknown[] = [];
  const reasoning: { details: ReasoningDetail[] }[] = [];
  /** Whether the reasoning continues: no other content has followed it. */
  let inReasoning = false;
  let state: unknown;
  let totalUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let failed = false;
  let finished = false;
  /** Whether the reply has any text. */
  let hasText = false;
  /** Whether the server marks its steps; then the last step must end. */
  let hasSteps = false;
  /** Whether the last line was cut off. */
  let isTruncated = false;
  /** Finish reason of the last step, if nothing has followed it. */
  let stepEnd: ReplyEnd | undefined;

  const emitText = (content: string): readonly Data[] => {
    if (content) {
      inReasoning = false;
      hasText = true;
    }
    return content ? [{ content }] : [];
  };
  const currentDetails = (): ReasoningDetail[] => {
    const last = reasoning.at(-1);
    if (inReasoning && last) return last.details;
    inReasoning = true;
    const details: ReasoningDetail[] = [];
    reasoning.push({ details });
    return details;
  };
  const emitReasoning = (chunk: string): readonly Data[] => {
    if (!chunk) return [];
    const details = currentDetails();
    const last = details.at(-1);
    if (last?.type === 'text' && last.signature === undefined) last.text += chunk;
    else details.push({ type: 'text', text: chunk });
    return [{ reasoning_content: chunk }];
  };
  const startCall = (id: string, name: string, fields: Data): Data => {
    inReasoning = false;
    const isKnown = calls.has(id);
    calls.set(id, { hasArguments: fields.tool_call_params_complete !== undefined });
    return { tool_call: isKnown ? 'running' : 'start', tool_call_id: id, tool_call_name: name, ...fields };
  };
  const reasonOf = (reason: string | null | undefined): ReplyEnd =>
    failed ? 'error' : (replyEnd(reason) ?? (calls.size > 0 ? 'tool_use' : 'complete'));
  const storeRound = (): readonly Data[] =>
    reasoning.some(({ details }) => details.some((detail) => detail.type === 'redacted' || detail.signature))
      ? [{ metadata: roundsMetadata(turn, { protocol: AI_SDK_V4, items: reasoning }) }]
      : [];
  const finish = (reason: ReplyEnd): readonly Data[] => {
    finished = true;
    return [...storeRound(), endData(reason)];
  };

  const handlers: { readonly [C in Exclude<Code, '3'>]: (value: ValueOf<C>, frame: Frame) => readonly Data[] } = {
    0: emitText,
    g: emitReasoning,
    i: ({ data }) => {
      currentDetails().push({ type: 'redacted', data });
      return [];
    },
    j: ({ signature }) => {
      const last = reasoning.at(-1)?.details.at(-1);
      if (last?.type === 'text') last.signature = signature;
      return [];
    },
    h: ({ id, url, title }) => [{ citation: { id: id ?? url, url, ...(title && { title }) } }],
    k: ({ data, mimeType }) => [{ media: mediaOf(data, mimeType ?? '') }],
    2: (items) => items.map(dataOf),
    8: (items) => {
      annotations.push(...items);
      return [{ metadata: { annotations: [...annotations] } }];
    },
    b: ({ toolCallId, toolName }) => (calls.get(toolCallId)?.hasArguments ? [] : [startCall(toolCallId, toolName, {})]),
    c: ({ toolCallId, argsTextDelta, isFinal }) => {
      const call = calls.get(toolCallId);
      // Deltas after the complete arguments are ignored.
      if (!call || call.hasArguments) return [];
      call.hasArguments = isFinal === true;
      return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: argsTextDelta }];
    },
    9: ({ toolCallId, toolName, args }) => [
      startCall(toolCallId, toolName, { tool_call_params_complete: args === undefined ? '' : asText(args) }),
    ],
    a: ({ toolCallId, result, isError }) => {
      calls.delete(toolCallId);
      const response = result === undefined ? '' : asText(result);
      return [
        { tool_call: isError ? 'error' : 'end', tool_call_id: toolCallId, tool_call_response_complete: response },
      ];
    },
    f: ({ messageId }) => {
      hasSteps = true;
      return messageId ? [{ metadata: { messageId } }] : [];
    },
    e: ({ finishReason, usage: stepUsage, isContinued, type, messageId }) => {
      if (type === 'citation' && !finishReason) {
        return messageId ? [{ citation: { id: messageId, anchor: 'end' } }] : [];
      }
      inReasoning = false;
      hasSteps = true;
      if (!isContinued) stepEnd = reasonOf(finishReason);
      const step = toUsage(stepUsage);
      if (!step) return [];
      totalUsage = {
        prompt_tokens: totalUsage.prompt_tokens + step.prompt_tokens,
        completion_tokens: totalUsage.completion_tokens + step.completion_tokens,
        total_tokens: totalUsage.total_tokens + step.total_tokens,
      };
      return [{ totalUsage }];
    },
    d: ({ finishReason, usage: finalUsage }) => {
      const total = toUsage(finalUsage);
      return [...(total ? [{ totalUsage: total }] : []), ...finish(reasonOf(finishReason))];
    },
    'aui-state': (operations, frame) => {
      if (!isAffordable(state, operations.length)) {
        report({ kind: 'malformed', detail: 'These are too many changes of the state.', frame });
        return [];
      }
      for (const operation of operations) {
        const next = applyStateOperation(state, operation);
        if (next === undefined) report({ kind: 'malformed', detail: 'This state change can’t be applied.', frame });
        else state = next;
      }
      return state === undefined ? [] : [{ state: { value: state } }];
    },
    'aui-text-delta': ({ textDelta }) => emitText(textDelta),
    'aui-reasoning-delta': ({ reasoningDelta }) => emitReasoning(reasoningDelta),
    'aui-data': ({ name, data }) => [{ data: { data_type: 'custom', data, metadata: { dataType: name } } }],
  };

  return {
    take(code: Exclude<Code, '3'>, value: unknown, frame: Frame): readonly Data[] {
      if (!OUTSIDE_STEPS.test(code)) stepEnd = undefined;
      // TypeScript cannot relate the key to the argument type; the mapped type above guarantees it.
      return handlers[code](value as never, frame);
    },
    cutOff(): void {
      isTruncated = true;
    },
    fail(message: string): string {
      failed = true;
      return message;
    },
    /**
     * Many servers end with the last step only, and some without any end event, because this protocol has no event for
     * the end of a text.
     */
    end: (): readonly Data[] => {
      if (finished) return [];
      if (stepEnd) return finish(failed ? 'error' : stepEnd);
      return hasText && calls.size === 0 && !failed && !hasSteps && !isTruncated ? finish('complete') : storeRound();
    },
  };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function dataOf(item: unknown): Data {
  const type = isRecord(item) ? item['type'] : undefined;
  return {
    data: { data_type: 'custom', data: item, ...(typeof type === 'string' && { metadata: { dataType: type } }) },
  };
}

/** Reads base64 data, which is sometimes a complete data URL. */
function mediaOf(data: string, mimeType: string): NonNullable<Data['media']> {
  const inline = parseDataUrl(data) ?? { data, mimeType };
  const type = mimeType || inline.mimeType;
  const [kind = ''] = type.split('/');
  return {
    kind: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
    data: inline.data,
    mimeType: type,
  };
}

/** assistant-ui names the counts differently; a count that the model did not provide is null. */
function toUsage(
  counts: Usage,
): { prompt_tokens: number; completion_tokens: number; total_tokens: number } | undefined {
  const prompt = counts?.promptTokens ?? counts?.inputTokens;
  const completion = counts?.completionTokens ?? counts?.outputTokens;
  if (typeof prompt !== 'number' && typeof completion !== 'number') return undefined;
  const [prompt_tokens, completion_tokens] = [prompt ?? 0, completion ?? 0];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
