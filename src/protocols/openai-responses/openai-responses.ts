/**
 * OpenAI's Responses API and compatible servers (`openai-responses`): Azure, xAI, LM Studio, vLLM, Ollama, GitHub
 * Copilot. A response is a list of output items. Every field may be missing, null or empty.
 * Source: `docs/protocols/openai-responses.md`.
 */
import { pathSegment } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { backgroundResponse } from './background.ts';
import { PROTOCOL } from './calls.ts';
import { ResponsesReply } from './reply.ts';
import { wire } from './reply-schema.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';

/** Models without reasoning, which refuse reasoning options. */
const NON_REASONING_MODEL = /(?:^|\/)(?:gpt-[34]|chatgpt|gpt-5[\w.]*-chat)/;

export const adapter: Adapter = {
  id: PROTOCOL,
  label: 'OpenAI responses',
  kind: 'model',

  async request(turn, { url, headers = {}, body = {}, model, tools = [], show = {}, ...options }) {
    const { toInput } = await import('./history.ts');
    const instructions = systemText(options);
    const name = model ?? body['model'];
    const supportsReasoning = typeof name !== 'string' || !NON_REASONING_MODEL.test(name);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          store: false,
          // Since nothing is stored on the server, reasoning is sent encrypted and is sent back.
          ...(supportsReasoning && { include: ['reasoning.encrypted_content'] }),
          ...(supportsReasoning && show.reasoning && { reasoning: { summary: 'auto' } }),
          ...(instructions && { instructions }),
          input: toInput(sentHistory(turn), turn.answers),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) }),
        },
      },
    };
  },

  // Only a background response continues without its connection.
  cancel(turn, { url, headers = {} }) {
    const background = backgroundResponse(turn);
    return (
      background && { url: childUrl(url, `${pathSegment(background.id)}/cancel`), init: { method: 'POST', headers } }
    );
  },

  resume(turn, { url, headers = {} }) {
    const background = backgroundResponse(turn);
    if (!background) return undefined;
    const request = new URL(childUrl(url, pathSegment(background.id)));
    request.searchParams.set('stream', 'true');
    if (background.sequence !== undefined) request.searchParams.set('starting_after', String(background.sequence));
    return {
      request: { url: request.href, init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } } },
      from: background.sequence === undefined ? 'start' : 'last',
    };
  },

  async *decode(batches, context) {
    const reply = new ResponsesReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, { json, frame }));
      }
      yield [...events, ...reply.mark()];
    }
    yield reply.end();
  },
};

/** A URL below the endpoint; the query is preserved. */
function childUrl(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
  return url.href;
}
