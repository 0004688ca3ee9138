import type { BlockOf, Citation } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { recordsOf } from './extra.ts';

/** A source of a message, under one number however often it is cited. */
export interface Source {
  readonly number: number;
  readonly citation: Citation;
}

/** What tells two sources apart. */
export const keyOf = ({ url, id }: Citation): string => url ?? id;

/** The citations of a block, however odd the list that a page or its storage gives. */
export const citationsOf = ({ citations }: BlockOf<'content'>): readonly Citation[] =>
  recordsOf(citations).filter((citation): citation is Citation & Record<string, unknown> => 'id' in citation);

const known = new WeakMap<ChatMessage['blocks'], readonly Source[]>();

/** The sources of a message in the order of their first mention. */
export function sourcesOf({ blocks }: ChatMessage): readonly Source[] {
  const before = known.get(blocks);
  if (before) return before;
  const sources = new Map<string, Source>();
  for (const block of blocks) {
    if (block.type !== 'content') continue;
    for (const citation of citationsOf(block)) {
      const key = keyOf(citation);
      if (!sources.has(key)) sources.set(key, { number: sources.size + 1, citation });
    }
  }
  const list = [...sources.values()];
  known.set(blocks, list);
  return list;
}

/** The number of a citation's source. */
export const numberOf = (sources: readonly Source[], citation: Citation): number =>
  sources.find((source) => keyOf(source.citation) === keyOf(citation))?.number ?? 0;

/** Where a source is; undefined without an address. */
export function hostOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : new URL(url).host;
  } catch {
    return undefined;
  }
}
