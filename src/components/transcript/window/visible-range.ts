/** Computes which messages are rendered: the visible ones and an overscan on either side. */

/** Indexes of messages, `to` excluded. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The messages that fill the given heights above and below the top of one message. */
export function rangeAround(
  index: number,
  room: { readonly above: number; readonly below: number },
  count: number,
  heightAt: (index: number) => number,
): IndexRange {
  let from = Math.min(index, count);
  let to = from;
  for (let { above } = room; from > 0 && above > 0;) above -= heightAt(--from);
  for (let { below } = room; to < count && below > 0;) below -= heightAt(to++);
  return { from, to };
}

/** A run of messages that are rendered, or that a spacer replaces. */
export interface MessageRun extends IndexRange {
  readonly isRendered: boolean;
}

/** All messages as runs in order: the rendered range, the messages kept outside it, and the spacers. */
export function messageRuns({ from, to }: IndexRange, pinned: readonly number[], count: number): readonly MessageRun[] {
  const outside = pinned.filter((index) => index < from || index >= to).sort((left, right) => left - right);
  const renderedRuns = [
    ...outside.filter((index) => index < from).map((index) => ({ from: index, to: index + 1 })),
    ...(to > from ? [{ from, to }] : []),
    ...outside.filter((index) => index >= to).map((index) => ({ from: index, to: index + 1 })),
  ];
  const runs: MessageRun[] = [];
  let next = 0;
  for (const run of renderedRuns) {
    if (run.from > next) runs.push({ from: next, to: run.from, isRendered: false });
    runs.push({ ...run, isRendered: true });
    next = run.to;
  }
  if (next < count) runs.push({ from: next, to: count, isRendered: false });
  return runs;
}

/** Maps a share of the height of a spacer to a message in it and a share of that message. */
export function messageAtShare(
  { from, to }: IndexRange,
  share: number,
  heightAt: (index: number) => number,
): { readonly index: number; readonly share: number } {
  let sum = 0;
  for (let index = from; index < to; index++) sum += heightAt(index);
  let rest = Math.max(0, Math.min(1, share)) * sum;
  for (let index = from; index < to - 1; index++) {
    const height = heightAt(index);
    if (rest < height) return { index, share: rest / height };
    rest -= height;
  }
  return { index: to - 1, share: 0 };
}
