import type { Browser } from './browser.ts';
import type { Site } from './site.ts';

/** A part of the bench: one question, answered by tables and by the figures of its goals. */
export interface Suite {
  readonly name: string;
  /** The page scripts that it needs, without extension. */
  entries(options: Options): readonly string[];
  run(bench: Bench): Promise<Section>;
}

export interface Options {
  readonly rounds: number;
  /** Fewer rounds, smaller corpora, and no contestant that takes minutes. */
  readonly quick: boolean;
  /** The names that the arguments select; without arguments all names, or the `quickly` ones in a quick run. */
  chosen(kind: 'contestants' | 'corpora', names: readonly string[], quickly?: readonly string[]): readonly string[];
}

export interface Bench extends Options {
  readonly site: Site;
  readonly browser: Browser;
}

export interface Section {
  readonly title: string;
  /** What was measured, and how. */
  readonly how: string;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
}

export interface Table {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The result for one of the project's goals. */
export interface Goal {
  readonly goal: number;
  readonly wanted: string;
  readonly figure: string;
  readonly met: boolean;
}
