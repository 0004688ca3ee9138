import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { plainWords } from './plain-words.ts';

/** Nothing is said more often than this: a screen reader drops what comes on top of what it is saying. */
const PAUSE_MS = 1000;
/** So many sentences wait to be said; older ones can be read in the log. */
const KEPT = 8;
/** Characters that are said at once, at most. What is longer, such as a reply without a full stop, is for the log. */
const SAID = 4000;

/**
 * Says what is new, in whole sentences, from a polite region inside the shadow root: the log itself is silent, or every token
 * would be read out.
 */
export class Announcer {
  readonly #region: HTMLElement;
  readonly #localize: () => Localize;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: string[] = [];
  /** By the id of the message. */
  readonly #said = new Map<string, Said>();
  /** Messages as they were put there: one is looked for when there is something new in it, which is in few. */
  #skipped: readonly ChatMessage[] = [];

  constructor(region: HTMLElement, localize: () => Localize) {
    this.#region = region;
    this.#localize = localize;
  }

  /** What is there already needs no saying. */
  skip(messages: readonly ChatMessage[]): void {
    this.#skipped = [...this.#skipped, ...messages];
    if (this.#said.size > 0) for (const { id } of messages) this.#said.delete(id);
  }

  /** Looks at the last messages for sentences that are new and whole. */
  hear(messages: readonly ChatMessage[]): void {
    for (const message of messages.slice(-4)) {
      if (message.role === 'assistant') this.#hearMessage(message);
    }
    if (Math.max(this.#said.size, this.#skipped.length) > messages.length) this.#forget(messages);
  }

  say(words: string): void {
    this.#waiting.push(words);
    this.#waiting = this.#waiting.slice(-KEPT);
    this.#timer ??= setTimeout(this.#speak);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #hearMessage(message: ChatMessage): void {
    const before = this.#saidOf(message.id);
    const { words, ...said } = newWords(message, before);
    this.#said.set(message.id, said);
    const text = plainWords(atMost(words, SAID));
    if (!text) return;
    const localize = this.#localize();
    const name = message.name ?? localize('agent');
    this.say(before.begun ? text : localize('message.announce', { name, text }));
  }

  #saidOf(id: string): Said {
    const known = this.#said.get(id);
    if (known) return known;
    const skipped = this.#skipped.findLast((message) => message.id === id);
    if (!skipped) return START;
    const { words: _unsaid, ...said } = newWords({ ...skipped, status: 'complete' }, START);
    return said;
  }

  /** What is known of messages that are gone. */
  #forget(messages: readonly ChatMessage[]): void {
    const there = new Set(messages.map(({ id }) => id));
    for (const id of this.#said.keys()) if (!there.has(id)) this.#said.delete(id);
    const newest = new Map(this.#skipped.map((message) => [message.id, message]));
    this.#skipped = [...newest.values()].filter(({ id }) => there.has(id));
  }

  readonly #speak = (): void => {
    this.#timer = undefined;
    const words = this.#waiting.splice(0).join(' ');
    if (!words) return;
    const line = document.createElement('p');
    line.textContent = words;
    this.#region.replaceChildren(line);
    this.#timer = setTimeout(this.#speak, PAUSE_MS);
  };
}

/** Up to where a message has been said. What stands before is not looked at again, however long the answer grows. */
interface Said {
  readonly block: number;
  /** In that block. */
  readonly offset: number;
  /** Up to here, behind what was said, no sentence ends. */
  readonly looked: number;
  /** Some of its words were said, or need no saying. */
  readonly begun: boolean;
}

const START: Said = { block: 0, offset: 0, looked: 0, begun: false };

/** What is new and whole, and up to where that is. */
function newWords(message: ChatMessage, said: Said): Said & { readonly words: string } {
  const { status } = message;
  // Whoever reads the answer has asked for the answer: how its sub-agents talk is there to be looked at.
  const blocks = ownBlocks(message);
  let { offset, looked } = said;
  let words = '';
  for (const [index, block] of blocks.slice(said.block).entries()) {
    if (index > 0) [offset, looked] = [0, 0];
    // (A page's own history may hold anything.)
    if (block.type !== 'content' || typeof block.content !== 'string') continue;
    const { content, format } = block;
    const whole = status !== 'streaming' || said.block + index < blocks.length - 1;
    // Half a tag is no words: HTML is said once it is whole.
    const growing = format === 'html' ? offset : endOfSentences(content, Math.max(offset, looked), offset);
    const end = whole ? content.length : growing;
    words += content.slice(offset, end);
    offset = Math.max(offset, end);
    looked = content.length - LOOK_BACK;
  }
  return { block: Math.max(said.block, blocks.length - 1), offset, looked, begun: said.begun || words !== '', words };
}

const atMost = (words: string, length: number): string =>
  words.length > length ? words.slice(0, length).replace(/\S*$/, '…') : words;

/** The end of a sentence is seen by what stands around it. */
const LOOK_BACK = 16;

/** Where the last sentence ends that is whole, looking from `start` on; without one `said`. */
function endOfSentences(text: string, start: number, said: number): number {
  const ends = [...text.slice(start).matchAll(/[.!?。！？…]["'”’)\]]*(?=\s)|[。！？]|\n\n/g)];
  const last = ends.at(-1);
  return last ? start + last.index + last[0].length : said;
}
