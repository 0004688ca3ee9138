/** The output of a command. */
export interface Output {
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  print(text: string): void;
  /** Messages for the user on stderr; stdout has the result, which a program may read. */
  note(text: string): void;
}

export const terminal: Output = {
  isTerminal: process.stdout.isTTY,
  print(text) {
    process.stdout.write(`${text}\n`);
  },
  note(text) {
    process.stderr.write(`${text}\n`);
  },
};
