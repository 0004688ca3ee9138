/** Formats dates by the subset of Unicode TR35 patterns that A2UI's `formatDate` defines, and for HTML inputs. */

const FIELDS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  yyyy: { year: 'numeric' },
  yy: { year: '2-digit' },
  MMMM: { month: 'long' },
  MMM: { month: 'short' },
  MM: { month: '2-digit' },
  M: { month: 'numeric' },
  dd: { day: '2-digit' },
  d: { day: 'numeric' },
  EEEE: { weekday: 'long' },
  E: { weekday: 'short' },
};
const TOKEN = /'[^']*'|yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|E+|HH|H|hh|h|mm|ss|a/g;

/** Longer patterns are cut; longer dates are cut or not parsed (characters). */
const MAX_PATTERN = 200;
const MAX_DATE = 64;

/** Creating a formatter takes far longer than using it, and a surface may show a date in each row. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(token: string, options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  const key = `${locale} ${token}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}

export function formatDate(value: unknown, pattern: string, locale: string): string {
  const date = parseDate(value);
  if (!date) return typeof value === 'string' ? value : '';
  if (pattern === 'ISO') return date.toISOString();
  const hours = date.getHours();
  const clock: Readonly<Record<string, () => string>> = {
    HH: () => two(hours),
    H: () => String(hours),
    hh: () => two(hours % 12 || 12),
    h: () => String(hours % 12 || 12),
    mm: () => two(date.getMinutes()),
    ss: () => two(date.getSeconds()),
    a: () =>
      formatterOf('a', { hour: 'numeric', hour12: true }, locale)
        .formatToParts(date)
        .find(({ type }) => type === 'dayPeriod')?.value ?? '',
  };
  return pattern
    .slice(0, MAX_PATTERN)
    .replaceAll('Y', 'y')
    .replace(TOKEN, (spelled) => {
      if (spelled.startsWith("'")) return spelled.slice(1, -1);
      const token = /^E{2,3}$|^E{5,}$/.test(spelled) ? 'E' : spelled;
      const field = FIELDS[token];
      return field ? formatterOf(token, field, locale).format(date) : (clock[token]?.() ?? token);
    });
}

/** Parses a text or a number of milliseconds as a date. */
export function parseDate(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (String(value).length > MAX_DATE) return undefined;
  // A date without a time is local, not midnight UTC.
  const date = new Date(typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export type DateKind = 'date' | 'time' | 'datetime-local';

const ZONE = /T\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;
const two = (count: number): string => String(count).padStart(2, '0');

/** Converts an ISO 8601 text to the value of an input, which shows the time in the user's time zone. */
export function inputDate(value: string, kind: DateKind): string {
  const text = value.trim().slice(0, MAX_DATE);
  const local = ZONE.test(text) ? localIso(text) : text;
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)?(?:T|^)?((?:[01]\d|2[0-3]):[0-5]\d)?/.exec(local) ?? [];
  if (kind === 'time') return time;
  // `new Date` may read 31 April as 1 May, but an input would show nothing.
  const date = parseDate(`${day}T00:00Z`);
  if (!date?.toISOString().startsWith(day)) return '';
  return kind === 'date' ? day : `${day}T${time || '00:00'}`;
}

function localIso(text: string): string {
  const date = parseDate(text);
  if (!date) return text;
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * Converts the value of an input to ISO 8601. A date with a time gets the user's time zone, unless the agent sent times
 * without a zone.
 */
export function isoDate(input: string, kind: DateKind, dataValue: string): string {
  const before = dataValue.trim().slice(0, MAX_DATE);
  if (kind !== 'datetime-local' || (/T\d\d/i.test(before) && !ZONE.test(before))) return input;
  const date = parseDate(input);
  if (!date) return input;
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${input.slice(0, 16)}:00${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}:${two(size % 60)}`;
}
