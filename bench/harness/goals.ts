import type { Goal } from './suite.ts';

/** A goal's row; none where the figure was not measured in this run. */
const row = (
  goal: number,
  wanted: string,
  value: number,
  met: boolean,
  show: (value: number) => string,
): readonly Goal[] => (Number.isNaN(value) ? [] : [{ goal, wanted, figure: show(value), met }]);

export const atMost = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value <= limit, show);

export const below = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value < limit, show);

export const atLeast = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value >= limit, show);
