import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Localize } from '../locales/localize.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import type { Approval } from '../runtime/approvals.ts';
import type { ThreadInfo } from '../runtime/keeping/conversation-store.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import styles from '../theme/threads.css?inline';
import { openToast } from './toast.ts';

/** What the panel does to the conversations. */
interface Conversations {
  newThread(): Promise<string>;
  listThreads(): Promise<readonly ThreadInfo[]>;
  openThread(id: string): Promise<void>;
  renameThread(id: string, title: string): Promise<void>;
  /** Tools that need not ask any more. */
  readonly approvals: readonly Approval[];
  revokeApproval(approval: Approval): boolean;
}

export interface ThreadPanelOptions {
  readonly localize: Localize;
  readonly chat: Conversations & HTMLElement;
  /** Deletes one and resolves with what brings it back. */
  remove(id: string): Promise<() => Promise<void>>;
  say(words: string): void;
}

/** All conversations, over the one on show. What is behind it can't be reached until it is closed. */
export class AgentChatThreads extends LightElement {
  static override properties = {
    threads: { state: true },
    words: { state: true },
    named: { state: true },
  };
  declare options: ThreadPanelOptions;
  declare protected threads: readonly ThreadInfo[] | undefined;
  /** What is looked for. */
  declare protected words: string;
  /** The conversation that gets another name. */
  declare protected named: string | undefined;

  constructor() {
    super();
    this.words = '';
    this.addEventListener('keydown', this.#pressed);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptSheet(this, threadSheet);
    this.className = 'threads';
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', this.options.localize('threads.open'));
    void this.refresh();
  }

  /** Looks again at what there is. */
  async refresh(): Promise<void> {
    this.threads = await this.options.chat.listThreads();
  }

  protected override render(): TemplateResult {
    const { localize } = this.options;
    const all = this.threads ?? [];
    const wanted = this.words.trim().toLocaleLowerCase();
    const found = all.filter(({ title }) => title.toLocaleLowerCase().includes(wanted));
    return html`<div class="header">
        ${control('chevron-left', localize('threads.close'), this.#close)}
        <div class="grow heading">${localize('threads.open')}</div>
        ${control('compose', localize('header.new'), this.#renew)}
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
            this.words = (event.target as HTMLInputElement).value;
          }}
        />
        <p class="muted threads-none" role="status">
          ${this.threads && found.length === 0 ? localize(all.length === 0 ? 'threads.none' : 'find.none') : nothing}
        </p>
        <ul class="threads-list" aria-label=${localize('threads.open')}>
          ${repeat(
            found,
            ({ id }) => id,
            (thread) => html`<li>${this.#row(thread)}</li>`,
          )}
        </ul>
        ${this.#approvals()}
      </div>`;
  }

  #row(thread: ThreadInfo): TemplateResult {
    const { localize } = this.options;
    const title = thread.title || localize('header.new');
    if (this.named === thread.id) return this.#form(thread);
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
              ? html`${icon('running', 'small')}${localize('threads.running')}`
              : thread.unread > 0
                ? localize('scroll.new', { count: thread.unread })
                : when(thread.updated, localize)
          }</span
        >
      </button>
      ${control('edit', localize('threads.rename', { title }), () => {
        this.named = thread.id;
        this.#focusSoon('.thread-form input');
      })}
      ${control('bin', localize('threads.delete', { title }), () => {
        void this.#delete(thread.id);
      })}`;
  }

  #form({ id, title }: ThreadInfo): TemplateResult {
    const { localize } = this.options;
    const save = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const name = (event.currentTarget as HTMLFormElement).querySelector('input')?.value.trim() ?? '';
      if (name !== '' && name !== title) await this.options.chat.renameThread(id, name);
      await this.refresh();
      this.#leaveForm();
    };
    return html`<form class="thread-form" @submit=${save}>
      <input class="field grow" aria-label=${localize('threads.name')} dir="auto" maxlength="200" .value=${title} />
      <button type="button" class="button small ghost" @click=${this.#leaveForm}>${localize('link.cancel')}</button>
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
              <span class="grow clip" dir="auto">${nameOf(approval)}</span>
              ${control('close', localize('threads.revoke', { tool: approval.tool }), () => {
                this.#revoke(approval);
              })}
            </li>`,
        )}
      </ul>`;
  }

  #revoke(approval: Approval): void {
    this.options.chat.revokeApproval(approval);
    this.requestUpdate();
    this.#focusSoon('input');
  }

  async #open(id: string): Promise<void> {
    await this.options.chat.openThread(id);
    this.#close();
  }

  readonly #renew = async (): Promise<void> => {
    await this.options.chat.newThread();
    this.#close();
    this.options.chat.focus();
  };

  async #delete(id: string): Promise<void> {
    const { localize, remove, say } = this.options;
    const place = (this.threads ?? []).findIndex((thread) => thread.id === id);
    const undo = await remove(id);
    await this.refresh();
    // On to the next one.
    this.#focusSoon(this.threads?.length === 0 ? '.header button' : '.thread', place);
    openToast(this, {
      localize,
      words: localize('threads.deleted'),
      say,
      undo: async () => {
        await undo();
        await this.refresh();
      },
    });
  }

  readonly #leaveForm = (): void => {
    const id = this.named;
    const index = (this.threads ?? []).findIndex((thread) => thread.id === id);
    this.named = undefined;
    this.#focusSoon(index < 0 ? 'input:not([hidden]), .header button' : '.thread', Math.max(0, index));
  };

  #focusSoon(selector: string, index = 0): void {
    void this.updateComplete.then(() => {
      const places = [...this.querySelectorAll<HTMLElement>(selector)];
      (places[index] ?? places.at(-1))?.focus();
    });
  }

  override focus(): void {
    this.querySelector<HTMLElement>('input:not([hidden]), .header button')?.focus();
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key !== 'Escape') return;
    if (this.named === undefined) this.#close();
    else this.#leaveForm();
    event.preventDefault();
    // Escape would stop the reply.
    event.stopPropagation();
  };

  readonly #close = (): void => {
    this.dispatchEvent(new Event('close'));
  };
}

const threadSheet = sheet(styles);
defineOnce('agent-chat-threads', AgentChatThreads);

const nameOf = ({ agent, server, tool }: Approval): string =>
  [agent, server, tool].filter((part) => part !== '').join(' · ');

/** A time of today, or a day. */
function when(milliseconds: number, localize: Localize): string {
  const day = new Date(milliseconds);
  if (day.toDateString() === new Date().toDateString()) return localize.time(milliseconds);
  return new Intl.DateTimeFormat(localize.locale, { dateStyle: 'medium' }).format(day);
}

const control = (symbol: IconName, label: string, press: () => unknown): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${press}>
    ${icon(symbol)}
  </button>`;

/** Opens it over the chat, and gives the focus back when it is closed. */
export function openThreadPanel(root: ParentNode & Node, options: ThreadPanelOptions): void {
  const box = root.querySelector('.chat');
  if (!box || root.querySelector('agent-chat-threads')) return;
  const before = root instanceof ShadowRoot ? root.activeElement : null;
  const behind = [...box.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
  const panel = document.createElement('agent-chat-threads');
  panel.options = options;
  for (const element of behind) element.inert = true;
  panel.addEventListener('close', () => {
    // What was deleted last can still be brought back.
    const toast = panel.querySelector('.toast');
    if (toast) root.querySelector('.foot-area')?.prepend(toast);
    panel.remove();
    for (const element of behind) element.inert = false;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
  box.append(panel);
  void panel.refresh().then(async () => {
    await panel.updateComplete;
    panel.focus();
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-threads': AgentChatThreads;
  }
}
