/** The marks `[cite:messageId]` that a model writes into its text. Source: phase events, section 5. */
import type { Source } from './step.ts';

const MARK = /\[cite:([^\]\s]{1,64})\]/;
/** What may still become a mark when more comes. */
const BEGUN = /\[(?:c(?:i(?:t(?:e(?::[^\]\s]{0,64})?)?)?)?)?$/;

/** Where the sentence begins, or the line, that ends with this text: what a mark behind it stands for. */
export const sentenceStart = (text: string): number =>
  text.length - (/(?:[^\n.]|\.(?!\s))*$/.exec(text)?.[0] ?? '').trimStart().length;

/** What a tool has found, by id: the cache that marks are looked up in. */
export type SourceCache = Map<string, Source>;

export type CitedPiece = { readonly words: string } | { readonly source: Source };

/**
 * Takes the marks out of a growing text, wherever its pieces are cut. A mark of a message that no tool has found is taken out
 * all the same and nothing comes of it: readers are never shown a mark.
 */
export function splitCitations(sources: ReadonlyMap<string, Source>): {
  feed(piece: string): readonly CitedPiece[];
  /** Nothing more will come: half a mark was text after all. */
  end(): readonly CitedPiece[];
} {
  let held = '';
  const take = (all: boolean): readonly CitedPiece[] => {
    const pieces: CitedPiece[] = [];
    const say = (words: string): void => {
      if (words) pieces.push({ words });
    };
    for (let mark = MARK.exec(held); mark; mark = MARK.exec(held)) {
      say(held.slice(0, mark.index));
      held = held.slice(mark.index + mark[0].length);
      const source = sources.get(mark[1] ?? '');
      if (source) pieces.push({ source });
    }
    const begun = all ? null : BEGUN.exec(held);
    const sure = begun ? begun.index : held.length;
    say(held.slice(0, sure));
    held = held.slice(sure);
    return pieces;
  };
  return {
    feed(piece) {
      held += piece;
      return take(false);
    },
    end: () => take(true),
  };
}
