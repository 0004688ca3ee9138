/**
 * Servers of the AI SDK 5, 6 and 7 (`ai-sdk`): the UI message stream. Source: `ai-sdk-ui-message-stream.md`.
 */
import { continuedMessage, messageIdOf, PROTOCOL, toUiMessages } from './history.ts';
import { makeReply, unknownId } from './reply.ts';
import { chunk, dataChunk, wordsOf } from './wire.ts';
import { segment } from '../shared/beside-url.ts';
import { detectAiSdk } from '../detect/servers.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../shared/read-frames.ts';
import { readerOfWords } from '../shared/read-words.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent } from '../adapter.ts';

export const aiSdk: Adapter = {
  id: PROTOCOL,
  label: 'AI SDK UI messages',
  kind: 'agent',
  detect: detectAiSdk,

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const system = systemText(options);
    const old = turn.fork?.by === 'regenerate' ? turn.fork.reply : undefined;
    const named = old ?? continuedMessage(turn);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          id: turn.threadId,
          messages: toUiMessages(turn),
          trigger: old ? 'regenerate-message' : 'submit-message',
          ...(named && { messageId: messageIdOf(named) }),
          // The protocol has no place for these; servers that want them look here.
          ...(model !== undefined && { model }),
          ...(system && { system }),
          ...(tools.length > 0 && {
            tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])),
          }),
        },
      },
    };
  },

  resume({ threadId }, { url, headers = {} }) {
    const running = new URL(url);
    running.pathname = `${running.pathname.replace(/\/+$/, '')}/${segment(threadId)}/stream`;
    const request = {
      url: running.href,
      init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    };
    return { request, from: 'start' };
  },

  async *decode(batches, context) {
    const { eventId, report } = context;
    const reply = makeReply(context);
    const tell = (data: object): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    const read = readerOfWords(wordsOf, report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const said of read(batch)) {
        if ('words' in said) {
          const { type, id } = said.facts;
          const words = reply.grow({ type, id, delta: said.words });
          if (words) events.push(tellWords(eventId, type, words));
          else if (words === undefined) report({ kind: 'malformed', detail: unknownId(id), frame: said.frame });
          continue;
        }
        const { json, frame } = said;
        const named = isRecord(json) && typeof json['type'] === 'string' && json['type'].startsWith('data-');
        if (named) {
          const data = fit(dataChunk, json, frame, report);
          if (data) events.push(...reply.takeData(data).map(tell));
          continue;
        }
        const data = fit(chunk, json, frame, report);
        if (!data) continue;
        const told = reply.take(data);
        if (typeof told === 'string') report({ kind: 'malformed', detail: told, frame });
        else events.push(...told.map(tell));
        if (data.type === 'error') events.push({ type: 'error', data: { eventId, error: data.errorText } });
      }
      yield events;
    }
    yield reply.end().map(tell);
  },
};

const tellWords = (eventId: string, type: 'text-delta' | 'reasoning-delta', words: string): AdapterEvent => ({
  type: 'response',
  data: type === 'text-delta' ? { eventId, content: words } : { eventId, reasoning_content: words },
});
