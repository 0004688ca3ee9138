/**
 * Servers of AI SDK 5, 6 and 7 (`ai-sdk`): the UI message stream. Source: `docs/protocols/ai-sdk.md`; AI SDK documentation,
 * "Stream Protocols".
 */
import { toUiChunk } from './full-stream.ts';
import { continuedMessage, messageIdOf, AI_SDK, toUiMessages } from './history.ts';
import { unknownIdMessage, UiReply } from './reply.ts';
import { uiChunkSchema, dataChunkSchema, readTextChunk } from './reply-schema.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import { groupTextFrames, makeTextFrameReader } from '../shared/fast-text-frames.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';

export const adapter: Adapter = {
  id: AI_SDK,
  label: 'AI SDK UI messages',
  kind: 'agent',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const system = systemText(options);
    const replacedReply = turn.fork?.by === 'regenerate' ? turn.fork.reply : undefined;
    const targetMessage = replacedReply ?? continuedMessage(turn);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          id: turn.threadId,
          messages: toUiMessages(turn),
          trigger: replacedReply ? 'regenerate-message' : 'submit-message',
          ...(targetMessage && { messageId: messageIdOf(targetMessage) }),
          // The protocol does not define these fields; servers that need them read them here.
          ...(model !== undefined && { model }),
          ...(system && { system }),
          ...(tools.length > 0 && {
            tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])),
          }),
        },
      },
    };
  },

  resumesRound: true,
  resume({ threadId }, { url, headers = {} }) {
    const streamUrl = new URL(url);
    streamUrl.pathname = `${streamUrl.pathname.replace(/(?<!\/)\/+$/, '')}/${pathSegment(threadId)}/stream`;
    const request = {
      url: streamUrl.href,
      init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    };
    return { request, from: 'start' };
  },

  async *decode(batches, context) {
    const { eventId, report } = context;
    const reply = new UiReply(context);
    const response = (data: object): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    const read = makeTextFrameReader(readTextChunk, report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of groupTextFrames(read(batch))) {
        if ('frames' in item) {
          const { type, id } = item.fields;
          const shown = reply.grow({ type, id, delta: item.frames.map(({ text }) => text).join('') });
          for (const { text, frame } of item.frames) {
            if (shown === undefined) report({ kind: 'malformed', detail: unknownIdMessage(id), frame });
            else if (shown && text) events.push(textEvent(eventId, type, text));
          }
          continue;
        }
        const { frame } = item;
        const json = toUiChunk(item.json);
        const isDataChunk = isRecord(json) && typeof json['type'] === 'string' && json['type'].startsWith('data-');
        if (isDataChunk) {
          const data = fit(dataChunkSchema, json, frame, report);
          if (data) events.push(...reply.takeData(data).map(response));
          continue;
        }
        const data = fit(uiChunkSchema, json, frame, report);
        if (!data) continue;
        const decoded = reply.take(data);
        if (typeof decoded === 'string') report({ kind: 'malformed', detail: decoded, frame });
        else events.push(...decoded.map(response));
        if (data.type === 'error') events.push({ type: 'error', data: { eventId, error: data.errorText } });
      }
      yield events;
    }
    yield reply.end().map(response);
  },
};

const textEvent = (eventId: string, type: 'text-delta' | 'reasoning-delta', text: string): AdapterEvent => ({
  type: 'response',
  data: type === 'text-delta' ? { eventId, content: text } : { eventId, reasoning_content: text },
});
