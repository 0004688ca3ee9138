import type { Browser } from './browser.ts';
import type { Site } from './site.ts';

/** A part of the bench: one question, answered with tables and with what they say of the goals. */
export interface Suite {
  readonly name: string;
  /** Scripts of the page that it needs, without their ending. */
  entries(options: Options): readonly string[];
  run(bench: Bench): Promise<Section>;
}

export interface Options {
  readonly rounds: number;
  /** Fewer rounds, smaller corpora, and none of those who take minutes. */
  readonly quick: boolean;
  /** Those of the names that were asked for; without a wish, all, or the `quickly` ones in a quick run. */
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

/** What the figures say of a goal of the project. */
export interface Goal {
  readonly goal: number;
  readonly wanted: string;
  readonly figure: string;
  readonly met: boolean;
}
