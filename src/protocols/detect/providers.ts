/** How the providers of models are told. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, Signs } from '../adapter.ts';
import { whenAnyFrame } from './signs.ts';

/** The empty first chunk of Azure has only `choices: []`. */
export const detectOpenAiChat = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(({ choices, object }) => {
    if (!Array.isArray(choices)) return false;
    const first: unknown = choices[0];
    const named = typeof object === 'string' && /^(?:chat\.completion|text_completion)/.test(object);
    return named || (isRecord(first) && (isRecord(first['delta']) || isRecord(first['message'])));
  })(signs);
  if (sure === 'sure') return 'sure';
  return signs.url.pathname.endsWith('/chat/completions') ? 'maybe' : 'no';
};

/** One of its chunks, or a URL that names its methods. Its API for OpenAI's clients has other addresses and other chunks. */
export const detectGemini = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ candidates, promptFeedback, usageMetadata, modelVersion }) =>
      (Array.isArray(candidates) && candidates.every(isRecord)) ||
      isRecord(promptFeedback) ||
      (isRecord(usageMetadata) && typeof modelVersion === 'string'),
  )(signs);
  if (sure === 'sure') return 'sure';
  const { hostname, pathname } = signs.url;
  const google =
    hostname === 'generativelanguage.googleapis.com' && /^\/v1\w*(?:\/models(?:\/[^/:]+)?)?\/?$/.test(pathname);
  return google || /:(?:streamG|g)enerateContent$/.test(pathname) ? 'maybe' : 'no';
};

/** `/api/chat` alone is everybody's: the port, or the host, must be its own. */
export const detectOllama = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ model, created_at, done, message, response }) =>
      typeof model === 'string' &&
      typeof created_at === 'string' &&
      typeof done === 'boolean' &&
      (isRecord(message) || typeof response === 'string'),
  )(signs);
  if (sure === 'sure') return 'sure';
  const { port, hostname, pathname } = signs.url;
  const own = port === '11434' || /(?:^|\.)ollama\.com$/.test(hostname) || pathname.startsWith('/ollama/');
  return own && /^\/$|\/api\/(?:chat|generate)$/.test(pathname) ? 'maybe' : 'no';
};

/** Its first event, any numbered one, or a whole response. The Realtime API's events, which look alike, have an `event_id`. */
export const detectOpenAiResponses = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(({ type, object, response, output, event_id, sequence_number }, { event }) => {
    if (event_id !== undefined) return false;
    if (type === undefined && object === 'response' && sequence_number === undefined) return Array.isArray(output);
    const name = typeof type === 'string' ? type : (event ?? '');
    if (/^response\.(?:created|queued|in_progress)$/.test(name)) return isRecord(response);
    return name.startsWith('response.') && typeof sequence_number === 'number';
  })(signs);
  if (sure === 'sure') return 'sure';
  return /\/responses\/?$/.test(signs.url.pathname) ? 'maybe' : 'no';
};

/** A reply that was not streamed is told from an AgentScope message, which has an `object`. */
export const detectAnthropic = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ type, message, content_block, content, stop_reason, object }) =>
      (type === 'message_start' && isRecord(message) && message['type'] === 'message') ||
      (type === 'content_block_start' && isRecord(content_block)) ||
      (type === 'message' && Array.isArray(content) && stop_reason !== undefined && object === undefined),
  )(signs);
  if (sure === 'sure') return sure;
  const path = signs.url.pathname;
  return /\/v1\/messages$|\/publishers\/anthropic\/.+:(?:streamR|r)awPredict$/.test(path) ? 'maybe' : 'no';
};

/** The name has a hyphen where Anthropic's has an underscore. A reply that was not streamed says in capitals why it ended. */
export const detectCohere = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ type, finish_reason, message }) =>
      type === 'message-start' ||
      (typeof finish_reason === 'string' &&
        /^[A-Z_]+$/.test(finish_reason) &&
        isRecord(message) &&
        message['role'] === 'assistant'),
  )(signs);
  if (sure === 'sure') return sure;
  return signs.url.pathname === '/v2/chat' ? 'maybe' : 'no';
};
