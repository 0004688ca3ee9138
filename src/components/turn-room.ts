import type { ChatMessage } from '../model/message.ts';
import type { Row } from './message-rows.ts';

export interface TurnRoomHooks {
  /** The element of a message, where it is drawn. */
  row(id: string): Row | undefined;
  /** Goes to a message. */
  reach(id: string): Promise<unknown>;
}

/**
 * Room below the reader's last words, so that these can stand at the top of the view before there is an answer. It is the least
 * height of what stands last: the answer grows into it, without anything to be measured or moved meanwhile.
 */
export class TurnRoom {
  readonly #list: HTMLElement;
  readonly #hooks: TurnRoomHooks;
  /** The message that stands at the top. */
  #id: string | undefined;
  /** It is yet to be brought there, or is on its way. */
  #isNew = false;
  #isComing = false;
  /** Something stands below it. */
  #answered = false;
  /** In CSS pixels. */
  #height = 0;

  constructor(list: HTMLElement, hooks: TurnRoomHooks) {
    this.#list = list;
    this.#hooks = hooks;
  }

  /** The answer has not filled it yet, and the view is at its end. */
  get isOpen(): boolean {
    if (this.#isNew || this.#isComing) return true;
    const last = this.#id === undefined ? null : this.#column?.lastElementChild;
    if (!(last instanceof HTMLElement) || last.offsetHeight > this.#height + 1) return false;
    const { scrollHeight, clientHeight, scrollTop } = this.#list;
    return scrollHeight - clientHeight - scrollTop < 2;
  }

  make(id: string): void {
    this.#id = id;
    this.#isNew = true;
  }

  /** (Not at once: nothing may change its size while sizes are observed.) */
  noteSizes(entries: readonly ResizeObserverEntry[]): void {
    if (this.#id === undefined) return;
    const row = this.#hooks.row(this.#id);
    if (entries.some(({ target }) => target === this.#list || target === row)) {
      requestAnimationFrame(() => {
        this.#measure();
      });
    }
  }

  /** To be called when the messages are in their place. */
  draw(messages: readonly ChatMessage[]): void {
    const id = this.#id;
    if (id === undefined) return;
    if (!messages.some((message) => message.id === id)) {
      this.#id = undefined;
      this.#isNew = false;
      this.#column?.classList.remove('turn');
    } else if (this.#isNew) {
      this.#isNew = false;
      this.#isComing = true;
      void this.#bring(id);
    } else if (!this.#answered) this.#measure();
  }

  async #bring(id: string): Promise<void> {
    const row = this.#hooks.row(id);
    if (row && 'updateComplete' in row) await row.updateComplete;
    this.#measure();
    await this.#hooks.reach(id);
    this.#isComing = false;
  }

  #measure(): void {
    const row = this.#id === undefined ? undefined : this.#hooks.row(this.#id);
    const column = this.#column;
    if (!row || !column) return;
    const { paddingBlockEnd, rowGap } = getComputedStyle(column);
    this.#answered = row.nextElementSibling !== null;
    const below = this.#answered ? row.offsetHeight + parseFloat(rowGap) : 0;
    // Above the first row is what stands at the very beginning.
    const above = row.previousElementSibling ? 0 : row.offsetTop - column.offsetTop;
    this.#height = Math.max(0, this.#list.clientHeight - above - below - parseFloat(paddingBlockEnd));
    column.style.setProperty('--_turn-room', `${String(this.#height)}px`);
    column.classList.add('turn');
  }

  get #column(): HTMLElement | null {
    return this.#list.querySelector<HTMLElement>(':scope > .column');
  }
}
