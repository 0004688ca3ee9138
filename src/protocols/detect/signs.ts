/** What the signs of protocols are looked for with. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, SignFrame, Signs } from '../adapter.ts';

type Json = Readonly<Record<string, unknown>>;

/** Sure as soon as one of the first frames has the sign: an error or a ping may come before it. */
export const whenAnyFrame =
  (sign: (json: Json, frame: SignFrame) => boolean) =>
  ({ frames }: Signs): Certainty =>
    frames.some((frame) => isRecord(frame.json) && sign(frame.json, frame)) ? 'sure' : 'no';

export const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

export const byPath =
  (path: RegExp, detect: (signs: Signs) => Certainty) =>
  (signs: Signs): Certainty => {
    const found = detect(signs);
    return found === 'no' && path.test(signs.url.pathname) ? 'maybe' : found;
  };

export const hasEvent =
  (name: RegExp) =>
  ({ frames }: Signs): Certainty =>
    frames.some(({ event, json }) => name.test(event ?? '') && isRecord(json)) ? 'sure' : 'no';
