import '../../locales/english/all-english.ts';
import { enVersions } from '../../locales/english/en-versions.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ChatMessage } from '../../model/message.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { icon } from '../../primitives/icon.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { AgentChatArtifact } from '../../renderers/artifacts/artifact-element.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import styles from './side-panel.css?inline';
import { artifactVersions } from './artifact-versions.ts';
import { fullSourceList } from './full-source-list.ts';

export type SidePanelContent =
  | { readonly kind: 'artifact'; readonly identifier: string }
  | { readonly kind: 'sources'; readonly messageId: string; readonly citation: unknown };

addEnglish(enVersions);

/** The side panel: an artifact with its versions, or the sources of an answer. */
export class AgentChatSidePanel extends LightElement {
  static override properties = {
    content: { attribute: false },
    messages: { attribute: false },
    settings: { attribute: false },
    version: { state: true },
  };
  declare content: SidePanelContent;
  declare messages: readonly ChatMessage[];
  declare settings: ViewSettings;
  /** Index of the version that the user has chosen. Default: the last one. */
  declare protected version: number | undefined;

  constructor() {
    super();
    this.addEventListener('keydown', this.#onKeydown);
    onUserSwitch(this, () => {
      this.close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, stylesheet);
    this.className = 'side';
    this.tabIndex = -1;
    this.setAttribute('role', 'region');
  }

  /** Replaces the content. */
  show(content: SidePanelContent): void {
    this.content = content;
    this.version = undefined;
    this.focusSoon();
  }

  close(): void {
    this.dispatchEvent(new Event('close'));
  }

  /** Focuses the requested source, otherwise the panel itself: a screen reader then announces its name. */
  focusSoon(): void {
    void this.updateComplete.then(() => {
      const requested = this.querySelector<HTMLElement>('[aria-current="true"]');
      requested?.scrollIntoView({ block: 'nearest' });
      (requested ?? this).focus({ preventScroll: true });
    });
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('messages') && this.hasUpdated && this.#isGone) this.close();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.#isGone) return nothing;
    return this.content.kind === 'artifact' ? this.#artifact(this.content.identifier) : this.#sources(this.content);
  }

  /** Whether no message contains the content any more, for example because another conversation is open. */
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
    return html`${this.#header(withoutInvisible(shown.artifact.title), this.#versionPicker(index, versions.length))}
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

  #versionPicker(index: number, count: number): TemplateResult | typeof nothing {
    const { localize } = this.settings;
    if (count < 2) return nothing;
    const step = (to: number, iconName: 'chevron-left' | 'chevron-right', label: string): TemplateResult =>
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
        ${icon(iconName, 'small')}
      </button>`;
    return html`<span class="branches tabular" role="group" aria-label=${localize('artifact.versions')}>
      ${step(index - 1, 'chevron-left', localize('message.previous'))}
      <span role="status">${localize('message.branch', { index: index + 1, count })}</span>
      ${step(index + 1, 'chevron-right', localize('message.next'))}
    </span>`;
  }

  #sources({ messageId, citation }: Extract<SidePanelContent, { kind: 'sources' }>): TemplateResult {
    const message = this.messages.find(({ id }) => id === messageId);
    if (!message) return html``;
    const title = this.settings.localize('sources.title');
    return html`${this.#header(title, nothing)}
      <div class="side-body">${fullSourceList(message, this.settings.localize, citation)}</div>`;
  }

  #header(title: string, controls: unknown): TemplateResult {
    this.setAttribute('aria-label', title);
    const label = this.settings.localize('side.close');
    return html`<div class="header">
      <div class="grow heading clip" dir="auto">${title}</div>
      ${controls}
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

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key !== 'Escape' || event.defaultPrevented) return;
    this.close();
    event.preventDefault();
    // Otherwise Escape would also stop the reply.
    event.stopPropagation();
  };
}

const stylesheet = createStylesheet(styles);
defineOnce('agent-chat-artifact', AgentChatArtifact);
defineOnce('agent-chat-side', AgentChatSidePanel);

export interface SidePanelOptions {
  /** The grid container of the widget. */
  readonly box: HTMLElement;
  /** The element that gets the focus back on close. */
  readonly opener: Element | null;
  /** Minimum width of the box, in CSS pixels, at which the panel is next to the conversation. A narrower one is covered by it. */
  readonly minWidth: number;
  readonly content: SidePanelContent;
  readonly settings: ViewSettings;
  readonly messages: readonly ChatMessage[];
}

/**
 * Shows content in the open side panel, or opens one. Where the panel covers the conversation, the covered elements are inert.
 *
 * @param lastPanel - the panel that was opened last, which may be closed
 */
export function openSidePanel(
  lastPanel: AgentChatSidePanel | undefined,
  { box, opener, minWidth, ...shown }: SidePanelOptions,
): AgentChatSidePanel {
  if (lastPanel?.isConnected) {
    lastPanel.show(shown.content);
    return lastPanel;
  }
  const panel = Object.assign(document.createElement('agent-chat-side'), shown);
  const siblings = [...box.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
  const updateLayout = (): void => {
    const fits = box.clientWidth >= minWidth;
    box.classList.toggle('has-side', fits);
    panel.classList.toggle('over', !fits);
    for (const element of siblings) element.inert = !fits;
  };
  const observer = new ResizeObserver(() => {
    // In the next frame: a size change during the callback makes the browser fire a "ResizeObserver loop" error at the host page.
    requestAnimationFrame(() => {
      if (panel.isConnected) updateLayout();
    });
  });
  panel.addEventListener('close', () => {
    observer.disconnect();
    const hadFocus = panel.matches(':focus-within');
    panel.remove();
    box.classList.remove('has-side');
    for (const element of siblings) element.inert = false;
    if (!hadFocus) return;
    const focusTarget = opener instanceof HTMLElement && opener.isConnected ? opener : box.querySelector('.transcript');
    if (focusTarget instanceof HTMLElement) focusTarget.focus({ preventScroll: true });
  });
  box.append(panel);
  updateLayout();
  observer.observe(box);
  panel.focusSoon();
  return panel;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-side': AgentChatSidePanel;
  }
}
