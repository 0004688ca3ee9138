import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ChatMessage } from '../model/message.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { AgentChatArtifact } from '../renderers/artifact-element.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { withoutBidi } from '../safety/urls.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import styles from '../theme/side.css?inline';
import { artifactVersions } from './artifact-versions.ts';
import { allSources } from './source-list.ts';

export type SideContent =
  | { readonly kind: 'artifact'; readonly identifier: string }
  | { readonly kind: 'sources'; readonly messageId: string; readonly citation: unknown };

/** One thing at large: an artifact in its versions, or the sources of an answer. */
export class AgentChatSide extends LightElement {
  static override properties = {
    content: { attribute: false },
    messages: { attribute: false },
    settings: { attribute: false },
    version: { state: true },
  };
  declare content: SideContent;
  declare messages: readonly ChatMessage[];
  declare settings: ViewSettings;
  /** The version that the reader has chosen; without one it is the last. */
  declare protected version: number | undefined;

  constructor() {
    super();
    this.addEventListener('keydown', this.#pressed);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptSheet(this, sideSheet);
    this.className = 'side';
    this.tabIndex = -1;
    this.setAttribute('role', 'region');
  }

  /** Shows something else. */
  show(content: SideContent): void {
    this.content = content;
    this.version = undefined;
    this.focusSoon();
  }

  close(): void {
    this.dispatchEvent(new Event('close'));
  }

  /** The source that was asked for, else the panel itself: its name is what a screen reader says. */
  focusSoon(): void {
    void this.updateComplete.then(() => {
      const asked = this.querySelector<HTMLElement>('[aria-current="true"]');
      asked?.scrollIntoView({ block: 'nearest' });
      (asked ?? this).focus({ preventScroll: true });
    });
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('messages') && this.hasUpdated && this.#isGone) this.close();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.#isGone) return nothing;
    return this.content.kind === 'artifact' ? this.#artifact(this.content.identifier) : this.#sources(this.content);
  }

  /** What it shows is in no message any more, as in another conversation. */
  get #isGone(): boolean {
    const { content, messages } = this;
    return content.kind === 'artifact'
      ? artifactVersions(messages, content.identifier).length === 0
      : !messages.some(({ id }) => id === content.messageId);
  }

  #artifact(identifier: string): TemplateResult {
    const versions = artifactVersions(this.messages, identifier);
    const index = Math.min(this.version ?? versions.length - 1, versions.length - 1);
    const shown = versions[index];
    if (!shown) return html``;
    return html`${this.#bar(withoutBidi(shown.artifact.title), this.#picker(index, versions.length))}
      <div class="side-body">
        ${keyed(
          identifier,
          html`<agent-chat-artifact
            .artifact=${shown.artifact}
            .source=${shown.source}
            .growing=${shown.growing}
            .settings=${this.settings}
            .whole=${true}
          ></agent-chat-artifact>`,
        )}
      </div>`;
  }

  #picker(index: number, count: number): TemplateResult | typeof nothing {
    const { localize } = this.settings;
    if (count < 2) return nothing;
    const step = (to: number, symbol: 'chevron-left' | 'chevron-right', label: string): TemplateResult =>
      html`<button
        type="button"
        class="icon-button"
        aria-label=${label}
        title=${label}
        ?disabled=${to < 0 || to >= count}
        @click=${() => {
          this.version = to === count - 1 ? undefined : to;
        }}
      >
        ${icon(symbol, 'small')}
      </button>`;
    return html`<span class="branches tabular" role="group" aria-label=${localize('artifact.versions')}>
      ${step(index - 1, 'chevron-left', localize('message.previous'))}
      <span role="status">${localize('message.branch', { index: index + 1, count })}</span>
      ${step(index + 1, 'chevron-right', localize('message.next'))}
    </span>`;
  }

  #sources({ messageId, citation }: Extract<SideContent, { kind: 'sources' }>): TemplateResult {
    const message = this.messages.find(({ id }) => id === messageId);
    if (!message) return html``;
    const title = this.settings.localize('sources.title');
    return html`${this.#bar(title, nothing)}
      <div class="side-body">${allSources(message, this.settings.localize, citation)}</div>`;
  }

  #bar(title: string, more: unknown): TemplateResult {
    this.setAttribute('aria-label', title);
    const label = this.settings.localize('side.close');
    return html`<div class="header">
      <div class="grow heading clip" dir="auto">${title}</div>
      ${more}
      <button
        type="button"
        class="icon-button"
        aria-label=${label}
        title=${label}
        @click=${() => {
          this.close();
        }}
      >
        ${icon('close')}
      </button>
    </div>`;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key !== 'Escape' || event.defaultPrevented) return;
    this.close();
    event.preventDefault();
    // Escape would stop the reply.
    event.stopPropagation();
  };
}

const sideSheet = sheet(styles);
defineOnce('agent-chat-artifact', AgentChatArtifact);
defineOnce('agent-chat-side', AgentChatSide);

export interface SidePanelOptions {
  /** The grid of the widget. */
  readonly box: HTMLElement;
  /** Where the focus goes back to. */
  readonly opener: Element | null;
  /** As wide as the box must be for both, in CSS pixels. */
  readonly room: number;
  readonly content: SideContent;
  readonly settings: ViewSettings;
  readonly messages: readonly ChatMessage[];
}

/** Opens it. Over the conversation nothing behind it can be reached; beside it everything can. */
export function openSidePanel({ box, opener, room, ...shown }: SidePanelOptions): AgentChatSide {
  const panel = Object.assign(document.createElement('agent-chat-side'), shown);
  const behind = [...box.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
  const place = (): void => {
    const beside = box.clientWidth >= room;
    box.classList.toggle('has-side', beside);
    panel.classList.toggle('over', !beside);
    for (const element of behind) element.inert = !beside;
  };
  const observer = new ResizeObserver(() => {
    // The frame after: what changes its size in an observer is reported to the page.
    requestAnimationFrame(() => {
      if (panel.isConnected) place();
    });
  });
  panel.addEventListener('close', () => {
    observer.disconnect();
    const had = panel.matches(':focus-within');
    panel.remove();
    box.classList.remove('has-side');
    for (const element of behind) element.inert = false;
    if (!had) return;
    const back = opener instanceof HTMLElement && opener.isConnected ? opener : box.querySelector('.transcript');
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  });
  box.append(panel);
  place();
  observer.observe(box);
  panel.focusSoon();
  return panel;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-side': AgentChatSide;
  }
}
