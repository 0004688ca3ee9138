import { isRecord, isTooDeep, parseJson } from '../../model/json.ts';
import type { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from '../adapter.ts';

/** One frame as JSON, and the text it was. */
export interface JsonFrame {
  readonly json: unknown;
  readonly frame: Frame;
}

/**
 * The frames as JSON. What is none is reported and skipped; end marks and empty frames are nothing, and neither is one that
 * was cut off, since the end of the reply tells that. A frame of several lines that is no JSON as a whole is read line by
 * line: some servers put `data` lines under one another without a blank.
 */
export function readJsonFrames(frames: readonly Frame[], report: Report): readonly JsonFrame[] {
  // A list and no generator: to yield each of them takes as long as to parse a short one.
  const read: JsonFrame[] = [];
  for (const frame of frames) {
    if (frame.data === '' || frame.data === '[DONE]') continue;
    const json = parseJson(frame.data);
    if (json !== undefined) read.push({ json, frame });
    else if (frame.data.includes('\n')) {
      const lines = frame.data.split('\n').map((data) => ({ ...frame, data }));
      for (const line of readJsonFrames(lines, report)) read.push(line);
    } else if (!frame.unfinished) {
      const detail = isTooDeep(frame.data) ? 'This is nested too deep.' : 'This is not JSON.';
      report({ kind: 'malformed', detail, frame });
    }
  }
  return read;
}

/**
 * The frames as what an adapter's schema says. One that does not fit is reported: as `unknown` when only its kind is new,
 * which is no fault, else as `malformed`. Neither ends the stream.
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

/** A value by its schema, or undefined after a report. */
export function fit<Schema extends z.ZodMiniType>(
  schema: Schema,
  json: unknown,
  frame: Frame,
  report: Report,
): z.infer<Schema> | undefined {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknown = issue?.code === 'invalid_union' && issue.errors.length === 0;
  report({
    kind: unknown ? 'unknown' : 'malformed',
    detail: unknown
      ? 'This kind of message is new.'
      : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'}`,
    frame,
  });
  return undefined;
}

/** The fields that say something: some servers write what is absent as null. */
export const withoutNulls = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;
