import { nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../../model/message.ts';
import type { AnnouncerHost, LiveAnnouncer } from './live-announcer.ts';
import { makeRenderScheduler } from './frame-scheduler.ts';
import type { SmoothStreaming } from './smooth-streaming.ts';
import { scrollButton } from '../ui/scroll-button.ts';
import { loadOnce } from '../../load-once.ts';
import type { OlderMessages, OlderMessagesHost } from './load-older-messages.ts';
import { loadConversationChunk } from '../shared/load-chunks.ts';
import type { AgentChatMessageList } from './message-list.ts';

const loadHistoryCode = loadOnce(() => import('./load-older-messages.ts'));

export interface TranscriptHost extends Omit<OlderMessagesHost, 'list'>, AnnouncerHost {
  /** Returns a function that inserts a quote into the composer; undefined where quoting is disabled. */
  quote(): ((text: string) => void) | undefined;
  /** Whether the transcript is visible. */
  isShown(): boolean;
  /** Whether the parts around the transcript show something of the conversation that has changed since the last call. */
  isShellStale(): boolean;
  /** Called when the list has got its messages. */
  rendered(): void;
}

/** Controls the transcript: message list, announcements, older messages and the count of unseen messages. */
export class TranscriptController {
  readonly list: AgentChatMessageList = document.createElement('agent-chat-message-list');
  /** The live region for announcements. */
  readonly region: HTMLElement = document.createElement('div');
  readonly #host: TranscriptHost;
  /** Loaded if the page has `loadHistory`. */
  #history: OlderMessages | undefined;
  /** Loaded with the first messages. */
  #announcer: LiveAnnouncer | undefined;
  #smoother: SmoothStreaming | undefined;
  /** Messages to mark as announced, collected until the announcer is loaded. */
  readonly #alreadyAnnounced: (readonly ChatMessage[])[] = [];
  #seenCount = 0;
  /** The end of what the user has seen: a reply may go on after the panel is closed. */
  #seenEnd: string | undefined;
  /** Whether the search bar has failed to load: the key opens the browser's search then, the menu tries again. */
  findFailed = false;

  constructor(host: TranscriptHost) {
    this.#host = host;
    this.list.addEventListener('start', () => {
      this.#history?.loadBefore(this.list.messages[0]?.id);
    });
    this.list.setAttribute('part', 'transcript');
    this.list.className = 'transcript';
    this.list.addEventListener('follow', () => {
      // The update marks the messages at the end as seen.
      host.changed();
    });
    this.region.className = 'hidden-visually';
    this.region.setAttribute('role', 'status');
    this.region.setAttribute('aria-live', 'polite');
  }

  /** Number of agent messages since the user last saw the end, with one that has got more content since the panel was closed. */
  get unseen(): number {
    if (this.#isAtEnd) return 0;
    const messages = this.#host.messages();
    const hasGrown = !this.#host.isShown() && endOf(messages[this.#seenCount - 1]) !== this.#seenEnd;
    return messages.slice(this.#seenCount - Number(hasGrown)).filter(({ role }) => role === 'assistant').length;
  }

  /** Marks all messages as seen. */
  markSeen(): void {
    const messages = this.#host.messages();
    this.#seenCount = messages.length;
    this.#seenEnd = endOf(messages.at(-1));
  }

  readonly scheduleRender = makeRenderScheduler(() => {
    this.#announcer?.announceMessages(this.#host.messages());
    // Text of a running reply, which is most of what changes, is rendered by the list alone.
    if (this.#host.isShellStale()) this.#host.changed();
    else this.#renderMessages();
  });

  /** @param turns - keep the last message of the user at the top while its answer streams */
  update({
    turns,
    ...props
  }: Pick<AgentChatMessageList, 'label' | 'localize' | 'empty' | 'tail'> & { readonly turns: boolean }): void {
    const messages = this.#host.messages();
    const last = this.list.messages.at(-1)?.id;
    Object.assign(this.list, props, { head: this.#history?.statusLine(props.localize) ?? nothing });
    this.#renderMessages();
    // Older messages load when the view reports that the first message is near.
    const hasHistory = this.#host.load() !== undefined;
    if (messages.length > 0 || hasHistory) this.load();
    if (hasHistory && !this.#history) this.#loadHistory();
    // A new message of the user always scrolls into view.
    const userMessage =
      messages.at(-1)?.id === last ? undefined : messages.slice(-2).findLast(({ role }) => role === 'user');
    if (userMessage && turns) this.list.scrollTurnToTop(userMessage.id);
    else if (userMessage) this.list.scrollToEnd();
  }

  #renderMessages(): void {
    const messages = this.#host.messages();
    this.list.messages = this.#smoother?.apply(messages, performance.now()) ?? messages;
    if (this.#smoother?.hasPendingText) this.scheduleRender();
    if (this.#isAtEnd) this.markSeen();
    this.#host.rendered();
  }

  /** The next user has a history of their own. */
  forgetHistory(): void {
    this.#history = undefined;
  }

  #loadHistory(): void {
    loadHistoryCode().then(
      ({ OlderMessages: History }) => {
        if (this.#history) return;
        const host = this.#host;
        this.#history = new History({
          ...host,
          list: this.list,
          add: (messages) => {
            const count = host.add(messages);
            this.#seenCount += count;
            return count;
          },
        });
        this.list.notifyStart();
      },
      // The next update tries again.
      () => undefined,
    );
  }

  /** The button that scrolls to the end, for a user who is elsewhere. */
  scrollButton(): TemplateResult | typeof nothing {
    if (this.list.isEndVisible) return nothing;
    return scrollButton(this.unseen, this.#host.localize(), () => {
      this.list.scrollToEnd();
    });
  }

  /** Opens the search bar. Undefined while the search of the browser finds everything. */
  get find(): (() => void) | undefined {
    return this.list.hasOffscreenMessages ? this.#find : undefined;
  }

  readonly #find = (): void => {
    import('./find-bar.ts').then(
      ({ openFindBar }) => openFindBar(this.list, this.#host.localize()),
      () => {
        this.findFailed = true;
      },
    );
  };

  /** Announces text after the pending announcements of messages. */
  readonly announce = (text: string): void => {
    this.#announcer?.announceMessages(this.#host.messages());
    this.#announcer?.announce(text);
  };

  /** Marks messages as announced, because they were inserted and not streamed. */
  markAnnounced(messages: readonly ChatMessage[]): void {
    if (this.#announcer) this.#announcer.markAnnounced(messages);
    else this.#alreadyAnnounced.push(messages);
  }

  stopAnnouncing(): void {
    this.#announcer?.stop();
  }

  get #isAtEnd(): boolean {
    return this.list.isEndVisible && this.#host.isShown();
  }

  /** Prepares for a conversation that is about to begin. */
  readonly prepare = (): void => {
    this.load();
    loadConversationChunk().then(
      ({ warmUp }) => {
        warmUp(this.#host.localize());
      },
      () => undefined,
    );
  };

  /** Loads the chunk for conversations, so that it is there before the user has typed a message. */
  readonly load = (): void => {
    loadConversationChunk().then(
      (parts) => {
        if (this.#announcer) return;
        this.#announcer = new parts.LiveAnnouncer(this.region, this.#host);
        for (const messages of this.#alreadyAnnounced.splice(0)) this.#announcer.markAnnounced(messages);
        // An answer may have arrived before this chunk.
        this.#announcer.announceMessages(this.#host.messages());
        this.#smoother = new parts.SmoothStreaming();
        parts.attachOnDemand(this.list, this.#host);
      },
      // If the chunk fails to load, the transcript shows plain text, and sending reports the failure.
      () => undefined,
    );
  };
}

/** The last block of a message, and its content. */
function endOf(message: ChatMessage | undefined): string | undefined {
  const block = message?.blocks.at(-1);
  return block && `${block.id} ${String(block.content)}`;
}
