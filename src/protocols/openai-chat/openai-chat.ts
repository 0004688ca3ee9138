/**
 * OpenAI chat completions and their dialects (`openai-chat`). Every field may be missing, null or empty.
 * Source: `docs/protocols/openai-chat.md`.
 */
import { OPENAI_CHAT_PROTOCOL, toOpenAiMessages } from '../../formats/openai-messages.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { fit } from '../core/read-frames.ts';
import { makeTextFrameReader, withPlainErrors, type FrameText } from '../shared/fast-text-frames.ts';
import { detectDialect } from './dialects.ts';
import { ChatReply } from './reply.ts';
import { chunk, plainTextDelta } from './reply-schema.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';

export const adapter: Adapter = {
  id: OPENAI_CHAT_PROTOCOL,
  label: 'OpenAI chat completions',
  kind: 'model',

  request(turn, { url, headers = {}, body = {}, model, tools = [], ...options }) {
    const { requestsUsage, adapt, files, reasoning } = detectDialect(url, model ?? body['model']);
    const messages = toOpenAiMessages(sentHistory(turn), {
      system: systemText(options),
      reasoning,
      files,
    });
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          ...(requestsUsage && { stream_options: { include_usage: true } }),
          messages: adapt(messages),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new ChatReply(context);
    const read = makeTextFrameReader(plainText, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of read(withPlainErrors(batch))) {
        if ('text' in item) {
          reply.takeText(item.text, events);
          continue;
        }
        const { json, frame } = item;
        const failed = frame.event === 'error';
        const delta = failed ? undefined : plainTextDelta(json);
        const data = delta ? undefined : fit(chunk, json, frame, context.report);
        if (delta) events.push(...reply.takeDelta(delta));
        else if (data) events.push(...reply.take(data, failed));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The text of a chunk that contains only text of the answer. */
function plainText(json: unknown, { event }: Frame): FrameText<undefined> | undefined {
  const { content, reasoning_content, reasoning } = (event !== 'error' && plainTextDelta(json)) || {};
  return typeof content === 'string' && !reasoning_content && !reasoning
    ? { text: content, fields: undefined }
    : undefined;
}
