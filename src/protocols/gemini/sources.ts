/** The sources of an answer: what it was grounded on, the pages that were fetched, and what it recites. Source: `gemini.md`. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Candidate, Grounding } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Cited = NonNullable<LLMAgentEventData['citation']>;
type Place = Pick<Cited, 'start' | 'end' | 'quote' | 'anchor'>;

/** The answer so far, and where in it the last block of text begins. */
export interface Answer {
  readonly text: string;
  readonly blockStart: number;
}

/** Later metadata takes the place of earlier ones, so that all is told at the end. */
export function gatherSources() {
  let grounding: Grounding | undefined;
  let fetched: readonly string[] = [];
  let recited: readonly Recited[] = [];
  return {
    take({ groundingMetadata, urlContextMetadata, citationMetadata }: Candidate): void {
      grounding = groundingMetadata ?? grounding;
      fetched =
        urlContextMetadata?.urlMetadata?.flatMap((page) =>
          page?.retrievedUrl && (page.urlRetrievalStatus ?? SUCCESS) === SUCCESS ? [page.retrievedUrl] : [],
        ) ?? fetched;
      recited = citationMetadata?.citationSources ?? citationMetadata?.citations ?? recited;
    },
    tell(answer: Answer): readonly Data[] {
      const cite = makeCiter();
      const find = makeFinder(answer);
      const sources = grounding?.groundingChunks?.map(sourceOf) ?? [];
      for (const support of grounding?.groundingSupports ?? []) {
        for (const [index, number] of (support?.groundingChunkIndices ?? []).entries()) {
          const source = typeof number === 'number' ? sources[number] : undefined;
          const place = find(support?.segment ?? {});
          // A quote that is taken is not found once more.
          if (source) cite.at(source, index > 0 && place?.anchor ? undefined : place);
        }
      }
      for (const source of sources) if (source) cite.once(source);
      for (const url of fetched) cite.once({ id: url, url });
      for (const entry of recited) {
        if (!entry?.uri) continue;
        const { uri, license } = entry;
        cite.at({ id: uri, url: uri, ...(license && { extra: { license } }) }, find(entry));
      }
      const facts = factsOf(grounding);
      return [...cite.all(), ...(facts ? [{ metadata: facts }] : [])];
    },
  };
}

type Recited = NonNullable<NonNullable<NonNullable<Candidate['citationMetadata']>['citations']>>[number];
const SUCCESS = 'URL_RETRIEVAL_STATUS_SUCCESS';

/** What Google asks to be shown beside such an answer; it is HTML from outside, and up to the page. */
function factsOf(grounding: Grounding | undefined): Readonly<Record<string, unknown>> | undefined {
  const queries = grounding?.webSearchQueries?.filter((query) => typeof query === 'string') ?? [];
  const html = grounding?.searchEntryPoint?.renderedContent;
  if (queries.length === 0 && !html) return undefined;
  return { ...(queries.length > 0 && { searchQueries: queries }), ...(html && { searchEntryPoint: html }) };
}

type GroundingChunk = NonNullable<Grounding['groundingChunks']>[number];

/** The address is often a redirect: the title says where it leads. */
function sourceOf(chunk: GroundingChunk): Cited | undefined {
  const { web, retrievedContext, maps, image } = chunk ?? {};
  const found = web ?? retrievedContext ?? maps ?? (image && { uri: image.sourceUri, title: image.title });
  const id = found?.uri || found?.title;
  if (!id) return undefined;
  const { uri, title } = found;
  return {
    id,
    ...(uri && /^https?:/i.test(uri) && { url: uri }),
    ...(title && { title }),
    ...(retrievedContext?.text && { quote: retrievedContext.text }),
  };
}

function makeCiter() {
  const cited = new Set<string>();
  const places = new Set<string>();
  const events: Data[] = [];
  const at = (source: Cited, place: Place | undefined): void => {
    const key = JSON.stringify([source.id, place?.end, place?.anchor && place.quote]);
    if (places.has(key) || (!place && cited.has(source.id))) return;
    places.add(key);
    cited.add(source.id);
    events.push({ citation: { ...source, ...place } });
  };
  return {
    at,
    once: (source: Cited): void => {
      at(source, undefined);
    },
    all: (): readonly Data[] => events,
  };
}

interface Segment {
  readonly startIndex?: number | null | undefined;
  readonly endIndex?: number | null | undefined;
  readonly text?: string | null | undefined;
}

/** Where a segment stands in the last block. Its indexes are bytes of UTF-8, and not always right; its words are. */
function makeFinder({ text, blockStart }: Answer): (segment: Segment) => Place | undefined {
  const bytes = new TextEncoder().encode(text);
  const unitOf = (byte: number): number => new TextDecoder().decode(bytes.subarray(0, byte)).length;
  return ({ startIndex, endIndex, text: words }) => {
    const given = typeof endIndex === 'number' && endIndex > 0 && endIndex <= bytes.length;
    let start = given ? unitOf(Math.max(0, startIndex ?? 0)) : 0;
    let end = given ? unitOf(endIndex) : 0;
    if (words && text.slice(start, end) !== words) {
      start = text.lastIndexOf(words);
      end = start + words.length;
    }
    if (end <= start || start < 0) return undefined;
    if (start >= blockStart) return { start: start - blockStart, end: end - blockStart };
    return words ? { quote: words, anchor: 'quote' } : undefined;
  };
}
