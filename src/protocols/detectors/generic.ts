/** Detection of streams without a protocol: plain text, or one JSON document. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionInput } from '../core/adapter.ts';
import { isNamedEnd } from '../core/named-end.ts';

/** A comment that a proxy turned into data, such as OpenRouter's ": OPENROUTER PROCESSING". */
const COMMENT = /^: [A-Z]+(?: [A-Z]+)*$/;
/** Matches an incomplete engine.io handshake, such as `0{"si`. Chainlit sends one, see `unsupported-products.ts`. */
const HANDSHAKE_BEGUN = /^\d+(?:\{(?:"(?:s(?:i(?:d(?:"(?::(?:")?)?)?)?)?)?)?)?$/;

/** The start of a JSON object. If the frame is not valid JSON, it was truncated or damaged; later ones identify the stream. */
const BROKEN_JSON = /^\s*(?:\[\s*)?\{\s*"/;

/** Plain text, or server-sent events whose data is plain text. A number or a `true` among them counts as text too. */
export const detectText = ({ framing, frames, ended }: DetectionInput): Certainty => {
  // Waits if the text may be the start of a handshake: a few more characters will decide.
  if (framing === 'text')
    return !ended && HANDSHAKE_BEGUN.test(frames.map(({ data }) => data).join('')) ? 'no' : 'sure';
  const contentFrames = frames.filter((frame) => frame.data !== '' && !COMMENT.test(frame.data) && !isNamedEnd(frame));
  // If there is nothing but an error as plain text, the error is the reply.
  const isOnlyError =
    contentFrames.length === 0 && frames.some(({ event, json }) => event === 'error' && !isRecord(json));
  if (framing === 'sse' && isOnlyError) return ended ? 'maybe' : 'no';
  const countedFrames = ended
    ? contentFrames
    : contentFrames.filter(({ json, data }) => json !== undefined || !BROKEN_JSON.test(data));
  const textFrames = countedFrames.filter(({ json }) => typeof json !== 'object').length;
  if (framing !== 'sse' || textFrames < countedFrames.length || textFrames === 0) return 'no';
  // JSON strings are left to `json-stream`, because their quotes must not be shown.
  if (countedFrames.every(({ json }) => typeof json === 'string')) return 'no';
  return textFrames > 1 ? 'sure' : 'maybe';
};

/**
 * One complete document that matches no other protocol. In an event stream it must be an error, with at most an end
 * mark after it.
 */
export const detectJson = ({ framing, frames, ended }: DetectionInput): Certainty => {
  const [first, ...others] = frames.filter(({ data }) => data !== '' && data !== '[DONE]');
  if (!ended || others.length > 0 || first?.json === undefined) return 'no';
  if (framing !== 'sse') return 'maybe';
  return isRecord(first.json) &&
    (first.event === 'error' || first.json['error'] !== undefined || first.json['type'] === 'error')
    ? 'maybe'
    : 'no';
};
