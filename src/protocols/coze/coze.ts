/**
 * Coze's chat API (`coze`), also for chat workflows. Source: `docs/protocols/coze.md`; Coze developer documentation, "Chat".
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import { CozeReply } from './reply.ts';
import { cozeCancel, cozeRequest } from './request.ts';
import { cozeData } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'coze',
  label: 'Coze',
  kind: 'agent',
  request: cozeRequest,
  cancel: cozeCancel,

  async *decode(batches, context) {
    const reply = new CozeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const parsed = cozeData.safeParse(json);
        if (parsed.success) events.push(...reply.take(parsed.data, frame));
        // The end mark is a JSON string here.
        else if (json !== '[DONE]') context.report({ kind: 'malformed', detail: 'Not a Coze event.', frame });
      }
      yield events;
    }
    yield reply.end();
  },
};
