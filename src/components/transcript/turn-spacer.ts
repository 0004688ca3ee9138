import type { ChatMessage } from '../../model/message.ts';
import type { AgentChatMessage } from '../message/message.ts';

export interface TurnSpacerHooks {
  /** The element of a message, if it is rendered. */
  row(id: string): AgentChatMessage | undefined;
  /** Scrolls to a message. */
  revealMessage(id: string): Promise<unknown>;
}

/**
 * Keeps space below the last message of the user, so that it can be scrolled to the top before there is an answer. The space is
 * the minimum height of the last child. The answer grows into it, and nothing is measured or moved meanwhile.
 */
export class TurnSpacer {
  readonly #list: HTMLElement;
  readonly #hooks: TurnSpacerHooks;
  /** Id of the message at the top. */
  #id: string | undefined;
  /** The message is not scrolled to the top yet, or is being scrolled. */
  #isPending = false;
  #isScrolling = false;
  /** There is content below the message. */
  #hasAnswer = false;
  /** Height of the space, in CSS pixels. */
  #height = 0;

  constructor(list: HTMLElement, hooks: TurnSpacerHooks) {
    this.#list = list;
    this.#hooks = hooks;
  }

  /** Whether the answer has not filled the space yet and the scroll position is at the end, or will be. */
  get isOpen(): boolean {
    if (this.#isPending || this.#isScrolling) return true;
    const last = this.#id === undefined ? null : this.#column?.lastElementChild;
    if (!(last instanceof HTMLElement) || last.offsetHeight > this.#height + 1) return false;
    const { scrollHeight, clientHeight, scrollTop } = this.#list;
    return scrollHeight - clientHeight - scrollTop < 2;
  }

  start(id: string): void {
    this.#id = id;
    this.#isPending = true;
  }

  /** (Asynchronous, because nothing may change its size while sizes are observed.) */
  onResize(entries: readonly ResizeObserverEntry[]): void {
    if (this.#id === undefined) return;
    const row = this.#hooks.row(this.#id);
    if (entries.some(({ target }) => target === this.#list || target === row)) {
      requestAnimationFrame(() => {
        this.#measure();
      });
    }
  }

  /** Updates the space. Call it when the messages are rendered. */
  update(messages: readonly ChatMessage[]): void {
    const id = this.#id;
    if (id === undefined) return;
    if (!messages.some((message) => message.id === id)) {
      this.#id = undefined;
      this.#isPending = false;
      this.#column?.classList.remove('turn');
    } else if (this.#isPending) {
      this.#isPending = false;
      this.#isScrolling = true;
      void this.#scrollToTop(id);
    } else if (!this.#hasAnswer) this.#measure();
  }

  async #scrollToTop(id: string): Promise<void> {
    const row = this.#hooks.row(id);
    await row?.updateComplete;
    this.#measure();
    await this.#hooks.revealMessage(id);
    this.#isScrolling = false;
  }

  #measure(): void {
    const row = this.#id === undefined ? undefined : this.#hooks.row(this.#id);
    const column = this.#column;
    if (!row || !column) return;
    const { paddingBlockEnd, rowGap } = getComputedStyle(column);
    this.#hasAnswer = row.nextElementSibling !== null;
    const below = this.#hasAnswer ? row.offsetHeight + parseFloat(rowGap) : 0;
    // The first row scrolls to the very beginning, including the content before it.
    const above = row.previousElementSibling ? 0 : row.offsetTop - column.offsetTop;
    this.#height = Math.max(0, this.#list.clientHeight - above - below - parseFloat(paddingBlockEnd));
    column.style.setProperty('--_turn-room', `${String(this.#height)}px`);
    column.classList.add('turn');
  }

  get #column(): HTMLElement | null {
    return this.#list.querySelector<HTMLElement>(':scope > .column');
  }
}
