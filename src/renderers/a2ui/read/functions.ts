/**
 * The pure functions of A2UI's catalogs. Source: A2UI, `catalogs/basic/catalog.json` and
 * `catalogs/minimal/catalog.json`. Without `openUrl`, which is a link.
 */
import { matchesPattern } from './bounded-pattern.ts';
import { formatDate } from './format-date.ts';

/** Returns the value of a call's argument by its name. */
export type Arguments = (name: string) => unknown;

/** The remaining budget of a surface: `left` counts down, and at 0 its functions have no value. */
export interface Work {
  left: number;
}

type CatalogFunction = (args: Arguments, locale: string, work: Work) => unknown;

/** What a formatter of the browser (`Intl`) takes of the budget besides the 1 of any function: it is about as many times slower. */
const FORMATTER_COST = 50;
/** Longer texts are cut: no check or format needs more (characters). */
const MAX_TEXT = 20_000;
/** A longer text is not read as a number (characters). */
const MAX_NUMBER_LENGTH = 400;
const MAX_ENTRIES = 500;
/** Characters that are read, searched or compared, and items of a list, in the time that resolving one value takes. */
export const CHARACTERS_PER_UNIT = 100;
export const ITEMS_PER_UNIT = 20;
/** Length of the longest mail address (characters). Source: RFC 3696, erratum 1690. */
const MAX_ADDRESS = 254;

const number = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH && value.trim() !== ''
    ? Number(value)
    : Number.NaN;
};

/** A missing limit is `NaN`, and no comparison with that is true. */
const within = (value: number, args: Arguments): boolean => {
  const [min, max] = [number(args('min')), number(args('max'))];
  return !(value < min) && !(value > max);
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && !value.length);

const asString = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) : '';

function list(value: unknown, work: Work): readonly unknown[] {
  const items = Array.isArray(value) ? (value as unknown[]).slice(0, MAX_ENTRIES) : [];
  work.left -= items.length / ITEMS_PER_UNIT;
  return items;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : asString(value).length;

/** Options for the number of decimals, limited to what `Intl.NumberFormat` accepts. */
const digits = (args: Arguments): Intl.NumberFormatOptions => {
  const decimals = number(args('decimals'));
  if (!(decimals >= 0)) return {};
  const count = Math.min(20, Math.trunc(decimals));
  return { minimumFractionDigits: count, maximumFractionDigits: count };
};

/** Empty until the value has arrived. */
function formatNumber(args: Arguments, locale: string, more: Intl.NumberFormatOptions = {}): string {
  const value = number(args('value'));
  if (Number.isNaN(value)) return '';
  const options = { useGrouping: args('grouping') !== false, ...digits(args), ...more };
  return new Intl.NumberFormat(locale, options).format(value);
}

/** A number; undefined while an operand is missing or after a division by zero, so that `NaN` and `Infinity` are never shown. */
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const pair =
  (operation: (a: number, b: number) => number): CatalogFunction =>
  (args) =>
    finite(operation(number(args('a')), number(args('b'))));

const compare =
  (relation: (a: number, b: number) => boolean): CatalogFunction =>
  (args) =>
    relation(number(args('a')), number(args('b')));

function round(args: Arguments): number | undefined {
  const scale = 10 ** Math.min(12, Math.max(0, Math.trunc(number(args('decimals')) || 0)));
  return finite(Math.round(number(args('value')) * scale) / scale);
}

function clamp(args: Arguments): number | undefined {
  const [value, min, max] = [number(args('value')), number(args('min')), number(args('max'))];
  const raised = value < min ? min : value;
  return finite(raised > max ? max : raised);
}

function capitalize(args: Arguments, locale: string): string {
  const text = asString(args('value'));
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

function isEqual(args: Arguments, work: Work): boolean {
  const [a, b] = [args('a'), args('b')];
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length)
    work.left -= a.length / CHARACTERS_PER_UNIT;
  return a === b;
}

/** Whether a text contains another one, at the cost of their lengths. */
function contains(args: Arguments, work: Work): boolean | undefined {
  const [text, part] = [asString(args('string')), asString(args('substring'))];
  work.left -= (text.length + part.length) / CHARACTERS_PER_UNIT;
  return work.left < 0 ? undefined : includes(text, part);
}

/**
 * Searches in time in proportion to the lengths (the algorithm of Knuth, Morris and Pratt). `String.prototype.includes` takes
 * their product for texts such as `aaa…`.
 */
function includes(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  /** For each length of a beginning of `part`: the length of the longest shorter one with which it ends. */
  const shorter = new Uint16Array(part.length + 1);
  const longer = (matched: number, letter: string | undefined): number => {
    let length = matched;
    while (length > 0 && part[length] !== letter) length = shorter[length] ?? 0;
    return part[length] === letter ? length + 1 : length;
  };
  for (let at = 1; at < part.length; at++) shorter[at + 1] = longer(shorter[at] ?? 0, part[at]);
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at++) matched = longer(matched, text[at]);
  return matched === part.length;
}

const functions: Readonly<Record<string, CatalogFunction>> = {
  required: (args) => !isEmpty(args('value')),
  length: (args) => within(lengthOf(args('value')), args),
  numeric: (args) => {
    const value = number(args('value'));
    return !Number.isNaN(value) && within(value, args);
  },
  email: (args) => {
    const address = asString(args('value'));
    return address.length <= MAX_ADDRESS && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(address);
  },
  regex: (args, _locale, work) => matchesPattern(asString(args('pattern')), asString(args('value')), work),
  and: (args, _locale, work) => list(args('values'), work).every(Boolean),
  or: (args, _locale, work) => list(args('values'), work).some(Boolean),
  not: (args) => !args('value'),
  add: pair((a, b) => a + b),
  subtract: pair((a, b) => a - b),
  multiply: pair((a, b) => a * b),
  divide: pair((a, b) => a / b),
  greater_than: compare((a, b) => a > b),
  less_than: compare((a, b) => a < b),
  round,
  clamp,
  capitalize,
  equals: (args, _locale, work) => isEqual(args, work),
  not_equals: (args, _locale, work) => !isEqual(args, work),
  contains: (args, _locale, work) => contains(args, work),
  starts_with: (args) => asString(args('string')).startsWith(asString(args('prefix'))),
  ends_with: (args) => asString(args('string')).endsWith(asString(args('suffix'))),
  formatNumber: (args, locale, work) => {
    work.left -= FORMATTER_COST;
    return formatNumber(args, locale);
  },
  formatCurrency: (args, locale, work) => {
    work.left -= FORMATTER_COST;
    return formatNumber(args, locale, { style: 'currency', currency: asString(args('currency')) });
  },
  formatDate: (args, locale, work) => {
    work.left -= FORMATTER_COST;
    return formatDate(args('value'), asString(args('format')), locale);
  },
  pluralize: (args, locale, work) => {
    work.left -= FORMATTER_COST;
    // The arguments are named like the plural categories: `one`, `few`, `other` …
    return args(new Intl.PluralRules(locale).select(number(args('value')) || 0)) ?? args('other') ?? '';
  },
};

export const isFunction = (name: string): boolean => Object.hasOwn(functions, name);

/** The result of a function; undefined if there is no function of that name, if it fails, or if the budget is used up. */
export function compute(name: string, args: Arguments, locale: string, work: Work): unknown {
  work.left -= 1;
  if (!isFunction(name) || work.left < 0) return undefined;
  try {
    return functions[name]?.(args, locale, work);
  } catch {
    // The browser's formatters throw for an invalid currency or locale.
    return undefined;
  }
}
