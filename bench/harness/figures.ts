/** One measured value. `atLeast`: the measurement was cut off at this value. */
export interface Figure {
  readonly value: number;
  readonly atLeast?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const [low = NaN, high = NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

export function medianOf(figures: readonly Figure[]): Figure | undefined {
  if (figures.length === 0) return undefined;
  return { value: median(figures.map(({ value }) => value)), atLeast: figures.some(({ atLeast }) => atLeast) };
}

/** Growth exponent of the cost: 1 is linear, 2 is quadratic. */
export const exponent = (small: Measured, large: Measured): number =>
  Math.log(large.cost / small.cost) / Math.log(large.size / small.size);
export interface Measured {
  readonly size: number;
  readonly cost: number;
}

/** Formats a number with three significant digits. */
export function formatNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
export const formatFigure = (figure: Figure | undefined): string =>
  figure ? `${figure.atLeast ? '> ' : ''}${formatNumber(figure.value)}` : '–';
export const formatFiniteNumber = (value: number): string => (Number.isFinite(value) ? formatNumber(value) : '–');
export const formatRatio = (value: number): string => (Number.isFinite(value) ? `${formatNumber(value)}×` : '–');
