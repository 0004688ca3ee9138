/** The state of one message, for protocols that stream it in chunks and may send all of it again. */
import { enumerate } from '../../enumerate.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { snapshotEvents, type Part } from './snapshot.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type MessageHeader = NonNullable<LLMAgentEventData['message']>;
type ToolOrMedia = Extract<Part, { readonly kind: 'tool' | 'media' }>;

export interface IncrementalMessage {
  /** Appends a chunk of text or reasoning. */
  append(kind: 'text' | 'reasoning', chunk: string): readonly Data[];
  /** Adds media, or adds or updates a tool call that the server runs. */
  put(part: ToolOrMedia): readonly Data[];
  /** Replaces all text and reasoning, at the position of the first one; tool calls and media remain. */
  rewrite(textParts: readonly Part[]): readonly Data[];
  /** Returns the text so far. */
  text(): string;
}

export function makeIncrementalMessage(header: MessageHeader): IncrementalMessage {
  // Changed in place: one event may add thousands of parts, and a copy for each would take quadratic time.
  let parts: Part[] = [];
  let toolIndexes = new Map<string, number>();
  return {
    append(kind, chunk) {
      if (chunk === '') return [];
      const last = parts.at(-1);
      // No snapshot here: it would compare the complete message for every chunk.
      if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + chunk };
      else parts.push({ kind, text: chunk });
      return [{ message: header, ...(kind === 'text' ? { content: chunk } : { reasoning_content: chunk }) }];
    },
    put(part) {
      const knownIndex = part.kind === 'tool' ? toolIndexes.get(part.id) : undefined;
      // Emits only this part: the parts after it have not changed.
      const before = knownIndex === undefined ? [] : parts.slice(knownIndex, knownIndex + 1);
      if (knownIndex !== undefined) parts[knownIndex] = part;
      else {
        if (part.kind === 'tool') toolIndexes.set(part.id, parts.length);
        parts.push(part);
      }
      return snapshotEvents(header, before, [part]).map(asRemote);
    },
    rewrite(textParts) {
      const firstText = parts.findIndex(isTextPart);
      const leading = firstText < 0 ? parts : parts.slice(0, firstText);
      const after = [...leading, ...textParts, ...parts.slice(leading.length).filter((part) => !isTextPart(part))];
      const events = snapshotEvents(header, parts, after);
      parts = after;
      toolIndexes = indexTools(after);
      return events.map(asRemote);
    },
    text: () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
  };
}

/** The position of each tool call, by its id. */
function indexTools(parts: readonly Part[]): Map<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, part] of enumerate(parts)) if (part.kind === 'tool') indexes.set(part.id, index);
  return indexes;
}

const isTextPart = ({ kind }: Part): boolean => kind === 'text' || kind === 'reasoning';
/** Marks a tool call as one that the server runs. */
const asRemote = (data: Data): Data => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true });
