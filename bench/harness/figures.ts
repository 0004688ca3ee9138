/** One measured value. `atLeast`: it was cut off there. */
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

/** By which power of the size the cost has grown: 1 is linear, 2 its square. */
export const exponent = (small: Sized, large: Sized): number =>
  Math.log(large.cost / small.cost) / Math.log(large.size / small.size);
export interface Sized {
  readonly size: number;
  readonly cost: number;
}

/** Three digits that mean something, and no more. */
export function show(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
export const showFigure = (figure: Figure | undefined): string =>
  figure ? `${figure.atLeast ? '> ' : ''}${show(figure.value)}` : '–';
export const showNumber = (value: number): string => (Number.isFinite(value) ? show(value) : '–');
export const showRatio = (value: number): string => (Number.isFinite(value) ? `${show(value)}×` : '–');
