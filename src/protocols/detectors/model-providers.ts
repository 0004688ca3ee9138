/** Detection of model provider protocols. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionInput } from '../core/adapter.ts';
import { byPath, whenAnyFrame } from './match-frames.ts';

/** Azure's first chunk has an empty list of `choices` and no `object`: a later chunk decides. */
export const detectOpenAiChat = byPath(
  /\/chat\/completions$/,
  whenAnyFrame(({ choices, object }) => {
    if (!Array.isArray(choices)) return false;
    const first: unknown = choices[0];
    const named = typeof object === 'string' && /^(?:chat\.completion|text_completion)/.test(object);
    return named || (isRecord(first) && (isRecord(first['delta']) || isRecord(first['message'])));
  }),
);

/**
 * Matches a chunk or a URL that names a Gemini method. Google's OpenAI-compatible API has other URLs and chunks. Events of
 * ADK contain Gemini's fields too, but also an author or an id of their invocation.
 */
export const detectGemini = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame(
    ({ candidates, promptFeedback, usageMetadata, modelVersion, author, invocationId, invocation_id }) =>
      [author, invocationId, invocation_id].every((field) => field === undefined) &&
      ((Array.isArray(candidates) && candidates.every(isRecord)) ||
        isRecord(promptFeedback) ||
        (isRecord(usageMetadata) && typeof modelVersion === 'string')),
  )(input);
  if (frameCertainty === 'sure') return 'sure';
  const { hostname, pathname } = input.url;
  const isGooglePath =
    hostname === 'generativelanguage.googleapis.com' && /^\/v1\w*(?:\/models(?:\/[^/:]+)?)?\/?$/.test(pathname);
  return isGooglePath || /:(?:streamG|g)enerateContent$/.test(pathname) ? 'maybe' : 'no';
};

/** A complete interaction has an `object` instead of an `event_type`. */
export const detectGeminiInteractions = byPath(
  /\/v1\w*\/interactions\/?$/,
  whenAnyFrame(({ event_type: type, object, steps, interaction, step, delta, interaction_id }) => {
    if (type === undefined) return object === 'interaction' && Array.isArray(steps);
    if (typeof type !== 'string' || !/^(?:interaction\.(?:created|status_update|completed)|step\.\w+)$/.test(type))
      return false;
    return isRecord(interaction) || isRecord(step) || isRecord(delta) || typeof interaction_id === 'string';
  }),
);

/** The path `/api/chat` is not specific: the port or the host must be Ollama's. */
export const detectOllama = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame(
    ({ model, created_at, done, message, response }) =>
      typeof model === 'string' &&
      typeof created_at === 'string' &&
      typeof done === 'boolean' &&
      (isRecord(message) || typeof response === 'string'),
  )(input);
  if (frameCertainty === 'sure') return 'sure';
  const { port, hostname, pathname } = input.url;
  const isOwnHost = port === '11434' || /(?:^|\.)ollama\.com$/.test(hostname) || pathname.startsWith('/ollama/');
  return isOwnHost && /^\/$|\/api\/(?:chat|generate)$/.test(pathname) ? 'maybe' : 'no';
};

/** Events of Snowflake's Cortex Agents, which have similar names and are numbered too. */
const CORTEX = /^response\.(?:status|text|thinking|tool_(?:use|result)|chart|table)(?:\.|$)/;

/**
 * Matches its first event, any numbered event, or a complete response. The similar events of the Realtime API have an
 * `event_id`.
 */
export const detectOpenAiResponses = byPath(
  /\/responses\/?$/,
  whenAnyFrame(({ type, object, response, output, event_id, sequence_number }, { event }) => {
    if (event_id !== undefined) return false;
    if (type === undefined && object === 'response' && sequence_number === undefined) return Array.isArray(output);
    const name = typeof type === 'string' ? type : (event ?? '');
    if (/^response\.(?:created|queued|in_progress)$/.test(name)) return isRecord(response);
    return name.startsWith('response.') && typeof sequence_number === 'number' && !CORTEX.test(name);
  }),
);

/** A reply without streaming is distinguished from an AgentScope message, which has an `object` field. */
export const detectAnthropic = byPath(
  /\/v1\/messages$|\/publishers\/anthropic\/.+:(?:streamR|r)awPredict$/,
  whenAnyFrame(
    ({ type, message, content_block, content, stop_reason, object }) =>
      (type === 'message_start' && isRecord(message) && message['type'] === 'message') ||
      (type === 'content_block_start' && isRecord(content_block)) ||
      (type === 'message' && Array.isArray(content) && stop_reason !== undefined && object === undefined),
  ),
);

/**
 * The event name has a hyphen where Anthropic's has an underscore. A reply without streaming has an uppercase
 * `finish_reason`.
 */
export const detectCohere = byPath(
  /^\/v2\/chat$/,
  whenAnyFrame(
    ({ type, finish_reason, message }) =>
      type === 'message-start' ||
      (typeof finish_reason === 'string' &&
        /^[A-Z_]+$/.test(finish_reason) &&
        isRecord(message) &&
        message['role'] === 'assistant'),
  ),
);
