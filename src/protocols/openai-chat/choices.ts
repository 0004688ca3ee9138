import type { Chunk } from './reply-schema.ts';

export type Choice = NonNullable<Chunk['choices']>[number];

/** Whether a choice has nothing but the reason of its end. */
const isEnd = ({ delta, message, text, finish_reason }: Choice): boolean =>
  Boolean(finish_reason) && !text && !(delta ?? message)?.content;

/**
 * Selects the rendered choices of a chunk: those of the first answer. Foundry Local and TGI number the tokens of one
 * choice in the `index` field, from 0 or from 1. That is assumed as long as each index follows the previous one. The
 * first index of 1 may also be the second of several answers, so it is buffered until the next chunk arrives.
 */
export function makeChoiceSelector() {
  /** The number of the last token, as long as `index` seems to number tokens. */
  let token = 0;
  let isTokenNumbered = true;
  let hasEnded = false;
  let buffered: Choice | undefined;
  const release = (): readonly Choice[] => {
    const choices = buffered ? [buffered] : [];
    buffered = undefined;
    return choices;
  };
  const begin = (): void => {
    isTokenNumbered &&= token === 0;
    buffered = undefined;
  };
  return {
    /** Handles a chunk without an index. */
    begin,
    of(choices: readonly Choice[]): readonly Choice[] {
      const first = choices.find(({ index }) => !index);
      if (first) {
        // The end of numbered tokens has an index of 0 too. A second end shows that there are several answers.
        hasEnded ||= isEnd(first);
        if (!hasEnded) begin();
        return [first];
      }
      const [only] = choices;
      if (!only || choices.length > 1 || !isTokenNumbered) return [];
      if (only.index !== token + 1) {
        if (hasEnded || !isEnd(only)) begin();
        return [];
      }
      token++;
      if (token > 1) return [...release(), only];
      buffered = only;
      return [];
    },
    /** Returns the buffered choice if no chunk has followed it. */
    release,
  };
}
