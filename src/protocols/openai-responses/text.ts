/**
 * The words and thoughts of a response, by the part they stand in, and their sources. A part is told by pieces and then whole,
 * up to three times. Source: `openai-responses.md`, "Events -> UI" and "Gotchas".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { maybeNumber, maybeText } from '../shared/maybe.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';

export const annotation = z.looseObject({
  type: z.string(),
  url: maybeText,
  title: maybeText,
  file_id: maybeText,
  filename: maybeText,
  start_index: maybeNumber,
  end_index: maybeNumber,
  index: maybeNumber,
});
export type Annotation = z.infer<typeof annotation>;

interface Part {
  text: string;
  /** Sources of words that have not come yet. */
  waiting: Annotation[];
  readonly cited: Set<string>;
}

/** `isWhole`: whether all of a part has come here, and not its end alone on a stream that was picked up. */
export function gatherText(isWhole: (key: string) => boolean) {
  const parts = new Map<string, Part>();
  /** What was told last, where nothing else has come between. */
  let last: { readonly kind: Kind; readonly key: string } | undefined;

  const partOf = (key: string): Part => {
    const part = parts.get(key) ?? { text: '', waiting: [], cited: new Set() };
    parts.set(key, part);
    return part;
  };
  const add = (kind: Kind, key: string, piece: string): readonly Data[] => {
    if (!piece) return [];
    partOf(key).text += piece;
    const another = last?.kind === kind && last.key !== key;
    last = { kind, key };
    // Parts of a summary have nothing between them.
    if (kind === 'reasoning') return [{ reasoning_content: another ? `\n\n${piece}` : piece }];
    return [{ content: piece, ...(another && { content_begins: true }) }];
  };
  const place = (source: Annotation, key: string): Pick<Source, 'start' | 'end'> => {
    const { text } = partOf(key);
    const [start, end] = [source.start_index, source.end_index ?? source.index].map((at) => unitsAt(text, at));
    // A mark stands in the last text that was told, and nowhere else.
    if (!end || last?.key !== key || !isWhole(key)) return {};
    return { end, ...(start !== undefined && { start }) };
  };
  const settle = (key: string): readonly Data[] =>
    partOf(key)
      .waiting.splice(0)
      .flatMap((source) => toEvent(source, place(source, key)));

  return {
    add,
    /** The whole part again: what of it was not told yet. */
    complete(kind: Kind, key: string, text: string): readonly Data[] {
      if (!isWhole(key)) return settle(key);
      const before = parts.get(key)?.text ?? '';
      const more = text.startsWith(before) ? add(kind, key, text.slice(before.length)) : [];
      return [...more, ...settle(key)];
    },
    cite(key: string, source: Annotation): readonly Data[] {
      const part = partOf(key);
      const name = JSON.stringify(source);
      if (part.cited.has(name)) return [];
      part.cited.add(name);
      const end = source.end_index ?? source.index;
      if (typeof end === 'number' && unitsAt(part.text, end) === undefined && isWhole(key)) {
        part.waiting.push(source);
        return [];
      }
      return toEvent(source, place(source, key));
    },
    /** Something else stands behind the words now. */
    interrupt(): void {
      last = undefined;
    },
    /** What waits for words that will not come. */
    end: (): readonly Data[] => [...parts.keys()].flatMap(settle),
  };
}

type Source = NonNullable<LLMAgentEventData['citation']>;

function toEvent(
  { type, url, title, file_id, filename }: Annotation,
  at: Pick<Source, 'start' | 'end'>,
): readonly Data[] {
  if (type === 'container_file_citation' || type === 'file_path') {
    // A file that was made: it is downloaded with the key only.
    const name = filename ?? file_id;
    return name ? [{ media: { kind: 'file', name } }] : [];
  }
  const id = url ?? file_id;
  const named = title ?? filename;
  return id ? [{ citation: { id, ...(url && { url }), ...(named && { title: named }), ...at } }] : [];
}

/** The place behind so many characters in UTF-16 code units; undefined where there are not so many. */
function unitsAt(text: string, count: number | null | undefined): number | undefined {
  if (typeof count !== 'number' || count < 0 || count > text.length) return undefined;
  const characters = Array.from(text);
  return count > characters.length ? undefined : characters.slice(0, count).join('').length;
}
