/** Extracts the error message for the user from an error response of any form. */
import { isRecord, parseJson } from '../../model/json.ts';

/** Maximum depth of nested errors. */
const MAX_DEPTH = 6;

/** Fields that may contain a message, in order of preference. */
const FIELDS = [
  'message',
  'detail',
  'errorText',
  'error_message',
  'errorMessage',
  'error_description',
  'msg',
  'error',
  'errors',
  'reason',
  'title',
  'data',
  'content',
  'cause',
] as const;

/**
 * Extracts the message: from the `error`, `message`, `detail` or similar field of an object, from the first item of a
 * list, or from JSON inside a string. Never returns a stack trace or a web page. Returns undefined if there is no
 * message.
 */
export function errorMessage(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === 'string') return fromText(value, depth);
  if (Array.isArray(value)) return validationErrors(value) ?? errorMessage(value[0], depth + 1);
  return isRecord(value) ? fromObject(value, depth) : undefined;
}

function fromText(text: string, depth: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('<')) return undefined;
  const json = /^(?:[[{"]|(?:null|true|false)$)/.test(trimmed) ? parseJson(trimmed) : undefined;
  return json === undefined ? withoutStack(trimmed) : errorMessage(json, depth + 1);
}

function fromObject(value: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  const nested = [value['error'], value['detail']].filter(isRecord);
  const candidates = [...nested, ...FIELDS.map((name) => value[name])].flatMap(
    (field) => errorMessage(field, depth + 1) ?? [],
  );
  // A sentence in another field is preferred to a code such as `invalid_request`.
  return candidates.find((message) => !CODE.test(message)) ?? candidates[0];
}

/** An error code instead of a sentence. */
const CODE = /^[\w.:-]+$/;

/** Formats the list of validation errors of FastAPI, a framework of Python servers: `[{loc, msg}]`. */
function validationErrors(list: readonly unknown[]): string | undefined {
  const errors = list.flatMap((item) => {
    if (!isRecord(item) || typeof item['msg'] !== 'string') return [];
    const fieldPrefix = Array.isArray(item['loc']) ? `${(item['loc'] as unknown[]).join('.')}: ` : '';
    return [fieldPrefix + item['msg']];
  });
  return errors.length > 0 ? errors.join('; ') : undefined;
}

/** Whether a line belongs to a stack trace of JavaScript, Java, Python or Go. */
const isStackLine = (line: string): boolean =>
  (/^\s+at \S/.test(line) && (line.endsWith(')') || /:\d+:\d+$/.test(line))) ||
  (line.trimStart().startsWith('File "') && line.includes('", line ')) ||
  /^\s+\.{3} \d+ more$/.test(line) ||
  /^goroutine \d/.test(line);

/** Removes the stack trace. Of a Python traceback only the last line, which has the message, is returned. */
function withoutStack(text: string): string | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  if (/^Traceback \(most recent call last\):?$/.test(lines[0] ?? '')) return lines.findLast((line) => /^\S/.test(line));
  const stack = lines.findIndex((line, index) => index > 0 && isStackLine(line));
  return (stack < 0 ? text : lines.slice(0, stack).join('\n')).trim() || undefined;
}
