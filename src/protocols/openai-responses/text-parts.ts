/**
 * The text and reasoning of a response by part, and their sources. A part is streamed in chunks and then sent
 * completely, up to three times. Source: `docs/protocols/openai-responses.md`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { lenientNumber, lenientString } from '../shared/lenient.ts';
import { TextPositions } from '../shared/text-positions.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';

export const annotation = z.looseObject({
  type: z.string(),
  url: lenientString,
  title: lenientString,
  file_id: lenientString,
  filename: lenientString,
  start_index: lenientNumber,
  end_index: lenientNumber,
  index: lenientNumber,
});
export type Annotation = z.infer<typeof annotation>;

interface Part {
  kind: Kind;
  text: string;
  readonly positions: TextPositions;
  /** Sources of text that has not arrived yet. */
  pendingSources: Annotation[];
  /** Its sources by their JSON. */
  readonly cited: Map<string, Annotation>;
}

/**
 * @param isFromStart - whether this stream contains a part from its start; a resumed stream may contain only its end
 * @param empty - returns the events that empty the message; undefined if the message contains more than these parts
 */
export function makeTextParts(isFromStart: (key: string) => boolean, empty: () => readonly Data[] | undefined) {
  const parts = new Map<string, Part>();
  /** The part that was emitted last, if nothing came after it. */
  let last: { readonly kind: Kind; readonly key: string } | undefined;

  const partOf = (key: string): Part => {
    const part = parts.get(key) ?? newPart();
    parts.set(key, part);
    return part;
  };
  const add = (kind: Kind, key: string, chunk: string): readonly Data[] => {
    if (!chunk) return [];
    const part = partOf(key);
    part.kind = kind;
    part.text += chunk;
    const isNewPart = last?.kind === kind && last.key !== key;
    last = { kind, key };
    // The parts of a summary have no separator: each becomes a paragraph.
    if (kind === 'reasoning') return [{ reasoning_content: isNewPart ? `\n\n${chunk}` : chunk }];
    return [{ content: chunk, ...(isNewPart && { content_begins: true }) }];
  };
  // A position is only valid in the last emitted text.
  const position = (source: Annotation, key: string): Pick<Source, 'start' | 'end'> =>
    last?.key === key && isFromStart(key) ? rangeOf(source, partOf(key)) : {};
  const emitPending = (key: string): readonly Data[] =>
    partOf(key)
      .pendingSources.splice(0)
      .flatMap((source) => toEvent(source, position(source, key)));

  const cite = (key: string, source: Annotation): readonly Data[] => {
    const part = partOf(key);
    const sourceKey = JSON.stringify(source);
    if (part.cited.has(sourceKey)) return [];
    part.cited.set(sourceKey, source);
    const end = source.end_index ?? source.index;
    if (typeof end === 'number' && toUtf16Offset(part, end) === undefined && isFromStart(key)) {
      part.pendingSources.push(source);
      return [];
    }
    return toEvent(source, position(source, key));
  };
  /** Writes all parts again, this one with another text: the complete text is the valid one. */
  const rewrite = (key: string, text: string): readonly Data[] => {
    const emptied = empty();
    if (!emptied) return [];
    const before = [...parts];
    parts.clear();
    last = undefined;
    return [
      ...emptied,
      ...before.flatMap(([other, { kind, text: known, cited }]) => [
        ...add(kind, other, other === key ? text : known),
        ...[...cited.values()].flatMap((source) => cite(other, source)),
      ]),
    ];
  };

  return {
    add,
    cite,
    /** Handles the complete part: emits its remaining text and the sources that waited for it. */
    complete(kind: Kind, key: string, text: string): readonly Data[] {
      if (!isFromStart(key)) return emitPending(key);
      const knownText = parts.get(key)?.text ?? '';
      const isOther = text.trim() !== '' && text.trim() !== knownText.trim();
      const rest = text.startsWith(knownText)
        ? add(kind, key, text.slice(knownText.length))
        : isOther
          ? rewrite(key, text)
          : [];
      return [...rest, ...emitPending(key)];
    },
    /** Records that another block follows the text. */
    interrupt(): void {
      last = undefined;
    },
    /** Emits the sources whose text never arrived. */
    end: (): readonly Data[] => [...parts.keys()].flatMap(emitPending),
  };
}

type Source = NonNullable<LLMAgentEventData['citation']>;

const newPart = (): Part => ({
  kind: 'text',
  text: '',
  positions: new TextPositions(),
  pendingSources: [],
  cited: new Map(),
});

function rangeOf(source: Annotation, part: Part): Pick<Source, 'start' | 'end'> {
  const [start, end] = [source.start_index, source.end_index ?? source.index].map((at) => toUtf16Offset(part, at));
  return end ? { end, ...(start !== undefined && { start }) } : {};
}

function toEvent(
  { type, url, title, file_id, filename }: Annotation,
  at: Pick<Source, 'start' | 'end'>,
): readonly Data[] {
  if (type === 'container_file_citation' || type === 'file_path') {
    // A generated file: downloading it needs the API key.
    const name = filename ?? file_id;
    return name ? [{ media: { kind: 'file', name } }] : [];
  }
  const id = url ?? file_id;
  const displayName = title ?? filename;
  return id ? [{ citation: { id, ...(url && { url }), ...(displayName && { title: displayName }), ...at } }] : [];
}

/** Converts a character count to UTF-16 code units; returns undefined when the text is shorter. */
function toUtf16Offset({ text, positions }: Part, count: number | null | undefined): number | undefined {
  if (typeof count !== 'number' || count < 0 || count > text.length) return undefined;
  positions.update(text);
  return count > positions.points ? undefined : positions.fromPoints(count);
}
