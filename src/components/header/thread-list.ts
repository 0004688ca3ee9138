import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Localize } from '../../locales/localize.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import type { Approval } from '../../runtime/approvals.ts';
import { inSentence } from '../../renderers/core/in-sentence.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { ThreadInfo } from '../../storage/stores/conversation-store.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import styles from './thread-list.css?inline';
import { openToast } from '../ui/toast.ts';

/** Operations on conversations that the list uses. */
export interface ThreadOperations {
  newThread(): Promise<string>;
  listThreads(): Promise<readonly ThreadInfo[]>;
  openThread(id: string): Promise<void>;
  renameThread(id: string, title: string): Promise<void>;
  /** The permanently approved tools. */
  readonly approvals: readonly Approval[];
  revokeApproval(approval: Approval): boolean;
}

export interface ThreadListOptions {
  readonly localize: Localize;
  readonly chat: ThreadOperations & HTMLElement;
  /** Deletes a conversation and resolves with a function that undoes it. */
  remove(id: string): Promise<() => Promise<void>>;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Calls a function whenever the conversations change otherwise than by this list; `undefined` ends that. */
  watch(changed: (() => void) | undefined): void;
}

/** The list of all conversations. It lies over the chat, which is inert until the list is closed. */
export class AgentChatThreads extends LightElement {
  static override properties = {
    threads: { state: true },
    query: { state: true },
    renamedId: { state: true },
  };
  declare options: ThreadListOptions;
  declare protected threads: readonly ThreadInfo[] | undefined;
  /** The search text. */
  declare protected query: string;
  /** The id of the conversation that is being renamed. */
  declare protected renamedId: string | undefined;

  constructor() {
    super();
    this.query = '';
    this.addEventListener('keydown', this.#handleKeydown);
    onUserSwitch(this, () => {
      this.querySelector('.toast')?.remove();
      this.#close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, threadSheet);
    this.className = 'threads';
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', this.options.localize('threads.open'));
    this.options.watch(() => void this.refresh());
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.options.watch(undefined);
  }

  /** Reloads the list. */
  async refresh(): Promise<void> {
    this.threads = await this.options.chat.listThreads();
  }

  protected override render(): TemplateResult {
    const { localize } = this.options;
    const all = this.threads ?? [];
    const matches = this.#matches;
    return html`<div class="header">
        ${control('chevron-left', localize('threads.close'), this.#close)}
        <div class="grow heading">${localize('threads.open')}</div>
        ${control('compose', localize('header.new'), this.#startNew)}
      </div>
      <div class="threads-body">
        <input
          class="field"
          type="search"
          autocomplete="off"
          spellcheck="false"
          aria-label=${localize('threads.search')}
          placeholder=${localize('threads.search')}
          ?hidden=${all.length === 0}
          @input=${(event: Event) => {
            this.query = (event.target as HTMLInputElement).value;
          }}
        />
        <p class="muted threads-none" role="status">
          ${this.threads && matches.length === 0 ? localize(all.length === 0 ? 'threads.none' : 'find.none') : nothing}
        </p>
        <ul class="threads-list" aria-label=${localize('threads.open')}>
          ${repeat(
            matches,
            ({ id }) => id,
            (thread) => html`<li>${this.#threadRow(thread)}</li>`,
          )}
        </ul>
        ${this.#approvals()}
      </div>`;
  }

  /** The conversations whose titles contain the search text. */
  get #matches(): readonly ThreadInfo[] {
    const query = this.query.trim().toLocaleLowerCase();
    return (this.threads ?? []).filter(({ title }) => title.toLocaleLowerCase().includes(query));
  }

  #threadRow(thread: ThreadInfo): TemplateResult {
    const { localize } = this.options;
    const title = thread.title || localize('header.new');
    if (this.renamedId === thread.id) return this.#renameForm(thread);
    return html`<button
        type="button"
        class="thread"
        aria-current=${thread.current ? 'true' : nothing}
        @click=${() => void this.#open(thread.id)}
      >
        <span class="clip" dir="auto">${title}</span>
        <span class="muted thread-state"
          >${
            thread.running
              ? html`${lazyIcon('running', 'small')}${localize('threads.running')}`
              : thread.unread > 0
                ? localize('scroll.new', { count: thread.unread })
                : formatDate(thread.updated, localize)
          }</span
        >
      </button>
      ${control('edit', localize('threads.rename', { title }), () => {
        this.renamedId = thread.id;
        this.#focusAfterUpdate('.thread-form input');
      })}
      ${control('bin', localize('threads.delete', { title }), () => {
        void this.#delete(thread.id);
      })}`;
  }

  #renameForm({ id, title }: ThreadInfo): TemplateResult {
    const { localize } = this.options;
    const save = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const name = (event.currentTarget as HTMLFormElement).querySelector('input')?.value.trim() ?? '';
      if (name !== '' && name !== title) await this.options.chat.renameThread(id, name);
      await this.refresh();
      this.#closeForm();
    };
    return html`<form class="thread-form" @submit=${save}>
      <input class="field grow" aria-label=${localize('threads.name')} dir="auto" maxlength="200" .value=${title} />
      <button type="button" class="button small ghost" @click=${this.#closeForm}>${localize('link.cancel')}</button>
      <button type="submit" class="button small primary">${localize('threads.save')}</button>
    </form>`;
  }

  #approvals(): TemplateResult | typeof nothing {
    const { localize, chat } = this.options;
    if (chat.approvals.length === 0) return nothing;
    return html`<h3 class="threads-title" id="threads-allowed">${localize('threads.allowed')}</h3>
      <ul class="threads-list" aria-labelledby="threads-allowed">
        ${chat.approvals.map(
          (approval) =>
            html`<li class="thread-approval">
              <span class="grow clip" dir="auto">${nameOf(approval, localize)}</span>
              ${control(
                'close',
                localize('threads.revoke', { tool: inSentence(withoutInvisible(approval.tool)) }),
                () => {
                  this.#revoke(approval);
                },
              )}
            </li>`,
        )}
      </ul>`;
  }

  #revoke(approval: Approval): void {
    this.options.chat.revokeApproval(approval);
    this.requestUpdate();
    this.#focusAfterUpdate(SEARCH);
  }

  async #open(id: string): Promise<void> {
    await this.options.chat.openThread(id);
    this.#close();
  }

  readonly #startNew = async (): Promise<void> => {
    await this.options.chat.newThread();
    this.#close();
    this.options.chat.focus();
  };

  async #delete(id: string): Promise<void> {
    const { localize, remove, announce } = this.options;
    const index = this.#matches.findIndex((thread) => thread.id === id);
    const undo = await remove(id);
    await this.refresh();
    // Focuses the next visible conversation.
    this.#focusAfterUpdate(this.#matches.length === 0 ? SEARCH : '.thread', index);
    openToast(this, {
      localize,
      message: localize('threads.deleted'),
      announce,
      undo: async () => {
        await undo();
        await this.refresh();
      },
    });
  }

  readonly #closeForm = (): void => {
    const id = this.renamedId;
    const index = this.#matches.findIndex((thread) => thread.id === id);
    this.renamedId = undefined;
    this.#focusAfterUpdate(index < 0 ? SEARCH : '.thread', Math.max(0, index));
  };

  /** Focuses an element after the update; the button that closes the list if there is none. */
  #focusAfterUpdate(selector: string, index = 0): void {
    void this.updateComplete.then(() => {
      const targets = [...this.querySelectorAll<HTMLElement>(selector)];
      const target = targets[index] ?? targets.at(-1);
      if (target) target.focus();
      else this.focus();
    });
  }

  /** Not the search: on a phone, its keyboard would cover the list. */
  override focus(): void {
    this.querySelector<HTMLElement>('.header button')?.focus();
  }

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key !== 'Escape') return;
    if (this.renamedId === undefined) this.#close();
    else this.#closeForm();
    event.preventDefault();
    // Otherwise `<agent-chat>` would also handle Escape, and stop the reply.
    event.stopPropagation();
  };

  readonly #close = (): void => {
    this.dispatchEvent(new Event('close'));
  };
}

const SEARCH = 'input[type="search"]:not([hidden])';

const threadSheet = createStylesheet(styles);
defineOnce('agent-chat-threads', AgentChatThreads);

/** The tool comes first, so that the name of a server can't push it out of the line. */
const nameOf = ({ agent, server, tool, access = '', question = '' }: Approval, localize: Localize): string => {
  const type = `ask.type.${access}`;
  const parts = [tool, question, localize.has(type) ? localize(type) : access, server, agent];
  return parts
    .filter((part) => part !== '')
    .map(withoutInvisible)
    .join(' · ');
};

/** The time for today, otherwise the date. */
function formatDate(milliseconds: number, localize: Localize): string {
  const date = new Date(milliseconds);
  if (date.toDateString() === new Date().toDateString()) return localize.time(milliseconds);
  return new Intl.DateTimeFormat(localize.locale, { dateStyle: 'medium' }).format(date);
}

const control = (symbol: IconName, label: string, press: () => unknown): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${press}>
    ${lazyIcon(symbol)}
  </button>`;

/** Opens the list over the chat; closing it restores the focus. */
export function openThreadList(root: ParentNode & Node, options: ThreadListOptions): void {
  const box = root.querySelector('.chat');
  if (!box || root.querySelector('agent-chat-threads')) return;
  const previousFocus = root instanceof ShadowRoot ? root.activeElement : null;
  const siblings = [...box.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
  const list = document.createElement('agent-chat-threads');
  list.options = options;
  for (const element of siblings) element.inert = true;
  list.addEventListener('close', () => {
    // Keeps the toast, so that the last deletion can still be undone.
    const toast = list.querySelector('.toast');
    if (toast) root.querySelector('.foot-area')?.prepend(toast);
    list.remove();
    for (const element of siblings) element.inert = false;
    if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus({ preventScroll: true });
  });
  box.append(list);
  void list.refresh().then(async () => {
    await list.updateComplete;
    list.focus();
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-threads': AgentChatThreads;
  }
}
