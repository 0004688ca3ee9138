/**
 * The session events, and the schemas that validate them before they are sent. Source:
 * `docs/protocols/agent-session.md`.
 */
import { inspect } from 'node:util';

export type SessionStage = 'reasoning' | 'planning' | 'analyzing';
export type SessionFormat = 'markdown' | 'text' | 'html';

export interface SessionPayloads {
  session_start: { readonly session_id: string; readonly request_id: string };
  thinking: { readonly content: string; readonly stage?: SessionStage };
  tool_call_start: {
    readonly tool_id: string;
    readonly tool_name: string;
    readonly description: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  };
  /** The specification gives no range: 0 to 1 here. */
  tool_call_progress: { readonly tool_id: string; readonly progress: number; readonly message: string };
  tool_call_end: {
    readonly tool_id: string;
    readonly status: 'success' | 'failed';
    readonly result?: unknown;
    readonly error?: { readonly message: string; readonly code?: string };
  };
  content: { readonly content: string; readonly format?: SessionFormat; readonly is_complete?: boolean };
  data: {
    readonly data_type: 'dataframe' | 'chart' | 'image' | 'custom';
    readonly data: unknown;
    readonly metadata?: { readonly description?: string; readonly [name: string]: unknown };
  };
  error: {
    readonly error_type: 'validation' | 'execution' | 'timeout' | 'system';
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly recoverable?: boolean;
  };
  session_end: {
    readonly status: 'completed' | 'error' | 'cancelled';
    readonly summary?: {
      readonly total_tokens?: number;
      readonly duration_ms?: number;
      readonly tool_calls?: number;
    };
  };
}

export type SessionEventName = keyof SessionPayloads;

export interface SessionEvent {
  readonly type: SessionEventName;
  readonly data: SessionPayloads[SessionEventName];
  readonly metadata: {
    /** Not on `session_start`, which has it in its data. */
    readonly request_id?: string;
    /** Seconds since the epoch. */
    readonly timestamp: number;
    /** From 0, incremented with each event. */
    readonly sequence: number;
    /** Only on `tool_call_end`. */
    readonly duration_ms?: number;
  };
}

/** Describes the expected type of an invalid value. */
type Check = (value: unknown) => string | undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a string');
const name: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const record: Check = (value) => (isRecord(value) ? undefined : 'an object');
const share: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'a number from 0 to 1';
const count: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : 'a number from 0 up';
const anything: Check = (value) => (value === undefined ? 'a value' : undefined);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `one of ${values.join(', ')}`;
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isRecord(value)) return 'an object';
    for (const [field, check] of Object.entries(checks)) {
      const expected = check(value[field]);
      if (expected !== undefined) return `an object whose "${field}" is ${expected}`;
    }
    return undefined;
  };

const shapes: Readonly<Record<SessionEventName, Readonly<Record<string, Check>>>> = {
  session_start: { session_id: name, request_id: name },
  thinking: { content: text, stage: optional(oneOf('reasoning', 'planning', 'analyzing')) },
  tool_call_start: { tool_id: name, tool_name: name, description: text, arguments: record },
  tool_call_progress: { tool_id: name, progress: share, message: text },
  tool_call_end: {
    tool_id: name,
    status: oneOf('success', 'failed'),
    error: optional(fields({ message: name, code: optional(name) })),
  },
  content: { content: text, format: optional(oneOf('markdown', 'text', 'html')), is_complete: optional(flag) },
  data: {
    data_type: oneOf('dataframe', 'chart', 'image', 'custom'),
    data: anything,
    metadata: optional(fields({ description: optional(text) })),
  },
  error: {
    error_type: oneOf('validation', 'execution', 'timeout', 'system'),
    message: name,
    details: optional(record),
    recoverable: optional(flag),
  },
  session_end: {
    status: oneOf('completed', 'error', 'cancelled'),
    summary: optional(
      fields({ total_tokens: optional(count), duration_ms: optional(count), tool_calls: optional(count) }),
    ),
  },
};

/** A dataframe has a cell in every row for each of its columns; a row may also be an object by column name. */
const dataframe: Check = (value) => {
  if (!isRecord(value)) return 'an object with columns and rows';
  const { columns, rows } = value;
  if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string'))
    return 'given "columns" of names';
  if (!Array.isArray(rows)) return 'given "rows"';
  const fits = rows.every((row) => (Array.isArray(row) ? row.length === columns.length : isRecord(row)));
  return fits ? undefined : `given ${String(columns.length)} cells in each of its "rows"`;
};

/**
 * Validates an event before it is sent.
 *
 * @throws TypeError that names the field, the expected type and the actual value.
 */
export function checkSessionEvent(type: SessionEventName, data: unknown, durationMs?: number): void {
  const fail = (path: string, expected: string, value: unknown): never => {
    const actual = value === undefined ? 'missing' : inspect(value).slice(0, 80);
    throw new TypeError(`Session event "${type}": ${path} has to be ${expected}, but is ${actual}.`);
  };
  if (!Object.hasOwn(shapes, type)) throw new TypeError(`There is no session event "${type}".`);
  if (!isRecord(data)) return fail('its data', 'an object', data);
  for (const [field, check] of Object.entries(shapes[type])) {
    const expected = check(data[field]);
    if (expected !== undefined) fail(`"${field}"`, expected, data[field]);
  }
  const duration = optional(count)(durationMs);
  if (duration !== undefined) fail('its duration', duration, durationMs);
  if (type === 'tool_call_end' && data['status'] === 'failed' && data['error'] === undefined) {
    fail('"error"', 'given when the call has failed', undefined);
  }
  if (type === 'data' && data['data_type'] === 'dataframe') {
    const expected = dataframe(data['data']);
    if (expected !== undefined) fail('"data"', expected, data['data']);
  }
  return undefined;
}
