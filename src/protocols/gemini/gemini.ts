/**
 * Gemini's `streamGenerateContent`, of Google AI Studio and Vertex AI (`gemini`): server-sent events or one
 * incremental array. A chunk has no type, and any of its fields may be missing. Source: `docs/protocols/gemini.md`.
 */
import { textOf } from '../../model/message-text.ts';
import { toContents } from './contents.ts';
import { GeminiReply } from './reply.ts';
import { toFunctions } from './tools.ts';
import { chunk } from './reply-schema.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';

/**
 * The value that Google documents for calls with an unknown signature. Models before the third generation check no
 * signatures.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';
const UNSIGNED_MODEL = /gemini-[12]\b/;

export const adapter: Adapter = {
  id: 'gemini',
  label: 'Gemini',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], show, ...options }) {
    const messages = sentHistory(turn);
    const address = streamUrl(url, model);
    // Contents have only the roles user and model: all system text goes into one field.
    const system = [systemText(options), ...messages.filter(({ role }) => role === 'system').map(textOf)];
    const instruction = system.filter(Boolean).join('\n\n');
    const signature = UNSIGNED_MODEL.test(`${model ?? ''} ${address}`) ? undefined : NO_SIGNATURE;
    return {
      url: address,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream, application/json', ...headers },
        body: {
          // A proxy with its own URL format receives the model here.
          ...(model !== undefined && !/\/(?:tunedM|m)odels\//.test(address) && { model }),
          ...(instruction && { systemInstruction: { parts: [{ text: instruction }] } }),
          contents: toContents(messages, { signature }),
          ...(tools.length > 0 && { tools: [{ functionDeclarations: toFunctions(tools) }] }),
          ...(show?.reasoning && { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new GeminiReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
          const data = fit(chunk, item, frame, context.report);
          if (data) events.push(...reply.take(data, frame));
        }
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * The URL of a model's stream, which contains the model's name. A URL of another form belongs to a proxy and is not
 * changed.
 */
function streamUrl(url: string, model: string | undefined): string {
  const address = new URL(url);
  const path = address.pathname.replace(/^\/v1(?:alpha|beta\d*)?\/?$/, (base) => `${base.replace(/\/$/, '')}/models`);
  const [, models, modelInUrl, method = 'streamGenerateContent'] =
    /^(.*\/models)(?:\/([^/:]+))?(?::(\w+))?\/?$/.exec(path) ?? [];
  const name = model === undefined ? modelInUrl : pathSegment(model.replace(/^(?:tunedM|m)odels\//, ''));
  if (models === undefined || name === undefined) return url;
  const collection = model?.startsWith('tunedModels/') ? models.replace(/models$/, 'tunedModels') : models;
  address.pathname = `${collection}/${name}:${method}`;
  if (method === 'streamGenerateContent' && !address.searchParams.has('alt')) address.searchParams.set('alt', 'sse');
  return address.href;
}
