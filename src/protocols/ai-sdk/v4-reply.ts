/** Converts the lines of the AI SDK's data stream to the events of one reply. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { isAffordable } from '../shared/change-budget.ts';
import { errorMessage } from '../shared/error-message.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { applyStateOperation } from '../shared/state-operations.ts';
import { AI_SDK_V4, type ReasoningDetail } from './v4-history.ts';
import type { V4Code, V4Usage, V4Value } from './v4-reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Tokens = NonNullable<Data['totalUsage']>;

/** Codes that may follow the last step without starting another one. */
const OUTSIDE_STEPS = /^(?:[28]|aui-state)$/;

/** The state of one reply, and what a line changes in it. */
export class V4Reply {
  readonly #context: DecodeContext;
  /** The open calls by id. `hasArguments`: their arguments are complete. */
  readonly #calls = new Map<string, { hasArguments: boolean }>();
  readonly #annotations: unknown[] = [];
  readonly #reasoning: { readonly details: ReasoningDetail[] }[] = [];
  /** Whether the reasoning continues: no other content has followed it. */
  #inReasoning = false;
  #state: unknown;
  #totalUsage: Tokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  #hasFailed = false;
  #isFinished = false;
  /** Whether the reply has any text. */
  #hasText = false;
  /** Whether the server marks its steps; then the last step must end. */
  #hasSteps = false;
  /** Whether the last line was cut off. */
  #isTruncated = false;
  /** Finish reason of the last step, if nothing has followed it. */
  #stepEnd: ReplyEnd | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(code: V4Code, value: unknown, frame: Frame): readonly AdapterEvent[] {
    const { eventId } = this.#context;
    if (code === '3') {
      this.#hasFailed = true;
      const error = typeof value === 'string' ? value : (errorMessage(value) ?? 'The agent reported an error.');
      return [{ type: 'error', data: { eventId, error } }];
    }
    if (!OUTSIDE_STEPS.test(code)) this.#stepEnd = undefined;
    // TypeScript cannot relate the key to the argument type; the mapped type of the table guarantees it.
    return this.#responses(HANDLERS[code](this, value as never, frame));
  }

  cutOff(): void {
    this.#isTruncated = true;
  }

  /**
   * Many servers end with the last step only, and some without any end event, because this protocol has no event for the end
   * of a text.
   */
  end(): readonly AdapterEvent[] {
    if (this.#isFinished) return [];
    if (this.#stepEnd) return this.#responses(this.finish(this.#hasFailed ? 'error' : this.#stepEnd));
    const isOpen = this.#calls.size > 0 || this.#hasFailed || this.#hasSteps || this.#isTruncated;
    return this.#responses(this.#hasText && !isOpen ? this.finish('complete') : this.#storeRound());
  }

  addText(content: string): readonly Data[] {
    if (content === '') return [];
    this.#inReasoning = false;
    this.#hasText = true;
    return [{ content }];
  }

  addReasoning(chunk: string): readonly Data[] {
    if (chunk === '') return [];
    const details = this.#currentDetails();
    const last = details.at(-1);
    if (last?.type === 'text' && last.signature === undefined) last.text += chunk;
    else details.push({ type: 'text', text: chunk });
    return [{ reasoning_content: chunk }];
  }

  addRedacted(data: string): readonly Data[] {
    this.#currentDetails().push({ type: 'redacted', data });
    return [{ reasoning_hidden: true }];
  }

  signReasoning(signature: string): readonly Data[] {
    const last = this.#reasoning.at(-1)?.details.at(-1);
    if (last?.type === 'text') last.signature = signature;
    return [];
  }

  annotate(items: readonly unknown[]): readonly Data[] {
    this.#annotations.push(...items);
    return [{ metadata: { annotations: [...this.#annotations] } }];
  }

  /** Starts a call whose arguments follow. */
  openCall(id: string, name: string): readonly Data[] {
    return this.#calls.get(id)?.hasArguments ? [] : [this.#startCall(id, name, {})];
  }

  addArguments({ toolCallId, argsTextDelta, isFinal }: V4Value<'c'>): readonly Data[] {
    const call = this.#calls.get(toolCallId);
    // Deltas after the complete arguments are ignored.
    if (!call || call.hasArguments) return [];
    call.hasArguments = isFinal === true;
    return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: argsTextDelta }];
  }

  takeCall({ toolCallId, toolName, args }: V4Value<'9'>): readonly Data[] {
    const params = args === undefined ? '' : asText(args);
    return [this.#startCall(toolCallId, toolName, { tool_call_params_complete: params })];
  }

  /** A preliminary result is followed by another one. */
  endCall({ toolCallId, result, isError, isPreliminary }: V4Value<'a'>): readonly Data[] {
    if (!isPreliminary) this.#calls.delete(toolCallId);
    const response = result === undefined ? '' : asText(result);
    const state = isPreliminary ? 'running' : isError ? 'error' : 'end';
    return [{ tool_call: state, tool_call_id: toolCallId, tool_call_response_complete: response }];
  }

  startStep({ messageId }: V4Value<'f'>): readonly Data[] {
    this.#hasSteps = true;
    return messageId ? [{ metadata: { messageId } }] : [];
  }

  endStep({ finishReason, usage, isContinued, type, messageId }: V4Value<'e'>): readonly Data[] {
    if (type === 'citation' && !finishReason) return messageId ? [{ citation: { id: messageId, anchor: 'end' } }] : [];
    this.#inReasoning = false;
    this.#hasSteps = true;
    if (!isContinued) this.#stepEnd = this.#endOf(finishReason);
    const step = toTokens(usage);
    if (!step) return [];
    const total = this.#totalUsage;
    this.#totalUsage = {
      prompt_tokens: total.prompt_tokens + step.prompt_tokens,
      completion_tokens: total.completion_tokens + step.completion_tokens,
      total_tokens: total.total_tokens + step.total_tokens,
    };
    return [{ totalUsage: this.#totalUsage }];
  }

  endMessage({ finishReason, usage }: V4Value<'d'>): readonly Data[] {
    const total = toTokens(usage);
    return [...(total ? [{ totalUsage: total }] : []), ...this.finish(this.#endOf(finishReason))];
  }

  changeState(operations: V4Value<'aui-state'>, frame: Frame): readonly Data[] {
    const { report } = this.#context;
    if (!isAffordable(this.#state, operations.length)) {
      report({ kind: 'malformed', detail: 'These are too many changes of the state.', frame });
      return [];
    }
    for (const operation of operations) {
      const next = applyStateOperation(this.#state, operation);
      if (next === undefined) report({ kind: 'malformed', detail: 'This state change can’t be applied.', frame });
      else this.#state = next;
    }
    return this.#state === undefined ? [] : [{ state: { value: this.#state } }];
  }

  finish(end: ReplyEnd): readonly Data[] {
    this.#isFinished = true;
    return [...this.#storeRound(), endData(end)];
  }

  #endOf(reason: string | null | undefined): ReplyEnd {
    return this.#hasFailed ? 'error' : (replyEnd(reason) ?? (this.#calls.size > 0 ? 'tool_use' : 'complete'));
  }

  #startCall(id: string, name: string, fields: Data): Data {
    this.#inReasoning = false;
    const isKnown = this.#calls.has(id);
    this.#calls.set(id, { hasArguments: fields.tool_call_params_complete !== undefined });
    return { tool_call: isKnown ? 'running' : 'start', tool_call_id: id, tool_call_name: name, ...fields };
  }

  #currentDetails(): ReasoningDetail[] {
    const last = this.#reasoning.at(-1);
    if (this.#inReasoning && last) return last.details;
    this.#inReasoning = true;
    const details: ReasoningDetail[] = [];
    this.#reasoning.push({ details });
    return details;
  }

  /** Stores reasoning that is signed or redacted: it must be sent back unchanged. */
  #storeRound(): readonly Data[] {
    const isSigned = this.#reasoning.some(({ details }) =>
      details.some((detail) => detail.type === 'redacted' || detail.signature),
    );
    const round = { protocol: AI_SDK_V4, items: this.#reasoning };
    return isSigned ? [{ metadata: roundsMetadata(this.#context.turn, round) }] : [];
  }

  #responses(items: readonly Data[]): readonly AdapterEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

/** What each code does. */
const HANDLERS: {
  readonly [Code in Exclude<V4Code, '3'>]: (reply: V4Reply, value: V4Value<Code>, frame: Frame) => readonly Data[];
} = {
  0: (reply, content) => reply.addText(content),
  g: (reply, chunk) => reply.addReasoning(chunk),
  i: (reply, { data }) => reply.addRedacted(data),
  j: (reply, { signature }) => reply.signReasoning(signature),
  h: (_, { id, url, title }) => [{ citation: { id: id ?? url, url, ...(title && { title }) } }],
  k: (_, { data, mimeType }) => [{ media: mediaOf(data, mimeType ?? '') }],
  2: (_, items) => items.map(dataOf),
  8: (reply, items) => reply.annotate(items),
  b: (reply, { toolCallId, toolName }) => reply.openCall(toolCallId, toolName),
  c: (reply, delta) => reply.addArguments(delta),
  9: (reply, call) => reply.takeCall(call),
  a: (reply, result) => reply.endCall(result),
  f: (reply, step) => reply.startStep(step),
  // The older format of the protocol `agent-phase` sends citations with this code.
  e: (reply, step) => reply.endStep(step),
  d: (reply, ending) => reply.endMessage(ending),
  'aui-state': (reply, operations, frame) => reply.changeState(operations, frame),
  'aui-text-delta': (reply, { textDelta }) => reply.addText(textDelta),
  'aui-reasoning-delta': (reply, { reasoningDelta }) => reply.addReasoning(reasoningDelta),
  'aui-data': (_, { name, data }) => [{ data: { data_type: 'custom', data, metadata: { dataType: name } } }],
};

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
function toTokens(counts: V4Usage): Tokens | undefined {
  const prompt = counts?.promptTokens ?? counts?.inputTokens;
  const completion = counts?.completionTokens ?? counts?.outputTokens;
  if (typeof prompt !== 'number' && typeof completion !== 'number') return undefined;
  const [prompt_tokens, completion_tokens] = [prompt ?? 0, completion ?? 0];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
