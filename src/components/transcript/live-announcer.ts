import { enumerate } from '../../enumerate.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { replyOutcome } from '../../model/reply-outcome.ts';
import { ownBlocks } from '../../model/own-blocks.ts';
import { senderName } from '../../renderers/core/author-name.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import type { openMarkupOf as OpenMarkupOf } from './open-markup.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { stripMarkdown } from '../shared/strip-markdown.ts';
import { loadOnce } from '../../load-once.ts';

/** Minimum time between two announcements: a screen reader drops text that arrives while it is speaking. */
const PAUSE_MS = 1000;
/** Maximum number of queued announcements; older text can be read in the log. */
const MAX_QUEUED = 8;
/** Maximum length of one announcement, in characters. Longer text, such as a reply without a full stop, is left to the log. */
const MAX_LENGTH = 4000;
/** Maximum number of characters in which a part that is not shown can end. After more, the rest of the block waits for its end. */
const MAX_HELD = 65_536;

export interface AnnouncerHost {
  localize(): Localize;
  /** Undefined before the first render. */
  settings(): Pick<ViewSettings, 'agents' | 'agentName' | 'userName' | 'localize'> | undefined;
}

/**
 * Announces new text in complete sentences through a polite live region, which `transcript-controller.ts` creates. The log itself is
 * not live, because a screen reader would read out every token.
 */
export class LiveAnnouncer {
  readonly #region: HTMLElement;
  readonly #host: AnnouncerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Announcement[] = [];
  /** The announcements in the region. */
  #shown: readonly Announcement[] = [];
  /** Id of the message whose sender was named last. */
  #speaker: string | undefined;
  #lastId: string | undefined;
  /** Progress by message id. */
  readonly #progress = new Map<string, Progress>();
  /**
   * Messages that were inserted rather than streamed: their text is not announced. One is looked up only until it has an entry in
   * `#progress`.
   */
  #inserted: readonly ChatMessage[] = [];

  constructor(region: HTMLElement, host: AnnouncerHost) {
    this.#region = region;
    this.#host = host;
    onUserSwitch(region, () => {
      this.#progress.clear();
      this.#empty();
    });
  }

  /** Marks messages as announced without announcing them. */
  markAnnounced(messages: readonly ChatMessage[]): void {
    this.#inserted = [...this.#inserted, ...messages];
    if (this.#progress.size > 0) for (const { id } of messages) this.#progress.delete(id);
  }

  /** Announces new complete sentences of the last four messages. */
  announceMessages(messages: readonly ChatMessage[]): void {
    this.#lastId = messages.at(-1)?.id;
    if ([...this.#queue, ...this.#shown].some(({ id }) => id && !messages.findLast((one) => one.id === id)))
      this.#empty();
    for (const message of messages.slice(-4)) {
      if (message.role === 'assistant') this.#announceMessage(message);
    }
    if (Math.max(this.#progress.size, this.#inserted.length) > messages.length) this.#prune(messages);
  }

  /**
   * @param id - the message that the text is about, with which it is removed
   * @param named - the text with the name of its sender
   */
  announce(text: string, id = this.#lastId, named?: string): void {
    // A detached region is not announced.
    if (!this.#region.isConnected) return;
    this.#queue = [...this.#queue, { text, id, named }].slice(-MAX_QUEUED);
    this.#timer ??= setTimeout(this.#flush);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #announceMessage(message: ChatMessage): void {
    const before = this.#progressOf(message.id);
    const { text: added, ...progress } = newText(message, before);
    const isEmpty = !before.hasBegun && replyOutcome(message) === 'empty' && !this.#insertedMessage(message.id);
    this.#progress.set(message.id, isEmpty ? { ...progress, hasBegun: true } : progress);
    const localize = this.#host.localize();
    if (isEmpty) this.announce(localize('error.empty'), message.id);
    const text = added.trim();
    if (!text) return;
    const settings = this.#host.settings();
    const name = settings ? senderName(message, settings) : localize('agent');
    this.announce(text, message.id, localize('message.announce', { name, text }));
  }

  #progressOf(id: string): Progress {
    const known = this.#progress.get(id);
    if (known) return known;
    const inserted = this.#insertedMessage(id);
    if (!inserted) return START;
    const { text: _ignored, ...progress } = newText({ ...inserted, status: 'complete' }, START);
    return progress;
  }

  #insertedMessage(id: string): ChatMessage | undefined {
    return this.#inserted.findLast((message) => message.id === id);
  }

  /** Drops the progress of messages that were removed. */
  #prune(messages: readonly ChatMessage[]): void {
    const ids = new Set(messages.map(({ id }) => id));
    for (const id of this.#progress.keys()) if (!ids.has(id)) this.#progress.delete(id);
    const newest = new Map(this.#inserted.map((message) => [message.id, message]));
    this.#inserted = [...newest.values()].filter(({ id }) => ids.has(id));
  }

  /** The text in the region can be read: none of a message that was removed, or of another conversation, stays there. */
  #empty(): void {
    this.#queue = [];
    this.#shown = [];
    this.#region.replaceChildren();
  }

  readonly #flush = (): void => {
    this.#timer = undefined;
    if (this.#queue.length === 0) return;
    this.#shown = this.#queue.splice(0);
    const line = document.createElement('p');
    // The speaker is named only now: a text before this one may come from another speaker, or was dropped from the queue.
    line.textContent = this.#shown
      .map(({ text, id, named }) => {
        if (!named || id === this.#speaker) return text;
        this.#speaker = id;
        return named;
      })
      .join(' ');
    this.#region.replaceChildren(line);
    this.#timer = setTimeout(this.#flush, PAUSE_MS);
  };
}

interface Announcement {
  readonly text: string;
  readonly id: string | undefined;
  /** The text with the name of its sender; undefined if it is none of a message. */
  readonly named: string | undefined;
}

/** How far a message was announced. The text before that position is not scanned again, however long the answer gets. */
interface Progress {
  readonly block: number;
  /** Position in that block. */
  readonly offset: number;
  /** No sentence ends between `offset` and this position. */
  readonly scannedTo: number;
  /** Part of the message was announced or marked as announced. */
  readonly hasBegun: boolean;
}

const START: Progress = { block: 0, offset: 0, scannedTo: 0, hasBegun: false };

/** The new complete sentences as text for speech, and the progress after them. */
function newText(message: ChatMessage, progress: Progress): Progress & { readonly text: string } {
  const { status } = message;
  // The text of sub-agents is not announced: the user asked for the answer.
  const blocks = ownBlocks(message);
  let { offset, scannedTo } = progress;
  let text = '';
  for (const [index, block] of enumerate(blocks.slice(progress.block))) {
    if (index > 0) [offset, scannedTo] = [0, 0];
    // (Messages of the host page are unvalidated.)
    if (block.type !== 'content' || typeof block.content !== 'string') continue;
    const { content, format } = block;
    const isComplete = status !== 'streaming' || progress.block + index < blocks.length - 1;
    // HTML is announced only when it is complete, because a partial tag is no text.
    const sentenceEnd = format === 'html' ? offset : endOfSentences(content, Math.max(offset, scannedTo), offset);
    const shownEnd = format === 'text' ? sentenceEnd : endOfShown(content, offset, sentenceEnd);
    const end = isComplete ? content.length : shownEnd;
    const added = content.slice(offset, end);
    if (added) text += ` ${truncate(format === 'text' ? added : stripMarkdown(truncate(added, MAX_HELD)), MAX_LENGTH)}`;
    offset = Math.max(offset, end);
    scannedTo = content.length - LOOK_BACK;
  }
  return {
    block: Math.max(progress.block, blocks.length - 1),
    offset,
    scannedTo,
    hasBegun: progress.hasBegun || text !== '',
    text,
  };
}

let openMarkupOf: typeof OpenMarkupOf | undefined;
/** Text with markup waits for this code; if it fails to load, until the text is complete. */
export const loadOpenMarkup = loadOnce(async () => {
  ({ openMarkupOf } = await import('./open-markup.ts'));
});

/** The last end of a sentence at which no part is open that is not shown: its other sentences would be announced as text. */
function endOfShown(text: string, start: number, end: number): number {
  if (end - start > MAX_HELD) return start;
  const added = text.slice(start, end);
  if (!/[<[`~]/.test(added)) return end;
  if (!openMarkupOf) {
    loadOpenMarkup().catch(() => undefined);
    return start;
  }
  const open = start + openMarkupOf(added);
  return open < end ? endOfSentences(text.slice(0, open), start, start) : end;
}

const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/(?<!\S)\S+$/, '')}…` : text;

/** Number of characters to scan again: a sentence end is detected by the characters around it. */
const LOOK_BACK = 16;

/** End of the last complete sentence from `start` on; `fallback` if there is none. */
function endOfSentences(text: string, start: number, fallback: number): number {
  const ends = [...text.slice(start).matchAll(/[.!?。！？…]["'”’)\]]*(?=\s)|[。！？]|\n\n/g)];
  const last = ends.at(-1);
  return last ? start + last.index + last[0].length : fallback;
}
