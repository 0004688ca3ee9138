import type { BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';

/** Characters that appear at once: a word or two is how models speak. */
const FEW = 24;
/** More of them are no speech: something that was ready has been sent. */
const MANY = 2000;
/** Milliseconds between two arrivals that nobody sees as a pause. */
const SMOOTH_MS = 40;
/** Nothing is held back longer, whatever the pause before it was. */
const LATE_MS = 250;
/** What is drawn now is seen with the next frame. */
const FRAME_MS = 16;

/**
 * Words that come in heaps appear as they would have if they had come one by one: over as much time as has passed since the heap
 * before. Only what is drawn waits. The messages, what is said aloud and what is copied are as they are; the end shows all at once.
 */
export class EvenText {
  /** Some of what has come is yet to be shown. */
  isBehind = false;
  readonly #isOff: () => boolean;
  /** The block that grows. */
  #id: string | undefined;
  /** Characters: shown before the last arrival, shown now, and all of them. */
  #start = 0;
  #shown = 0;
  #all = 0;
  /** When the last ones came, and how long they take to appear; milliseconds. */
  #arrived = 0;
  #span = 0;

  /** @param isOff - everything is shown as it comes */
  constructor(isOff: () => boolean = browserIsOff) {
    this.#isOff = isOff;
  }

  /** The messages as they are to be drawn: the same list where all of it is. */
  take(messages: readonly ChatMessage[], now: number): readonly ChatMessage[] {
    this.isBehind = false;
    const message = messages.at(-1);
    const block = message?.status === 'streaming' ? message.blocks.at(-1) : undefined;
    if (!message || block?.type !== 'content' || block.artifact || block.format === 'html') return messages;
    this.#note(block, now);
    const share = this.#span === 0 ? 1 : Math.min(1, (now - this.#arrived + FRAME_MS) / this.#span);
    this.#shown = this.#start + Math.ceil((this.#all - this.#start) * share);
    if (this.#shown >= this.#all) return messages;
    this.isBehind = true;
    return messages.with(-1, { ...message, blocks: message.blocks.with(-1, beginning(block, this.#shown)) });
  }

  #note({ id, content }: BlockOf<'content'>, now: number): void {
    const isNew = id !== this.#id;
    if (!isNew && content.length === this.#all) return;
    const pause = now - this.#arrived;
    const more = content.length - (isNew ? 0 : this.#shown);
    // The first words have been waited for.
    const atOnce = isNew || more <= FEW || more > MANY || pause < SMOOTH_MS || this.#isOff();
    this.#id = id;
    this.#start = isNew || more < 0 ? 0 : this.#shown;
    this.#all = content.length;
    this.#arrived = now;
    this.#span = atOnce ? 0 : Math.min(pause, LATE_MS);
  }
}

/** So many characters from the start, none of them halved, and the marks that stand in them. */
function beginning(block: BlockOf<'content'>, length: number): BlockOf<'content'> {
  const { content, citations } = block;
  const end = /[\ud800-\udbff]/.test(content.charAt(length - 1)) ? length - 1 : length;
  return {
    ...block,
    content: content.slice(0, end),
    ...(citations && { citations: citations.filter((citation) => citation.end === undefined || citation.end <= end) }),
  };
}

const browserIsOff = (): boolean =>
  document.visibilityState === 'hidden' || matchMedia('(prefers-reduced-motion: reduce)').matches;
