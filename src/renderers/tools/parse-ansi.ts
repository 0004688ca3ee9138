/**
 * Parses terminal output into styled text runs. Source: ECMA-48, section 8.3.117, in the subset that terminals share.
 */

export interface AnsiRun {
  readonly text: string;
  /** Names such as `red bold`; empty for the default style. */
  readonly styleNames: string;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const ESCAPE = '\u001b';
/** The rest of an escape sequence: a control sequence (CSI), an operating system command (OSC) up to its end, or a short escape. */
const SEQUENCE = /^(?:\[([\d;:<=>?]*)[ -/]*(?:([@-~])|$)|\]\P{Cc}*\p{Cc}?|[ -/]*[0-Z\\^-~])/u;
/** Maximum number of runs; text after them has the default style. */
const MAX_RUNS = 5000;

/** Whether a text is terminal output: it has escape sequences, or carriage returns that overwrite lines. */
export const isTerminalOutput = (text: string): boolean => text.includes(ESCAPE) || /\r(?!\n|$)/.test(text);

/**
 * Splits the output into runs of one style, without escape sequences. Only styles are applied; cursor movements and links are
 * ignored.
 */
export function parseAnsi(text: string): readonly AnsiRun[] {
  const runs: AnsiRun[] = [];
  let style = new AnsiStyle();
  const [first = '', ...others] = withoutOverwritten(text).split(ESCAPE);
  add(runs, first, '');
  for (const other of others) {
    const [sequence = '', codes, end] = SEQUENCE.exec(other) ?? [];
    if (end === 'm' && !PRIVATE.test(codes ?? '')) style = style.with(codes ?? '');
    add(runs, other.slice(sequence.length), runs.length < MAX_RUNS ? style.names : '');
  }
  return runs;
}

/**
 * A progress bar returns to the start of its line and overwrites it, so only the last version is shown. A carriage return at
 * the end of a line overwrites nothing.
 */
const withoutOverwritten = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n')
    .replaceAll('\r', '');

function add(runs: AnsiRun[], text: string, styleNames: string): void {
  if (text === '') return;
  const last = runs.at(-1);
  if (last?.styleNames === styleNames) runs[runs.length - 1] = { text: last.text + text, styleNames };
  else runs.push({ text, styleNames });
}

class AnsiStyle {
  readonly #colour: string;
  readonly #styles: ReadonlySet<string>;

  constructor(colour = '', styles: ReadonlySet<string> = new Set()) {
    this.#colour = colour;
    this.#styles = styles;
  }

  get names(): string {
    return [this.#colour, ...this.#styles].filter(Boolean).join(' ');
  }

  /** Applies `codes`, separated by semicolons. No number means 0, which resets the style. */
  with(codes: string): AnsiStyle {
    let colour = this.#colour;
    const styles = new Set(this.#styles);
    const numbers = withSemicolons(codes).split(';').map(Number);
    for (let index = 0; index < numbers.length; index++) {
      const code = numbers[index] ?? 0;
      if (code === 0) {
        colour = '';
        styles.clear();
      } else if (code in STYLES) styles.add(STYLES[code] ?? '');
      else if (code === 22) ['bold', 'dim'].forEach((style) => styles.delete(style));
      else if (code === 23) styles.delete('italic');
      else if (code === 24) styles.delete('underline');
      else if (code === 39) colour = '';
      else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) colour = COLOURS[code % 10] ?? '';
      // An indexed or RGB colour: of those of the text, the first sixteen are shown with the eight names. All others are ignored.
      else if (code === 38 || code === 48) {
        const operandCount = numbers[index + 1] === 2 ? 4 : 2;
        const number = numbers[index + 2] ?? 16;
        if (code === 38 && operandCount === 2 && number < 16) colour = COLOURS[number % 8] ?? '';
        index += operandCount;
      }
    }
    return new AnsiStyle(colour, styles);
  }
}

/** A sequence that terminals define themselves, such as hiding the cursor (`?25l`). Its codes are no styles. */
const PRIVATE = /[<=>?]/;

/**
 * The codes without sub-parameters, which colons separate: the form of an underline (`4:3`; `4:0` is none), and the parts of a
 * colour (`38:5:9`, `38:2::1:2:3` with an empty colour space).
 */
const withSemicolons = (codes: string): string =>
  codes
    .split(';')
    .map((code) => {
      const [first = '', ...parts] = code.split(':');
      if (first === '38' || first === '48')
        return [first, ...parts.filter((part, index) => index !== 1 || part)].join(';');
      return first === '4' && parts[0] === '0' ? '24' : first;
    })
    .join(';');

const STYLES: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };
