/** Compares what the widget shows with what an independent reader of the stream expects. */
import { ANY, type Summary } from './expected/summary.ts';
import { canonical } from './json.ts';

export interface Difference {
  readonly field: keyof Summary;
  readonly expected: string;
  readonly shown: string;
}

const fields = ['text', 'reasoning', 'calls', 'sources', 'images', 'errors', 'end'] as const;

export function differences(expected: Summary, shown: Summary): readonly Difference[] {
  const known = withoutUnknown(expected, shown);
  return fields.flatMap((field) => {
    const [left, right] = [expected, known].map((summary) => canonical(valueOf(summary, field)));
    return left === right ? [] : [{ field, expected: left ?? '', shown: right ?? '' }];
  });
}

/** No documentation says what separates the parts of reasoning. */
const valueOf = (summary: Summary, field: keyof Summary): unknown =>
  field === 'reasoning' ? summary.reasoning.replaceAll(/\n{2,}/g, '') : summary[field];

/** The widget gives an id to a call that has none, and its own words to a refusal that has none. */
const withoutUnknown = (expected: Summary, shown: Summary): Summary => ({
  ...shown,
  errors: shown.errors.map((text, index) => (expected.errors[index] === ANY ? ANY : text)),
  calls: shown.calls.map((call, index) => {
    const other = expected.calls[index];
    return { ...call, id: other?.id === '' ? '' : call.id, args: other?.args === ANY ? ANY : call.args };
  }),
});
