import type { BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';

/** Up to this many characters are shown immediately, which is the usual size of a token. */
const INSTANT_CHARS = 24;
/** More characters than this are not streamed output, but text that was sent at once. */
const MAX_BURST_CHARS = 2000;
/** Pause between two chunks that users don't notice, in milliseconds. */
const UNNOTICED_PAUSE_MS = 40;
/** Maximum delay of text, in milliseconds. */
const MAX_DELAY_MS = 250;
/** Time until a render becomes visible, in milliseconds. */
const FRAME_MS = 16;

/**
 * Reveals text that arrives in bursts evenly, over the time since the previous burst. Only rendering is delayed: messages,
 * announcements and copied text are not. When the message ends, all text is shown.
 */
export class SmoothStreaming {
  /** Whether some text is not revealed yet. */
  hasPendingText = false;
  readonly #isOff: () => boolean;
  /** Id of the streaming block. */
  #id: string | undefined;
  /** Number of characters: shown before the last chunk, shown now, and received. */
  #start = 0;
  #shown = 0;
  #received = 0;
  /** Time of the last chunk, and the time to reveal it; milliseconds. */
  #arrived = 0;
  #duration = 0;

  /** @param isOff - returns true when text is shown as it arrives */
  constructor(isOff: () => boolean = isOffInBrowser) {
    this.#isOff = isOff;
  }

  /** The messages to render: the same list when all text is revealed. */
  apply(messages: readonly ChatMessage[], now: number): readonly ChatMessage[] {
    this.hasPendingText = false;
    const message = messages.at(-1);
    const block = message?.status === 'streaming' ? message.blocks.at(-1) : undefined;
    if (!message || block?.type !== 'content' || block.artifact || block.format === 'html') return messages;
    this.#noteChunk(block, now);
    const share = this.#duration === 0 ? 1 : Math.min(1, (now - this.#arrived + FRAME_MS) / this.#duration);
    this.#shown = this.#start + Math.ceil((this.#received - this.#start) * share);
    if (this.#shown >= this.#received) return messages;
    this.hasPendingText = true;
    return messages.with(-1, { ...message, blocks: message.blocks.with(-1, truncateBlock(block, this.#shown)) });
  }

  #noteChunk({ id, content }: BlockOf<'content'>, now: number): void {
    const isNew = id !== this.#id;
    if (!isNew && content.length === this.#received) return;
    const pause = now - this.#arrived;
    const added = content.length - (isNew ? 0 : this.#shown);
    // The first text is shown immediately, because the user has waited for it.
    const isInstant =
      isNew || added <= INSTANT_CHARS || added > MAX_BURST_CHARS || pause < UNNOTICED_PAUSE_MS || this.#isOff();
    this.#id = id;
    this.#start = isNew || added < 0 ? 0 : this.#shown;
    this.#received = content.length;
    this.#arrived = now;
    this.#duration = isInstant ? 0 : Math.min(pause, MAX_DELAY_MS);
  }
}

/** The first `length` characters without splitting a surrogate pair, and the citations in them. */
function truncateBlock(block: BlockOf<'content'>, length: number): BlockOf<'content'> {
  const { content, citations } = block;
  const end = /[\ud800-\udbff]/.test(content.charAt(length - 1)) ? length - 1 : length;
  return {
    ...block,
    content: content.slice(0, end),
    ...(citations && { citations: citations.filter((citation) => citation.end === undefined || citation.end <= end) }),
  };
}

const isOffInBrowser = (): boolean =>
  document.visibilityState === 'hidden' || matchMedia('(prefers-reduced-motion: reduce)').matches;
