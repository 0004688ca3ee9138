/** What a program writes to a terminal, as words with their looks. Source: ECMA-48, section 8.3.117, as far as terminals agree. */

export interface Stretch {
  readonly text: string;
  /** Names such as `red bold`; empty for what looks as usual. */
  readonly looks: string;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const ESCAPE = '\u001b';
/** Behind an escape: a sequence that sets something, a command to the system up to its end, or one character. */
const SEQUENCE = /^(?:\[([\d;:]*)[ -/]*(?:([@-~])|$)|\]\P{Cc}*\p{Cc}?|[ -/]*[0-Z\\^-~])/u;
/** So many changes of looks are told apart; what comes behind them looks as usual. */
const MOST = 5000;

/** Whether there is anything to read in it. */
export const isTerminal = (text: string): boolean => text.includes(ESCAPE) || /\r(?!\n|$)/.test(text);

/** The words in their stretches, without the sequences between them. Nothing but looks is obeyed: no cursor moves, no link opens. */
export function readAnsi(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let looks = new Looks();
  const [first = '', ...others] = overwritten(text).split(ESCAPE);
  add(stretches, first, '');
  for (const other of others) {
    const [whole = '', codes, end] = SEQUENCE.exec(other) ?? [];
    if (end === 'm') looks = looks.with(codes ?? '');
    add(stretches, other.slice(whole.length), stretches.length < MOST ? looks.names : '');
  }
  return stretches;
}

/** A progress bar goes back to the beginning of its line and writes over it: the last is what is seen. */
const overwritten = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n')
    .replaceAll('\r', '');

function add(stretches: Stretch[], text: string, looks: string): void {
  if (text === '') return;
  const last = stretches.at(-1);
  if (last?.looks === looks) stretches[stretches.length - 1] = { text: last.text + text, looks };
  else stretches.push({ text, looks });
}

class Looks {
  readonly #colour: string;
  readonly #styles: ReadonlySet<string>;

  constructor(colour = '', styles: ReadonlySet<string> = new Set()) {
    this.#colour = colour;
    this.#styles = styles;
  }

  get names(): string {
    return [this.#colour, ...this.#styles].filter(Boolean).join(' ');
  }

  /** `codes`: numbers between semicolons; none is 0, which ends all. */
  with(codes: string): Looks {
    let colour = this.#colour;
    const styles = new Set(this.#styles);
    const numbers = codes.split(/[;:]/).map(Number);
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
      // A colour of a table or of three parts: the first sixteen have names, the others are left as they are.
      else if (code === 38 || code === 48) {
        const wide = numbers[index + 1] === 2 ? 4 : 2;
        const number = numbers[index + 2] ?? 16;
        if (code === 38 && wide === 2 && number < 16) colour = COLOURS[number % 8] ?? '';
        index += wide;
      }
    }
    return new Looks(colour, styles);
  }
}

const STYLES: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };
