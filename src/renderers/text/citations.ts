import type { BlockOf, Citation } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { closeGaps, safeLink, withoutInvisible } from '../../safety/urls.ts';
import { recordsOf } from '../core/block-extra.ts';

/** A source of a message. It has one number, however often it is cited. */
export interface Source {
  readonly number: number;
  readonly citation: Citation;
}

/** The identity of a source. */
export const sourceKey = ({ url, id }: Citation): string => url ?? id;

/** The valid citations of a block; the list from the page or from storage may be malformed. */
export const citationsOf = ({ citations }: BlockOf<'content'>): readonly Citation[] =>
  recordsOf(citations).filter(
    (citation): citation is Citation & Record<string, unknown> => typeof citation['id'] === 'string',
  );

interface Sources {
  readonly list: readonly Source[];
  readonly byKey: ReadonlyMap<string, Source>;
}

/** A cache: each text of a message asks for the sources, and each citation mark in it. */
const known = new WeakMap<ChatMessage['blocks'], Sources>();

function sourcesOf({ blocks }: ChatMessage): Sources {
  const before = known.get(blocks);
  if (before) return before;
  const sources = new Map<string, Source>();
  for (const block of blocks) {
    if (block.type !== 'content') continue;
    for (const citation of citationsOf(block)) {
      const key = sourceKey(citation);
      if (!sources.has(key)) sources.set(key, { number: sources.size + 1, citation });
    }
  }
  const found = { list: [...sources.values()], byKey: sources };
  known.set(blocks, found);
  return found;
}

/** The sources of a message in the order of their first citation. */
export const collectSources = (message: ChatMessage): readonly Source[] => sourcesOf(message).list;

/**
 * The sources that numbers in the text refer to, in the order of the server; none if the server sends positions. A
 * repeated source has one number.
 */
export function numberedSources(message: ChatMessage): readonly number[] {
  const citations = message.blocks.flatMap((block) => (block.type === 'content' ? citationsOf(block) : []));
  if (citations.some(({ end }) => end !== undefined)) return [];
  return citations.map((citation) => sourceNumber(message, citation));
}

/** The number of a citation's source. */
export const sourceNumber = (message: ChatMessage, citation: Citation): number =>
  sourcesOf(message).byKey.get(sourceKey(citation))?.number ?? 0;

/** Maximum length of the name of a source that is shown (characters). */
const NAME_LENGTH = 300;

/** The name of a source: its title, otherwise its text, its URL or its id. */
export function sourceName({ title, quote, url, id }: Citation): string {
  const name = closeGaps(withoutInvisible(title || quote || url || id));
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
}

/** The date of the cited text, in milliseconds since the epoch; undefined if the server does not send it. */
export function sourceTime({ extra }: Citation): number | undefined {
  const time = extra?.['timestamp'];
  return typeof time === 'number' && time > 0 && Number.isFinite(new Date(time).getTime()) ? time : undefined;
}

/** The host of a source, or the path of a link without a host (`mailto:`); undefined without a link. */
export function hostOf(url: string | undefined): string | undefined {
  const link = url === undefined ? undefined : safeLink(url);
  return link && withoutInvisible(link.host || link.pathname);
}
