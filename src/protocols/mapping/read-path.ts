/** Reads values of a frame by the paths of a mapping. */
import { isRecord } from '../../model/json.ts';
import { parseFieldPath } from '../shared/field-path.ts';
import type { Conditions } from './schema.ts';

/** Returns the value at a path, or undefined. */
export type ReadPath = (path: string | undefined) => unknown;

/** Reads from a frame or from an item of a list in it. Inherited names such as `constructor` return undefined. */
export const readFrom =
  (json: unknown, event: string | undefined): ReadPath =>
  (path) => {
    if (path === undefined) return undefined;
    if (path === '@event') return event;
    if (path === '@data') return typeof json === 'string' ? json : undefined;
    const steps = parseFieldPath(path);
    if (typeof steps === 'string') return undefined;
    let value: unknown = json;
    for (const step of steps) {
      if (Array.isArray(value) && typeof step === 'number') value = value[step];
      else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step];
      else return undefined;
    }
    return value ?? undefined;
  };

export const hasValues = (read: ReadPath, conditions: Conditions = {}): boolean =>
  Object.entries(conditions).every(([path, value]) => {
    const actual = read(path);
    return value === null ? actual !== undefined : actual === value;
  });

export const toText = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
