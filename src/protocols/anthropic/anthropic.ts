/**
 * Anthropic's Messages API and compatible servers (`anthropic`). Source: `docs/protocols/anthropic.md`; Anthropic API
 * reference, "Messages".
 */
import { textOf } from '../../model/message-text.ts';
import { toAnthropicMessages } from './messages.ts';
import { AnthropicReply } from './reply.ts';
import { anthropicEvent, type AnthropicEvent } from './reply-schema.ts';
import type { EventOf } from '../shared/handlers.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import { makeTextFrameReader, withPlainErrors, type FrameText } from '../shared/fast-text-frames.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';

/** Default of `max_tokens`, which every request must set. The page's `body` can override it. */
const MAX_TOKENS = 4096;

export const adapter: Adapter = {
  id: 'anthropic',
  label: 'Anthropic Messages',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const history = sentHistory(turn);
    const last = history.at(-1);
    const system = [systemText(options), ...history.filter(({ role }) => role === 'system').map(textOf)];
    // A container, the sandbox of Anthropic's code execution, lives for minutes: only the reply that uses it continues in it.
    const container = last?.role === 'assistant' ? last.metadata?.['containerId'] : undefined;
    return {
      url,
      init: {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'anthropic-version': '2023-06-01',
          'anthropic-dangerous-direct-browser-access': 'true',
          ...headers,
        },
        body: {
          ...(model !== undefined && { model }),
          max_tokens: MAX_TOKENS,
          stream: true,
          ...(system.some(Boolean) && { system: system.filter(Boolean).join('\n\n') }),
          messages: toAnthropicMessages(history),
          ...(tools.length > 0 && {
            tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
          }),
          ...(typeof container === 'string' && { container }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new AnthropicReply(context);
    const read = makeTextFrameReader(readTextDelta, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of read(withPlainErrors(batch))) {
        if ('text' in item) {
          events.push(...reply.take(textDelta(item.fields.index, item.text)));
          continue;
        }
        const { json, frame } = item;
        const data = isBlockDelta(json) ? json : fit(anthropicEvent, withType(json, frame), frame, context.report);
        if (data) events.push(...reply.take(data));
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * Checks a `content_block_delta` without the schema. Nearly all events are of this kind, and this check costs a fraction of
 * the schema.
 */
function isBlockDelta(json: unknown): json is EventOf<AnthropicEvent, 'content_block_delta'> {
  if (!isRecord(json) || json['type'] !== 'content_block_delta' || !Number.isFinite(json['index'])) return false;
  const { delta } = json;
  return isRecord(delta) && typeof delta['type'] === 'string';
}

/** Reads a text delta of the answer, and the index of its content block. Undefined if the delta has other fields too. */
function readTextDelta(json: unknown): FrameText<{ readonly index: number }> | undefined {
  if (!isBlockDelta(json) || json.delta.type !== 'text_delta') return undefined;
  const { text } = json.delta;
  for (const name in json.delta) if (name !== 'type' && name !== 'text') return undefined;
  return typeof text === 'string' ? { text, fields: { index: json.index } } : undefined;
}

const textDelta = (index: number, text: string): EventOf<AnthropicEvent, 'content_block_delta'> => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});

/** Some gateways send frames without `type`: errors in their own format, and events whose type is only the SSE event's name. */
const withType = (json: unknown, { event }: Frame): unknown =>
  isRecord(json) && json['type'] === undefined ? { ...json, type: json['error'] ? 'error' : event } : json;
