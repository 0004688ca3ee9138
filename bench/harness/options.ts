import { parseArgs } from 'node:util';
import type { Options } from './suite.ts';

export interface CommandOptions extends Options {
  /** The suites to run; all without an argument. */
  readonly only: readonly string[] | undefined;
  /** Whether to store the results and write the report. */
  readonly write: boolean;
}

const ROUNDS = 5;

export function readOptions(args: readonly string[]): CommandOptions {
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
    // A partial or quick run is not published.
    write: values.write || (!values.quick && !only),
    rounds: Number(values.rounds ?? (values.quick ? 1 : ROUNDS)),
    chosen(kind, names, quickly = names) {
      const filters = values[kind]?.split(',');
      if (!filters) return values.quick ? quickly : names;
      return names.filter((name) => filters.some((filter) => name.includes(filter)));
    },
  };
}
