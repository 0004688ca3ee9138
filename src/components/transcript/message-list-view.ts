import type { ReactiveController } from 'lit';
import { loadOnce } from '../../load-once.ts';
import type { ChatMessage } from '../../model/message.ts';
import { renderAllSlices } from '../../markdown/time-slices.ts';
import { loadPersistently } from '../../renderers/core/load-persistently.ts';
import { copyWithOffscreenMessages, selectTranscript, takeVisibleText } from './copy-selection.ts';
import { elementList } from './element-list-directive.ts';
import type { AgentChatMessageList, MessageListView } from './message-list.ts';
import { StickToBottom } from './stick-to-bottom.ts';
import type { TurnSpacer } from './turn-spacer.ts';
import { MAX_RENDERED_MESSAGES, MessageWindow } from './window/message-window.ts';
import { ShownQuestions } from './window/shown-questions.ts';
import type * as VirtualWindowModule from './window/virtual-window.ts';

let VirtualWindow: typeof VirtualWindowModule.VirtualWindow | undefined;

const loadTurnSpacer = loadOnce(() => import('./turn-spacer.ts'));

/** Loads the code for conversations of which only a part is in the document. */
export const loadVirtualWindow = async (): Promise<void> => {
  ({ VirtualWindow } = await import('./window/virtual-window.ts'));
};

/** Shows the messages of the list. Of a long conversation only those near the viewport are in the document. */
export class VirtualMessageList implements MessageListView, ReactiveController {
  readonly #list: AgentChatMessageList;
  readonly #follow: StickToBottom;
  #window: MessageWindow;
  #isVirtual = false;
  /** Settles when the code for virtual scrolling is loaded. */
  #loading: Promise<void> | undefined;
  /** Loaded with the first message that is scrolled to the top. Most pages follow the end. */
  #turnSpacer: TurnSpacer | undefined;
  readonly questions: ShownQuestions;
  /** The last reported `isEndVisible`. Undefined: it is reported again. */
  #sawEnd: boolean | undefined = true;
  #isPrinting = false;
  /** Whether the event `start` is due: the viewport is near the first message. */
  #startPending = false;

  constructor(list: AgentChatMessageList) {
    this.#list = list;
    this.#follow = new StickToBottom(list, {
      changed: () => {
        this.#window.resetAnchor();
        this.#sawEnd = undefined;
        this.#notifyEnd();
      },
      // At the end of the spacer below an answer the list does not follow: new text fills the spacer and moves nothing.
      hasEnd: () => this.#window.hasEnd && this.#turnSpacer?.isOpen !== true,
      scrolled: () => {
        this.#notifyEnd();
        this.#window.updateRange();
        this.notifyStart();
        this.#look();
      },
      resized: (entries) => {
        this.#window.onResize(entries);
        this.#turnSpacer?.onResize(entries);
        // Don't render inside the resize observer.
        if (this.#sawEnd !== this.isEndVisible) requestAnimationFrame(this.#notifyEnd);
        this.notifyStart();
        // Not what is here before the list has scrolled to its end: that is never painted.
        requestAnimationFrame(this.#look);
      },
    });
    this.questions = new ShownQuestions(list);
    this.#window = new MessageWindow(list, this.#follow);
    list.addEventListener('copy', (event) => {
      copyWithOffscreenMessages(event, list, this.#window);
      takeVisibleText(event);
    });
    list.addEventListener('dragstart', takeVisibleText);
    list.addEventListener('keydown', this.#onKeydown);
    list.addController(this);
  }

  hostConnected(): void {
    addEventListener('beforeprint', this.#renderAll);
    addEventListener('afterprint', this.#renderVisible);
  }

  hostDisconnected(): void {
    removeEventListener('beforeprint', this.#renderAll);
    removeEventListener('afterprint', this.#renderVisible);
  }

  get following(): boolean {
    return this.#follow.following;
  }

  get hasOffscreenMessages(): boolean {
    return this.#window.hasOffscreenMessages;
  }

  get isEndVisible(): boolean {
    return this.following || this.#turnSpacer?.isOpen === true;
  }

  scrollTurnToTop(id: string): void {
    this.#follow.stopFollowing();
    loadTurnSpacer().then(
      ({ TurnSpacer }) => {
        this.#turnSpacer ??= new TurnSpacer(this.#list, {
          row: (row) => this.#window.rows.get(row),
          revealMessage: (message) => this.reach(message),
        });
        this.#turnSpacer.start(id);
        this.#list.requestUpdate();
      },
      () => {
        this.scrollToEnd();
      },
    );
  }

  scrollToEnd(): void {
    this.#window.forgetTarget();
    this.#follow.scrollToEnd();
    this.#list.requestUpdate();
  }

  scrollToMessage(id: string): void {
    this.#window.scrollToMessage(id);
  }

  async reach(id: string): Promise<Element | undefined> {
    if (this.#loading && !this.#window.rows.get(id)) {
      await this.#loading;
      await this.#list.updateComplete;
    }
    if (!this.#window.scrollToMessage(id)) return undefined;
    await this.#list.updateComplete;
    await this.#window.settle();
    return this.#window.rows.get(id);
  }

  rows(messages: readonly ChatMessage[]): unknown {
    // The code for virtual scrolling is loaded at half of the limit: early enough for a conversation that grows.
    if (messages.length > MAX_RENDERED_MESSAGES / 2 && !this.#isVirtual) this.#makeVirtual();
    return elementList(this.#window.layOut(messages).map(({ element }) => element));
  }

  #makeVirtual(): void {
    if (VirtualWindow) {
      this.#window = new VirtualWindow(this.#list, this.#follow, this.#window);
      this.#isVirtual = true;
      return;
    }
    this.#loading ??= loadPersistently(loadVirtualWindow).then(
      () => {
        this.#list.requestUpdate();
      },
      // All messages at once are slow, but none is missing.
      () => {
        this.#window.rendersAll = true;
      },
    );
  }

  hostUpdated(): void {
    this.#turnSpacer?.update(this.#list.listedMessages);
    this.#window.afterRender();
    const rows = this.#window.items.flatMap((item) => ('index' in item ? [item.element] : []));
    this.#follow.observe(new Set([...this.#list.querySelectorAll(':scope > .column'), ...rows]));
  }

  readonly #look = (): void => {
    this.questions.look();
  };

  readonly #notifyEnd = (): void => {
    const { isEndVisible } = this;
    if (this.#sawEnd === isEndVisible) return;
    this.#sawEnd = isEndVisible;
    // Notifies the widget that the end of the last message is or is not visible now.
    this.#list.dispatchEvent(new Event('follow'));
  };

  notifyStart(): void {
    if (this.#startPending || !this.#window.isAtStart) return;
    this.#startPending = true;
    // A listener may render, which must not happen while sizes are observed. And messages that were just inserted above move the
    // viewport away from the start only after the next frame.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        this.#startPending = false;
        if (this.#window.isAtStart) this.#list.dispatchEvent(new Event('start'));
      });
    });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isEditable = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isEditable || event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'Home' && !mod) this.scrollToMessage(this.#list.listedMessages[0]?.id ?? '');
    else if (event.key === 'End' && !mod) this.scrollToEnd();
    else if (event.key === 'a' && mod) selectTranscript(this.#list);
    else return;
    event.preventDefault();
  };

  /** Renders synchronously, because the browser prints the document as it is after the event. */
  readonly #renderAll = (): void => {
    if (!this.hasOffscreenMessages) return;
    this.#isPrinting = true;
    this.#window.rendersAll = true;
    this.#list.renderNow();
    // Of many messages at once, the texts of some wait for the next frame.
    renderAllSlices();
  };

  readonly #renderVisible = (): void => {
    if (this.#isPrinting) this.#window.rendersAll = false;
    this.#isPrinting = false;
  };
}
