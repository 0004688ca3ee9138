/** Differences that are neither a fault of the widget nor of its expected content, each with its reason. */
import type { Difference } from './compare.ts';
import type { Payload } from './expected/frames.ts';
import type { Summary } from './expected/summary.ts';
import { at, canonical, listOf, parseJson, textOf } from './json.ts';

/** A difference, and how the recording was played. */
export interface Found extends Difference {
  /** Such as `auto, cut`. */
  readonly way: string;
}

/** The way of playing in which only the content shows the protocol. */
export const NEUTRAL = 'auto at a neutral address';

interface Input {
  readonly found: Found;
  readonly payloads: readonly Payload[];
  readonly expected: Summary;
}

interface Explanation {
  readonly reason: string;
  readonly fits: (input: Input) => boolean;
}

const explanations: readonly Explanation[] = [
  {
    reason: 'the result of a call that is not in this reply, but in an earlier one, is shown as a call without a name',
    fits: ({ found: { field, expected, shown } }) => {
      const named = listOf(parseJson(shown)).filter((call) => at(call, 'name') !== '');
      return field === 'calls' && canonical(named) === expected;
    },
  },
  {
    reason: 'the event that shows the protocol is not JSON, and the neutral address does not tell it',
    fits: ({ found: { way }, payloads: [first] }) => way.startsWith(NEUTRAL) && first?.json === undefined,
  },
  {
    reason: 'nothing in the stream has a form of the protocol, and the neutral address does not tell it',
    fits: ({ found: { way }, expected: { text, reasoning, calls, errors, end } }) =>
      way.startsWith(NEUTRAL) && end === 'cut' && text + reasoning === '' && calls.length + errors.length === 0,
  },
  {
    reason: 'no event with the text can be read, and it is taken from the complete response at the end',
    fits: ({ found: { field, shown }, payloads }) => {
      const last = payloads.find(({ json }) => at(json, 'type') === 'response.completed');
      const parts = listOf(at(last?.json, 'response', 'output')).flatMap((item) => listOf(at(item, 'content')));
      const hasText = payloads.some(({ json }) => textOf(at(json, 'type')).startsWith('response.output_text'));
      return (
        field === 'text' && !hasText && parts.map((part) => textOf(at(part, 'text'))).join('') === parseJson(shown)
      );
    },
  },
  {
    reason: 'the complete text contradicts the text that was streamed: the recording was edited',
    fits: ({ found: { field, expected, shown }, payloads }) => {
      const deltas = payloads.filter(({ json }) => at(json, 'type') === 'response.output_text.delta');
      const streamed = deltas.map(({ json }) => textOf(at(json, 'delta'))).join('');
      return field === 'text' && parseJson(shown) === streamed && !textOf(parseJson(expected)).startsWith(streamed);
    },
  },
];

export const explanationOf = (input: Input): string | undefined => explanations.find(({ fits }) => fits(input))?.reason;
