/** Which messages are drawn: those in view, and some room beyond them on either side. */

/** Places in the conversation, `to` not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The messages that fill so many pixels above the top of one of them, and so many below it. */
export function rangeAround(
  place: number,
  room: { readonly above: number; readonly below: number },
  count: number,
  heightAt: (index: number) => number,
): Range {
  let from = Math.min(place, count);
  let to = from;
  for (let { above } = room; from > 0 && above > 0;) above -= heightAt(--from);
  for (let { below } = room; to < count && below > 0;) below -= heightAt(to++);
  return { from, to };
}

/** A run of messages that is drawn, or one that is left out. */
export interface Stretch extends Range {
  readonly drawn: boolean;
}

/** All messages as runs, in their order: those of a range, those that are kept alive outside it, and what is left out. */
export function stretchesOf({ from, to }: Range, kept: readonly number[], count: number): readonly Stretch[] {
  const outside = kept.filter((index) => index < from || index >= to).sort((left, right) => left - right);
  const runs = [
    ...outside.filter((index) => index < from).map((index) => ({ from: index, to: index + 1 })),
    ...(to > from ? [{ from, to }] : []),
    ...outside.filter((index) => index >= to).map((index) => ({ from: index, to: index + 1 })),
  ];
  const stretches: Stretch[] = [];
  let next = 0;
  for (const run of runs) {
    if (run.from > next) stretches.push({ from: next, to: run.from, drawn: false });
    stretches.push({ ...run, drawn: true });
    next = run.to;
  }
  if (next < count) stretches.push({ from: next, to: count, drawn: false });
  return stretches;
}

/** Where in a run that is left out a share of its height lies: the message there, and the share of that message. */
export function placeAt(
  { from, to }: Range,
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
