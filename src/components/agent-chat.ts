import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { chosenAgent } from '../agents/chosen-agent.ts';
import { agents, type PageAgentRegistry } from '../agents/registry.ts';
import type { ExportFormat } from '../conversation/export.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import type { ImportFormat } from '../conversation/import.ts';
import { en } from '../locales/en.ts';
import { english, type Localize } from '../locales/localize.ts';
import { locales, type LocaleRegistry } from '../locales/registry.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { UsageStats } from '../model/usage.ts';
import type { Answer } from '../protocols/adapter.ts';
import { icons, type IconSet } from '../primitives/icon-set.ts';
import { protocols, type ProtocolRegistry } from '../protocols/registry.ts';
import { ownErrorWords } from '../renderers/error-words.ts';
import { renderers, type RendererRegistry } from '../renderers/registry.ts';
import { approvalId, Approvals, type Approval } from '../runtime/approvals.ts';
import type { Chat } from '../runtime/chat.ts';
import { phaseOf, usageOf, type ChatStatus } from '../runtime/chat-state.ts';
import type { RespondOptions } from '../runtime/hooks.ts';
import type { ThreadInfo } from '../runtime/keeping/conversation-store.ts';
import type { StorageProblem } from '../runtime/keeping/trouble.ts';
import type { ChatSettings } from '../runtime/settings.ts';
import type { AttachSettings } from '../runtime/attachments/attachments.ts';
import { toUserMessage, type SendInput } from '../runtime/user-message.ts';
import {
  AgentChatSettings,
  ARTIFACTS,
  MATH,
  MODES,
  PLACEMENTS,
  SCROLL_ANCHORS,
  SHOWN,
  SUBMIT_KEYS,
} from './agent-chat-settings.ts';
import { known } from './attributes.ts';
import type { AgentChatComposer } from './composer.ts';
import type { SubmitEvent } from './composer-events.ts';
import type { ConversationMenuProps } from './conversation-menu.ts';
import { Debug } from './debug.ts';
import { demoStarters } from './demo.ts';
import { actionsContext, viewContext, type View } from './contexts.ts';
import { directionOf } from './direction.ts';
import { dropFiles } from './drop-files.ts';
import { empty } from './empty.ts';
import {
  AgentChatConsentEvent,
  AgentChatDraftEvent,
  AgentChatErrorEvent,
  AgentChatReadyEvent,
  AgentChatThreadChangeEvent,
  AgentChatToggleEvent,
} from './events.ts';
import { findLocalize } from './find-localize.ts';
import { followLink } from './follow-link.ts';
import { foot } from './foot.ts';
import { header } from './header.ts';
import { keepBox } from './keep-box.ts';
import { keepFocus } from './keep-focus.ts';
import { Keeping } from './keeping.ts';
import { loadParts } from './load-parts.ts';
import { makeChat } from './make-chat.ts';
import { More } from './more.ts';
import { OpenState } from './open-state.ts';
import { pressPageControl } from './page-controls.ts';
import {
  usableActions,
  usableMessage,
  usableMessages,
  usableModels,
  usableStarters,
  usableStrings,
} from './page-input.ts';
import { Panel } from './panel.ts';
import { QuietProvider } from './quiet-provider.ts';
import { notLoaded, ReaderActions } from './reader-actions.ts';
import { redraw } from './redraw.ts';
import { Side } from './side.ts';
import { styles } from './styles.ts';
import { ThemeSheet } from './theme-sheet.ts';
import { Transcript } from './transcript.ts';
import { waitingLine } from './waiting-line.ts';

/** A removed reply goes on for so long: a framework that moves an element takes it out and puts it in. */
const REMOVAL_MS = 2000;

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
export class AgentChat extends AgentChatSettings {
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
  static override properties: PropertyDeclarations = {
    localize: { state: true },
  };
  declare protected localize: Localize;

  readonly #internals = this.attachInternals();
  readonly #approvals = new Approvals();
  readonly #keeping = new Keeping({
    approvals: this.#approvals,
    settings: () => this.keepSettings(),
    makeChat: () => this.#makeChat(),
    changed: () => {
      this.#changed();
    },
    shown: (threadId) => {
      this.#shown(threadId);
    },
    draft: () => this.#composer?.text ?? '',
    setDraft: (text) => {
      if (this.#composer) this.#composer.text = text;
      else this.setDraft(text);
    },
    dropFiles: () => {
      this.#composer?.dropFiles();
    },
    fail: (detail, problem) => {
      this.#notice = problem;
      this.requestUpdate();
      this.dispatchEvent(new AgentChatErrorEvent(detail));
    },
  });
  readonly #transcript = new Transcript({
    messages: () => this.messages,
    localize: () => this.localize,
    isShown: () => this.open || this.mode === 'inline' || this.mode === 'fullscreen',
    load: () => this.loadHistory,
    quote: () => (this.withoutControls.has('quote') || this.disabled ? undefined : this.#write),
    add: (messages) => {
      const older = this.#chat.addOlder(usableMessages(messages));
      this.#transcript.keepSilent(older);
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
      ready: () => this.#keeping.ready(),
      answers: this.#keeping,
      consented: () => this.#consented(),
      write: (text) => {
        this.#write(text);
      },
      say: (words) => {
        this.#say(words);
      },
      box: () => this.#box,
      showSources: (message, citation) => {
        this.#side.showSources(message, citation);
      },
    },
    () => this.#chat,
  );
  readonly #side = new Side(this, () => this.#view?.settings);
  #heard: readonly RendererRegistry[] = [];
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
      this.#transcript.list.focus({ preventScroll: true });
    },
    kept: () => (this.keeps ? new OpenState(this.id, this.keepSettings().persist === 'local') : undefined),
    changed: () => {
      this.requestUpdate();
    },
    drawn: () => this.updateComplete,
  });
  readonly #more = new More({
    root: () => this.renderRoot,
    localize: () => this.localize,
    panel: this.#panel,
    conversation: () => this.#conversation(),
    keys: () => ({
      entersLine: this.#composer?.entersLine ?? false,
      commands: this.commands !== undefined,
      mentions: this.mentions !== undefined,
      finds: this.#transcript.find !== undefined,
      closes: this.#panel.floats,
    }),
  });
  readonly #debug = new Debug(() => {
    this.requestUpdate();
  });
  readonly #viewProvider = new QuietProvider(this, { context: viewContext });
  #view: View | undefined;
  /** Counted once for each list of messages: what is drawn is drawn for other reasons too. */
  #speakers: { readonly messages: readonly ChatMessage[]; readonly several: boolean } = {
    messages: [],
    several: false,
  };
  #removal: ReturnType<typeof setTimeout> | undefined;
  /** Why the conversation can't be kept, until the reader has seen it. */
  #notice: StorageProblem | undefined;
  #threadShown: string | undefined;
  #shownStatus: ChatStatus = 'idle';

  constructor() {
    super();
    this.localize = english;
    new QuietProvider(this, { context: actionsContext, initialValue: this.#actions });
    this.#makeRoot();
    this.addController(this.#keeping);
    new ThemeSheet(this, this.#internals.states);
    this.#upgrade();
    // The reader's first move is early enough to fetch what a conversation needs.
    for (const type of ['pointerenter', 'focusin']) {
      this.addEventListener(type, this.#transcript.load, { once: true });
      this.addEventListener(type, this.#keeping.act, { once: true });
    }
  }

  /** The conversation, the branch on show: immutable, another array for every change. Assigning replaces it. */
  get messages(): readonly ChatMessage[] {
    return this.#chat.messages;
  }
  set messages(messages: readonly MessageInput[]) {
    this.#chat.messages = usableMessages(messages);
    this.#transcript.keepSilent(this.messages);
  }

  /** Where the conversation stands; also reflected as the attribute `status`. */
  get status(): ChatStatus {
    return this.#chat.status;
  }

  /** The phase that the reply is in, where the agent tells. */
  get phase(): string | undefined {
    return phaseOf(this.#chat.store.state);
  }

  /** The id of the adapter in use, found or chosen. */
  get detectedProtocol(): string | undefined {
    return this.#chat.store.state.protocol;
  }

  /** The tokens of the conversation. */
  get usage(): UsageStats {
    return usageOf(this.messages);
  }

  /** The agent's shared state, where its protocol has one. */
  get agentState(): unknown {
    return this.#chat.store.state.agentState;
  }

  /** Messages that came while the reader was not looking. */
  get unread(): number {
    return this.#transcript.unseen;
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has ended,
   * however it ended: its `status` tells. A message that was taken back from the queue has no reply: then it resolves with
   * that message, as `failed`; so does one that the reader did not want to go out under the terms of `consent`.
   *
   * @throws ChatError for a caller's mistake: nothing to send, too much of it, or no endpoint.
   *
   * @example
   * const answer = await element.send('Where is my order?');
   */
  async send(input: SendInput, options: { readonly signal?: AbortSignal } = {}): Promise<ChatMessage> {
    // What was set before the element was defined is taken over with its first update.
    if (this.isConnected && !this.hasUpdated) await this.updateComplete;
    const ready = this.#keeping.ready();
    if (ready) await ready;
    const consented = this.#consented();
    if (consented && !(await consented)) return { ...toUserMessage(input), status: 'failed' };
    return this.#chat.send(input, options);
  }

  /** Puts text into the composer without sending it. */
  setDraft(text: string): void {
    void this.#whenDrawn().then((composer) => {
      composer.text = text;
      this.#keeping.type(text);
    });
  }

  /** Ends the running reply at once. What has arrived stays. */
  stop(): void {
    this.#chat.stop();
  }

  /** Makes a reply anew, as a branch beside the old one. Without an id it is the last. Resolves as `send()` does. */
  regenerate(id?: string): Promise<ChatMessage> {
    return this.#chat.regenerate(id);
  }

  /** Sends a message of the reader's with other words, as a branch beside the old one. Resolves as `send()` does. */
  edit(id: string, text: string): Promise<ChatMessage> {
    return this.#chat.edit(id, text);
  }

  /** Shows another of the branches at a message. */
  selectBranch(id: string, index: number): void {
    this.#chat.selectBranch(id, index);
  }

  /** Answers what the agent waits for; answering twice does nothing. Resolves when the answer is on its way. */
  async respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    const ready = this.#keeping.ready();
    if (ready) await ready;
    await this.#chat.respond(blockId, decision, options);
  }

  /** The tools that need not ask any more, since the reader has answered `remember: 'always'`: each for one agent and server. */
  get approvals(): readonly Approval[] {
    return this.#approvals.list;
  }

  /** Lets a tool ask again. @returns whether it was one of `approvals` */
  revokeApproval(approval: Approval): boolean {
    return this.#approvals.revoke(approvalId(approval));
  }

  /** Picks a reply up again that broke off, where its protocol can. Resolves as `send()` does. */
  resume(): Promise<ChatMessage> {
    return this.#chat.resume();
  }

  /** Adds a message to the end of the conversation, without sending anything. @returns it, as it is kept */
  addMessage(message: MessageInput): ChatMessage {
    const added = this.#chat.addMessage(usableMessage(message));
    this.#transcript.keepSilent([added]);
    return added;
  }

  /** Changes fields of a message. */
  updateMessage(id: string, patch: Partial<MessageInput>): void {
    this.#chat.updateMessage(id, usableMessage(patch));
  }

  /** Takes a message out of the conversation. */
  removeMessage(id: string): void {
    this.#chat.removeMessage(id);
  }

  /** Empties the conversation, after stopping a running reply. What was kept of it is deleted. */
  clear(): void {
    this.#keeping.clear();
    this.#transcript.look();
  }

  /** Begins an empty conversation. The one before it stays, and its reply goes on. Resolves with the new one's id. */
  async newThread(): Promise<string> {
    return (await this.#keeping.keeper()).create();
  }

  /** All conversations of this endpoint and user, the newest first: which of them runs, and what is unread. */
  async listThreads(): Promise<readonly ThreadInfo[]> {
    return (await this.#keeping.keeper()).list();
  }

  /** Shows another conversation; under an id that nobody knows it is an empty one. Replies go on where they are. */
  async openThread(id: string): Promise<void> {
    await (await this.#keeping.keeper()).open(id);
  }

  /** Gives a kept conversation another name. */
  async renameThread(id: string, title: string): Promise<void> {
    await (await this.#keeping.keeper()).rename(id, title);
  }

  /** Deletes a conversation, in all tabs. */
  async deleteThread(id: string): Promise<void> {
    await (await this.#keeping.keeper()).remove(id);
  }

  /** Deletes all conversations of this endpoint and user, their drafts, files and remembered approvals and consent, in all tabs. */
  async forget(): Promise<void> {
    await (await this.#keeping.keeper()).forget();
    if (this.consent) (await import('./consent.ts')).forgetConsent(this);
  }

  /**
   * The conversation as text of one of the forms. `json` keeps everything, the others what they can hold; what looks like a key is
   * `***` in all of them.
   */
  async exportConversation(format: ExportFormat): Promise<string> {
    const { exportMasked } = await import('../runtime/export-masked.ts');
    return exportMasked(this.#chat.thread, format);
  }

  /**
   * Replaces the conversation by one of those forms, as text or already parsed.
   *
   * @throws ChatError of kind `protocol` when it is not of that form.
   */
  async importConversation(data: unknown, format: ImportFormat): Promise<void> {
    const { importConversation } = await import('../conversation/import.ts');
    this.#chat.replace(importConversation(data, format));
    this.#transcript.keepSilent(this.messages);
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
    void this.#whenDrawn().then((composer) => {
      composer.focus(options);
    });
  }

  /** Leads to the end of the transcript. */
  scrollToEnd(): void {
    this.#transcript.list.scrollToEnd();
  }

  /** Shows a message at the top of the transcript, also one that was far away. */
  scrollToMessage(id: string): void {
    // What was just added is in the transcript with the next update.
    if (this.hasUpdated && !this.isUpdatePending) this.#transcript.list.scrollToMessage(id);
    else {
      void this.updateComplete.then(() => {
        this.#transcript.list.scrollToMessage(id);
      });
    }
  }

  /**
   * Adds to the agents of the picker: those of a manifest or of an agent's card, or without an address what the shared registry
   * discovers.
   *
   * @throws ChatError when the address can't be read, or tells of no agents.
   */
  async discoverAgents(url?: string): Promise<readonly (BaseAgent | AgentDescriptor)[]> {
    const found =
      url === undefined
        ? await agents.discoverAgents()
        : await readAgents(new URL(url, document.baseURI), this.chatSettings());
    const known = this.agents ?? [];
    this.agents = [...known, ...found.filter(({ id }) => !known.some((agent) => agent.id === id))];
    return found;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    clearTimeout(this.#removal);
    this.setAttribute('status', this.#shownStatus);
    this.readConfig();
    void this.#localise();
    document.addEventListener('click', this.#pageClicked);
    icons.addEventListener('change', this.#iconsChanged);
    this.#hearRenderers(this.#registries);
    this.#panel.connect();
    if (this.hasUpdated) this.#panel.draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('click', this.#pageClicked);
    icons.removeEventListener('change', this.#iconsChanged);
    this.#hearRenderers([]);
    this.#panel.disconnect();
    this.#transcript.silence();
    if (this.keepAlive) return;
    this.#removal = setTimeout(() => {
      this.#keeping.leave();
    }, REMOVAL_MS);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!this.hasUpdated) this.#restoreOpen();
    if (!this.hasUpdated || KEPT.some((name) => changes.has(name))) this.#keeping.update();
    if (changes.has('locale') || changes.has('strings')) void this.#localise();
    if (changes.has('renderers') && this.isConnected) this.#hearRenderers(this.#registries);
    if (changes.has('demo') && this.demo) void this.#offerDemo();
    const names = changes as ReadonlyMap<PropertyKey, unknown>;
    if (!this.#view || this.#view.named !== this.#named || VIEW.some((name) => names.has(name))) this.#setView();
  }

  protected override render(): TemplateResult {
    const { floats, fills } = this.#panel;
    const label = this.heading ?? this.localize('conversation');
    // What is outside of a modal dialog is not read aloud.
    const region = [fills ? this.#transcript.region : nothing, fills ? nothing : this.#transcript.region];
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
          ${this.withoutControls.has('header') ? nothing : this.#header(floats)} ${this.#transcript.list}
          ${this.#foot()} ${this.debug ? this.#debug.view(this.localize) : nothing} ${region[0]}
        </div>
      </div>
      ${region[1]}
      <slot name="config" hidden @slotchange=${this.readConfig}></slot>`;
  }

  protected override firstUpdated(): void {
    if (this.shadowRoot) keepBox(this, this.shadowRoot);
    const panel = this.renderRoot.querySelector<HTMLElement>('.panel');
    if (panel) dropFiles(panel, { composer: () => this.#dropTarget, words: () => this.localize('attach.drop') });
    if (this.autofocus) this.focus();
    this.#panel.openByItself();
    this.dispatchEvent(new AgentChatReadyEvent());
  }

  protected override updated(changes: PropertyValues<this>): void {
    this.#drawTranscript();
    if (changes.has('loadHistory')) this.#transcript.list.tellStart();
    if (changes.has('open')) this.#setState('open', this.open);
    this.#panel.draw();
  }

  /** What was set as `messages` before the element was defined. Lit does the same for the properties it knows. */
  #upgrade(): void {
    if (!Object.hasOwn(this, 'messages')) return;
    const { messages } = this;
    Reflect.deleteProperty(this, 'messages');
    this.messages = messages;
  }

  /** The shadow root, with the transcript in it, is there before anything is drawn. */
  #makeRoot(): void {
    // The embed script has drawn a launcher there, in the place of this one's.
    this.shadowRoot?.replaceChildren();
    const root = this.createRenderRoot();
    Object.assign(this, { renderRoot: root });
    root.append(this.#transcript.list, this.#transcript.region);
    for (const type of ['click', 'auxclick'] as const) {
      root.addEventListener(type, (event) => {
        followLink(event as MouseEvent, {
          root,
          localize: this.localize,
          linkHosts: this.linkHosts ?? '*',
          tell: (link) => this.dispatchEvent(link),
        });
      });
    }
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, keepKeys);
    this.#side.listen(root);
    if (root instanceof ShadowRoot) keepFocus(root, this.#transcript.list);
  }

  /** Several agents speak here. */
  get #named(): boolean {
    const { messages } = this;
    if (this.#speakers.messages !== messages) {
      const first = messages.find(({ name }) => name !== undefined)?.name;
      const several = first !== undefined && messages.some(({ name }) => name !== undefined && name !== first);
      this.#speakers = { messages, several };
    }
    return this.#speakers.several || (this.agents?.length ?? 0) > 1;
  }

  #setView(): void {
    this.#view = {
      settings: {
        localize: this.localize,
        agentName: this.participants?.assistant?.name ?? this.heading ?? this.localize('agent'),
        showReasoning: known('showReasoning', this.showReasoning, SHOWN),
        showTools: known('showTools', this.showTools, SHOWN),
        imageHosts: this.imageHosts ?? '',
        readAloud: this.voice === 'output' || this.voice === 'both',
        artifacts: known('artifacts', this.artifacts, ARTIFACTS),
        math: known('math', this.math, MATH) === 'on',
        limits: this.#chat.limits,
      },
      registries: this.#registries,
      without: this.withoutControls,
      named: this.#named,
      participants: this.participants ?? {},
      feedback: this.rating,
      agents: this.agents ?? [],
      actions: usableActions(this.messageActions),
    };
    this.#viewProvider.setValue(this.#view);
  }

  /** The element's own first. A page may have taken them away. */
  get #registries(): readonly RendererRegistry[] {
    const own = this.renderers as RendererRegistry | null;
    return own ? [own, renderers] : [renderers];
  }

  /** A page may register a renderer for what is on show. */
  #hearRenderers(registries: readonly RendererRegistry[]): void {
    for (const registry of this.#heard) registry.removeEventListener('change', this.#drawAnew);
    for (const registry of registries) registry.addEventListener('change', this.#drawAnew);
    this.#heard = registries;
  }

  readonly #drawAnew = (): void => {
    if (this.#view) this.#setView();
  };

  readonly #iconsChanged = (): void => {
    this.#drawAnew();
    this.requestUpdate();
    redraw(this.renderRoot);
  };

  #header(closable: boolean): TemplateResult {
    return header({
      localize: this.localize,
      heading: this.heading,
      agents: this.agents ?? [],
      agent: this.#chosenAgent,
      participants: this.participants ?? {},
      threads: this.keeps && !this.withoutControls.has('threads') ? this.#openThreads : undefined,
      renew: this.messages.length > 0 && !this.readonly ? this.#renew : undefined,
      find: this.#transcript.find,
      more: this.#more.offers ? this.#more.open : undefined,
      close: closable ? this.#panel.leave : undefined,
      choose: (agent) => {
        this.change('agent', agent);
      },
    });
  }

  /** What its menu offers. */
  #conversation(): Omit<ConversationMenuProps, 'localize'> {
    const { withoutControls: without } = this;
    const any = this.messages.length > 0;
    return {
      box: this.#box,
      say: this.#say,
      read: any && !without.has('export') ? (format) => this.exportConversation(format) : undefined,
      remove: any && this.keeps && !without.has('delete') ? () => this.#remove(this.#chat.threadId) : undefined,
    };
  }

  readonly #remove = async (id: string): Promise<() => Promise<void>> => (await this.#keeping.keeper()).remove(id);

  readonly #say = (words: string): void => {
    this.#transcript.say(words);
  };

  get #box(): Element | null {
    return this.renderRoot.querySelector('.foot-area');
  }

  readonly #attachSettings = (): AttachSettings => ({
    accept: this.#accept ?? '',
    upload: this.upload,
    limits: this.#chat.limits,
  });

  /** A bare attribute takes any file. */
  get #accept(): string | undefined {
    const { attachments } = this;
    return attachments === '' ? '*' : (attachments ?? undefined);
  }

  get #dropTarget(): AgentChatComposer | undefined {
    const composer = this.#composer;
    return composer?.takesFiles ? composer : undefined;
  }

  get #chosenAgent(): BaseAgent | AgentDescriptor | undefined {
    return chosenAgent(this.agents, this.agent);
  }

  #foot(): TemplateResult {
    return foot({
      localize: this.localize,
      status: this.status,
      placeholder: this.placeholder,
      disclaimer: this.disclaimer,
      problem: this.#actions.problem,
      notice: this.#notice,
      dismiss: () => {
        this.#notice = undefined;
        this.requestUpdate();
      },
      queued: this.#chat.store.state.queue,
      scrollButton: this.#transcript.scrollButton(),
      disabled: this.disabled,
      readonly: this.readonly,
      submitKey: known('submitKey', this.submitKey, SUBMIT_KEYS),
      sent: this.#sentTexts,
      editLast: this.withoutControls.has('edit') ? undefined : this.#editLast,
      unqueue: (id) => this.#chat.unqueue(id),
      rewrite: (id, composer) => {
        const message = this.#chat.unqueue(id);
        if (message) void composer.restore(message);
      },
      sendNow: (id) => {
        this.#chat.sendNow(id);
      },
      accept: this.#accept,
      attach: this.#attachSettings,
      voice: this.voice === 'input' || this.voice === 'both',
      models: usableModels(this.models),
      model: this.model,
      chooseModel: (id) => {
        this.change('model', id);
      },
      commands: this.commands,
      mentions: this.mentions,
      submit: (event, composer) => void this.#submit(event, composer),
      stop: () => {
        this.stop();
      },
      typed: (text) => {
        this.#actions.forgetProblem();
        this.#keeping.type(text);
        this.dispatchEvent(new AgentChatDraftEvent(text));
      },
    });
  }

  #changed(): void {
    if (this.#shownStatus !== this.status) this.#showStatus();
    this.#transcript.drawSoon();
  }

  #showStatus(): void {
    this.#shownStatus = this.status;
    this.setAttribute('status', this.#shownStatus);
    this.#setState('streaming', this.#shownStatus === 'streaming');
    this.#setState('error', this.#shownStatus === 'error');
    if (this.#shownStatus === 'awaiting-action') this.#transcript.say(this.localize('message.announce-action'));
    if (this.#shownStatus === 'error') this.#transcript.say(this.#errorWords());
  }

  #errorWords(): string {
    const block = this.messages.at(-1)?.blocks.findLast((candidate) => candidate.type === 'error');
    const words = block && (ownErrorWords(block, this.localize) ?? block.content);
    return [this.localize('message.announce-error'), words].filter(Boolean).join(' ');
  }

  #setState(name: string, on: boolean): void {
    if (on) this.#internals.states.add(name);
    else this.#internals.states.delete(name);
  }

  #drawTranscript(): void {
    const { localize } = this;
    this.#transcript.draw({
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
        wait: this.#chat.store.state.wait,
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

  readonly #renew = (): void => {
    if (this.keeps) void this.newThread();
    else this.clear();
    this.focus();
  };

  readonly #openThreads = (): void => {
    import('./thread-panel.ts').then(
      ({ openThreadPanel }) => {
        openThreadPanel(this.renderRoot, { localize: this.localize, chat: this, remove: this.#remove, say: this.#say });
      },
      // Without its chunk the conversation on show goes on.
      () => undefined,
    );
  };

  get #chat(): Chat {
    return this.#keeping.chat;
  }

  #makeChat(): Chat {
    const chat: Chat = makeChat(this, {
      approvals: this.#approvals,
      settings: () => this.chatSettings(),
      loadRunner: async () => {
        const free = this.#keeping.take(chat);
        if (free) await free;
        return (await loadParts()).startJob;
      },
      trace: () => (this.debug ? this.#debug.take : undefined),
    });
    return chat;
  }

  /** Another conversation is on show, or the one on show is there again: it needs no saying. */
  #shown(threadId: string): void {
    this.change('threadId', threadId);
    this.#transcript.keepSilent(this.messages);
    this.#transcript.look();
    this.#changed();
    if (threadId === this.#threadShown) return;
    this.#threadShown = threadId;
    this.dispatchEvent(new AgentChatThreadChangeEvent(threadId));
  }

  /** The panel is as the reader has left it. */
  #restoreOpen(): void {
    const open = this.mode === 'inline' ? undefined : this.#panel.wasOpen;
    if (open !== undefined) this.change('open', open);
  }

  #setOpen(open: boolean, kept = true): void {
    if (this.open === open) return;
    this.change('open', open);
    if (open) this.#transcript.look();
    if (kept) this.#panel.keepOpen(open);
    this.dispatchEvent(new AgentChatToggleEvent(open));
  }

  /** What was not sent is in the composer again; while the reader is asked for their consent it stays there. */
  async #submit({ text, attachments, giveBack }: SubmitEvent, composer: AgentChatComposer): Promise<void> {
    if (this.consent && !(await this.#actions.agreed())) {
      giveBack();
      return;
    }
    composer.text = '';
    this.#keeping.type('');
    const sent = await this.#actions.send(attachments.length > 0 ? { text, attachments } : text);
    if (sent || !composer.isEmpty) return;
    this.setDraft(text);
    giveBack();
  }

  /** Undefined where the page asks for nothing. */
  #consented(): Promise<boolean> | undefined {
    const { consent: text, endpoint, storage, localize, renderRoot: root } = this;
    if (!text) return undefined;
    const tell = (accepted: boolean): void => {
      this.dispatchEvent(new AgentChatConsentEvent(accepted));
    };
    return import('./consent.ts').then(
      ({ consented }) => consented({ root, localize, text, endpoint, storage, tell }),
      notLoaded,
    );
  }

  readonly #editLast = (): void => {
    void import('./edit-last.ts').then(({ editLast }) => editLast(this.#transcript.list, this.messages));
  };

  readonly #write = (text: string): void => {
    this.#composer?.addWords(text);
  };

  readonly #sentTexts = (): readonly string[] => this.messages.filter(({ role }) => role === 'user').map(textOf);

  /** Escape stops, then closes. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'f' && (event.ctrlKey || event.metaKey) && this.#transcript.find) {
      event.preventDefault();
      this.#transcript.find();
      return;
    }
    if (this.#more.press(event)) {
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

  get #composer(): AgentChatComposer | null {
    return this.renderRoot.querySelector('agent-chat-composer');
  }

  async #whenDrawn(): Promise<AgentChatComposer> {
    await this.updateComplete;
    const composer = this.#composer;
    if (!composer) throw new Error('The composer is drawn with the element.');
    await composer.updateComplete;
    return composer;
  }
}

async function readAgents(url: URL, settings: ChatSettings): Promise<readonly AgentDescriptor[]> {
  return (await import('../runtime/discover-agents.ts')).discoverAgents(url, settings);
}

/** Where conversations are kept depends on these. */
const KEPT = ['persist', 'storage', 'endpoint', 'demo', 'mode', 'threadId'] as const;

/** How the transcript looks depends on these. */
const VIEW = [
  'showReasoning',
  'showTools',
  'imageHosts',
  'artifacts',
  'math',
  'voice',
  'limits',
  'renderers',
  'without',
  'readonly',
  'messageActions',
  'feedback',
  'agents',
  'participants',
  'heading',
  'localize',
] as const;

/**
 * What is typed here is no shortcut of the page. Escape and Tab are no typing: a dialog of the page around the widget closes by
 * the one and keeps the focus with the other. (What the page listens to while capturing comes before us, and nothing helps that.)
 */
function keepKeys(event: Event): void {
  if (event instanceof KeyboardEvent && (event.key === 'Escape' || event.key === 'Tab')) return;
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
