import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { agents, type PageAgentRegistry } from '../agents/registry.ts';
import { en } from '../locales/en.ts';
import { english } from '../locales/localize.ts';
import { locales, type LocaleRegistry } from '../locales/registry.ts';
import { icons, type IconSet } from '../primitives/icon-set.ts';
import { protocols, type ProtocolRegistry } from '../protocols/registry.ts';
import { renderers, type RendererRegistry } from '../renderers/registry.ts';
import type { TraceSink } from '../runtime/trace.ts';
import { AgentChatConversation } from './agent-chat-conversation.ts';
import { MODES, PLACEMENTS, SCROLL_ANCHORS } from './agent-chat-settings.ts';
import { known } from './attributes.ts';
import { ComposerArea } from './composer-area.ts';
import { actionsContext } from './contexts.ts';
import { Debug } from './debug.ts';
import { demoStarters } from './demo.ts';
import { directionOf } from './direction.ts';
import { dropFiles } from './drop-files.ts';
import { empty } from './empty.ts';
import { AgentChatReadyEvent, AgentChatToggleEvent } from './events.ts';
import { findLocalize } from './find-localize.ts';
import { followLinks } from './follow-links.ts';
import { HeaderArea } from './header-area.ts';
import { keepBox } from './keep-box.ts';
import { keepFocus } from './keep-focus.ts';
import { keepKeys } from './keep-keys.ts';
import { OpenState } from './open-state.ts';
import { pressPageControl } from './page-controls.ts';
import { usableMessages, usableStarters, usableStrings } from './page-input.ts';
import { Panel } from './panel.ts';
import { QuietProvider } from './quiet-provider.ts';
import { ReaderActions } from './reader-actions.ts';
import { Side } from './side.ts';
import { setState, StatusSigns } from './status-signs.ts';
import { styles } from './styles.ts';
import { ThemeSheet } from './theme-sheet.ts';
import { Transcript } from './transcript.ts';
import { ViewProvider } from './view-provider.ts';
import { waitingLine } from './waiting-line.ts';

/**
 * A chat with any agent endpoint: point `endpoint` at it, and the widget recognises what it speaks.
 *
 * @fires {AgentChatReadyEvent} agent-chat-ready - it has drawn itself for the first time
 * @fires {AgentChatSendEvent} agent-chat-send - the reader is about to send; cancelable
 * @fires {AgentChatEventEvent} agent-chat-event - one event of the agent's, normalised
 * @fires {AgentChatMessageEvent} agent-chat-message - a message has reached its last status
 * @fires {AgentChatErrorEvent} agent-chat-error - a reply has failed or was cut off
 * @fires {AgentChatActionEvent} agent-chat-action - the reader has acted in the transcript; cancelable
 * @fires {AgentChatLinkEvent} agent-chat-link - a link is about to be opened; cancelable
 * @fires {AgentChatStateEvent} agent-chat-state - the agent's shared state has changed
 * @fires {AgentChatFeedbackEvent} agent-chat-feedback - the reader has rated an answer, or has taken that back
 * @fires {AgentChatConsentEvent} agent-chat-consent - the reader has accepted what `consent` says, or has not
 * @fires {AgentChatToggleEvent} agent-chat-toggle - the panel was opened or closed
 * @fires {AgentChatDraftEvent} agent-chat-draft - what stands in the composer has changed
 * @fires {AgentChatThreadChangeEvent} agent-chat-thread-change - another conversation is on show
 *
 * @slot header-start - in the header, before the name
 * @slot header-end - in the header, before the controls
 * @slot launcher - in the place of the launcher's picture
 * @slot empty - in the place of the greeting
 * @slot footer - below the composer
 * @slot composer-start - in the composer, before the words
 * @slot composer-end - in the composer, before its buttons
 * @slot config - a `<script type="application/json">` with settings
 * @slot block-<block id> - in the place of a block whose renderer leaves it to the page
 *
 * @csspart launcher - the button that opens the panel
 * @csspart panel - the box of everything
 * @csspart header - the line at the top
 * @csspart heading - the agent's name in it
 * @csspart transcript - the messages, scrolled
 * @csspart message - one message
 * @csspart message-user - one of the reader's
 * @csspart message-assistant - one of the agent's
 * @csspart message-header - above a message: who speaks, and when
 * @csspart avatar - the picture of who speaks
 * @csspart bubble - the reader's words
 * @csspart block - one block of a message; `block-<type>`, with `-` for `_`, tells which
 * @csspart code-block - a block of code in a text
 * @csspart code-copy - the button that copies it
 * @csspart tool-call - a call of a tool
 * @csspart citation - a mark in a text that leads to a source
 * @csspart source-list - the sources of an answer
 * @csspart data-table - a table of data
 * @csspart chart - a chart
 * @csspart image - a picture, or what stands in its place
 * @csspart artifact - what an agent has made, in its frame
 * @csspart reasoning - what the agent thinks
 * @csspart phase - what the agent is doing
 * @csspart suggestions - what is offered to be asked
 * @csspart suggestion - one of them
 * @csspart toolbar - the buttons of a message
 * @csspart toolbar-button - one of them
 * @csspart composer - where the reader writes
 * @csspart input - the text field in it
 * @csspart attach-button - adds files
 * @csspart send-button - sends
 * @csspart stop-button - stops
 * @csspart scroll-button - leads to the end
 * @csspart toast - a word about what was done, with the way back
 * @csspart dialog - a window over the page: a picture, a question
 * @csspart inspector - what passes by, with `debug`
 *
 * @cssprop --agent-chat-accent - the one accent, from which its shades are made
 * @cssprop --agent-chat-on-accent - what stands on the accent; black or white by default, as can be read
 * @cssprop --agent-chat-background - the paper
 * @cssprop --agent-chat-surface - what lies on it: bubbles, cards
 * @cssprop --agent-chat-foreground - the ink
 * @cssprop --agent-chat-muted - the ink of what matters less
 * @cssprop --agent-chat-border - the lines
 * @cssprop --agent-chat-danger - what has failed
 * @cssprop --agent-chat-success - what has gone well
 * @cssprop --agent-chat-radius - the roundness of everything; 0 squares it
 * @cssprop --agent-chat-font-family - the page's by default
 * @cssprop --agent-chat-font-size - of the text; everything follows
 * @cssprop --agent-chat-line-height - of the text
 * @cssprop --agent-chat-mono-font - of code
 * @cssprop --agent-chat-gap - between messages
 * @cssprop --agent-chat-max-width - of the text in a wide widget
 * @cssprop --agent-chat-panel-width - of a floating or sidebar panel
 * @cssprop --agent-chat-panel-height - of a floating panel
 * @cssprop --agent-chat-launcher-size - of the launcher
 * @cssprop --agent-chat-offset-inline - between launcher and the side of the window
 * @cssprop --agent-chat-offset-block - between launcher and the foot of the window
 * @cssprop --agent-chat-z-index - of launcher and panel, where there is no top layer
 *
 * @cssstate open - the panel is shown
 * @cssstate streaming - a reply is coming in
 * @cssstate error - the last reply has failed
 */
export class AgentChat extends AgentChatConversation {
  /** The adapters of all widgets: `register()` adds one. */
  static readonly protocols: ProtocolRegistry = protocols;
  /** The renderers of all widgets. */
  static readonly renderers: RendererRegistry = renderers;
  /** The agents that run in the page, for all widgets. */
  static readonly agents: PageAgentRegistry = agents;
  /** The languages of all widgets. */
  static readonly locales: LocaleRegistry = locales;
  /** The pictures of all widgets. */
  static readonly icons: IconSet = icons;

  static override shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true };
  static override styles = styles;

  readonly #internals = this.attachInternals();
  /** @internal */
  protected override readonly transcript: Transcript = new Transcript({
    messages: () => this.messages,
    localize: () => this.localize,
    isShown: () => this.open || this.mode === 'inline' || this.mode === 'fullscreen',
    load: () => this.loadHistory,
    quote: () => (this.withoutControls.has('quote') || this.disabled ? undefined : this.composerArea.write),
    add: (messages) => {
      const older = this.chat.addOlder(usableMessages(messages));
      this.transcript.keepSilent(older);
      return older.length;
    },
    changed: () => {
      this.requestUpdate();
    },
  });
  readonly #actions = new ReaderActions(
    {
      localize: () => this.localize,
      tell: (event) => this.dispatchEvent(event),
      changed: () => {
        this.requestUpdate();
      },
      ready: () => this.keeping.ready(),
      answers: this.keeping,
      consented: () => this.consented(),
      write: (text) => {
        this.composerArea.write(text);
      },
      say: this.transcript.say,
      box: () => this.composerArea.box,
      showSources: (message, citation) => {
        this.#side.showSources(message, citation);
      },
    },
    () => this.chat,
  );
  /** What the areas of the widget have of it besides what a page sees. */
  readonly #parts = {
    localize: () => this.localize,
    keeping: this.keeping,
    actions: this.#actions,
    transcript: this.transcript,
    keeps: () => this.keeps,
    without: () => this.withoutControls,
    rating: () => this.rating,
    change: (name: string, value: unknown) => {
      this.change(name, value);
    },
  };
  /** @internal */
  protected override readonly composerArea: ComposerArea = new ComposerArea(this, this.#parts);
  readonly #panel = new Panel({
    root: () => this.renderRoot,
    localize: () => this.localize,
    mode: () => known('mode', this.mode, MODES),
    placement: () => known('placement', this.placement, PLACEMENTS),
    isOpen: () => this.open,
    setOpen: (open, kept) => {
      this.#setOpen(open, kept);
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
    kept: () => (this.keeps ? new OpenState(this.id, this.keepSettings().persist === 'local') : undefined),
    changed: () => {
      this.requestUpdate();
    },
    drawn: () => this.updateComplete,
  });
  readonly #headerArea = new HeaderArea(this, {
    ...this.#parts,
    composerArea: this.composerArea,
    panel: this.#panel,
  });
  readonly #view = new ViewProvider(this, this.#parts);
  readonly #side = new Side(this, () => this.#view.settings);
  readonly #signs = new StatusSigns(this, {
    ...this.#parts,
    states: this.#internals.states,
  });
  readonly #debug = new Debug(() => {
    this.requestUpdate();
  });

  constructor() {
    super();
    new QuietProvider(this, { context: actionsContext, initialValue: this.#actions });
    this.#makeRoot();
    new ThemeSheet(this, this.#internals.states);
    this.upgrade();
    // The reader's first move is early enough to fetch what a conversation needs.
    for (const type of ['pointerenter', 'focusin']) {
      this.addEventListener(type, this.transcript.load, { once: true });
      this.addEventListener(type, this.keeping.act, { once: true });
    }
  }

  /** Puts text into the composer without sending it. */
  setDraft(text: string): void {
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

  /** Opens the panel, or closes it. */
  toggle(): void {
    this.#setOpen(!this.open);
  }

  /** Puts the focus into the composer. */
  override focus(options?: FocusOptions): void {
    this.composerArea.focus(options);
  }

  /** Leads to the end of the transcript. */
  scrollToEnd(): void {
    this.transcript.list.scrollToEnd();
  }

  /** Shows a message at the top of the transcript, also one that was far away. */
  scrollToMessage(id: string): void {
    // What was just added is in the transcript with the next update.
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
    this.localised = this.#localise();
    document.addEventListener('click', this.#pageClicked);
    this.#panel.connect();
    if (this.hasUpdated) this.#panel.draw();
    // Before anything is drawn there is little to lay out for it.
    else if (this.shadowRoot) keepBox(this, this.shadowRoot);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('click', this.#pageClicked);
    this.#panel.disconnect();
    this.transcript.silence();
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!this.hasUpdated) this.#restoreOpen();
    super.willUpdate(changes);
    if (changes.has('locale') || changes.has('strings')) this.localised = this.#localise();
    if (changes.has('demo') && this.demo) void this.#offerDemo();
    this.#view.update(changes);
  }

  protected override render(): TemplateResult {
    const { floats, fills } = this.#panel;
    const label = this.heading ?? this.localize('conversation');
    // What is outside of a modal dialog is not read aloud.
    const region = [fills ? this.transcript.region : nothing, fills ? nothing : this.transcript.region];
    return html`${this.#panel.around(label)}
      <div
        class="panel"
        part="panel"
        data-mode=${known('mode', this.mode, MODES)}
        role=${floats && !fills ? 'dialog' : nothing}
        aria-label=${floats && !fills ? label : nothing}
        popover=${floats && !fills ? 'manual' : nothing}
        @keydown=${this.#pressed}
      >
        <div class="chat" lang=${this.localize.locale} dir=${directionOf(this.localize, this.dir)}>
          ${this.withoutControls.has('header') ? nothing : this.#headerArea.draw()} ${this.transcript.list}
          ${this.composerArea.draw()} ${this.debug ? this.#debug.view(this.localize) : nothing} ${region[0]}
        </div>
      </div>
      ${region[1]}
      <slot name="config" hidden @slotchange=${this.readConfig}></slot>`;
  }

  protected override firstUpdated(): void {
    const panel = this.renderRoot.querySelector<HTMLElement>('.panel');
    if (panel)
      dropFiles(panel, { composer: () => this.composerArea.takesFiles, words: () => this.localize('attach.drop') });
    if (this.autofocus) this.focus();
    this.#panel.openByItself();
    this.dispatchEvent(new AgentChatReadyEvent());
  }

  protected override updated(changes: PropertyValues<this>): void {
    this.#drawTranscript();
    this.transcript.region.lang = this.localize.locale;
    if (changes.has('loadHistory')) this.transcript.list.tellStart();
    if (changes.has('open')) setState(this.#internals.states, 'open', this.open);
    this.#panel.draw();
  }

  /** The shadow root, with the transcript in it, is there before anything is drawn. */
  #makeRoot(): void {
    // The embed script has drawn a launcher there, in the place of this one's.
    this.shadowRoot?.replaceChildren();
    const root = this.createRenderRoot();
    Object.assign(this, { renderRoot: root });
    root.append(this.transcript.list, this.transcript.region);
    followLinks(root, {
      localize: () => this.localize,
      linkHosts: () => this.linkHosts ?? '*',
      tell: (link) => this.dispatchEvent(link),
    });
    keepKeys(root);
    this.#side.listen(root);
    if (root instanceof ShadowRoot) keepFocus(root, this.transcript.list);
  }

  /** @internal */
  protected override conversationChanged(): void {
    this.#signs.update();
    this.transcript.drawSoon();
  }

  /** @internal */
  protected override trace(): TraceSink | undefined {
    return this.debug ? this.#debug.take : undefined;
  }

  #drawTranscript(): void {
    const { localize } = this;
    this.transcript.draw({
      localize,
      turns: known('scrollAnchor', this.scrollAnchor, SCROLL_ANCHORS) === 'turn',
      label: this.heading ?? localize('conversation'),
      empty: empty({
        localize,
        greeting: this.greeting,
        starters: usableStarters(this.suggestions),
        send: (prompt) => void this.#actions.send(prompt),
      }),
      tail: waitingLine({
        localize,
        wait: this.chat.store.state.wait,
        stop: () => {
          this.stop();
        },
      }),
    });
  }

  /** Of the lowest layer: what the page offers wins. */
  async #offerDemo(): Promise<void> {
    const starters = await demoStarters();
    if (this.demo && !this.suggestions) this.writeAs('config', () => (this.suggestions = starters));
  }

  /** The panel is as the reader has left it. */
  #restoreOpen(): void {
    const open = this.mode === 'inline' ? undefined : this.#panel.wasOpen;
    if (open !== undefined) this.change('open', open);
  }

  #setOpen(open: boolean, kept = true): void {
    if (this.open === open) return;
    this.change('open', open);
    if (open) this.transcript.look();
    if (kept) this.#panel.keepOpen(open);
    this.dispatchEvent(new AgentChatToggleEvent(open));
  }

  /** Escape stops, then closes. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'f' && (event.ctrlKey || event.metaKey) && this.transcript.find) {
      event.preventDefault();
      this.transcript.find();
      return;
    }
    if (this.#headerArea.press(event)) {
      event.preventDefault();
      return;
    }
    if (event.key !== 'Escape') return;
    const running = this.status !== 'idle' && this.status !== 'error';
    if (running) this.stop();
    else if (this.open && this.#panel.floats) this.#panel.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #pageClicked = (event: Event): void => {
    pressPageControl(event, this);
  };

  async #localise(): Promise<void> {
    const strings = usableStrings(this.strings);
    this.localize = await findLocalize(this, { locale: this.locale, strings }, { words: en, localize: english });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
