/** Helpers for protocol detection. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionFrame, DetectionInput } from '../core/adapter.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns `sure` if any of the first frames matches: an error or a ping may come before the matching frame. */
export const whenAnyFrame =
  (matches: (json: Json, frame: DetectionFrame, frames: readonly DetectionFrame[]) => boolean) =>
  ({ frames }: DetectionInput): Certainty =>
    frames.some((frame) => isRecord(frame.json) && matches(frame.json, frame, frames)) ? 'sure' : 'no';

export const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

export const byPath =
  (path: RegExp, detect: (input: DetectionInput) => Certainty) =>
  (input: DetectionInput): Certainty => {
    const certainty = detect(input);
    return certainty === 'no' && path.test(input.url.pathname) ? 'maybe' : certainty;
  };

export const hasEvent =
  (name: RegExp) =>
  ({ frames }: DetectionInput): Certainty =>
    frames.some(({ event, json }) => name.test(event ?? '') && isRecord(json)) ? 'sure' : 'no';
