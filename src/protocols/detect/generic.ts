/** How a stream is told that has no protocol: plain words, or one document. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, Signs } from '../adapter.ts';

/** Words without any form, or server-sent events whose data are words: a number or a `true` among them is one too. */
const HANDSHAKE_BEGUN = /^\d+(?:\{(?:"(?:s(?:i(?:d(?:"(?::(?:")?)?)?)?)?)?)?)?$/;
export const detectText = ({ framing, frames, ended }: Signs): Certainty => {
  // What may be a handshake of another product is waited for: it is told by a few characters more.
  if (framing === 'text')
    return !ended && HANDSHAKE_BEGUN.test(frames.map(({ data }) => data).join('')) ? 'no' : 'sure';
  const said = frames.filter((frame) => frame.data !== '');
  const words = said.filter(({ json }) => typeof json !== 'object').length;
  if (framing !== 'sse' || words < said.length || words === 0) return 'no';
  return words > 1 ? 'sure' : 'maybe';
};

/** One whole document that nobody else knows. Among events that is an error, and nothing but an end mark behind it. */
export const detectJson = ({ framing, frames, ended }: Signs): Certainty => {
  const [first, ...others] = frames.filter(({ data }) => data !== '' && data !== '[DONE]');
  if (!ended || others.length > 0 || first?.json === undefined) return 'no';
  if (framing !== 'sse') return 'maybe';
  return isRecord(first.json) && (first.json['error'] !== undefined || first.json['type'] === 'error') ? 'maybe' : 'no';
};
