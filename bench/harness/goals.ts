import type { Goal } from './suite.ts';

/** Returns a row for a goal, or none if the figure was not measured in this run. */
const row = (
  goal: number,
  wanted: string,
  value: number,
  met: boolean,
  format: (value: number) => string,
): readonly Goal[] => (Number.isNaN(value) ? [] : [{ goal, wanted, figure: format(value), met }]);

export const atMost = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  format: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value <= limit, format);

export const below = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  format: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value < limit, format);

export const atLeast = (
  goal: number,
  wanted: string,
  value: number,
  limit: number,
  format: (value: number) => string,
): readonly Goal[] => row(goal, wanted, value, value >= limit, format);
