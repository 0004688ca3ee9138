/**
 * DeepChat strong-typed events (`deepchat-events`), either layer: a model's core events or an agent's. Source: the "LLM Agent
 * message architecture design" document; its page is `seed-deepchat-events.md`.
 */
import { llmAgentEventData, toolCallState } from '../model/agent-events.ts';
import { createStreamEvent, llmCoreStreamEvent, stopReason } from '../model/core-events.ts';
import { messageTypeOf, type AgentMessage, type AgentMessageContent } from '../model/agent-message.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { z } from '../model/schema.ts';
import { detectDeepchatEvents } from './detect/own.ts';
import { sentHistory } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { fit } from './shared/read-frames.ts';
import { readerOfWords, type Words } from './shared/read-words.ts';
import type { Adapter, AdapterEvent, Answer } from './adapter.ts';

// Newer servers send more states than the document names. A new one must not cost the words that came with it.
const wireData = z.extend(llmAgentEventData, { tool_call: z.exactOptional(z.string()) });
const agentLayer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response'), data: wireData }),
  z.object({
    type: z.literal('error'),
    data: z.object({
      eventId: z.string(),
      error: z.string(),
      code: z.exactOptional(z.string()),
      recoverable: z.exactOptional(z.boolean()),
    }),
  }),
  z.object({
    type: z.literal('end'),
    data: z.object({ eventId: z.string(), userStop: z._default(z.boolean(), false) }),
  }),
]);

export const deepchatEvents: Adapter = {
  id: 'deepchat-events',
  label: 'DeepChat events',
  kind: 'agent',
  detect: detectDeepchatEvents,

  request(turn, { url, headers = {} }) {
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream, application/x-ndjson', ...headers },
        body: {
          messages: sentHistory(turn).map(toAgentMessage),
          ...(turn.answers.length > 0 && { permissions: turn.answers.map(toDecision) }),
        },
      },
    };
  },

  async *decode(batches, { report }) {
    const read = readerOfWords(wordsOf, report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const said of read(batch)) {
        if ('words' in said) {
          events.push(tellWords(said));
          continue;
        }
        const { json, frame } = said;
        if (!isRecord(json) || !isRecord(json['data'])) {
          // An object schema keeps its own fields only: those of another member are never merged.
          const core = fit(llmCoreStreamEvent, withKnownReason(json), frame, report);
          if (core) events.push(core);
          continue;
        }
        const event = fit(agentLayer, json, frame, report);
        if (event?.type === 'response') {
          const { tool_call, ...data } = event.data;
          const state = toolCallState.safeParse(tool_call);
          events.push({ type: 'response', data: { ...data, ...(state.success && { tool_call: state.data }) } });
          if (tool_call !== undefined && !state.success) {
            report({ kind: 'unknown', detail: `The tool call state "${tool_call}" is new.`, frame });
          }
        } else if (event) events.push(event);
      }
      yield events;
    }
  },
};

/** The words of an event that is nothing else, as nearly all are, and the id that an agent gives it. */
function wordsOf(json: unknown): Words<{ readonly eventId?: string }> | undefined {
  if (!isRecord(json)) return undefined;
  const { type, content, data } = json;
  if (type === 'text' && data === undefined && typeof content === 'string') return { words: content, facts: {} };
  if (type !== 'response' || !isRecord(data)) return undefined;
  const { eventId, content: words } = data;
  if (typeof eventId !== 'string' || typeof words !== 'string') return undefined;
  for (const name in data) if (name !== 'eventId' && name !== 'content') return undefined;
  return { words, facts: { eventId } };
}

const tellWords = ({ words, facts: { eventId } }: Words<{ readonly eventId?: string }>): AdapterEvent =>
  eventId === undefined ? createStreamEvent.text(words) : { type: 'response', data: { eventId, content: words } };

/** Section 9: newer servers stop for reasons of their own. That they stop is what counts. */
const withKnownReason = (json: unknown): unknown =>
  isRecord(json) && json['type'] === 'stop' && !stopReason.safeParse(json['stop_reason']).success
    ? { ...json, stop_reason: 'complete' }
    : json;

/** Section 8. */
function toAgentMessage(message: ChatMessage): AgentMessage {
  const content = contentOf(message);
  return {
    id: message.id,
    type: messageTypeOf(content),
    role: message.role === 'tool' ? 'agent' : message.role,
    ...(message.agentId !== undefined && { agentId: message.agentId }),
    content,
    metadata: {},
    timestamp: message.timestamp,
  };
}

/** What the page gave in that form goes as it is; else the words, with a picture and a file, for which there is one place each. */
function contentOf({ blocks, metadata, ...message }: ChatMessage): AgentMessageContent {
  const given = metadata?.['content'];
  if (isRecord(given)) return given;
  const picture = blocks.find((block) => block.type === 'image')?.image_data;
  const file = blocks.find((block) => block.type === 'file');
  return {
    text: textOf({ blocks, ...message }),
    ...(picture && message.role === 'user' && { image: picture }),
    ...(file?.data !== undefined && {
      file: { name: file.name ?? '', content: file.data, mimeType: file.mimeType ?? '' },
    }),
  };
}

/** Section 7: the wire does not define an answer; it carries the decision with what identifies it. */
const toDecision = ({ decision, toolCallId, extra, note }: Answer): Readonly<Record<string, unknown>> => ({
  tool_call_id: toolCallId,
  decision,
  permissionType: extra?.['permissionType'],
  serverName: extra?.['serverName'],
  ...(note !== undefined && { note }),
});
