/** The sources of an answer: search results ("grounding"), fetched pages and recited text. Source: `docs/protocols/gemini.md`. */
import { enumerate } from '../../enumerate.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { occurrencesOf } from '../../model/text/find-quote.ts';
import { TextPositions } from '../shared/text-positions.ts';
import { sourceFields, type Candidate, type Grounding } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type CitationData = NonNullable<LLMAgentEventData['citation']>;
type Position = Pick<CitationData, 'start' | 'end' | 'quote' | 'anchor'>;

/** The maximum number of segments whose position is searched. A reply shows fewer citations than that. */
const MAX_LOCATED = 2048;

/** The answer so far, and the offset of its last text block. */
export interface Answer {
  readonly text: string;
  readonly blockStart: number;
}

/**
 * Collects the sources of a reply. A later chunk repeats the grounding of earlier ones or has only its own, and its
 * positions may refer to text that follows, so everything is emitted at the end, once.
 */
export function makeSourceCollector() {
  const groundings: Grounding[] = [];
  const fetched: string[] = [];
  let recitations: readonly Recitation[] = [];
  return {
    take({ groundingMetadata, urlContextMetadata, citationMetadata }: SourceFields): void {
      if (groundingMetadata) groundings.push(groundingMetadata);
      for (const page of urlContextMetadata?.urlMetadata ?? [])
        if (page?.retrievedUrl && (page.urlRetrievalStatus ?? SUCCESS) === SUCCESS) fetched.push(page.retrievedUrl);
      // Each chunk contains only its own citations.
      recitations = [...recitations, ...(citationMetadata?.citationSources ?? citationMetadata?.citations ?? [])];
    },
    events(answer: Answer): readonly Data[] {
      const cite = makeCiter();
      const locate = makeLocator(answer);
      let located = 0;
      const lists = groundings.map(({ groundingChunks }) => groundingChunks?.map(toSource) ?? []);
      for (const [order, { groundingSupports }] of enumerate(groundings))
        for (const support of groundingSupports ?? []) {
          for (const [index, chunkIndex] of enumerate(support?.groundingChunkIndices ?? [])) {
            const source = typeof chunkIndex === 'number' ? lists[order]?.[chunkIndex] : undefined;
            if (!source || ++located > MAX_LOCATED) continue;
            const position = locate(support?.segment ?? {});
            // A quote can be anchored only once.
            cite.at(source, index > 0 && position?.anchor ? undefined : position);
          }
        }
      for (const source of lists.flat()) if (source) cite.once(source);
      for (const url of fetched) cite.once({ id: url, url });
      for (const entry of recitations) {
        if (!entry?.uri || ++located > MAX_LOCATED) continue;
        const { uri, license } = entry;
        cite.at({ id: uri, url: uri, ...(license && { extra: { license } }) }, locate(entry));
      }
      const metadata = groundingMetadata(groundings);
      return [...cite.all(), ...(metadata ? [{ metadata }] : [])];
    },
  };
}

/** The sources of a complete reply, for servers that forward these fields unchanged. */
export function citationEvents(fields: unknown, text: string): readonly Data[] {
  const parsed = sourceFields.safeParse(fields);
  if (!parsed.success) return [];
  const sources = makeSourceCollector();
  sources.take(parsed.data);
  return sources.events({ text, blockStart: 0 });
}

type SourceFields = Pick<Candidate, 'groundingMetadata' | 'urlContextMetadata' | 'citationMetadata'>;
type Recitation = NonNullable<NonNullable<NonNullable<Candidate['citationMetadata']>['citations']>>[number];
const SUCCESS = 'URL_RETRIEVAL_STATUS_SUCCESS';

/**
 * Data that Google requires to be shown with such an answer. It contains third-party HTML, which the host page must
 * handle.
 */
function groundingMetadata(groundings: readonly Grounding[]): Readonly<Record<string, unknown>> | undefined {
  const all = groundings.flatMap(({ webSearchQueries }) => webSearchQueries ?? []);
  const queries = [...new Set(all.filter((query) => typeof query === 'string'))];
  const html = groundings.map(({ searchEntryPoint }) => searchEntryPoint?.renderedContent).findLast(Boolean);
  if (queries.length === 0 && !html) return undefined;
  return { ...(queries.length > 0 && { searchQueries: queries }), ...(html && { searchEntryPoint: html }) };
}

type GroundingChunk = NonNullable<Grounding['groundingChunks']>[number];

/** The URL is often a redirect: the title shows the target. */
function toSource(chunk: GroundingChunk): CitationData | undefined {
  const { web, retrievedContext, maps, image } = chunk ?? {};
  const page = web ?? retrievedContext ?? maps ?? (image && { uri: image.sourceUri, title: image.title });
  const id = page?.uri || page?.title;
  if (!id) return undefined;
  const { uri, title } = page;
  return {
    id,
    ...(uri && /^https?:/i.test(uri) && { url: uri }),
    ...(title && { title }),
    ...(retrievedContext?.text && { quote: retrievedContext.text }),
  };
}

function makeCiter() {
  const cited = new Set<string>();
  const positions = new Set<string>();
  const events: Data[] = [];
  const add = (source: CitationData, position: Position | undefined): void => {
    const key = JSON.stringify([source.id, position?.end, position?.anchor && position.quote]);
    if (positions.has(key) || (!position && cited.has(source.id))) return;
    positions.add(key);
    cited.add(source.id);
    events.push({ citation: { ...source, ...position } });
  };
  return {
    at: add,
    once: (source: CitationData): void => {
      add(source, undefined);
    },
    all: (): readonly Data[] => events,
  };
}

interface Segment {
  readonly startIndex?: number | null | undefined;
  readonly endIndex?: number | null | undefined;
  readonly text?: string | null | undefined;
}

/**
 * Finds the position of a segment in the last block. Its indexes are UTF-8 byte offsets and not always correct; its
 * text is.
 */
function makeLocator({ text, blockStart }: Answer): (segment: Segment) => Position | undefined {
  const positions = new TextPositions();
  return ({ startIndex, endIndex, text: quote }) => {
    positions.update(text);
    const hasIndexes = typeof endIndex === 'number' && endIndex > 0 && endIndex <= positions.bytes;
    let start = hasIndexes ? positions.fromBytes(Math.max(0, startIndex ?? 0)) : 0;
    let end = hasIndexes ? positions.fromBytes(endIndex) : 0;
    if (quote && text.slice(start, end) !== quote) {
      const [last = -1] = occurrencesOf(quote, text);
      start = last;
      end = start + quote.length;
    }
    if (end <= start || start < 0) return undefined;
    if (start >= blockStart) return { start: start - blockStart, end: end - blockStart };
    return quote ? { quote, anchor: 'quote' } : undefined;
  };
}
