/**
 * The functions of A2UI's basic catalog that only compute. Source: A2UI, `catalogs/basic/catalog.json`. Left out:
 * `regex`, because a pattern of the agent may run forever, and `openUrl`, which is a link.
 */
import { formatDate } from './format-date.ts';

/** Returns the value of a call's argument by its name. */
export type Arguments = (name: string) => unknown;

type Compute = (args: Arguments, locale: string) => unknown;

const number = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;

const within = (value: number, args: Arguments): boolean => {
  const [min, max] = [number(args('min')), number(args('max'))];
  return !(value < min) && !(value > max);
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && !value.length);

const asString = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : asString(value).length;

/** Options for the number of decimals, limited to what `Intl.NumberFormat` accepts. */
const digits = (args: Arguments): Intl.NumberFormatOptions => {
  const decimals = number(args('decimals'));
  if (!(decimals >= 0)) return {};
  const count = Math.min(20, Math.trunc(decimals));
  return { minimumFractionDigits: count, maximumFractionDigits: count };
};

const formatNumber = (args: Arguments, locale: string, more: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(locale, { useGrouping: args('grouping') !== false, ...digits(args), ...more }).format(
    number(args('value')),
  );

const pair =
  (compute: (a: number, b: number) => unknown): Compute =>
  (args) =>
    compute(number(args('a')), number(args('b')));

const functions: Readonly<Record<string, Compute>> = {
  required: (args) => !isEmpty(args('value')),
  length: (args) => within(lengthOf(args('value')), args),
  numeric: (args) => {
    const value = number(args('value'));
    return !Number.isNaN(value) && within(value, args);
  },
  email: (args) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(asString(args('value')).slice(0, 320)),
  and: (args) => list(args('values')).every(Boolean),
  or: (args) => list(args('values')).some(Boolean),
  not: (args) => !args('value'),
  add: pair((a, b) => a + b),
  subtract: pair((a, b) => a - b),
  multiply: pair((a, b) => a * b),
  divide: pair((a, b) => a / b),
  greater_than: pair((a, b) => a > b),
  less_than: pair((a, b) => a < b),
  equals: (args) => args('a') === args('b'),
  formatNumber: (args, locale) => formatNumber(args, locale),
  formatCurrency: (args, locale) =>
    formatNumber(args, locale, { style: 'currency', currency: asString(args('currency')) }),
  formatDate: (args, locale) => formatDate(args('value'), asString(args('format')), locale),
  pluralize: (args, locale) =>
    args(new Intl.PluralRules(locale).select(number(args('value')) || 0)) ?? args('other') ?? '',
};

/** The result of a function; undefined if there is no function of that name, or if it fails. */
export function compute(name: string, args: Arguments, locale: string): unknown {
  if (!Object.hasOwn(functions, name)) return undefined;
  try {
    return functions[name]?.(args, locale);
  } catch {
    // An invalid currency, …
    return undefined;
  }
}
