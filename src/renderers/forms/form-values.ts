/** The values of a form, their validation, and the resulting answer. */
import { isRecord, parseJson } from '../../model/json.ts';
import type { FormField } from './schema-to-fields.ts';

/** The user's input in one field. */
export interface FieldValue {
  /** Text, or a number as it was typed. */
  readonly text?: string;
  readonly on?: boolean;
  /** The indexes of the chosen options. */
  readonly chosen?: readonly number[];
  /** "Other" is chosen; `text` has its value. */
  readonly other?: boolean;
}
/** Values by field key. */
export type FormValues = Readonly<Record<string, FieldValue>>;

export const keyOf = ({ path }: FormField): string => JSON.stringify(path);

/** Why a value is invalid: a key of the catalogue and its placeholder values. */
export interface Problem {
  readonly key: 'required' | 'number' | 'whole' | 'min' | 'max' | 'short' | 'long' | 'few' | 'many' | 'email' | 'url';
  readonly limit?: number;
}

/** Restores stored form values, ignoring invalid parts. */
export function readValues(stored: unknown): FormValues {
  if (!isRecord(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      if (!isRecord(value)) return [];
      const { text, on, chosen, other } = value;
      const field: FieldValue = {
        ...(typeof text === 'string' && { text }),
        ...(typeof on === 'boolean' && { on }),
        ...(Array.isArray(chosen) && { chosen: chosen.filter((index) => typeof index === 'number') }),
        ...(typeof other === 'boolean' && { other }),
      };
      return [[key, field] as const];
    }),
  );
}

/** The initial value of a field from the agent's defaults. */
export function initialOf({ kind, initial, options, input }: FormField): FieldValue {
  if (initial === undefined || initial === null) return {};
  if (kind === 'boolean') return { on: initial === true };
  if (kind === 'one' || kind === 'many') {
    const initialValues: readonly unknown[] = Array.isArray(initial) ? initial : [initial];
    const chosen = initialValues
      .map((value) => options.findIndex((option) => isSame(option.value, value)))
      .filter((index) => index >= 0);
    if (options.length > 0) return { chosen };
    return {
      text: initialValues.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'),
    };
  }
  const text = typeof initial === 'string' ? initial : JSON.stringify(initial);
  return { text: input === 'datetime-local' ? toLocal(text) : text };
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** Whether the default is no text, or has items that are none: a control shows them as JSON. */
const isJson = ({ initial }: FormField): boolean =>
  initial !== undefined &&
  initial !== null &&
  (Array.isArray(initial) ? initial.some((item) => typeof item !== 'string') : typeof initial === 'object');

/**
 * Whether a field still has the default that it began with, and its text is not all of that: several lines in one item, or
 * the seconds of a time. Saved without a change, it stays as it is. Not with options: the user sees only what is one of them.
 */
function isUntouched(field: FormField, given: FieldValue): boolean {
  const { kind, options, initial, input } = field;
  const isText = options.length === 0 && ['text', 'long', 'many'].includes(kind);
  const isLossy = (typeof initial === 'object' && initial !== null) || input === 'datetime-local';
  return isText && isLossy && initial !== undefined && JSON.stringify(given) === JSON.stringify(initialOf(field));
}

/** Formats a time for an HTML input: local, without a time zone. */
function toLocal(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function problemOf(field: FormField, given: FieldValue): Problem | undefined {
  const { kind, min, max, required, input, whole } = field;
  const value = valueOf(field, given);
  if (value === undefined) {
    if (kind === 'number' && (given.text ?? '').trim() !== '') return { key: 'number' };
    return required && kind !== 'secret' ? { key: 'required' } : undefined;
  }
  if (typeof value === 'number') {
    if (whole && !Number.isInteger(value)) return { key: 'whole' };
    return outside(value, { min, max }, 'min', 'max');
  }
  if (Array.isArray(value)) {
    if (value.some((item) => Number.isNaN(item))) return { key: 'number' };
    if (whole && value.some((item) => !Number.isInteger(item))) return { key: 'whole' };
    return outside(value.length, { min, max }, 'few', 'many');
  }
  if (typeof value !== 'string') return undefined;
  if (input === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return { key: 'email' };
  if (input === 'url' && !URL.canParse(value)) return { key: 'url' };
  return kind === 'one' ? undefined : outside(value.length, { min, max }, 'short', 'long');
}

function outside(
  size: number,
  { min, max }: { readonly min: number | undefined; readonly max: number | undefined },
  less: Problem['key'],
  more: Problem['key'],
): Problem | undefined {
  if (min !== undefined && size < min) return { key: less, limit: min };
  return max !== undefined && size > max ? { key: more, limit: max } : undefined;
}

/** The value of a field in the answer; undefined for an empty field. */
function valueOf(field: FormField, given: FieldValue): unknown {
  const { kind, options, input, numbers, initial } = field;
  const read = (line: string): unknown => (isJson(field) ? (parseJson(line) ?? line) : line);
  const { text = '', on, chosen = [], other } = given;
  const trimmed = text.trim();
  if (isUntouched(field, given)) return initial;
  switch (kind) {
    case 'secret':
      return undefined;
    case 'boolean':
      return on ?? false;
    case 'number':
      return trimmed === '' || !Number.isFinite(Number(trimmed)) ? undefined : Number(trimmed);
    case 'one':
      if (other) return trimmed === '' ? undefined : trimmed;
      return options[chosen[0] ?? -1]?.value;
    case 'many': {
      const free = options.length === 0 || other ? trimmed.split('\n').map((line) => line.trim()) : [];
      const picked = chosen.toSorted((left, right) => left - right).flatMap((index) => options[index]?.value ?? []);
      const lines = free.filter((line) => line !== '');
      const all = [...picked, ...lines.map(numbers ? Number : read)];
      return all.length === 0 ? undefined : all;
    }
    default:
      if (trimmed === '') return undefined;
      if (input !== 'datetime-local') return read(trimmed);
      // Adds the user's time zone, which HTML inputs do not include.
      return Number.isNaN(Date.parse(trimmed)) ? undefined : new Date(trimmed).toISOString();
  }
}

/** Builds the answer in the structure of the schema. */
export function answerOf(fields: readonly FormField[], values: FormValues): unknown {
  const answer: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, values[keyOf(field)] ?? {});
    if (field.path.length === 0) return value;
    if (value !== undefined) put(answer, field.path, value);
  }
  return answer;
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const inner = Object.hasOwn(target, name) ? target[name] : undefined;
  const next = rest.length === 0 ? value : isRecord(inner) ? { ...inner } : {};
  if (rest.length > 0) put(next as Record<string, unknown>, rest, value);
  // No plain assignment: the name may be `__proto__`.
  Object.defineProperty(target, name, { value: next, enumerable: true, configurable: true, writable: true });
}
