/**
 * The AI SDK's data stream, versions 3 and 4, with the extensions of assistant-ui, a React library (`ai-sdk-v4`). Source:
 * `docs/protocols/ai-sdk-v4.md`; AI SDK 4 documentation, "Data Stream Protocol".
 */
import type { Adapter, AdapterEvent } from '../core/adapter.ts';
import { systemText } from '../shared/system-text.ts';
import { AI_SDK_V4, toV4Messages } from './v4-history.ts';
import { V4Reply } from './v4-reply.ts';
import { readV4Line } from './v4-reply-schema.ts';

export const adapter: Adapter = {
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
    const reply = new V4Reply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const frame of batch) {
        const line = readV4Line(frame, context.report);
        if (line) events.push(...reply.take(line.code, line.value, frame));
        else if (frame.unfinished) reply.cutOff();
      }
      yield events;
    }
    yield reply.end();
  },
};
