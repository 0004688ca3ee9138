import { isRecord, isTooDeep, parseServerJson } from '../../model/json.ts';
import type { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from './adapter.ts';

/** A frame and its data parsed as JSON. */
export interface JsonFrame {
  readonly json: unknown;
  readonly frame: Frame;
}

/**
 * Parses frames as JSON. Frames that are not JSON are reported and skipped. End marks and empty frames are skipped
 * without a report, and so is a truncated frame, because the end of the reply reports that. If a frame of several
 * lines is not JSON as a whole, each line is parsed: some servers write consecutive `data` lines without a blank
 * line.
 */
export function readJsonFrames(frames: readonly Frame[], report: Report): readonly JsonFrame[] {
  // A list instead of a generator: yielding each value takes as long as parsing a short one.
  const read: JsonFrame[] = [];
  for (const frame of frames) {
    if (frame.data === '' || frame.data === '[DONE]') continue;
    const json = parseServerJson(frame.data);
    if (json !== undefined) read.push({ json, frame });
    else if (frame.data.includes('\n')) {
      const lines = frame.data.split('\n').map((data) => ({ ...frame, data }));
      for (const line of readJsonFrames(lines, report)) read.push(line);
    } else if (!frame.unfinished) {
      const detail = isTooDeep(frame.data) ? 'This is nested too deeply.' : 'This is not JSON.';
      report({ kind: 'malformed', detail, frame });
    }
  }
  return read;
}

/**
 * Parses frames with an adapter's schema. A frame that does not match is reported: as `unknown` when only its kind is
 * new, which is not an error, otherwise as `malformed`. Neither ends the stream.
 */
export function* readFrames<Schema extends z.ZodMiniType>(
  schema: Schema,
  frames: readonly Frame[],
  report: Report,
): Generator<z.infer<Schema>> {
  for (const { json, frame } of readJsonFrames(frames, report)) {
    const value = fit(schema, json, frame, report);
    if (value !== undefined) yield value;
  }
}

/** Validates a value with a schema. Reports a mismatch and returns undefined for it. */
export function fit<Schema extends z.ZodMiniType>(
  schema: Schema,
  json: unknown,
  frame: Frame,
  report: Report,
): z.infer<Schema> | undefined {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // An `invalid_union` without inner errors means that no option of the union has the `type` of the frame.
  const isUnknownKind = issue?.code === 'invalid_union' && issue.errors.length === 0;
  report({
    kind: isUnknownKind ? 'unknown' : 'malformed',
    detail: isUnknownKind
      ? 'This kind of message is unknown.'
      : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not match the schema'}`,
    frame,
  });
  return undefined;
}

/** The object without fields that are null: some servers write missing values as null. */
export const withoutNulls = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;
