import { adoptStyles, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { requireText } from '../settings/validate-arguments.ts';
import { agents, type PageAgentRegistry } from '../../agents/registry.ts';
import { englishTexts } from '../../locales/english/loaded-english.ts';
import { english } from '../../locales/localize.ts';
import { locales, type LocaleRegistry } from '../../locales/registry.ts';
import { icons, type IconSet } from '../../primitives/custom-icons.ts';
import { dispatchUserSwitch } from '../../primitives/user-change.ts';
import { protocols, type ProtocolRegistry } from '../../protocols/registry.ts';
import { renderers, type RendererRegistry } from '../../renderers/core/registry.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Tracer } from '../../runtime/tracer.ts';
import { userOf } from '../../storage/settings/user-key.ts';
import { AgentChatConversation } from './agent-chat-conversation.ts';
import { MODES, PLACEMENTS, SCROLL_ANCHORS } from '../settings/agent-chat-properties.ts';
import { validEnumValue } from '../shared/attribute-converters.ts';
import { ComposerController } from '../composer/composer-controller.ts';
import { actionsContext } from '../shared/contexts.ts';
import { LazyInspector } from '../inspector/lazy-inspector.ts';
import { demoStarters } from '../settings/demo-mode.ts';
import { textDirection } from '../host/text-direction.ts';
import { handleFileDrop } from '../composer/dropped-and-pasted-files.ts';
import { emptyState } from '../transcript/empty-state.ts';
import { AgentChatReadyEvent, AgentChatToggleEvent } from '../shared/events.ts';
import { resolveLocalize } from '../host/resolve-localize.ts';
import { handleLinkClicks } from '../transcript/link-handler.ts';
import { HeaderController } from '../header/header-controller.ts';
import { enforceHostDisplay } from '../host/enforce-host-display.ts';
import { restoreLostFocus } from '../host/focus-after-removal.ts';
import { containKeyEvents } from '../host/contain-key-events.ts';
import { PersistedPanelState } from '../panel/persisted-panel-state.ts';
import { runCommandButton } from '../host/command-buttons.ts';
import { usableMessages, usableStarters, usableStrings } from '../settings/validate-items.ts';
import { PanelController } from '../panel/panel-controller.ts';
import { SilentContextProvider } from '../shared/silent-context-provider.ts';
import { UserActions } from '../shared/user-actions.ts';
import { SidePanelController } from '../side-panel/side-panel-controller.ts';
import { setCustomState, StatusController } from '../host/status-controller.ts';
import { shellStyles } from './shell-styles.ts';
import { ThemeController } from '../host/theme-controller.ts';
import { TranscriptController } from '../transcript/transcript-controller.ts';
import { handleShortcut } from './keyboard-shortcuts.ts';
import { PreloadController } from './preload-controller.ts';
import { ViewContextController } from './view-context.ts';
import { watchShell } from './watch-shell.ts';
import { retryNotice } from '../transcript/retry-notice.ts';

/**
 * A chat widget for any agent endpoint. Set `endpoint`; the widget detects the protocol.
 *
 * @fires {AgentChatReadyEvent} agent-chat-ready - The element has rendered for the first time.
 * @fires {AgentChatSendEvent} agent-chat-send - The user is about to send a message. Cancelable: a cancelled message is not sent.
 * @fires {AgentChatEventEvent} agent-chat-event - The agent has sent an event; `detail.event` is its normalised form.
 * @fires {AgentChatMessageEvent} agent-chat-message - A reply has ended, or a message was not sent; fired for each message.
 * @fires {AgentChatErrorEvent} agent-chat-error - A reply has failed or was cut off, or part of it could not be used.
 * @fires {AgentChatActionEvent} agent-chat-action - The user has used a control in the transcript. Cancelable.
 * @fires {AgentChatLinkEvent} agent-chat-link - A link is about to open. Cancelable.
 * @fires {AgentChatBlockedEvent} agent-chat-blocked - The safety policy has blocked an image, a recording, a frame, a request or an agent.
 * @fires {AgentChatStateEvent} agent-chat-state - The agent's shared state has changed.
 * @fires {AgentChatFeedbackEvent} agent-chat-feedback - The user has rated an answer or removed the rating.
 * @fires {AgentChatConsentEvent} agent-chat-consent - The user has accepted or declined the text of `consent`.
 * @fires {AgentChatToggleEvent} agent-chat-toggle - The panel was opened or closed.
 * @fires {AgentChatDraftEvent} agent-chat-draft - The text in the composer has changed.
 * @fires {AgentChatThreadChangeEvent} agent-chat-thread-change - Another conversation has become active.
 *
 * @slot header-start - Content at the start of the header, before the name.
 * @slot header-end - Content of the header, before its controls.
 * @slot launcher - Replaces the icon of the launcher.
 * @slot empty - Replaces the greeting of an empty conversation.
 * @slot footer - Content below the composer.
 * @slot composer-start - Content of the composer, before the text field.
 * @slot composer-end - Content of the composer, before its buttons.
 * @slot config - A `<script type="application/json">` with settings.
 * @slot block-<block id> - Content of a block whose renderer delegates it to the page.
 *
 * @csspart launcher - The button that opens the panel.
 * @csspart panel - The panel that contains the whole chat.
 * @csspart header - The header bar.
 * @csspart heading - The name in the header.
 * @csspart transcript - The scroll container of the messages.
 * @csspart message - A message.
 * @csspart message-user - A message of the user.
 * @csspart message-assistant - A message of the agent.
 * @csspart message-header - The line above a message with avatar and name: of agents if several take part, of the user if
 *   `participants` has their avatar.
 * @csspart avatar - The avatar of a participant.
 * @csspart bubble - The bubble of a user message.
 * @csspart block - A block of a message. It also has the part `block-<type>`, with `-` for `_`.
 * @csspart code-block - A code block.
 * @csspart code-copy - The copy button of a code block.
 * @csspart tool-call - A tool call.
 * @csspart citation - A citation marker in a text.
 * @csspart source-list - The list of sources of an answer.
 * @csspart data-table - A data table.
 * @csspart chart - A chart.
 * @csspart image - An image, or its placeholder.
 * @csspart artifact - An artifact in its frame.
 * @csspart reasoning - The reasoning of the agent.
 * @csspart phase - The line that shows the agent's current phase.
 * @csspart suggestions - The list of suggested prompts.
 * @csspart suggestion - A single suggestion button.
 * @csspart toolbar - The toolbar of a message.
 * @csspart toolbar-button - A button in the toolbar of a message.
 * @csspart composer - The composer: text field and buttons.
 * @csspart input - The text field of the composer.
 * @csspart attach-button - The button that attaches files.
 * @csspart send-button - The button that sends the message.
 * @csspart stop-button - The button that stops the reply.
 * @csspart scroll-button - The button that scrolls to the end.
 * @csspart toast - A short notice after an action, with an undo button where possible.
 * @csspart dialog - A modal dialog (lightbox, confirmation, keyboard shortcuts).
 * @csspart inspector - The stream inspector (shown with `debug`).
 *
 * @cssprop --agent-chat-accent - Accent colour; its hover and pressed shades are derived from it. Default: a blue.
 * @cssprop --agent-chat-on-accent - Text colour on the accent. Default: black or white, whichever is legible.
 * @cssprop --agent-chat-background - Background colour of the widget. Default: white; nearly black in dark mode.
 * @cssprop --agent-chat-surface - Background colour of bubbles and cards.
 * @cssprop --agent-chat-foreground - Text colour.
 * @cssprop --agent-chat-muted - Colour of secondary text.
 * @cssprop --agent-chat-border - Colour of borders.
 * @cssprop --agent-chat-danger - Colour of errors.
 * @cssprop --agent-chat-success - Colour of success states.
 * @cssprop --agent-chat-radius - Base border radius; all other radii are derived from it. Default: `12px`; `0px` makes square corners.
 * @cssprop --agent-chat-font-family - Font family. Default: the font of the page.
 * @cssprop --agent-chat-font-size - Font size of the text; all other font sizes are derived from it. Default: `0.9375rem`; `1rem` on touch screens.
 * @cssprop --agent-chat-line-height - Line height of the text. Default: `1.6`.
 * @cssprop --agent-chat-mono-font - Font family of code. Default: the system's monospace font.
 * @cssprop --agent-chat-gap - Space between messages. Default: `24px`; `16px` with `density="compact"`.
 * @cssprop --agent-chat-max-width - Maximum width of the text column. Default: `45rem`.
 * @cssprop --agent-chat-panel-width - Width of a floating or sidebar panel. Default: `400px`.
 * @cssprop --agent-chat-panel-height - Height of a floating panel. Default: `640px`.
 * @cssprop --agent-chat-launcher-size - Size of the launcher. Default: `56px`.
 * @cssprop --agent-chat-offset-inline - Distance between the launcher and the side of the window. Default: `24px`.
 * @cssprop --agent-chat-offset-block - Distance between the launcher and the bottom of the window. Default: `24px`.
 * @cssprop --agent-chat-z-index - Stack order of elements that are not in the top layer. Default: `2147483000`.
 *
 * @cssstate open - The panel is open.
 * @cssstate streaming - A reply is streaming.
 * @cssstate error - The last reply has failed.
 */
export class AgentChat extends AgentChatConversation {
  /** The protocol adapters, shared by all widgets; `register()` adds one. */
  static readonly protocols: ProtocolRegistry = protocols;
  /** The renderers, shared by all widgets. */
  static readonly renderers: RendererRegistry = renderers;
  /** The agents that run in the page, shared by all widgets. */
  static readonly agents: PageAgentRegistry = agents;
  /** The languages, shared by all widgets. */
  static readonly locales: LocaleRegistry = locales;
  /** The icons, shared by all widgets. */
  static readonly icons: IconSet = icons;

  /** A press beside a control gives the focus to `.chat`, which takes no key, and not to the first control. */
  static override shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true };
  static override styles = shellStyles;

  readonly #internals = this.attachInternals();
  readonly #isShellStale = watchShell();
  /** @internal */
  protected override readonly transcript: TranscriptController = new TranscriptController({
    messages: () => this.messages,
    localize: () => this.localize,
    settings: () => this.#view.settings,
    isShown: () => this.open || this.mode === 'inline' || this.mode === 'fullscreen',
    load: () => this.loadHistory,
    watch: () => {
      const { chat } = this;
      const user = userOf(this.storage ?? undefined);
      return () => chat === this.chat && user === userOf(this.storage ?? undefined);
    },
    quote: () => (this.omittedControls.has('quote') ? undefined : this.composerArea.write),
    add: (messages) => {
      const older = this.chat.addOlder(usableMessages(messages));
      this.transcript.markAnnounced(older);
      return older.length;
    },
    changed: () => {
      this.requestUpdate();
    },
    isShellStale: () => this.#isShellStale(this.chat, this.transcript.find),
    rendered: () => {
      this.#sidePanel.update();
    },
  });
  readonly #actions = new UserActions(
    {
      localize: () => this.localize,
      isLocked: () => this.isLocked,
      dispatch: (event) => this.dispatchEvent(event),
      changed: () => {
        this.requestUpdate();
      },
      answers: this.conversations,
      restoreText: (message) => {
        this.composerArea.restoreDraft(message);
      },
      write: (text) => {
        this.composerArea.write(text);
      },
      announce: this.transcript.announce,
      toastContainer: () => this.composerArea.toastContainer,
      showSources: (message, citation) => {
        this.#sidePanel.showSources(message, citation);
      },
    },
    () => this.chat,
  );
  /** Internal dependencies of the controllers, besides the public API of the element. */
  readonly #dependencies = {
    localize: () => this.localize,
    conversations: this.conversations,
    report: this.report,
    actions: this.#actions,
    transcript: this.transcript,
    isPersistent: () => this.isPersistent,
    without: () => this.omittedControls,
    isLocked: () => this.isLocked,
    rating: () => this.rating,
    change: (name: string, value: unknown) => {
      this.change(name, value);
    },
  };
  /** @internal */
  protected override readonly composerArea: ComposerController = new ComposerController(this, this.#dependencies);
  readonly #panel = new PanelController({
    root: () => this.renderRoot,
    localize: () => this.localize,
    mode: () => validEnumValue('mode', this.mode, MODES),
    placement: () => validEnumValue('placement', this.placement, PLACEMENTS),
    isOpen: () => this.open,
    setOpen: (open, stored) => {
      this.#setOpen(open, stored);
    },
    unread: () => this.unread,
    teaser: () => this.teaser ?? undefined,
    launcher: () => this.launcher ?? undefined,
    focusComposer: () => {
      this.focus();
    },
    focusTranscript: () => {
      this.transcript.list.focus({ preventScroll: true });
    },
    storedState: () =>
      this.isPersistent ? new PersistedPanelState(this.id, this.storageSettings().persist === 'local') : undefined,
    changed: () => {
      this.requestUpdate();
    },
    updated: () => this.updateComplete,
  });
  readonly #headerArea = new HeaderController(this, {
    ...this.#dependencies,
    composerArea: this.composerArea,
    panel: this.#panel,
  });
  readonly #view = new ViewContextController(this, this.#dependencies);
  readonly #sidePanel = new SidePanelController(this, () => this.#view.settings);
  readonly #statusController = new StatusController(this, {
    ...this.#dependencies,
    states: this.#internals.states,
  });
  readonly #inspector = new LazyInspector(() => {
    this.requestUpdate();
  });

  constructor() {
    super();
    new SilentContextProvider(this, { context: actionsContext, initialValue: this.#actions });
    this.#createShadowRoot();
    new ThemeController(this, this.#internals.states);
    this.upgradeMessages();
    new PreloadController(this, {
      loadTranscript: this.transcript.load,
      prepareTranscript: this.transcript.prepare,
      loadStorage: this.conversations.preload,
    });
  }

  /** Puts text into the composer without sending it. */
  setDraft(text: string): void {
    requireText('setDraft', text);
    this.composerArea.setDraft(text);
  }

  /** Opens the panel. */
  show(): void {
    this.#setOpen(true);
  }

  /** Closes the panel. */
  hide(): void {
    this.#setOpen(false);
  }

  /** Opens or closes the panel. */
  toggle(): void {
    this.#setOpen(!this.open);
  }

  /** Focuses the composer. */
  override focus(options?: FocusOptions): void {
    this.composerArea.focus(options);
  }

  /** Scrolls to the end of the transcript. */
  scrollToEnd(): void {
    this.transcript.list.scrollToEnd();
  }

  /** Scrolls a message to the top of the transcript, also one that is not rendered. */
  scrollToMessage(id: string): void {
    // A message that was just added is rendered with the next update.
    if (this.hasUpdated && !this.isUpdatePending) this.transcript.list.scrollToMessage(id);
    else {
      void this.updateComplete.then(() => {
        this.transcript.list.scrollToMessage(id);
      });
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.readConfig();
    this.localeLoaded = this.#loadLocale();
    document.addEventListener('click', this.#handlePageClick);
    this.#panel.connect();
    if (this.hasUpdated) this.#panel.applyState();
    // This reads the computed style, which is cheap before the first render.
    else if (this.shadowRoot) enforceHostDisplay(this, this.shadowRoot);
  }

  /** A browser removes the stylesheets of an element that is moved into another document. This restores them when it returns. */
  adoptedCallback(): void {
    if (this.ownerDocument === document && this.shadowRoot)
      adoptStyles(this.shadowRoot, (this.constructor as typeof AgentChat).elementStyles);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('click', this.#handlePageClick);
    this.#panel.disconnect();
    this.transcript.stopAnnouncing();
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!this.hasUpdated) this.#restoreOpen();
    super.willUpdate(changes);
    if (changes.has('locale') || changes.has('strings')) this.localeLoaded = this.#loadLocale();
    if (changes.has('demo') && this.demo) void this.#setDemoSuggestions();
    this.#view.update(changes);
  }

  protected override render(): TemplateResult {
    const { floats, fills } = this.#panel;
    const isDialog = floats && !fills;
    const label = this.heading ?? this.localize('conversation');
    // Screen readers ignore live regions outside a modal dialog.
    const [inside, outside] = fills ? [this.transcript.region, nothing] : [nothing, this.transcript.region];
    return html`${this.#panel.shellTemplate(label)}
      <div
        class="panel"
        part="panel"
        data-mode=${validEnumValue('mode', this.mode, MODES)}
        role=${isDialog ? 'dialog' : nothing}
        aria-label=${isDialog ? label : nothing}
        popover=${isDialog ? 'manual' : nothing}
        @keydown=${this.#handleKeydown}
      >
        <div class="chat" lang=${this.localize.locale} dir=${textDirection(this.localize, this.dir)} tabindex="-1">
          ${this.omittedControls.has('header') ? nothing : this.#headerArea.render()} ${this.transcript.list}
          ${this.composerArea.render()} ${this.debug ? this.#inspector.view(this.localize) : nothing} ${inside}
        </div>
      </div>
      ${outside}
      <slot name="config" hidden @slotchange=${this.readConfig}></slot>`;
  }

  protected override firstUpdated(): void {
    const panel = this.renderRoot.querySelector<HTMLElement>('.panel');
    if (panel)
      handleFileDrop(panel, {
        composer: () => this.composerArea.dropTarget,
        label: () => this.localize('attach.drop'),
      });
    if (this.autofocus) this.focus();
    this.#panel.scheduleAutoOpen();
    this.dispatchEvent(new AgentChatReadyEvent());
  }

  protected override updated(changes: PropertyValues<this>): void {
    this.#renderTranscript();
    this.transcript.region.lang = this.localize.locale;
    if (changes.has('loadHistory')) this.transcript.list.notifyStart();
    if (changes.has('open')) setCustomState(this.#internals.states, 'open', this.open);
    this.#panel.applyState();
  }

  /** Creates the shadow root, with the transcript in it, before the first render. */
  #createShadowRoot(): void {
    // Removes the placeholder launcher of the embed script.
    this.shadowRoot?.replaceChildren();
    const root = this.createRenderRoot();
    // Lit declares it read-only; it would create a root of its own with the first update.
    Object.assign(this, { renderRoot: root });
    root.append(this.transcript.list, this.transcript.region);
    handleLinkClicks(root, {
      localize: () => this.localize,
      linkHosts: () => this.linkHosts ?? '*',
      dispatch: (link) => this.dispatchEvent(link),
    });
    containKeyEvents(root);
    this.#sidePanel.listenForArtifacts(root);
    if (root instanceof ShadowRoot) restoreLostFocus(root, this.transcript.list);
  }

  /** @internal */
  protected override conversationChanged(): void {
    this.#statusController.update();
    this.transcript.scheduleRender();
  }

  /** @internal */
  protected override ownerChanged(): void {
    this.#inspector.clearBuffer();
    this.transcript.forgetHistory();
    this.#actions.forgetProblem();
    dispatchUserSwitch(this.renderRoot);
  }

  /** @internal */
  protected override trace(turn: ChatMessage): Tracer | undefined {
    return this.debug ? this.#inspector.trace(turn) : undefined;
  }

  /** @internal */
  protected override loadTracer(): Promise<void> | undefined {
    return this.debug ? this.#inspector.loadTracer() : undefined;
  }

  #renderTranscript(): void {
    const { localize } = this;
    this.transcript.update({
      localize,
      turns: validEnumValue('scrollAnchor', this.scrollAnchor, SCROLL_ANCHORS) === 'turn',
      label: this.heading ?? localize('conversation'),
      empty: emptyState({
        localize,
        greeting: this.greeting,
        starters: this.isLocked ? [] : usableStarters(this.suggestions),
        send: (prompt) => void this.#actions.send(prompt),
      }),
      tail: retryNotice({
        localize,
        wait: this.chat.store.state.wait,
        stop: () => {
          this.stop();
        },
      }),
    });
  }

  /** Sets the demo's suggestions as `<script slot="config">` does, so that those of the page win. */
  async #setDemoSuggestions(): Promise<void> {
    const starters = await demoStarters();
    if (this.demo && !this.suggestions) this.writeAs('config', () => (this.suggestions = starters));
  }

  /** Opens or closes the panel as the user left it. */
  #restoreOpen(): void {
    const open = this.mode === 'inline' ? undefined : this.#panel.wasOpen;
    if (open !== undefined) this.change('open', open);
  }

  #setOpen(open: boolean, stored = true): void {
    if (this.open === open) return;
    this.change('open', open);
    if (open) this.transcript.markSeen();
    if (stored) this.#panel.storeOpen(open);
    this.dispatchEvent(new AgentChatToggleEvent(open));
  }

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    handleShortcut(event, this.#headerArea, !this.transcript.findFailed && this.transcript.find, () => {
      if (this.status !== 'idle' && this.status !== 'error') this.stop();
      else if (this.open && this.#panel.floats) this.#panel.leave();
      else return false;
      return true;
    });
  };

  readonly #handlePageClick = (event: Event): void => {
    runCommandButton(event, this);
  };

  async #loadLocale(): Promise<void> {
    const strings = usableStrings(this.strings);
    this.localize = await resolveLocalize(
      this,
      { locale: this.locale, strings },
      { texts: englishTexts, localize: english },
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
