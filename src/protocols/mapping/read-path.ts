/** Reads values of a frame by the paths of a mapping. */
import { isRecord } from '../../model/json.ts';
import { exactText } from '../core/exact-json.ts';
import { parseFieldPath } from '../shared/field-path.ts';
import type { Conditions } from './schema.ts';

/** Reads the value at a path; undefined if there is none. */
export interface ReadPath {
  (path: string | undefined): unknown;
  /** The value as text, with its numbers as they were sent. */
  text(path: string | undefined): string | undefined;
}

/** Reads from a frame or from an item of a list in it. Inherited names such as `constructor` return undefined. */
export function readFrom(json: unknown, event: string | undefined): ReadPath {
  const find = (path: string | undefined): Found | undefined => {
    if (path === undefined) return undefined;
    const steps = parseFieldPath(path);
    if (typeof steps === 'string') return undefined;
    let found: Found = { holder: {}, name: '', value: json };
    for (const name of steps) {
      const { value: holder } = found;
      if (Array.isArray(holder) && typeof name === 'number') found = { holder, name, value: holder[name] };
      else if (isRecord(holder) && Object.hasOwn(holder, name)) found = { holder, name, value: holder[name] };
      else return undefined;
    }
    return found.value === null || found.value === undefined ? undefined : found;
  };
  const read = (path: string | undefined): unknown => {
    if (path === '@event') return event;
    if (path === '@data') return typeof json === 'string' ? json : undefined;
    return find(path)?.value;
  };
  const text = (path: string | undefined): string | undefined => {
    if (path === '@event' || path === '@data') return toText(read(path));
    const found = find(path);
    return found && exactText(found.holder, found.name, found.value);
  };
  return Object.assign(read, { text });
}

/** A value, and where it is. */
interface Found {
  readonly holder: object;
  readonly name: string | number;
  readonly value: unknown;
}

export const hasValues = (read: ReadPath, conditions: Conditions = {}): boolean =>
  Object.entries(conditions).every(([path, value]) => {
    const actual = read(path);
    return value === null ? actual !== undefined : actual === value;
  });

export const toText = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
