import { html, nothing, type TemplateResult } from 'lit';
import type { MessageInput } from '../conversation/fill-message.ts';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { icon } from '../primitives/icon.ts';

/** Gives the messages before one, the last ones without it; none when there are no more. */
export type LoadHistory = (before?: string) => Promise<readonly MessageInput[]>;

export interface HistoryHost {
  load(): LoadHistory | undefined;
  messages(): readonly ChatMessage[];
  /** Puts them before the others. @returns how many were new */
  add(messages: unknown): number;
  /** Something is to be drawn. */
  changed(): void;
}

type State = 'ready' | 'loading' | 'failed';

/** Older messages, from the page: fetched when the reader comes near the first one, one request at a time. */
export class History {
  readonly #host: HistoryHost;
  #state: State = 'ready';
  /** The message before which there is nothing. Another first message is another conversation. */
  #end: string | undefined;
  /** The conversation has begun: an empty one is empty because it was cleared. */
  #begun = false;

  constructor(host: HistoryHost) {
    this.#host = host;
  }

  /** @param shown - the first message that is drawn: what has just been loaded may not have been, and then nobody is near it */
  ask(shown: string | undefined): void {
    if (this.#state === 'ready' && shown === this.#first) void this.#fetch();
  }

  /** What stands above the first message. */
  line(localize: Localize): TemplateResult | typeof nothing {
    if (!this.#host.load()) return nothing;
    if (this.#state === 'loading') {
      return html`<p class="line history">${icon('running', 'small')}<span>${localize('history.loading')}</span></p>`;
    }
    if (this.#state === 'ready') return nothing;
    return html`<p class="line history">
      ${icon('alert', 'small')}<span>${localize('history.failed')}</span>
      <button type="button" class="button small" @click=${() => void this.#fetch()}>${localize('error.retry')}</button>
    </p>`;
  }

  async #fetch(): Promise<void> {
    const load = this.#host.load();
    const before = this.#first;
    if (!load || (before === undefined ? this.#begun : before === this.#end)) return;
    this.#begun = true;
    this.#set('loading');
    try {
      const older: unknown = await load(before);
      // The conversation may be another one by now.
      if (this.#first === before && this.#host.add(older) === 0) this.#end = before;
      this.#set('ready');
    } catch {
      if (before === undefined) this.#begun = false;
      this.#set(this.#first === before ? 'failed' : 'ready');
    }
  }

  get #first(): string | undefined {
    return this.#host.messages()[0]?.id;
  }

  #set(state: State): void {
    this.#state = state;
    this.#host.changed();
  }
}
