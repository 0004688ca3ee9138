import { parseArgs } from 'node:util';
import type { Options } from './suite.ts';

export interface Wishes extends Options {
  /** The suites that were asked for; without a wish all are run. */
  readonly only: readonly string[] | undefined;
  /** Whether the results are kept and the report is written. */
  readonly write: boolean;
}

const ROUNDS = 5;

export function readOptions(args: readonly string[]): Wishes {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      contestants: { type: 'string' },
      corpora: { type: 'string' },
    },
  });
  const only = values.only?.split(',') ?? (positionals.length > 0 ? positionals : undefined);
  return {
    only,
    quick: values.quick,
    // A part or a quick look is for the one who runs it.
    write: values.write || (!values.quick && !only),
    rounds: Number(values.rounds ?? (values.quick ? 1 : ROUNDS)),
    chosen(kind, names, quickly = names) {
      const words = values[kind]?.split(',');
      if (!words) return values.quick ? quickly : names;
      return names.filter((name) => words.some((word) => name.includes(word)));
    },
  };
}
