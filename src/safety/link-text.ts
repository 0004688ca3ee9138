/**
 * Compares the text of a link with its URL. Every link of the widget is checked here. For the reasons of the rules see
 * `docs/decisions/safety.md`, "The text of a link".
 */
import { LATIN_LOOKALIKES } from '../lookalikes.ts';
import { parseUrl } from '../parse-url.ts';
import { INVISIBLE, isPlain, UNREADABLE_CONTENT, type TextAround } from './displayed-text.ts';

/** Nobody reads a longer text closely, so its link always shows its target. */
const MAX_TEXT = 2000;
/** A link whose text has more different hosts always shows its target. */
const MAX_HOSTS = 16;
/**
 * Direction overrides display characters in another order than the compared one. A part that is struck, also by strokes on its
 * letters, may be skipped by the user. Blank letters of Hangul and Braille count as invisible, but are as wide as others: what follows
 * a gap of them looks like another word.
 */
const OPAQUE = /[\ufffc\u202d\u202e\u115f\u1160\u2800\u3164\uffa0]|[\u0335-\u0338]/;
/** Invisible characters with right-to-left direction or effect. */
const RTL_CONTROLS = /[\u061c\u070f\u200f\u202b\u2067]/;
/** Parts with their own direction: inside right-to-left text they are displayed in another order than in the source. */
const PARTS = /[\u202a\u2066\u2068]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const isReordered = (text: string): boolean =>
  /[a-z]/i.test(readable(text)) && (RTL_CONTROLS.test(text) || (PARTS.test(text) && RIGHT_TO_LEFT.test(text)));

/** Characters that look like URL punctuation and that NFKC does not change. */
const COLONS = /[\u0589\u05c3\u02d0\u02f8\u0703\u0704\u16ec\u1804\u205a\u2236\ua789]/g;
const SLASHES = /[\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u3033\u30ce\u4e3f]/g;
/**
 * Characters that look like dots. Some are ordinary punctuation of a language: they count between letters that may look like those
 * of a host name, but not in Catalan `l·l`. Separators of words count only beside a Latin word. The expression begins with the dots,
 * which are rare: with the conditions first, it takes much longer for Cyrillic text. U+119E is what NFKC makes of the Korean dot U+318D.
 */
const DOTS =
  /[\u00b7\u02cc\u02f3\u0387\u060c-\u0702\u0971\u0f0b\u0f0c\u119e\u1361\u1427\u166e\u16eb\u1802\u18df\u201a\u2022\u2027\u2218\u2219\u22c5\u23fa\u25aa\u25cf\u25e6\u26ab\u26ac\u2801-\u28ff\u2981\u2b1d\u2b24\u2b29\u2b2a\u2cf9-\u2cff\u2e31-\u2e49\u3002\u30fb\ua4f8-\ua4fb\ua60d\ua60e\ua6f3\ua78f\u{10101}\u{1091f}\u{10a50}-\u{10a57}\u{1f784}\u{1f78c}\u{1f797}\u{1f798}](?<=[\d\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Copt}\p{sc=Armn}\p{sc=Cher}\p{sc=Lisu}].)(?=[\d\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Copt}\p{sc=Armn}\p{sc=Cher}\p{sc=Lisu}])(?<!l\u00b7(?=l))(?:(?<=[a-z\d]\p{L}{0,63}.)|(?=\p{L}{0,63}[a-z\d])|(?<![\u00b7\u119e\u2022\u2218\u2219\u22c5\u23fa\u25cf\u25e6\u26ab\u26ac\u2b24\u30fb\ua4f8-\ua4fb]))/giu;
/** Marks that look like separate dots: on a space, beside a letter, or of a musical note. Inside a word, they may also be overlooked. */
const MARKED_DOTS =
  /(?:[\s\p{Cf}]|(?=[\u{1d16d}\u02d9]|(?<=[\d\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}])(?:\u0358|\u0bcd)))[\p{M}\u02d9]+\s?/gu;
/** `bank[.]com`, `bank . com`, `bank dot com`, `bank,com`, `bank..com` */
const SPELLED_DOTS =
  /(?<=\S)(?: \. |\s?[([{]\s?(?:\.|dot)\s?[)\]}]\s?|(?: dot |[,\u3001]|\.\.)(?=(\p{L}{3,4})(?![\p{L}\p{N}_])))(?=\S)/giu;

/** Too narrow to be visible as a space next to a dot. */
const NARROW_SPACES = /[\u2006\u2008-\u200a\u202f\u205f]/g;

const withoutNarrow = (text: string): string => text.replace(NARROW_SPACES, '');

/** Enclosed letters that NFKC does not change, and the letters of flags. Each alphabet is contiguous. */
const ENCLOSED = /[\u{1f150}-\u{1f169}]|[\u{1f170}-\u{1f189}]|[\u{1f1e6}-\u{1f1ff}]/gu;
const FIRST_ENCLOSED = [0x1f1e6, 0x1f170, 0x1f150];
const letterOf = (enclosed: string): string => {
  const code = enclosed.codePointAt(0) ?? 0;
  return String.fromCharCode(0x61 + code - (FIRST_ENCLOSED.find((first) => first <= code) ?? code));
};

/** Normalizes a text to what a person reads: without invisible characters, and with look-alike punctuation replaced. */
function readable(text: string): string {
  const plain = isPlain(text) ? withoutEscapes(text) : withoutLookalikes(text);
  return plain
    .replace(SPELLED_DOTS, (dot, ending?: string) => (ending === undefined || isSpelled(ending) ? '.' : dot))
    .trim();
}

const withoutEscapes = (text: string): string =>
  text.replace(/%([2-7][\da-f])/gi, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));

const withoutLookalikes = (text: string): string =>
  withoutEscapes(
    text
      // NFKD converts it to a sigma.
      .replace(/[\u03f2\u03f9]/g, 'c')
      .normalize('NFKD')
      .replace(INVISIBLE, '')
      .normalize('NFKC'),
  )
    .replace(ENCLOSED, letterOf)
    .replace(DOTS, '.')
    .replace(COLONS, ':')
    .replace(SLASHES, '/')
    .replace(/[\u2010\u2212]/g, '-')
    .replaceAll('\u2800', ' ');

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));
/** File extensions that are not top-level domains. */
const FILE_ENDINGS = setOf(
  'js jsx ts tsx mjs cjs mts cts json jsonl html htm css scss sass less xml svg png jpg jpeg gif webp bmp ico pdf txt rst csv tsv log ' +
    'yaml yml toml ini cfg conf env lock doc docx xls xlsx ppt pptx odt ods exe msi dll bin dmg iso apk tar gz tgz rar jar java kt go rb ' +
    'php cpp hpp cs vb fs hs ex exs lua dart sql vue svelte ipynb wasm bat cmd mp3 mp4 wav ogg webm avi epub tex bib diff patch map mdx',
);
/** File extensions that are also top-level domains. */
const FILE_OR_DOMAIN = setOf('md py rs sh zip mov');
/** More such extensions. They count only after a folder, with any number of dots: `src/main.cc`, `owner/owner.github.io`. */
const FILE_IN_FOLDER = setOf('ai am cc cl gd in io la mk ml mm nu pl pm ps so st sv tf');
/** Generic top-level domains that count inside a sentence, as country codes do. */
const GENERIC_DOMAINS = setOf('com net org edu gov mil int info biz bank');
/** Country codes in other scripts, without marks. Source: IANA, "Root Zone Database". */
const COUNTRY_DOMAINS = setOf(
  'рф рус укр бел срб мкд мон қаз бг ελ հայ გე 中国 中國 香港 台湾 台灣 한국 ไทย भरत ভরত ישראל ایران عراق مصر قطر عمان المغرب امارات السعودية',
);

/** The characters of URLs. Whitespace, brackets, quotes and pictographs delimit them. */
const WORD = /[\p{L}\p{N}_.:/\\?#@-]+/gu;
/** A scheme and the text up to the path; as in browsers, `https:` needs no slashes. A mistyped colon is accepted. */
const SCHEME =
  /(?<![\p{L}\p{N}+-])(?:https?\s?[^\p{L}\p{N}\s/\\]{0,3}[/\\]{2,}|https?:[/\\]?(?=[^\s/\\:])|\p{L}[\p{L}\p{N}+-]*:+\s*[/\\]\s*[/\\]+)(\s*)([^\s"'<>()/\\?#]+)/giu;
const IPV6 = /(?<![\p{L}\p{N}:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\p{L}\p{N}:])/giu;

interface Word {
  readonly host: string;
  readonly labels: readonly string[];
  /** The text after the host, starting with its separator. */
  readonly rest: string;
}

function readWord(spelled: string): Word {
  const trimmed = spelled.replace(/^[^\p{L}\p{N}]+/u, '');
  const end = trimmed.search(/[/\\:?#@]/);
  const host = (end < 0 ? trimmed : trimmed.slice(0, end)).replace(/(?<![._-])[._-]+$/, '');
  return { host, labels: host.toLowerCase().split('.'), rest: end < 0 ? '' : trimmed.slice(end) };
}

/** `127.0.0.1`, and as browsers also read it: `0177.0.0.1`, `0x7f.1`. Fewer numbers without `0x` are a version. */
const isIPv4 = ({ labels }: Word): boolean =>
  (labels.length === 4 && labels.every((label) => /^0{0,9}\d{1,3}$/.test(label) && Number(label) < 256)) ||
  (labels.length <= 4 &&
    labels.every((label) => /^(?:0x[\da-f]{1,8}|\d{1,11})$/.test(label)) &&
    labels.some((label) => label.startsWith('0x')));

/** "ASP.NET" */
const FRAMEWORK = /^[A-Z]{2,3}\.NET$/;
/** "It works.It is fast.": a missing space. Other alphabets have more such words. */
const TWO_SENTENCES = /^\p{Ll}+\.(?:It|Is|In|As|At|By|Do|Me|My|No|So|To|Am|Be|Us)$|^\P{ASCII}+\.\p{Lu}\P{ASCII}$/u;

/** An ending as it looks: `сom` with a Cyrillic “с” as `com`. */
const asLatin = (ending: string): string =>
  Array.from(ending, (letter) => LATIN_LOOKALIKES.get(letter) ?? letter).join('');
/** An “i” looks like an “l” too, so the known endings are compared as they look. */
const GENERIC_LOOKS: ReadonlySet<string> = new Set([...GENERIC_DOMAINS].map(asLatin));
const isSpelled = (ending: string): boolean => /^(?:com|net|org|bank)$/.test(asLatin(ending.toLowerCase()));

/** The only host name that is known without a dot. */
const LOCAL = /^localhost[:/]/i;

/**
 * Whether a word with dots is a host name anywhere; `maybe`: only if the text consists of nothing else.
 *
 * @param isLast - whether no other word follows
 */
function looksLikeHost(word: Word, isLast = true): 'yes' | 'maybe' | 'no' {
  const { host, labels, rest } = word;
  const ending = labels.at(-1) ?? '';
  if ((labels.length > 2 && labels[0] === 'www') || LOCAL.test(host + rest)) return 'yes';
  if (labels.length < 2 || labels.includes('')) return 'no';
  if (isIPv4(word) || labels[0] === 'www') return 'yes';
  const looks = asLatin(ending);
  if (!(/^(?:\p{L}{2,}|xn--[a-z\d-]+)$/u.test(ending) || GENERIC_LOOKS.has(looks)) || FILE_ENDINGS.has(ending))
    return 'no';
  const hasPath = /^(?::\d+)?[/\\?]/.test(rest);
  if (FILE_OR_DOMAIN.has(ending) && labels.length === 2 && !hasPath) return 'no';
  const isProse = FRAMEWORK.test(host) || (!isLast && TWO_SENTENCES.test(host));
  const isKnown =
    /^(?:[a-z]{2}|xn--.*)$/.test(ending) ||
    GENERIC_LOOKS.has(looks) ||
    COUNTRY_DOMAINS.has(ending) ||
    // In a word of another alphabet, two letters are a word too.
    (/^[a-z]{2}$/.test(looks) && /^[a-z\d.-]+$/.test(asLatin(host.toLowerCase())));
  // "1.Introduction"
  if (labels.length === 2 && /^\d+$/.test(labels[0] ?? '') && !isKnown) return 'no';
  return hasPath || (isKnown && !isProse) ? 'yes' : 'maybe';
}

/** Returns a host after other parts of a word: `login/bank.com`, `secure:bank.com`. */
function innerHost(spelled: string, isLast: boolean): string | undefined {
  const parts = spelled.split(/(\.{2,}|[/\\:?#@])/);
  const words = parts.map(readWord);
  return words.find((word, index) => {
    const ending = word.labels.at(-1) ?? '';
    const isFile =
      /[/\\]/.test(parts[index - 1] ?? '') &&
      word.labels[0] !== 'www' &&
      (FILE_OR_DOMAIN.has(ending) || FILE_IN_FOLDER.has(ending));
    // "Chrome/1.2.3.4"
    return !isFile && /\p{L}/u.test(ending) && looksLikeHost(word, isLast) === 'yes';
  })?.host;
}

/** Yields every host that a text names. */
function* hostsIn(text: string): Generator<string> {
  for (const [, gap, authority = ''] of text.matchAll(SCHEME)) {
    const [part = '', ...users] = authority.split('@').reverse();
    const { host } = readWord(part);
    const isWhole = gap === '' && host !== '' && !part.startsWith('[');
    if (isWhole || host.includes('.')) yield host;
    // A user name or a password before the host is meant to be mistaken for the host.
    for (const { host: name } of users.flatMap((user) => user.split(':')).map(readWord))
      if (name.includes('.')) yield name;
  }
  for (const [address] of text.matchAll(IPV6))
    if (address.includes('::') ? address.length > 2 : address.split(':').length === 8) yield `[${address}]`;
  for (const line of text.split('\n')) yield* hostsOnLine(line);
}

function* hostsOnLine(text: string): Generator<string> {
  let candidate: string | undefined;
  let others = 0;
  const words = Array.from(text.matchAll(WORD), ([spelled]) => spelled);
  for (const [index, spelled] of words.entries()) {
    if (/:[/\\]{2}|^https?:(?!:)/i.test(spelled)) continue;
    const mail = mailHost(spelled);
    if (mail !== undefined) yield mail;
    const word = readWord(spelled);
    const isLast = index === words.length - 1;
    const kind = looksLikeHost(word, isLast);
    const inner = kind === 'yes' ? undefined : innerHost(spelled, isLast);
    if (inner !== undefined) yield inner;
    if (mail !== undefined && kind === 'maybe') continue;
    if (kind === 'yes' || (/^[/\\]{2}/.test(spelled) && (word.host.includes('.') || words.length === 1)))
      yield word.host;
    else if (kind === 'maybe') candidate = word.host;
    else if (mail === undefined && /\p{L}{2}/u.test(spelled)) others++;
  }
  // `console.log()` is code.
  if (candidate !== undefined && others === 0 && !text.includes('()')) yield candidate;
}

/** Returns the host of an email address. */
function mailHost(spelled: string): string | undefined {
  const [name = '', host = '', ...more] = spelled.split('@');
  if (name === '' || more.length > 0) return undefined;
  const word = readWord(host);
  return looksLikeHost(word) === 'no' ? undefined : word.host;
}

const hostnameOf = (host: string): string | undefined => parseUrl(`https://${host}`)?.hostname;
const withoutWww = (host: string | undefined): string | undefined => host?.replace(/^www\.|\.$/g, '');

/** A URL may contain another URL in its query. A name or a password before the host may look like the host. */
function isItself(url: URL, text: string): boolean {
  const own = text.includes(':') ? parseUrl(text) : undefined;
  return own?.href === url.href && own.username === '' && own.password === '';
}

function namesOtherHost(url: URL, text: string): boolean {
  if (isItself(url, text)) return false;
  const names = new Set<string>();
  for (const name of hostsIn(text)) {
    if (names.has(name)) continue;
    if (names.size === MAX_HOSTS || withoutWww(hostnameOf(name)) !== withoutWww(url.hostname)) return true;
    names.add(name);
  }
  return false;
}

/** A host with a port. */
const WITH_PORT = /(?<![\p{L}\p{N}._-])([\p{L}\p{N}._-]{1,253}):(\d{1,5})(?![\p{L}\p{N}:.])/gu;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether a text names the host of a URL with another port. */
function namesOtherPort(url: URL, text: string): boolean {
  const own = Number(url.port || PORTS[url.protocol]);
  return Array.from(text.matchAll(WITH_PORT)).some(
    ([, host = '', port]) => Number(port) !== own && withoutWww(hostnameOf(host)) === withoutWww(url.hostname),
  );
}

/** Text with such a scheme or beginning promises a web page. */
const PAGE = /(?<![\p{L}\p{N}])(?:(?:https?|ftp):\s*[/\\]|(?<!@)www\.)/iu;
const MAIL = /[^\s@<>"'(),;:]{1,254}@(?:[^\s@<>"'(),;:?.]{1,63}\.){1,10}\p{L}{2,63}/gu;

/** Returns the recipients of a mailto link, including copies. */
const recipientsOf = (url: URL): readonly string[] =>
  [
    url.pathname,
    ...(url.search ? [...url.searchParams] : []).flatMap(([name, value]) => (/^(?:to|b?cc)$/i.test(name) ? value : [])),
  ]
    .flatMap((list) => list.split(','))
    .map((address) => readable(address).toLowerCase())
    .filter(Boolean);

function namesOtherMail(url: URL, text: string): boolean {
  const namedAddresses = new Set(text.toLowerCase().match(MAIL));
  const recipients = recipientsOf(url);
  const isOther = recipients.length > namedAddresses.size || recipients.some((address) => !namedAddresses.has(address));
  return (namedAddresses.size > 0 && isOther) || PAGE.test(text) || namesOtherMailHost(recipients, text);
}

/** "bank.example" may stand for its address, but not for one of another host. */
function namesOtherMailHost(recipients: readonly string[], text: string): boolean {
  let count = 0;
  for (const name of hostsIn(text)) {
    const host = withoutWww(hostnameOf(name)) ?? name;
    const isNamed = recipients.some((address) => address.endsWith(`@${host}`) || address.endsWith(`.${host}`));
    if (!isNamed || ++count === MAX_HOSTS) return true;
  }
  return false;
}

/** Shorter numbers count only on their own ("Call 112"), not as part of something ("24/7"). */
const NUMBER = /\+?\d[\d\s()./-]{3,40}\d|(?<![\d/.,-])\d{3,4}(?![\d/.,-])/g;
const EXTENSION = /\b(?:ext|durchwahl|x)[.:\s]{0,3}\d+/gi;
const MIN_DIGITS = 5;
const digitsOf = (number: string): string => number.replace(/\(0\)/g, '').replace(/\D/g, '');
/** Converts the digits of all scripts to ASCII. Each script has ten contiguous ones. */
const withDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
    return String(value);
  });
/** Numerals that are no digits. Two Chinese ones may be a word. */
const NUMERALS = /[\p{Nl}\p{No}]|[零一二三四五六七八九]{3}/u;
/** What may stand before a national number: a country code, but none of satellites and shared costs, and Italy's zero. */
const COUNTRY = /^\+(?!8[07]|88[1-3]|90.|97[89])\d{1,3}$/;

/** The digits of a number, after `+` if it is international. */
const numberOf = (text: string): string =>
  (/^\D*\+/.test(text) ? '+' : '') + digitsOf(text).replace(/^00(?=[1-9])/, text.includes('+') ? '' : '+');
const withoutZero = (number: string): string => number.replace(/^0/, '');

/**
 * A number may be written without its country code, and without the zero before its area code. A national one without `+` has no
 * other beginning than the 1 of North America.
 */
function isSameNumber(text: string, target: string): boolean {
  const [one = '', other = ''] = [numberOf(text), numberOf(target)].sort();
  if (one === other) return true;
  // A `+` comes first in this order.
  if (!one.startsWith('+')) {
    const [short = '', long = ''] = [one, other].map(withoutZero).sort((left, right) => left.length - right.length);
    return short === long || (short.length === 10 && long === `1${short}`);
  }
  const national = withoutZero(other);
  return (
    one === `+${other}` || (other.length >= 6 && one.endsWith(national) && COUNTRY.test(one.slice(0, -national.length)))
  );
}

/** A number whose end is a word, behind a hyphen, or in capitals: `1-800-FLOWERS`. */
const WORD_NUMBER =
  /((?<![\d+])\+?\(?\d[\d\s().-]{2,20})(?:(?<=-)([a-zA-Z][a-zA-Z-]{2,20})|(?<=[\d\s.)])([A-Z]{3,20}))(?![a-zA-Z])/g;
/** Capitals are a number from the length of a local one, small letters from that with an area code. */
const MIN_WORD_NUMBER = 7;
const MIN_SMALL_WORD_NUMBER = 10;
/** The keys of the letters from A to Z. */
const KEYS = '22233344455566677778889999';
const keysOf = (word: string): string =>
  word.toLowerCase().replace(/[a-z]/g, (letter) => KEYS[letter.charCodeAt(0) - 97] ?? '');

/** Whether a number that ends with a word is another one. The last letters may be more than the number has digits. */
function isOtherWordNumber(start: string, word: string, real: string): boolean {
  const isSmall = word !== word.toUpperCase();
  const [short, full] = [digitsOf(start), digitsOf(start + keysOf(word))];
  if (short.length < 3 || full.length < (isSmall ? MIN_SMALL_WORD_NUMBER : MIN_WORD_NUMBER)) return false;
  const sign = numberOf(start).startsWith('+') ? '+' : '';
  const readings = full
    .slice(short.length - 1)
    .split('')
    .map((_digit, index) => sign + full.slice(0, short.length + index));
  return !readings.some((reading) => isSameNumber(reading, real));
}

/** A number as it is dialled: without the signs that only make it legible. */
const dialled = (text: string): string => text.replace(/[\s().-]/g, '').toLowerCase();

function namesOtherNumber(url: URL, text: string): boolean {
  const target = readable(url.pathname);
  const [real = ''] = target.split(';');
  const spelled = withDigits(text).replace(EXTENSION, '');
  // Service codes (`*21*`), pauses and letters dial something else than the digits beside them.
  if (/[^\d\s().+/-]/.test(real) || /;phone-context=/i.test(target)) {
    const shown = dialled(spelled);
    const isNamed = [shown, shown.replace(/[^\d*#+]/g, '')].includes(dialled(target));
    return !isNamed && (/\d/.test(spelled) || /^[*#]/.test(real));
  }
  const isOtherWord = Array.from(spelled.matchAll(WORD_NUMBER)).some(([, start = '', hyphenated, capitals = '']) =>
    isOtherWordNumber(start, hyphenated ?? capitals, real),
  );
  const rest = spelled.replace(WORD_NUMBER, (match, start: string) =>
    digitsOf(start).length < MIN_DIGITS ? ' ' : match,
  );
  const numbers = /\p{L}/u.test(rest) ? (rest.match(NUMBER) ?? []) : [rest];
  const isOther = (number: string): boolean => {
    const digits = digitsOf(number);
    const isNumber = digits.length >= MIN_DIGITS || (digits !== '' && digits === number.trim());
    return isNumber && !isSameNumber(number, real);
  };
  return isOtherWord || numbers.some(isOther) || NUMERALS.test(spelled) || PAGE.test(text);
}

interface Target {
  readonly name: (url: URL) => string;
  /** Whether a text names another target. */
  readonly isOther: (url: URL, text: string) => boolean;
}
/** Letters of other scripts may look like Latin ones. */
const isPunycode = ({ hostname }: URL): boolean => /(?:^|\.)xn--/.test(hostname);
const page: Target = {
  name: ({ host }) => host,
  isOther: (url, text) =>
    isPunycode(url) || namesOtherHost(url, text) || (!isItself(url, text) && namesOtherPort(url, text)),
};
const targets: Readonly<Record<string, Target>> = {
  'http:': page,
  'https:': page,
  'mailto:': { name: (url) => recipientsOf(url).slice(0, 4).join(', '), isOther: namesOtherMail },
  'tel:': { name: ({ pathname }) => pathname, isOther: namesOtherNumber },
};

const readingsOf = (text: string): readonly string[] =>
  isPlain(text)
    ? [text]
    : [...new Set([text, withoutNarrow(text), withoutNarrow(text.replace(MARKED_DOTS, '\u00b7'))])];

/**
 * Returns the target to show next to a link: its text names another one, or its host has letters that may look like
 * others. Undefined if the text can be trusted. Hosts are in punycode, as `URL` returns them.
 *
 * @param texts - all text of the link: its content, its title, its description for screen readers
 * @example
 * deceptiveTarget(new URL('https://evil.example'), 'bank.example') // evil.example
 */
export function deceptiveTarget(url: URL, ...texts: readonly string[]): string | undefined {
  const target = targets[url.protocol];
  const isDeceptive = (text: string): boolean =>
    text.length > MAX_TEXT ||
    (!isPlain(text) && (OPAQUE.test(text) || isReordered(text))) ||
    readingsOf(text).some((reading) => target?.isOther(url, readable(reading)) === true);
  return target && texts.some(isDeceptive) ? target.name(url) : undefined;
}

/** The characters between which a word is read. */
const EDGE = /[ \n,;()[\]<>"'|]/;
/** Whether the text of a link names its target itself. */
const namesTarget = (url: URL, text: string): boolean =>
  url.protocol === 'mailto:' ? text.search(MAIL) >= 0 : titleWithoutTarget(text) === undefined;

const LETTER = /[\p{L}\p{N}]/u;
/** The punctuation of sentences and lists, which separates a link from a host without brackets. */
const PUNCTUATION = /(?!["'*/&\u00b7\u2022])\p{Po}/u;
const OPENING = /[\p{Ps}\p{Pi}]/u;
/** A closing bracket, except that of `bank[.]com`. */
const CLOSING = /[\p{Pe}\p{Pf}](?!\p{L})/u;

/** Texts beside a link that may look like its target, as the widget shows it: `(bank.com)` after or before a link. */
function textsBeside({ protocol }: URL, before: string, after: string): readonly string[] {
  const [gap = ''] = after.split(LETTER);
  const rest = after.slice(gap.length);
  // Without brackets, as in a sentence.
  const word = protocol === 'tel:' || PUNCTUATION.test(gap) ? '' : `${gap}in ${rest.split(EDGE)[0] ?? ''}`;
  const next = OPENING.test(gap) ? gap + (rest.split(CLOSING)[0] ?? '') : word;
  const [content = '', ...end] = (before.split(OPENING).at(-1) ?? '').split(CLOSING);
  const isBracketed = end.length > 0 && ![LETTER, PUNCTUATION].some((mark) => mark.test(end.join('')));
  return [next, isBracketed && titleWithoutTarget(next) !== undefined ? content : ''].map((text) =>
    text.replaceAll(UNREADABLE_CONTENT, ' '),
  );
}

/**
 * Returns the target to show next to a link if the text beside it names another one: `bank.` and a link `com`, two links
 * `bank.c` and `om`, or a link and `(bank.com)`. A link whose own text names its target is what it says.
 */
export function deceptiveWord(url: URL, text: string, [before, after]: TextAround = ['', '']): string | undefined {
  const start = before.split(EDGE).at(-1) ?? '';
  const [end = ''] = after.split(EDGE);
  const texts = [...textsBeside(url, before, after)];
  // As in a sentence: `Array.map` is no host.
  if (start + end !== '')
    texts.push(
      /[\u202d\u202e]/.exec(before)?.[0] ?? '',
      ...[`${start}${text}${end}`, ...reorderedWords(start, text, end, before + after)].map((word) => `in ${word}`),
    );
  const target = deceptiveTarget(url, ...texts.filter(Boolean));
  return target !== undefined && !namesTarget(url, text) ? target : undefined;
}

/**
 * Beside right-to-left text, a link is displayed after what follows it: a link `com` before `.bank` as `bank.com`. Such text, or
 * an element with that direction, may be farther away than what is read here: then only endings count that no sentence has.
 */
function reorderedWords(start: string, text: string, end: string, around: string): readonly string[] {
  const [first = '', last = ''] = [start, end].map((part) => part.split(RIGHT_TO_LEFT).join(''));
  const reversed = `${first}${text}${last}`.split('.').reverse();
  if (RTL_CONTROLS.test(around) || RIGHT_TO_LEFT.test(around)) return [reversed.join('.'), `${last}${text}${first}`];
  return !/\s/.test(text) && GENERIC_DOMAINS.has(reversed.at(-1)?.toLowerCase() ?? '') ? [reversed.join('.')] : [];
}

/**
 * Returns the tooltip of an element that contains a link; undefined if it names another target, because browsers show it
 * for the link.
 */
export function tooltipOfLink(url: URL | undefined, text: string): string | undefined {
  return url && deceptiveTarget(url, text) !== undefined ? undefined : text;
}

const NOWHERE = new URL('https://nowhere.invalid');

/**
 * Returns the title of an element that is not a link; undefined if it names a target, because browsers show it for
 * inner links too.
 */
export const titleWithoutTarget = (title: string): string | undefined =>
  deceptiveTarget(NOWHERE, title) === undefined ? title : undefined;
