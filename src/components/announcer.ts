import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOfHtml } from '../safety/html-tags.ts';

/** Nothing is said more often than this: a screen reader drops what comes on top of what it is saying. */
const PAUSE_MS = 1000;
/** So many sentences wait to be said; older ones can be read in the log. */
const KEPT = 8;

/**
 * Says what is new, in whole sentences, from a polite region inside the shadow root: the log itself is silent, or every token
 * would be read out.
 */
export class Announcer {
  readonly #region: HTMLElement;
  readonly #localize: () => Localize;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: string[] = [];
  /** Up to where each message has been said. */
  #said = new Map<string, number>();

  constructor(region: HTMLElement, localize: () => Localize) {
    this.#region = region;
    this.#localize = localize;
  }

  /** What is there already needs no saying. */
  skip(messages: readonly ChatMessage[]): void {
    for (const message of messages) this.#said.set(message.id, spokenText(message).length);
  }

  /** Looks at the last messages for sentences that are new and whole. */
  hear(messages: readonly ChatMessage[]): void {
    for (const message of messages.slice(-4)) {
      if (message.role === 'assistant') this.#hearMessage(message);
    }
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
    const text = spokenText(message);
    const from = this.#said.get(message.id) ?? 0;
    const whole = message.status !== 'streaming';
    const to = whole ? text.length : endOfSentences(text, from);
    if (to <= from) return;
    this.#said.set(message.id, to);
    const words = plainWords(text.slice(from, to));
    if (!words) return;
    const localize = this.#localize();
    const name = message.name ?? localize('agent');
    this.say(from === 0 ? localize('message.announce', { name, text: words }) : words);
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

/** The words of a message; HTML without its tags. */
const spokenText = ({ blocks }: ChatMessage): string =>
  blocks
    .map((block) => {
      if (block.type !== 'content') return '';
      return block.format === 'html' ? textOfHtml(block.content) : block.content;
    })
    .join('');

/** Where the last sentence ends that is whole. */
function endOfSentences(text: string, from: number): number {
  const ends = [...text.slice(from).matchAll(/[.!?。！？…]["'”’)\]]*(?=\s)|[。！？]|\n\n/g)];
  const last = ends.at(-1);
  return last ? from + last.index + last[0].length : from;
}

/** Markdown without its marks and the tags in it. */
const plainWords = (text: string): string =>
  textOfHtml(text.replace(/```[\s\S]*?(?:```|$)/g, ' '))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-*+>|]|#{1,6}|\d+[.)])[ \t]+/gm, '')
    .replace(/[*_`~|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
