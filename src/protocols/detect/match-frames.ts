/** Helpers for protocol detection. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, SignFrame, Signs } from '../core/adapter.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns `sure` if any of the first frames matches: an error or a ping may come before the matching frame. */
export const whenAnyFrame =
  (matches: (json: Json, frame: SignFrame) => boolean) =>
  ({ frames }: Signs): Certainty =>
    frames.some((frame) => isRecord(frame.json) && matches(frame.json, frame)) ? 'sure' : 'no';

export const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

export const byPath =
  (path: RegExp, detect: (signs: Signs) => Certainty) =>
  (signs: Signs): Certainty => {
    const certainty = detect(signs);
    return certainty === 'no' && path.test(signs.url.pathname) ? 'maybe' : certainty;
  };

export const hasEvent =
  (name: RegExp) =>
  ({ frames }: Signs): Certainty =>
    frames.some(({ event, json }) => name.test(event ?? '') && isRecord(json)) ? 'sure' : 'no';
