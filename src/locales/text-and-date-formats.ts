import type { Strings, TextKey } from './en.ts';
import type { Text } from './text.ts';

export type TextValues = Readonly<Record<string, string | number>>;

/** Texts, numbers and times of one language. */
export interface Localize {
  readonly locale: string;
  /** Returns a text by its key, with its placeholders replaced. `count` selects the plural form. */
  (key: TextKey, values?: TextValues): string;
  /** Whether a key that was composed at run time exists. */
  has(key: string): key is TextKey;
  number(value: number): string;
  /** A time of day. `milliseconds` since the epoch. */
  time(milliseconds: number): string;
  /** A date with its time. */
  date(milliseconds: number): string;
  /** A day as today, yesterday, or its date. */
  day(milliseconds: number): string;
  /** A short duration, such as `0.8 s` or `2 min 5 s`. */
  duration(milliseconds: number): string;
  /** A size, such as `48 kB`. */
  bytes(size: number): string;
}

/** The texts of one language. */
export interface Texts {
  /** The available texts of the language. */
  readonly catalogue?: Strings;
  /** The page's own texts, which override all others. */
  readonly own?: Strings;
  /** English, for keys that the catalogue lacks. */
  readonly english: Strings;
}

/**
 * @param tag - BCP 47, in any case
 * @throws RangeError for an invalid language tag.
 */
export function makeLocalize(tag: string, { catalogue = {}, own = {}, english }: Texts): Localize {
  const [locale = tag] = Intl.getCanonicalLocales(tag);
  // Created on first use: together these formatters take longer than rendering the idle widget, which needs no numbers.
  const plural = once(() => new Intl.PluralRules(locale));
  const numbers = once(() => new Intl.NumberFormat(locale));
  const times = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const unit = (name: string, value: number, maximumFractionDigits = 0): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits })
      .format(value)
      .replace(/(\d)\s?([a-z])/i, '$1\u202f$2');

  const localize = (key: TextKey, values: TextValues = {}): string => {
    // A partial catalogue contains every text that its part uses; a test checks this.
    const text: Text = own[key] ?? catalogue[key] ?? english[key] ?? key;
    const { count } = values;
    const form = typeof text === 'string' ? text : (text[plural().select(Number(count ?? 0))] ?? text.other);
    return form.replace(/\{([\w-]+)\}/g, (_match, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers().format(value) : (value ?? '');
    });
  };
  return Object.assign(localize, {
    locale,
    has: (key: string): key is TextKey => Object.hasOwn(english, key),
    number: (value: number) => numbers().format(value),
    time: (milliseconds: number) => times().format(milliseconds),
    date: (milliseconds: number) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds),
    day(milliseconds: number) {
      const days = Math.round((midnight(milliseconds) - midnight(Date.now())) / DAY_MS);
      if (days === 0 || days === -1) {
        const name = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
        return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
      }
      const year = new Date(milliseconds).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
      return new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year }).format(
        milliseconds,
      );
    },
    duration(milliseconds: number) {
      const seconds = milliseconds / 1000;
      if (seconds < 10) return unit('second', seconds, seconds < 1 ? 1 : 0);
      if (seconds < 60) return unit('second', Math.round(seconds));
      const whole = Math.round(seconds);
      const minutes = Math.floor(whole / 60);
      return minutes < 60
        ? `${unit('minute', minutes)} ${unit('second', whole % 60)}`
        : `${unit('hour', Math.floor(minutes / 60))} ${unit('minute', minutes % 60)}`;
    },
    bytes(size: number) {
      const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
      const step = Math.min(steps.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: steps[step] ?? 'byte',
        unitDisplay: 'short',
        maximumFractionDigits: step > 1 ? 1 : 0,
      }).format(size / 1000 ** step);
    },
  });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
const DAY_MS = 86_400_000;

/** The start of a day in the user's time zone. */
const midnight = (milliseconds: number): number => new Date(milliseconds).setHours(0, 0, 0, 0);

/** Whether two times are on the same day in the user's time zone. */
export const isSameDay = (one: number, other: number): boolean => Object.is(midnight(one), midnight(other));
