/** The values of a form, their validation, and the resulting answer. */
import { isRecord, parseJson } from '../../model/json.ts';
import { withoutInvisible } from '../../safety/urls.ts';
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

/**
 * The initial value of a field from the agent's defaults. A default that the control can't show exactly is not used: the
 * user would send it without seeing it.
 */
export function initialOf({ kind, initial, options, input }: FormField): FieldValue {
  if (initial === undefined || initial === null) return {};
  if (kind === 'boolean') return { on: initial === true };
  const items: readonly unknown[] = kind === 'many' && Array.isArray(initial) ? initial : [initial];
  if (options.length > 0) {
    const indexes = items.map((value) => options.findIndex((option) => isSame(option.value, value)));
    return { chosen: [...new Set(indexes)].filter((index) => index >= 0) };
  }
  if (items.some(isRounded)) return {};
  const text = items.map(textOf).join('\n');
  if (!input) return { text };
  const shown = input === 'datetime-local' ? toLocal(text) : text;
  return canShow(input, shown) ? { text: shown } : {};
}

/** A default as text. */
const textOf = (value: unknown): string => withoutInvisible(typeof value === 'string' ? value : JSON.stringify(value));

/** Whether a number may have been rounded: JavaScript reads integers exactly only up to 2⁵³ − 1. */
const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

/** Whether an input shows the value unchanged. It discards dates that don't exist, and line ends. */
function canShow(type: NonNullable<FormField['input']>, value: string): boolean {
  const control = document.createElement('input');
  control.type = type;
  control.value = value;
  return value !== '' && control.value === value;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** Whether the default is an object, or a list with items that are not text: the control shows those as JSON. */
const isJson = ({ initial }: FormField): boolean =>
  initial !== undefined &&
  initial !== null &&
  (Array.isArray(initial) ? initial.some((item) => typeof item !== 'string') : typeof initial === 'object');

/**
 * Whether a field still has the default that it began with, and its text is not all of that: several lines in one item, or
 * the seconds of a time. Such a default is sent unchanged. Not with options: the user sees only defaults that are options.
 */
function isUntouched(field: FormField, given: FieldValue): boolean {
  const { kind, options, initial, input } = field;
  const isText = options.length === 0 && ['text', 'long', 'many'].includes(kind);
  const isLossy = typeof initial === 'object' || input === 'datetime-local';
  if (!isText || !isLossy || initial === undefined || given.text === undefined) return false;
  const json = JSON.stringify(initial);
  return json === withoutInvisible(json) && JSON.stringify(given) === JSON.stringify(initialOf(field));
}

/** ISO 8601 only: browsers also read a date out of a sentence. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** Formats a time for an HTML input: local, without a time zone. */
function toLocal(text: string): string {
  const [, day = ''] = MOMENT.exec(text) ?? [];
  const time = Date.parse(text);
  if (!canShow('date', day) || Number.isNaN(time)) return '';
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

/** `NaN` if the number would be rounded: the answer is what the user has entered. */
const numberOf = (text: string): number => (isRounded(Number(text)) ? NaN : Number(text));

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
      return trimmed === '' || !Number.isFinite(numberOf(trimmed)) ? undefined : numberOf(trimmed);
    case 'one':
      if (other) return trimmed === '' ? undefined : trimmed;
      return options[chosen[0] ?? -1]?.value;
    case 'many': {
      const free = options.length === 0 || other ? trimmed.split('\n').map((line) => line.trim()) : [];
      const picked = chosen.toSorted((left, right) => left - right).flatMap((index) => options[index]?.value ?? []);
      const lines = free.filter((line) => line !== '');
      const all = [...picked, ...lines.map(numbers ? numberOf : read)];
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
