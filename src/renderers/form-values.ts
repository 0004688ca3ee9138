/** What stands in a form, whether it can go out, and the answer that it makes. */
import { isRecord } from '../model/json.ts';
import type { FormField } from './form-fields.ts';

/** What a reader has put into one field. */
export interface FieldValue {
  /** Words, or a number as it was typed. */
  readonly text?: string;
  readonly on?: boolean;
  /** The chosen options, by their places. */
  readonly chosen?: readonly number[];
  /** Something else is chosen, and `text` says what. */
  readonly other?: boolean;
}
/** By the fields' keys. */
export type FormValues = Readonly<Record<string, FieldValue>>;

export const keyOf = ({ path }: FormField): string => JSON.stringify(path);

/** Why a field's value can't go out: a sentence of the catalogue, and what it names. */
export interface Problem {
  readonly key: 'required' | 'number' | 'whole' | 'min' | 'max' | 'short' | 'long' | 'few' | 'many' | 'email' | 'url';
  readonly limit?: number;
}

/** What was kept of a form, as far as it can be read. */
export function readValues(kept: unknown): FormValues {
  if (!isRecord(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).flatMap(([key, value]) => {
      if (!isRecord(value)) return [];
      const { text, on, chosen, other } = value;
      const field: FieldValue = {
        ...(typeof text === 'string' && { text }),
        ...(typeof on === 'boolean' && { on }),
        ...(Array.isArray(chosen) && { chosen: chosen.filter((place) => typeof place === 'number') }),
        ...(typeof other === 'boolean' && { other }),
      };
      return [[key, field] as const];
    }),
  );
}

/** A field as the agent has filled it in. */
export function initialOf({ kind, initial, options, input }: FormField): FieldValue {
  if (initial === undefined || initial === null) return {};
  if (kind === 'boolean') return { on: initial === true };
  if (kind === 'one' || kind === 'many') {
    const wanted: readonly unknown[] = Array.isArray(initial) ? initial : [initial];
    const chosen = wanted.map((value) => options.findIndex((option) => option.value === value)).filter((at) => at >= 0);
    if (options.length > 0) return { chosen };
    return { text: wanted.join('\n') };
  }
  const text = typeof initial === 'string' ? initial : JSON.stringify(initial);
  return { text: input === 'datetime-local' ? toLocal(text) : text };
}

/** A time as a field of the platform has it: here, and without a zone. */
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
  if (Array.isArray(value)) return outside(value.length, { min, max }, 'few', 'many');
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

/** The value of a field in the answer; undefined where nothing stands in it. */
function valueOf({ kind, options, input }: FormField, { text = '', on, chosen = [], other }: FieldValue): unknown {
  const words = text.trim();
  switch (kind) {
    case 'secret':
      return undefined;
    case 'boolean':
      return on ?? false;
    case 'number':
      return words === '' || !Number.isFinite(Number(words)) ? undefined : Number(words);
    case 'one':
      if (other) return words === '' ? undefined : words;
      return options[chosen[0] ?? -1]?.value;
    case 'many': {
      const free = options.length === 0 || other ? words.split('\n').map((line) => line.trim()) : [];
      const picked = chosen.toSorted((left, right) => left - right).flatMap((at) => options[at]?.value ?? []);
      const all = [...picked, ...free.filter((line) => line !== '')];
      return all.length === 0 ? undefined : all;
    }
    default:
      if (words === '') return undefined;
      if (input !== 'datetime-local') return words;
      // With the zone that the reader means, which a field of the platform does not say.
      return Number.isNaN(Date.parse(words)) ? undefined : new Date(words).toISOString();
  }
}

/** The answer that the schema asks for. */
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
  // (Not with a plain assignment: a name may be `__proto__`.)
  Object.defineProperty(target, name, { value: next, enumerable: true, configurable: true, writable: true });
}
