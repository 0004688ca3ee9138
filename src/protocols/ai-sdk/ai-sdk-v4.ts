/** The AI SDK's data stream, versions 3 and 4, with assistant-ui's extensions (`ai-sdk-v4`). Source: `ai-sdk-data-stream.md`. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import { z } from '../../model/schema.ts';
import { PROTOCOL, toV4Messages, type ThoughtDetail } from './v4-history.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { detectAiSdkV4 } from '../detect/servers.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fit } from '../shared/read-frames.ts';
import { keepRound } from '../../model/rounds.ts';
import { operate, stateOperation } from '../shared/state-operations.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext, Report } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const text = z.string();
const list = z.array(z.unknown());
const json = z.exactOptional(z.unknown());
const usage = maybe(
  z.object({
    promptTokens: maybeNumber,
    completionTokens: maybeNumber,
    inputTokens: maybeNumber,
    outputTokens: maybeNumber,
  }),
);
type Usage = z.infer<typeof usage>;

/** What stands behind each code. */
const values = {
  0: text,
  g: text,
  i: z.object({ data: text }),
  j: z.object({ signature: text }),
  h: z.object({ id: maybeText, url: text, title: maybeText }),
  k: z.object({ data: text, mimeType: maybeText }),
  2: list,
  8: list,
  3: text,
  b: z.object({ toolCallId: text, toolName: text }),
  c: z.object({ toolCallId: text, argsTextDelta: text, isFinal: maybe(z.boolean()) }),
  9: z.object({ toolCallId: text, toolName: text, args: json }),
  a: z.object({ toolCallId: text, result: json, isError: maybe(z.boolean()) }),
  f: z.object({ messageId: maybeText }),
  /** An old dialect of phase events has its citations here. */
  e: z.object({
    finishReason: maybeText,
    usage,
    isContinued: maybe(z.boolean()),
    type: maybeText,
    messageId: maybe(z.coerce.string()),
  }),
  d: z.object({ finishReason: maybeText, usage }),
  'aui-state': z.array(stateOperation),
  'aui-text-delta': z.object({ textDelta: text }),
  'aui-reasoning-delta': z.object({ reasoningDelta: text }),
  'aui-data': z.object({ name: text, data: json }),
};
type Code = `${keyof typeof values}`;
type ValueOf<C> = C extends `${infer K extends keyof typeof values}` ? z.infer<(typeof values)[K]> : never;
const isCode = (code: string): code is Code => Object.hasOwn(values, code);

/** Obsolete ones, and one that only opens a part. */
const SILENT = /^(?:[14-7]|aui-reasoning-part-start)$/;

/** What may come behind the last step without opening another. */
const BESIDE = /^(?:[28]|aui-state)$/;

const finishReasons = new Map<string, FinishReason>([
  ['length', 'max_tokens'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'error'],
  ['error', 'error'],
]);

export const aiSdkV4: Adapter = {
  id: PROTOCOL,
  label: 'AI SDK data stream',
  kind: 'agent',
  framing: 'lines',
  detect: detectAiSdkV4,

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
          // The protocol has no place for these; servers that want them, such as assistant-ui's, look here.
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
    const tell = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const frame of batch) {
        const line = readLine(frame, report);
        if (line?.code === '3') {
          events.push({ type: 'error', data: { eventId, error: reply.fail(line.value as string) } });
        } else if (line) events.push(...reply.take(line.code, line.value, frame).map(tell));
      }
      yield events;
    }
    yield reply.end().map(tell);
  },
};

function readLine(frame: Frame, report: Report): { readonly code: Code; readonly value: unknown } | undefined {
  const { data, unfinished } = frame;
  if (data === '' || data === '[DONE]') return undefined;
  const [, code = '', rest = ''] = /^([0-9a-z]|aui-[a-z-]+):(.*)$/s.exec(data) ?? [];
  const json = parseJson(rest);
  if (json === undefined) {
    if (!unfinished) report({ kind: 'malformed', detail: 'This is no line of a data stream.', frame });
    return undefined;
  }
  if (!isCode(code)) {
    if (!SILENT.test(code)) report({ kind: 'unknown', detail: `The code "${code}" is new.`, frame });
    return undefined;
  }
  const value = fit(values[code], json, frame, report);
  return value === undefined ? undefined : { code, value };
}

function makeReply({ turn, report }: DecodeContext) {
  /** The open calls by id; `whole`: their arguments are complete. */
  const calls = new Map<string, { whole: boolean }>();
  const annotations: unknown[] = [];
  const thoughts: { details: ThoughtDetail[] }[] = [];
  /** The thoughts go on: nothing else was said behind them. */
  let thinking = false;
  let state: unknown;
  let used = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let failed = false;
  let finished = false;
  /** The last step has ended, and nothing has come behind it. */
  let stepEnd: FinishReason | undefined;
  /** It ends with an error of which nothing more is told. */
  let unexplained = false;

  const say = (content: string): readonly Data[] => {
    if (content) thinking = false;
    return content ? [{ content }] : [];
  };
  const detailsNow = (): ThoughtDetail[] => {
    const last = thoughts.at(-1);
    if (thinking && last) return last.details;
    thinking = true;
    const details: ThoughtDetail[] = [];
    thoughts.push({ details });
    return details;
  };
  const think = (words: string): readonly Data[] => {
    if (!words) return [];
    const details = detailsNow();
    const last = details.at(-1);
    if (last?.type === 'text' && last.signature === undefined) last.text += words;
    else details.push({ type: 'text', text: words });
    return [{ reasoning_content: words }];
  };
  const begin = (id: string, name: string, more: Data): Data => {
    thinking = false;
    const known = calls.has(id);
    calls.set(id, { whole: more.tool_call_params_complete !== undefined });
    return { tool_call: known ? 'running' : 'start', tool_call_id: id, tool_call_name: name, ...more };
  };
  const reasonOf = (reason: string | null | undefined): FinishReason => {
    unexplained = reason === 'error';
    return failed ? 'error' : (finishReasons.get(reason ?? '') ?? (calls.size > 0 ? 'tool_use' : 'complete'));
  };
  const keep = (): readonly Data[] =>
    thoughts.some(({ details }) => details.some((detail) => detail.type === 'redacted' || detail.signature))
      ? [{ metadata: keepRound(turn, { protocol: PROTOCOL, items: thoughts }) }]
      : [];
  const finish = (reason: FinishReason): readonly Data[] => {
    finished = true;
    return [...keep(), ...(unexplained && !failed ? [{ metadata: { failed: true } }] : []), { finish: reason }];
  };

  const handlers: { readonly [C in Exclude<Code, '3'>]: (value: ValueOf<C>, frame: Frame) => readonly Data[] } = {
    0: say,
    g: think,
    i: ({ data }) => {
      detailsNow().push({ type: 'redacted', data });
      return [];
    },
    j: ({ signature }) => {
      const last = thoughts.at(-1)?.details.at(-1);
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
    b: ({ toolCallId, toolName }) => (calls.get(toolCallId)?.whole ? [] : [begin(toolCallId, toolName, {})]),
    c: ({ toolCallId, argsTextDelta, isFinal }) => {
      const call = calls.get(toolCallId);
      // What comes behind the whole arguments is late.
      if (!call || call.whole) return [];
      call.whole = isFinal === true;
      return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: argsTextDelta }];
    },
    9: ({ toolCallId, toolName, args }) => [
      begin(toolCallId, toolName, { tool_call_params_complete: args === undefined ? '' : asText(args) }),
    ],
    a: ({ toolCallId, result, isError }) => {
      calls.delete(toolCallId);
      const response = result === undefined ? '' : asText(result);
      return [
        { tool_call: isError ? 'error' : 'end', tool_call_id: toolCallId, tool_call_response_complete: response },
      ];
    },
    f: ({ messageId }) => (messageId ? [{ metadata: { messageId } }] : []),
    e: ({ finishReason, usage: counted, isContinued, type, messageId }) => {
      if (type === 'citation' && !finishReason) {
        return messageId ? [{ citation: { id: messageId, anchor: 'end' } }] : [];
      }
      thinking = false;
      if (!isContinued) stepEnd = reasonOf(finishReason);
      const step = toUsage(counted);
      if (!step) return [];
      used = {
        prompt_tokens: used.prompt_tokens + step.prompt_tokens,
        completion_tokens: used.completion_tokens + step.completion_tokens,
        total_tokens: used.total_tokens + step.total_tokens,
      };
      return [{ totalUsage: used }];
    },
    d: ({ finishReason, usage: counted }) => {
      const total = toUsage(counted);
      return [...(total ? [{ totalUsage: total }] : []), ...finish(reasonOf(finishReason))];
    },
    'aui-state': (operations, frame) => {
      for (const operation of operations) {
        const next = operate(state, operation);
        if (next === undefined) report({ kind: 'malformed', detail: 'This change of the state can’t be made.', frame });
        else state = next;
      }
      return state === undefined ? [] : [{ state: { value: state } }];
    },
    'aui-text-delta': ({ textDelta }) => say(textDelta),
    'aui-reasoning-delta': ({ reasoningDelta }) => think(reasoningDelta),
    'aui-data': ({ name, data }) => [{ data: { data_type: 'custom', data, metadata: { dataType: name } } }],
  };

  return {
    take(code: Exclude<Code, '3'>, value: unknown, frame: Frame): readonly Data[] {
      if (!BESIDE.test(code)) stepEnd = undefined;
      // TypeScript cannot tie the key to the argument; the mapped type above is the proof.
      return handlers[code](value as never, frame);
    },
    fail(message: string): string {
      failed = true;
      return message;
    },
    /** Many servers say only that their last step has ended. */
    end: (): readonly Data[] => (finished ? [] : stepEnd ? finish(failed ? 'error' : stepEnd) : keep()),
  };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function dataOf(item: unknown): Data {
  const type = isRecord(item) ? item['type'] : undefined;
  return {
    data: { data_type: 'custom', data: item, ...(typeof type === 'string' && { metadata: { dataType: type } }) },
  };
}

/** base64, sometimes as a whole data URL. */
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

/** assistant-ui has other names for the numbers; a model that did not count has null. */
function toUsage(given: Usage): { prompt_tokens: number; completion_tokens: number; total_tokens: number } | undefined {
  const prompt = given?.promptTokens ?? given?.inputTokens;
  const completion = given?.completionTokens ?? given?.outputTokens;
  if (typeof prompt !== 'number' && typeof completion !== 'number') return undefined;
  const [prompt_tokens, completion_tokens] = [prompt ?? 0, completion ?? 0];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
