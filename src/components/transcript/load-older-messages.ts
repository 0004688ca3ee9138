import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { MessageInput } from '../../conversation/normalize-message.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { icon } from '../../primitives/icon.ts';
import { reportPageFunction } from '../shared/report-page-function.ts';
import { adopt } from '../../theme/adopt.ts';
import { createStylesheet } from '../../theme/stylesheet.ts';
import css from './load-older-messages.css?inline';

const style = createStylesheet(css);

/** Loads the messages before the one with the given id, or the last ones without an id. An empty list ends the history. */
export type LoadHistory = (before?: string) => Promise<readonly MessageInput[]>;

export interface OlderMessagesHost {
  load(): LoadHistory | undefined;
  messages(): readonly ChatMessage[];
  /** Returns a function that tells whether the same user still sees the same conversation. */
  watch(): () => boolean;
  /** Inserts messages before the others. @returns how many were new */
  add(messages: unknown): number;
  /** The element that emits the error of `load()`. */
  readonly list: EventTarget;
  /** Requests a render. */
  changed(): void;
}

/** Loads in a minute after which each further one waits: pages of messages that show nothing would be loaded without a pause. */
const MAX_IN_A_MINUTE = 20;
const MINUTE_MS = 60_000;
const WAIT_MS = 2000;

type State = 'ready' | 'loading' | 'failed';

/** Loads older messages from the host page when the user scrolls near the first one, one request at a time. */
export class OlderMessages {
  readonly #host: OlderMessagesHost;
  #state: State = 'ready';
  /** Id of the first message of the complete history. Another first message belongs to another conversation. */
  #end: string | undefined;
  /** The first load has started. An empty conversation after that was cleared and is not loaded again. */
  #hasStarted = false;
  /** When the loads of the last minute began. */
  #times: readonly number[] = [];

  constructor(host: OlderMessagesHost) {
    this.#host = host;
  }

  /** @param shown - id of the first rendered message; messages that were just loaded may not be rendered yet */
  loadBefore(shown: string | undefined): void {
    if (this.#state === 'ready' && shown === this.#first) void this.#fetch();
  }

  /** The status line above the first message. */
  statusLine(localize: Localize): TemplateResult | typeof nothing {
    if (!this.#host.load()) return nothing;
    if (this.#state === 'loading') {
      return html`<p class="line history">
        ${adopt(style)}${icon('running', 'small')}<span>${localize('history.loading')}</span>
      </p>`;
    }
    if (this.#state === 'ready') return nothing;
    return html`<p class="line history">
      ${adopt(style)}${icon('alert', 'small')}<span>${localize('history.failed')}</span>
      <button type="button" class="button small" @click=${() => void this.#fetch()}>${localize('error.retry')}</button>
    </p>`;
  }

  async #fetch(): Promise<void> {
    const load = this.#host.load();
    const before = this.#first;
    if (!load || (before === undefined ? this.#hasStarted : before === this.#end)) return;
    this.#hasStarted = true;
    this.#set('loading');
    // The id of the first message does not identify the conversation: another one may begin with the same id, or be empty too.
    const isSame = this.#host.watch();
    this.#times = [...this.#times, Date.now()].filter((time) => Date.now() - time < MINUTE_MS);
    try {
      if (this.#times.length > MAX_IN_A_MINUTE) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      const older: unknown = await load(before);
      if (isSame() && this.#first === before && this.#host.add(older) === 0) this.#end = before;
      this.#set('ready');
    } catch (cause) {
      void reportPageFunction('loadHistory', cause, this.#host.list);
      if (before === undefined && isSame()) this.#hasStarted = false;
      this.#set(isSame() && this.#first === before ? 'failed' : 'ready');
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
