/** The message of one agent in a reply of ADK: streamed chunks first, then the complete content of each model call. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import type { AdkPart } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';
type MessageHeader = NonNullable<LLMAgentEventData['message']>;

/** An agent that writes messages. Agents that run in parallel have their own branches. */
export class Speaker {
  readonly #message: IncrementalMessage;
  /** Streamed chunks that the server has not yet repeated in a complete event. */
  readonly #chunks: Record<Kind, string> = { text: '', reasoning: '' };
  /** Media that came with the chunks. */
  readonly #media = new Set<string>();
  /** Whether the message contains only these chunks, so that it can be rewritten. */
  #canRewrite: boolean;
  #blockText = '';
  /** Whether the next text starts a new block, because a model call has ended. */
  #startsBlock: boolean;

  /** @param isContinued whether the message has content from an earlier round */
  constructor(header: MessageHeader, isContinued: boolean) {
    this.#message = makeIncrementalMessage(header);
    this.#canRewrite = !isContinued;
    this.#startsBlock = isContinued;
  }

  get hasChunks(): boolean {
    return this.#chunks.text !== '' || this.#chunks.reasoning !== '';
  }

  /** The text of the last text block. */
  get blockText(): string {
    return this.#blockText;
  }

  appendChunk(part: AdkPart): readonly Data[] {
    this.#chunks[kindOf(part)] += part.text ?? '';
    return [...this.appendText(part), ...this.appendMedia(part)];
  }

  appendText(part: AdkPart): readonly Data[] {
    return this.#append(kindOf(part), part.text ?? '');
  }

  /** Emits the part of the complete content that the chunks have not contained yet. */
  appendRest(parts: readonly AdkPart[]): readonly Data[] {
    const emitted = { ...this.#chunks };
    this.#chunks.text = '';
    this.#chunks.reasoning = '';
    const complete = contentByKind(parts);
    const isContinuation = KINDS.every((kind) => complete[kind].startsWith(emitted[kind]));
    if (!isContinuation) return this.#rewrite(emitted, complete);
    return parts.flatMap((part) => {
      const kind = kindOf(part);
      const text = part.text ?? '';
      const emittedLength = Math.min(text.length, emitted[kind].length);
      emitted[kind] = emitted[kind].slice(emittedLength);
      return this.#append(kind, text.slice(emittedLength));
    });
  }

  appendMedia({ inlineData, fileData }: AdkPart): readonly Data[] {
    const { mimeType, displayName } = inlineData ?? fileData ?? {};
    const key = inlineData?.data ?? fileData?.fileUri;
    if (key === undefined || this.#media.has(key)) return [];
    this.#media.add(key);
    const source = inlineData ? { data: standardBase64(inlineData.data) } : { url: fileData?.fileUri ?? '' };
    const media: Media = {
      kind: mediaKind(mimeType ?? ''),
      ...source,
      ...(mimeType && { mimeType }),
      ...(displayName && { name: displayName }),
    };
    this.breakText();
    return this.#message.put({ kind: 'media', media });
  }

  putCall(id: string, name: string, params: string): readonly Data[] {
    this.breakText();
    return this.#message.put({ kind: 'tool', id, name, params });
  }

  /** Ends the text block, because something other than text follows. */
  breakText(): void {
    this.#canRewrite = false;
    this.#blockText = '';
  }

  endModelCall(): void {
    this.#media.clear();
    this.#startsBlock = this.#blockText !== '';
  }

  #append(kind: Kind, text: string): readonly Data[] {
    const events = this.#message.append(kind, text);
    if (kind !== 'text' || text === '') return events;
    const isNewBlock = this.#startsBlock;
    this.#startsBlock = false;
    if (isNewBlock) this.breakText();
    this.#blockText += text;
    return isNewBlock ? events.map((data) => ({ ...data, content_begins: true })) : events;
  }

  /** Replaces the chunks if the complete content differs from them, unless the message contains anything else. */
  #rewrite(emitted: Content, complete: Content): readonly Data[] {
    if (!this.#canRewrite || complete.text.trim() === emitted.text.trim() || complete.text === '') return [];
    this.#blockText = complete.text;
    const reasoning = complete.reasoning || emitted.reasoning;
    return this.#message.rewrite([
      ...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []),
      { kind: 'text', text: complete.text },
    ]);
  }
}

type Content = Readonly<Record<Kind, string>>;
const KINDS = ['text', 'reasoning'] as const;

const kindOf = ({ thought }: AdkPart): Kind => (thought ? 'reasoning' : 'text');

function contentByKind(parts: readonly AdkPart[]): Content {
  const content = { text: '', reasoning: '' };
  for (const part of parts) content[kindOf(part)] += part.text ?? '';
  return content;
}

/** Python encodes bytes in the URL-safe alphabet. */
const standardBase64 = (data: string): string => data.replaceAll('-', '+').replaceAll('_', '/');

const mediaKind = (mimeType: string): Media['kind'] =>
  (['image', 'audio', 'video'] as const).find((kind) => mimeType.startsWith(`${kind}/`)) ?? 'file';
