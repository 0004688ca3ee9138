/** The state of one message, for protocols that stream it in chunks and may send all of it again. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
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
  let parts: readonly Part[] = [];
  return {
    append(kind, chunk) {
      if (chunk === '') return [];
      const last = parts.at(-1);
      // No snapshot here: it would compare the complete message for every chunk.
      parts =
        last?.kind === kind
          ? [...parts.slice(0, -1), { kind, text: last.text + chunk }]
          : [...parts, { kind, text: chunk }];
      return [{ message: header, ...(kind === 'text' ? { content: chunk } : { reasoning_content: chunk }) }];
    },
    put(part) {
      const knownIndex =
        part.kind === 'tool' ? parts.findIndex((other) => other.kind === 'tool' && other.id === part.id) : -1;
      // Emits only this part: the parts after it have not changed.
      const before = knownIndex < 0 ? [] : parts.slice(knownIndex, knownIndex + 1);
      parts = knownIndex < 0 ? [...parts, part] : parts.with(knownIndex, part);
      return snapshotEvents(header, before, [part]).map(asRemote);
    },
    rewrite(textParts) {
      const firstText = parts.findIndex(isTextPart);
      const leading = firstText < 0 ? parts : parts.slice(0, firstText);
      const after = [...leading, ...textParts, ...parts.slice(leading.length).filter((part) => !isTextPart(part))];
      const events = snapshotEvents(header, parts, after);
      parts = after;
      return events.map(asRemote);
    },
    text: () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
  };
}

const isTextPart = ({ kind }: Part): boolean => kind === 'text' || kind === 'reasoning';
/** Marks a tool call as one that the server runs. */
const asRemote = (data: Data): Data => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true });
