import { escapeControls, maskFor } from './mask.ts';

/** The output of a command. In each line, secrets are masked and control characters are escaped. */
export interface Output {
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  print(...lines: readonly string[]): void;
  printJson(value: unknown): void;
  /** Messages for the user on stderr; stdout has the result, which a program may read. */
  note(...lines: readonly string[]): void;
}

/**
 * @param headers - the values that must not appear in the output
 * @param address - whose credentials must not appear there either
 */
export function terminalFor(headers: Readonly<Record<string, string>>, address?: string): Output {
  const mask = maskFor(headers, address);
  const write = (stream: NodeJS.WriteStream, lines: readonly string[]): void => {
    for (const line of lines) stream.write(`${escapeControls(line)}\n`);
  };
  return {
    isTerminal: process.stdout.isTTY,
    print(...lines) {
      write(process.stdout, lines.map(mask.text));
    },
    printJson(value) {
      // Masked before it is text, so that it stays JSON.
      write(process.stdout, JSON.stringify(mask.json(value), undefined, 2).split('\n'));
    },
    note(...lines) {
      write(process.stderr, lines.map(mask.text));
    },
  };
}
