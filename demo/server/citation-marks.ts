/** The marks `[cite:messageId]` that a model writes into its text. Source: `docs/protocols/agent-phase.md`. */
import type { Source } from './step.ts';

const MARK = /\[cite:([^\]\s]{1,64})\]/;
/** A suffix that may become a mark when more text arrives. */
const BEGUN = /\[(?:c(?:i(?:t(?:e(?::[^\]\s]{0,64})?)?)?)?)?$/;

/** The start of the last sentence or line of the text: the passage that a mark after it cites. */
export const sentenceStart = (text: string): number =>
  text.length - (/(?:[^\n.]|\.(?!\s))*$/.exec(text)?.[0] ?? '').trimStart().length;

/** The messages that tools have found, by id; marks are looked up here. */
export type SourceCache = Map<string, Source>;

export type CitedChunk = { readonly words: string } | { readonly source: Source };

/**
 * Removes the marks from a streaming text, wherever its chunks are split. A mark with an unknown id is removed without
 * a citation, so that users never see marks.
 */
export function splitCitations(sources: ReadonlyMap<string, Source>): {
  feed(chunk: string): readonly CitedChunk[];
  /** The text is complete, so a partial mark is plain text. */
  end(): readonly CitedChunk[];
} {
  let held = '';
  const take = (all: boolean): readonly CitedChunk[] => {
    const chunks: CitedChunk[] = [];
    const say = (words: string): void => {
      if (words) chunks.push({ words });
    };
    for (let mark = MARK.exec(held); mark; mark = MARK.exec(held)) {
      say(held.slice(0, mark.index));
      held = held.slice(mark.index + mark[0].length);
      const source = sources.get(mark[1] ?? '');
      if (source) chunks.push({ source });
    }
    const begun = all ? null : BEGUN.exec(held);
    const sure = begun ? begun.index : held.length;
    say(held.slice(0, sure));
    held = held.slice(sure);
    return chunks;
  };
  return {
    feed(chunk) {
      held += chunk;
      return take(false);
    },
    end: () => take(true),
  };
}
