import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Localize, TextValues } from '../locales/localize.ts';
import type { BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { LightElement } from '../primitives/light-element.ts';
import { FollowEnd } from './follow-end.ts';

/** Something for the widget: the reader has come to the end, or left it. */
class FollowEvent extends Event {
  readonly following: boolean;
  constructor(following: boolean) {
    super('follow');
    this.following = following;
  }
}

/** The messages, scrolled. A log that is itself silent: what is to be said aloud is said elsewhere, in whole sentences. */
export class AgentChatMessageList extends LightElement {
  static override properties = {
    messages: { attribute: false },
    empty: { attribute: false },
    tail: { attribute: false },
    label: { attribute: false },
    localize: { attribute: false },
  };
  declare messages: readonly ChatMessage[];
  /** What stands there before the first message. */
  declare empty: unknown;
  /** What stands behind the last one. */
  declare tail: unknown;
  declare label: string;
  declare localize: Localize;
  readonly #follow = new FollowEnd(this, () => this.dispatchEvent(new FollowEvent(this.#follow.following)));

  constructor() {
    super();
    this.messages = [];
    this.empty = nothing;
    this.tail = nothing;
    this.label = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'log');
    this.setAttribute('aria-live', 'off');
    this.tabIndex = 0;
    void customElements.whenDefined('agent-chat-message').then(() => {
      this.requestUpdate();
    });
  }

  get following(): boolean {
    return this.#follow.following;
  }

  scrollToEnd(): void {
    this.#follow.toEnd();
  }

  scrollToMessage(id: string): void {
    const element = [...this.querySelectorAll('agent-chat-message')].find(({ message }) => message.id === id);
    element?.scrollIntoView({ block: 'start' });
  }

  protected override render(): TemplateResult {
    const shown = this.messages.filter((message) => message.status !== 'queued' && message.role !== 'tool');
    return html`<div class="column">
      ${shown.length === 0 ? this.empty : nothing}
      ${repeat(
        shown,
        (message) => message.id,
        (message, index) => this.#message(message, shown[index - 1], shown[index + 1]),
      )}
      ${this.tail}
    </div>`;
  }

  #message(message: ChatMessage, before: ChatMessage | undefined, after: ChatMessage | undefined): TemplateResult {
    const continues = before?.role === message.role && before.name === message.name;
    if (!customElements.get('agent-chat-message')) return plainly(message, this.localize);
    return html`<agent-chat-message
      part="message message-${message.role}"
      class=${continues && message.role !== 'user' ? 'continues' : ''}
      .message=${message}
      .head=${!continues}
      .last=${after?.role !== message.role || message.role === 'user'}
    ></agent-chat-message>`;
  }

  protected override firstUpdated(): void {
    const column = this.querySelector('.column');
    if (column) this.#follow.observe(column);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('label')) this.setAttribute('aria-label', this.label);
  }
}

/** The words alone, as long as the elements of the transcript are on their way, or can't be had; and why they can't. */
const plainly = (message: ChatMessage, localize: Localize): TemplateResult =>
  html`<p part="message message-${message.role}" class="plain-message ${message.role}" dir="auto">
    ${textOf(message)} ${message.blocks.map((block) => (block.type === 'error' ? whyOf(block, localize) : nothing))}
  </p>`;

function whyOf({ content, extra }: BlockOf<'error'>, localize: Localize): string {
  const reason = extra?.['reason'];
  const key = typeof reason === 'string' ? `error.${reason}` : '';
  return localize.has(key) ? localize(key, extra as TextValues) : content;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message-list': AgentChatMessageList;
  }
}
