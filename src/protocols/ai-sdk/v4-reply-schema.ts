/** The lines of the AI SDK's data stream: a code and a JSON value. */
import { parseJson } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from '../core/adapter.ts';
import { fit } from '../core/read-frames.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { stateOperation } from '../shared/state-operations.ts';

const text = z.string();
const list = z.array(z.unknown());
const json = z.exactOptional(z.unknown());
const usage = lenient(
  z.object({
    promptTokens: lenientNumber,
    completionTokens: lenientNumber,
    inputTokens: lenientNumber,
    outputTokens: lenientNumber,
  }),
);
export type V4Usage = z.infer<typeof usage>;

/** Schema of the value after each code. */
const values = {
  0: text,
  g: text,
  i: z.object({ data: text }),
  j: z.object({ signature: text }),
  h: z.object({ id: lenientString, url: text, title: lenientString }),
  k: z.object({ data: text, mimeType: lenientString }),
  2: list,
  8: list,
  /** Text; some servers send an object. */
  3: z.unknown(),
  b: z.object({ toolCallId: text, toolName: text }),
  c: z.object({ toolCallId: text, argsTextDelta: text, isFinal: lenient(z.boolean()) }),
  9: z.object({ toolCallId: text, toolName: text, args: json }),
  a: z.object({ toolCallId: text, result: json, isError: lenient(z.boolean()), isPreliminary: lenient(z.boolean()) }),
  f: z.object({ messageId: lenientString }),
  /** The older format of the protocol `agent-phase` sends citations with this code. */
  e: z.object({
    finishReason: lenientString,
    usage,
    isContinued: lenient(z.boolean()),
    type: lenientString,
    messageId: lenient(z.coerce.string()),
  }),
  d: z.object({ finishReason: lenientString, usage }),
  'aui-state': z.array(stateOperation),
  'aui-text-delta': z.object({ textDelta: text }),
  'aui-reasoning-delta': z.object({ reasoningDelta: text }),
  'aui-data': z.object({ name: text, data: json }),
};
export type V4Code = `${keyof typeof values}`;
/** The value after a code. */
export type V4Value<C> = C extends `${infer K extends keyof typeof values}` ? z.infer<(typeof values)[K]> : never;
const isCode = (code: string): code is V4Code => Object.hasOwn(values, code);

/** Ignored codes: obsolete ones, and one that only opens a part. */
const IGNORED = /^(?:[14-7]|aui-reasoning-part-start)$/;

/** Reads a line. Returns undefined for one without a known code or a valid value. */
export function readV4Line(
  frame: Frame,
  report: Report,
): { readonly code: V4Code; readonly value: unknown } | undefined {
  const { data, unfinished } = frame;
  if (data === '' || data === '[DONE]') return undefined;
  const [, code = '', rest = ''] = /^([0-9a-z]|aui-[a-z-]+):(.*)$/s.exec(data) ?? [];
  const json = parseJson(rest);
  if (json === undefined) {
    if (!unfinished) report({ kind: 'malformed', detail: 'Not a data stream line.', frame });
    return undefined;
  }
  if (!isCode(code)) {
    if (!IGNORED.test(code)) report({ kind: 'unknown', detail: `Unknown code "${code}".`, frame });
    return undefined;
  }
  const value = fit(values[code], json, frame, report);
  return value === undefined ? undefined : { code, value };
}
