import type { Chunk } from './wire.ts';

export type Choice = NonNullable<Chunk['choices']>[number];

/**
 * Selects the rendered choices of a chunk: those of the first answer. Foundry Local and TGI number the tokens of one
 * choice in the `index` field, from 0 or from 1. That is assumed as long as each index follows the previous one. An
 * index of 1 at the start may also be the second of several answers, so it is buffered until the next chunk arrives.
 */
export function makeChoiceSelector() {
  let token = 0;
  let isTokenNumbered = true;
  let hasStarted = false;
  let buffered: Choice | undefined;
  const release = (): readonly Choice[] => {
    const choices = buffered ? [buffered] : [];
    buffered = undefined;
    return choices;
  };
  const begin = (): void => {
    isTokenNumbered &&= token === 0;
    hasStarted = true;
    buffered = undefined;
  };
  return {
    /** Handles a chunk without an index. */
    begin,
    of(choices: readonly Choice[]): readonly Choice[] {
      const first = choices.find(({ index }) => !index);
      if (first) {
        begin();
        return [first];
      }
      const [only] = choices;
      if (!only || choices.length > 1 || !isTokenNumbered || only.index !== token + 1) return [];
      token++;
      if (token === 1 && !hasStarted) {
        buffered = only;
        return [];
      }
      return [...release(), only];
    },
    /** Returns the buffered choice if no chunk has followed it. */
    release,
  };
}
