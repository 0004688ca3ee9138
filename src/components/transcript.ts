import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { icon } from '../primitives/icon.ts';
import type { Announcer } from './announcer.ts';
import { drawSoon } from './draw-soon.ts';
import type { EvenText } from './even-text.ts';
import { History, type HistoryHost } from './history.ts';
import { loadParts } from './load-parts.ts';
import type { AgentChatMessageList } from './message-list.ts';

export interface TranscriptHost extends HistoryHost {
  /** Puts words into the composer; undefined where nothing may be quoted. */
  quote(): ((words: string) => void) | undefined;
  localize(): Localize;
  /** The transcript is on show. */
  isShown(): boolean;
}

/** What the reader reads, hears and has seen of the conversation. */
export class Transcript {
  readonly list: AgentChatMessageList = document.createElement('agent-chat-message-list');
  /** What is said aloud stands here. */
  readonly region: HTMLElement = document.createElement('div');
  readonly #host: TranscriptHost;
  readonly #history: History;
  /** It comes with the first messages. */
  #announcer: Announcer | undefined;
  #even: EvenText | undefined;
  /** What needs no saying, from before that. */
  readonly #silent: (readonly ChatMessage[])[] = [];
  #seen = 0;

  constructor(host: TranscriptHost) {
    this.#host = host;
    this.#history = new History({
      load: () => host.load(),
      messages: () => host.messages(),
      add: (messages) => {
        const count = host.add(messages);
        this.#seen += count;
        return count;
      },
      changed: () => {
        host.changed();
      },
    });
    this.list.addEventListener('start', () => {
      this.#history.ask(this.list.messages[0]?.id);
    });
    this.list.setAttribute('part', 'transcript');
    this.list.className = 'transcript';
    this.list.addEventListener('follow', () => {
      this.#lookAtEnd();
      host.changed();
    });
    this.region.className = 'hidden-visually';
    this.region.setAttribute('role', 'status');
    this.region.setAttribute('aria-live', 'polite');
  }

  /** Messages of the agent's that came since the reader has looked. */
  get unseen(): number {
    if (this.#looking) return 0;
    const messages = this.#host.messages();
    let count = 0;
    for (let index = this.#seen; index < messages.length; index++) if (messages[index]?.role === 'assistant') count++;
    return count;
  }

  /** The reader sees all that is there. */
  look(): void {
    this.#seen = this.#host.messages().length;
  }

  readonly drawSoon = drawSoon(() => {
    this.#announcer?.hear(this.#host.messages());
    this.#host.changed();
  });

  /** @param turns - the reader's last words stay at the top while their answer grows */
  draw({
    turns,
    ...around
  }: Pick<AgentChatMessageList, 'label' | 'localize' | 'empty' | 'tail'> & { readonly turns: boolean }): void {
    const messages = this.#host.messages();
    const last = this.list.messages.at(-1)?.id;
    const drawn = this.#even?.take(messages, performance.now()) ?? messages;
    Object.assign(this.list, around, { messages: drawn, head: this.#history.line(around.localize) });
    if (this.#even?.isBehind) this.drawSoon();
    if (messages.length > 0) this.load();
    this.#lookAtEnd();
    // The reader's own words are followed wherever they were.
    const asked = messages.at(-1)?.id === last ? undefined : messages.slice(-2).findLast(({ role }) => role === 'user');
    if (asked && turns) this.list.anchorTurn(asked.id);
    else if (asked) this.list.scrollToEnd();
  }

  /** The way back to the end, for a reader who is elsewhere. */
  scrollButton(): TemplateResult | typeof nothing {
    if (this.list.seesEnd) return nothing;
    const localize = this.#host.localize();
    const { unseen } = this;
    return html`<button
      type="button"
      class="scroll-button"
      part="scroll-button"
      @click=${() => {
        this.list.scrollToEnd();
      }}
    >
      ${icon('down', 'small')}
      ${unseen > 0 ? html`<span class="tabular">${localize('scroll.new', { count: unseen })}</span>` : nothing}
      <span class="hidden-visually">${localize('scroll.end')}</span>
    </button>`;
  }

  /** What the browser's own search can't find is looked for by a bar of ours. Undefined where it finds everything. */
  get find(): (() => void) | undefined {
    return this.list.leavesOut ? this.#find : undefined;
  }

  readonly #find = (): void => {
    import('./find-bar.ts').then(
      ({ openFindBar }) => openFindBar(this.list, this.#host.localize()),
      // Without its chunk the browser's own search is there with the next press.
      () => undefined,
    );
  };

  /** Says it behind what there is to say of the messages. */
  readonly say = (words: string): void => {
    this.#announcer?.hear(this.#host.messages());
    this.#announcer?.say(words);
  };

  /** What is there needs no saying: it was put there, not said. */
  keepSilent(messages: readonly ChatMessage[]): void {
    if (this.#announcer) this.#announcer.skip(messages);
    else this.#silent.push(messages);
  }

  silence(): void {
    this.#announcer?.stop();
  }

  get #looking(): boolean {
    return this.list.seesEnd && this.#host.isShown();
  }

  #lookAtEnd(): void {
    if (this.#looking) this.look();
  }

  /** Fetches what a conversation needs, so that it is there before the reader has written a word. */
  readonly load = (): void => {
    loadParts().then(
      (parts) => {
        if (this.#announcer) return;
        this.#announcer = new parts.Announcer(this.region, () => this.#host.localize());
        for (const messages of this.#silent.splice(0)) this.#announcer.skip(messages);
        // An answer may have come faster than this.
        this.#announcer.hear(this.#host.messages());
        this.#even = new parts.EvenText();
        parts.previewCitations(this.list);
        parts.offerQuotes(this.list, this.#host);
      },
      // Without its parts the transcript shows plain words; sending says what is missing.
      () => undefined,
    );
  };
}
