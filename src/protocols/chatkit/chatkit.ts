/**
 * ChatKit servers (`chatkit`), such as those of OpenAI's Python SDK. Source: openai/chatkit-python, `chatkit/types.py` and
 * `chatkit/server.py`, commit dacc133 of 2026-05-19, read 2026-11-23.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { parseJson } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import type { WidgetModule } from './items.ts';
import { ChatKitReply } from './reply.ts';
import { chatKitFeedback, chatKitRequest, type ChatKitState } from './request.ts';
import { chatKitEventSchema } from './reply-schema.ts';

export const adapter: Adapter<ChatKitState> = {
  id: 'chatkit',
  label: 'ChatKit',
  kind: 'agent',
  request: chatKitRequest,
  feedback: chatKitFeedback,
  // A request answers one item.
  nextAnswers: ([first, ...others]) => [
    ...(first ? [first] : []),
    ...others.filter(({ extra }) => extra?.['chatKitItem'] === first?.extra?.['chatKitItem']),
  ],

  async *decode(batches, context) {
    const { eventId, providerState } = context;
    const reply = new ChatKitReply(context);
    if (providerState && Object.keys(providerState).length > 0)
      yield [{ type: 'response', data: { eventId, metadata: { ...providerState } } }];
    let isTruncated = false;
    let widgets: WidgetModule | undefined;
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      isTruncated ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(chatKitEventSchema, json, frame, context.report);
        if (frame.data.includes('"widget')) widgets ??= await import('./widget.ts');
        if (event) events.push(...reply.take(event, frame, widgets));
      }
      yield events;
    }
    // The stream has no end event.
    if (!isTruncated) yield reply.end();
  },
};
