import { ContextProvider } from '@lit/context';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { agents, type PageAgentRegistry } from '../agents/registry.ts';
import type { ClientTool } from '../agents/tools.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import { siblingsOf } from '../conversation/thread.ts';
import { en, type Strings } from '../locales/en.ts';
import { createLocalize, type Localize } from '../locales/localize.ts';
import { locales, type LocaleRegistry } from '../locales/registry.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { UsageStats } from '../model/usage.ts';
import { icon } from '../primitives/icon.ts';
import type { Adapter, Answer } from '../protocols/adapter.ts';
import { protocols, type ProtocolRegistry } from '../protocols/registry.ts';
import { renderers, RendererRegistry } from '../renderers/registry.ts';
import { Chat } from '../runtime/chat.ts';
import type { RespondOptions } from '../runtime/hooks.ts';
import { phaseOf, usageOf, type ChatStatus } from '../runtime/chat-state.ts';
import type { Limits } from '../runtime/limits.ts';
import type { ChatSettings, OutgoingRequest, Poll, Provided } from '../runtime/settings.ts';
import type { SendInput } from '../runtime/user-message.ts';
import { isListed } from '../safety/hosts.ts';
import type { Announcer } from './announcer.ts';
import type { DENSITIES, PLACEMENTS, RETRIES, SCHEMES } from './agent-chat-properties.ts';
import { ARTIFACTS, CREDENTIALS, defaults, MODES, properties, SHOWN, SUBMIT_KEYS } from './agent-chat-properties.ts';
import { known } from './attributes.ts';
import type { AgentChatComposer } from './composer.ts';
import { actionsContext, viewContext, type Actions, type Participants, type View } from './contexts.ts';
import {
  AgentChatActionEvent,
  AgentChatDraftEvent,
  AgentChatErrorEvent,
  AgentChatEventEvent,
  AgentChatLinkEvent,
  AgentChatMessageEvent,
  AgentChatReadyEvent,
  AgentChatSendEvent,
  AgentChatToggleEvent,
} from './events.ts';
import { empty, type Starter } from './empty.ts';
import { header } from './header.ts';
import { launcher } from './launcher.ts';
import { queue } from './queue.ts';
import { waitingLine } from './waiting-line.ts';
import { LayeredElement } from './layered-element.ts';
import { askBeforeLeaving } from './link-dialog.ts';
import type { AgentChatMessageList } from './message-list.ts';
import type * as Parts from './parts.ts';
import { styles } from './styles.ts';

/** A removed reply goes on for so long: a framework that moves an element takes it out and puts it in. */
const REMOVAL_MS = 2000;

/**
 * A chat with any agent endpoint: point `endpoint` at it, and the widget recognises what it speaks.
 *
 * @fires {AgentChatReadyEvent} agent-chat-ready
 * @fires {AgentChatSendEvent} agent-chat-send - cancelable
 * @fires {AgentChatEventEvent} agent-chat-event
 * @fires {AgentChatMessageEvent} agent-chat-message
 * @fires {AgentChatErrorEvent} agent-chat-error
 * @fires {AgentChatActionEvent} agent-chat-action - cancelable
 * @fires {AgentChatLinkEvent} agent-chat-link - cancelable
 * @fires {AgentChatToggleEvent} agent-chat-toggle
 * @fires {AgentChatDraftEvent} agent-chat-draft
 *
 * @slot header-start - in the header, before the name
 * @slot header-end - in the header, before the controls
 * @slot launcher - in the place of the launcher's picture
 * @slot empty - in the place of the greeting
 * @slot footer - below the composer
 * @slot composer-start - in the composer, before the words
 * @slot composer-end - in the composer, before its buttons
 * @slot config - a `<script type="application/json">` with settings
 *
 * @csspart launcher panel header heading transcript message bubble block composer input send-button stop-button scroll-button
 *
 * @cssprop --agent-chat-accent - the one accent, from which its shades are made
 * @cssprop --agent-chat-radius - the roundness of everything; 0 squares it
 * @cssprop --agent-chat-font-family - the page's by default
 */
export class AgentChat extends LayeredElement {
  static readonly protocols: ProtocolRegistry = protocols;
  static readonly renderers: RendererRegistry = renderers;
  static readonly agents: PageAgentRegistry = agents;
  static readonly locales: LocaleRegistry = locales;

  static override shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true };
  static override styles = styles;
  static override properties: PropertyDeclarations = {
    ...properties,
    localize: { state: true },
    following: { state: true },
    teaserGone: { state: true },
  };

  /** Where the agent answers: `https` or `wss`, or relative to the page. */
  declare endpoint: string | undefined;
  /** An adapter's id, an adapter, or `auto`: recognised from the URL, the response and its first frames. */
  declare protocol: string | Adapter | undefined;
  /** Asked for before every request where it is a function, and once more after a 401. */
  declare headers: Provided<Readonly<Record<string, string>>> | undefined;
  /** Merged into the adapter's request body. */
  declare body: Provided<Readonly<Record<string, unknown>>> | undefined;
  /** Facts of the page for the agent, or a function that gives them. */
  declare context: unknown;
  declare fetch: typeof fetch | undefined;
  /** The last word on a request. */
  declare transformRequest: ((request: OutgoingRequest) => OutgoingRequest | Promise<OutgoingRequest>) | undefined;
  /** The last word on every event of the agent's; `null` drops it. */
  declare transformEvent: ((event: LLMAgentEvent) => LLMAgentEvent | readonly LLMAgentEvent[] | null) | undefined;
  declare credentials: (typeof CREDENTIALS)[number];
  declare model: string | undefined;
  declare system: string | undefined;
  /** Several agents in one widget; one that runs in the page needs no endpoint. */
  declare agents: readonly (BaseAgent | AgentDescriptor)[] | undefined;
  /** The id of the chosen agent. */
  declare agent: string | undefined;
  /** Tools that run in the page. */
  declare tools: readonly ClientTool[] | undefined;
  /** Rounds of the page's tools before the reader is asked whether to go on. Default 8. */
  declare maxToolRounds: number | undefined;
  declare poll: Poll | undefined;
  /** What is sent again by itself; the default depends on who answers. */
  declare retry: (typeof RETRIES)[number] | undefined;
  declare threadId: string | undefined;
  declare limits: Partial<Limits> | undefined;
  declare mode: (typeof MODES)[number];
  declare open: boolean;
  declare placement: (typeof PLACEMENTS)[number];
  declare heading: string | undefined;
  declare placeholder: string | undefined;
  declare greeting: string | undefined;
  declare teaser: string | undefined;
  declare disclaimer: string | undefined;
  declare participants: Participants | undefined;
  /** What the empty transcript offers. */
  declare suggestions: readonly Starter[] | undefined;
  declare colorScheme: (typeof SCHEMES)[number];
  declare density: (typeof DENSITIES)[number];
  /** BCP 47; by default the nearest `lang`, then the browser's. */
  declare locale: string | undefined;
  /** Texts over those of the language. */
  declare strings: Strings | undefined;
  declare keepAlive: boolean;
  declare showReasoning: (typeof SHOWN)[number] | undefined;
  declare showTools: (typeof SHOWN)[number] | undefined;
  declare submitKey: (typeof SUBMIT_KEYS)[number];
  /** Controls to leave out, separated by blanks. */
  declare without: string | undefined;
  declare artifacts: (typeof ARTIFACTS)[number];
  /** Hosts whose pictures load at once. */
  declare imageHosts: string | undefined;
  /** Hosts that are left for without asking. Default `*`. */
  declare linkHosts: string | undefined;
  declare disabled: boolean;
  declare readonly: boolean;
  declare autofocus: boolean;
  /** Renderers of this element alone; they win over those of `AgentChat.renderers`. */
  declare renderers: RendererRegistry;
  declare protected localize: Localize;
  declare protected following: boolean;
  declare protected teaserGone: boolean;

  readonly #internals = this.attachInternals();
  readonly #list: AgentChatMessageList;
  /** It comes with the first messages. */
  #announcer: Announcer | undefined;
  readonly #region: HTMLElement;
  readonly #chat: Chat;
  readonly #viewProvider = new ContextProvider(this, { context: viewContext });
  #view: View | undefined;
  #frame: number | undefined;
  #removal: ReturnType<typeof setTimeout> | undefined;
  #seen = 0;
  #status: ChatStatus = 'idle';

  constructor() {
    super();
    this.#region = Object.assign(document.createElement('div'), { className: 'hidden-visually' });
    this.#region.setAttribute('role', 'status');
    this.#region.setAttribute('aria-live', 'polite');
    this.#list = document.createElement('agent-chat-message-list');
    this.#list.setAttribute('part', 'transcript');
    this.#list.className = 'transcript';
    // The shadow root, with the transcript in it, is there before anything is drawn.
    const root = this.createRenderRoot();
    Object.assign(this, { renderRoot: root });
    root.append(this.#list, this.#region);

    this.localize = createLocalize('en');
    this.writeAs('config', () => {
      Object.assign(this, defaults, { renderers: new RendererRegistry() });
    });
    this.following = true;
    this.teaserGone = false;
    this.#chat = new Chat({
      settings: () => this.#settings(),
      protocols,
      loadRunner: async () => (await loadParts()).startJob,
      hooks: {
        beforeSend: (message) => this.dispatchEvent(new AgentChatSendEvent(message)),
        event: (event, message) => this.dispatchEvent(new AgentChatEventEvent(event, message)),
        message: (message) => this.dispatchEvent(new AgentChatMessageEvent(message)),
        error: (detail) => this.dispatchEvent(new AgentChatErrorEvent(detail)),
        warning: () => undefined,
      },
    });
    this.#chat.store.subscribe(() => {
      this.#changed();
    });
    new ContextProvider(this, { context: actionsContext, initialValue: this.#actions });
    root.addEventListener('click', (event) => {
      this.#clicked(event as MouseEvent);
    });
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, keepKeys);
    // The reader's first move is early enough to fetch what a conversation needs.
    for (const type of ['pointerenter', 'focusin']) this.addEventListener(type, this.#loadParts, { once: true });
    this.#list.addEventListener('follow', () => {
      this.following = this.#list.following;
      if (this.following) this.#seen = this.messages.length;
    });
  }

  /** The conversation, the branch on show: immutable, another array for every change. Assigning replaces it. */
  get messages(): readonly ChatMessage[] {
    return this.#chat.messages;
  }
  set messages(messages: readonly MessageInput[]) {
    this.#chat.messages = messages;
    this.#announcer?.skip(this.messages);
  }

  get status(): ChatStatus {
    return this.#chat.status;
  }

  /** The phase that the reply is in, where the agent tells. */
  get phase(): string | undefined {
    return phaseOf(this.#chat.store.state);
  }

  /** The adapter in use, found or chosen. */
  get detectedProtocol(): string | undefined {
    return this.#chat.store.state.protocol;
  }

  /** The tokens of the conversation. */
  get usage(): UsageStats {
    return usageOf(this.messages);
  }

  /** Messages that came while the panel was closed or the reader was elsewhere in it. */
  get unread(): number {
    const looking = this.following && (this.mode === 'inline' || this.mode === 'fullscreen' || this.open);
    return looking ? 0 : this.messages.slice(this.#seen).filter((message) => message.role === 'assistant').length;
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has ended,
   * however it ended.
   *
   * @throws ChatError for a caller's mistake: nothing to send, too much of it, or no endpoint.
   */
  send(input: SendInput, options: { readonly signal?: AbortSignal } = {}): Promise<ChatMessage> {
    return this.#chat.send(input, options);
  }

  /** Puts text into the composer without sending it. */
  setDraft(text: string): void {
    void this.#whenDrawn().then((composer) => {
      composer.text = text;
    });
  }

  stop(): void {
    this.#chat.stop();
  }

  regenerate(id?: string): Promise<ChatMessage> {
    return this.#chat.regenerate(id);
  }

  edit(id: string, text: string): Promise<ChatMessage> {
    return this.#chat.edit(id, text);
  }

  selectBranch(id: string, index: number): void {
    this.#chat.selectBranch(id, index);
  }

  /** Answers what the agent waits for; answering twice does nothing. Resolves when the answer is on its way. */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    this.#chat.respond(blockId, decision, options);
    return Promise.resolve();
  }

  addMessage(message: MessageInput): ChatMessage {
    const added = this.#chat.addMessage(message);
    this.#announcer?.skip([added]);
    return added;
  }

  updateMessage(id: string, patch: Partial<MessageInput>): void {
    this.#chat.updateMessage(id, patch);
  }

  removeMessage(id: string): void {
    this.#chat.removeMessage(id);
  }

  clear(): void {
    this.#chat.clear();
    this.#seen = 0;
  }

  /** The conversation as text of one of the forms. `json` keeps everything. */
  async exportConversation(format: 'json' | 'markdown' | 'openai-messages' | 'agentscope-msgs'): Promise<string> {
    const { exportConversation } = await import('../conversation/export.ts');
    return exportConversation(this.messages, format);
  }

  /**
   * Replaces the conversation by one of those forms, as text or already parsed.
   *
   * @throws ChatError of kind `protocol` when it is not of that form.
   */
  async importConversation(data: unknown, format: 'json' | 'openai-messages' | 'agentscope-msgs'): Promise<void> {
    const { importConversation } = await import('../conversation/import.ts');
    this.messages = importConversation(data, format);
  }

  show(): void {
    this.#setOpen(true);
  }

  hide(): void {
    this.#setOpen(false);
  }

  toggle(): void {
    this.#setOpen(!this.open);
  }

  override focus(options?: FocusOptions): void {
    void this.#whenDrawn().then((composer) => {
      composer.focus(options);
    });
  }

  scrollToEnd(): void {
    this.#list.scrollToEnd();
  }

  scrollToMessage(id: string): void {
    this.#list.scrollToMessage(id);
  }

  /** Fills the agent picker with what the shared registry discovers. */
  async discoverAgents(): Promise<readonly BaseAgent[]> {
    const found = await agents.discoverAgents();
    this.agents = [...(this.agents ?? []), ...found.filter(({ id }) => !this.agents?.some((known) => known.id === id))];
    return found;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    clearTimeout(this.#removal);
    this.readConfig();
    void this.#loadLocale();
    document.addEventListener('click', this.#pageClicked);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('click', this.#pageClicked);
    this.#announcer?.stop();
    if (this.keepAlive) return;
    this.#removal = setTimeout(() => {
      this.#chat.interrupt();
    }, REMOVAL_MS);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('locale') || changes.has('strings')) void this.#loadLocale();
    const changed = VIEW_PROPERTIES.some((name) => (changes as ReadonlyMap<PropertyKey, unknown>).has(name));
    if (changed || this.#view?.named !== this.#named) this.#setView();
  }

  protected override render(): TemplateResult {
    const mode = known('mode', this.mode, MODES);
    const panelled = mode === 'floating' || mode === 'sidebar';
    return html`${panelled ? this.#launcher() : nothing}
      <div
        class="panel"
        part="panel"
        data-mode=${mode}
        role=${panelled ? 'dialog' : nothing}
        aria-label=${panelled ? (this.heading ?? this.localize('conversation')) : nothing}
        popover=${panelled ? 'manual' : nothing}
        @keydown=${this.#pressed}
      >
        <div class="chat">
          ${this.#without().has('header') ? nothing : this.#header(panelled)} ${this.#list} ${this.#foot()}
        </div>
      </div>
      ${this.#region}`;
  }

  protected override firstUpdated(): void {
    this.#drawMessages();
    if (this.autofocus) this.focus();
    this.dispatchEvent(new AgentChatReadyEvent());
  }

  protected override updated(changes: PropertyValues<this>): void {
    this.#drawMessages();
    if (changes.has('open') || changes.has('mode')) this.#showPanel();
  }

  /** Several agents speak here. */
  get #named(): boolean {
    const names = new Set(this.messages.map(({ name }) => name).filter((name) => name !== undefined));
    return names.size > 1 || (this.agents?.length ?? 0) > 1;
  }

  #setView(): void {
    this.#view = {
      settings: {
        localize: this.localize,
        showReasoning: known('showReasoning', this.showReasoning, SHOWN),
        showTools: known('showTools', this.showTools, SHOWN),
        imageHosts: this.imageHosts ?? '',
        artifacts: known('artifacts', this.artifacts, ARTIFACTS),
        limits: this.#chat.limits,
      },
      registries: [this.renderers, renderers],
      without: this.#without(),
      named: this.#named,
      participants: this.participants ?? {},
    };
    this.#viewProvider.setValue(this.#view);
  }

  #settings(): ChatSettings {
    const { showReasoning, showTools } = this;
    return {
      endpoint: this.endpoint ?? undefined,
      protocol: this.protocol ?? undefined,
      headers: this.headers,
      body: this.body,
      context: this.context,
      fetch: this.fetch,
      transformRequest: this.transformRequest,
      transformEvent: this.transformEvent,
      credentials: known('credentials', this.credentials, CREDENTIALS),
      model: this.model ?? undefined,
      system: this.system ?? undefined,
      agents: this.agents,
      agent: this.agent ?? undefined,
      tools: this.tools,
      maxToolRounds: this.maxToolRounds,
      poll: this.poll,
      retry: this.retry ? this.retry : undefined,
      threadId: this.threadId ?? undefined,
      limits: this.limits,
      show: {
        ...(showReasoning !== undefined && { reasoning: showReasoning !== 'hidden' }),
        ...(showTools !== undefined && { tools: showTools !== 'hidden' }),
      },
    };
  }

  #without(): ReadonlySet<string> {
    return new Set((this.without ?? '').split(/\s+/).filter(Boolean));
  }

  #launcher(): TemplateResult {
    return launcher({
      localize: this.localize,
      open: this.open,
      unread: this.unread,
      teaser: this.teaserGone ? undefined : this.teaser,
      press: this.#launch,
      dismiss: () => {
        this.teaserGone = true;
      },
    });
  }

  #header(closable: boolean): TemplateResult {
    return header({
      localize: this.localize,
      heading: this.heading,
      agents: this.agents ?? [],
      agent: this.agents?.find(({ id }) => id === this.agent) ?? this.agents?.[0],
      participants: this.participants ?? {},
      renew: this.messages.length > 0 && !this.readonly ? this.#renew : undefined,
      close: closable ? this.#leave : undefined,
      choose: (agent) => {
        this.writeAs('attribute', () => {
          this.agent = agent;
        });
      },
    });
  }

  #foot(): TemplateResult {
    const { localize, status } = this;
    const busy = status === 'connecting' || status === 'streaming' || status === 'reconnecting';
    const newer = this.messages.length - this.#seen;
    return html`<footer class="foot-area">
      ${
        this.following
          ? nothing
          : html`<button
              type="button"
              class="scroll-button"
              part="scroll-button"
              aria-label=${localize('scroll.end')}
              @click=${this.#toEnd}
            >
              ${icon('down', 'small')}${newer > 0 ? html`<span class="tabular">${localize('scroll.new', { count: newer })}</span>` : nothing}
            </button>`
      }
      ${queue({ localize, messages: this.#chat.store.state.queue, remove: (id) => this.#chat.unqueue(id) })}
      <agent-chat-composer
        class="composer"
        part="composer"
        .localize=${localize}
        .placeholder=${status === 'awaiting-action' ? localize('composer.answer') : (this.placeholder ?? localize('composer.placeholder'))}
        .busy=${busy}
        .disabled=${this.disabled}
        .readonly=${this.readonly}
        .submitKey=${known('submitKey', this.submitKey, SUBMIT_KEYS)}
        @agent-chat-submit=${this.#submitted}
        @agent-chat-stop=${this.stop}
        @agent-chat-typed=${this.#typed}
      ></agent-chat-composer>
      ${this.disclaimer ? html`<div class="disclaimer" dir="auto">${this.disclaimer}</div>` : nothing}
      <slot name="footer"></slot>
    </footer>`;
  }

  /** Messages are drawn once a frame at most, whatever the rate of events; a hidden tab draws none. */
  #changed(): void {
    if (this.#status !== this.status) this.#reflectStatus();
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#announcer?.hear(this.messages);
      this.requestUpdate();
    });
  }

  #reflectStatus(): void {
    this.#status = this.status;
    this.setAttribute('status', this.#status);
    const states = { streaming: this.#status === 'streaming', error: this.#status === 'error', open: this.open };
    for (const [state, on] of Object.entries(states)) {
      if (on) this.#internals.states.add(state);
      else this.#internals.states.delete(state);
    }
    if (this.#status === 'awaiting-action') this.#announcer?.say(this.localize('message.announce-action'));
    if (this.#status === 'error') this.#announcer?.say(this.localize('message.announce-error'));
  }

  #drawMessages(): void {
    const last = this.#list.messages.at(-1)?.id;
    this.#list.label = this.heading ?? this.localize('conversation');
    this.#list.messages = this.messages;
    this.#list.empty = empty({
      localize: this.localize,
      greeting: this.greeting,
      starters: this.suggestions ?? [],
      send: (prompt) => void this.#trySend(prompt),
    });
    this.#list.tail = waitingLine({
      localize: this.localize,
      wait: this.#chat.store.state.wait,
      stop: () => {
        this.stop();
      },
    });
    if (this.messages.length > 0) this.#loadParts();
    if (this.following) this.#seen = this.messages.length;
    // The reader's own words are followed wherever they were.
    const newest = this.messages.at(-1)?.id;
    if (newest !== last && this.messages.at(-2)?.role === 'user') this.#list.scrollToEnd();
  }

  readonly #actions: Actions = {
    act: (action, message, block, payload) => {
      this.#act(action, message, block, payload);
    },
    edit: (message, text) => void this.edit(message.id, text).catch(ignore),
    selectBranch: (message, index) => {
      this.selectBranch(message.id, index);
    },
    branches: (message) => {
      const siblings = siblingsOf(this.#chat.store.state.thread, message);
      return { index: siblings.findIndex(({ id }) => id === message.id), count: siblings.length };
    },
  };

  #act(action: string, message: ChatMessage, block: AssistantMessageBlock | undefined, payload: unknown): void {
    if (!this.dispatchEvent(new AgentChatActionEvent({ action, message, block, payload }))) return;
    const waits = block?.type === 'action' && block.status === 'pending';
    if (action === 'retry') void this.regenerate(message.id).catch(ignore);
    else if (action === 'citation') return;
    else if (waits && DECISIONS.has(action)) {
      void this.respond(block.id, action as Answer['decision'], payload === undefined ? {} : { payload });
      // The button that was pressed goes away with its card.
      this.focus();
    } else if (typeof payload === 'string') {
      if (action === 'suggestion')
        this.updateMessage(message.id, { metadata: { ...message.metadata, answered: true } });
      void this.#trySend(payload);
    }
  }

  readonly #submitted = (event: Event): void => {
    const { text } = event as Event & { readonly text: string };
    const composer = event.currentTarget as AgentChatComposer;
    composer.text = '';
    void this.#trySend(text).then((sent) => {
      if (!sent && composer.text === '') composer.text = text;
    });
  };

  /** Sends what the reader wants to send; what can't go out is said in the transcript's error event and given back. */
  async #trySend(text: string): Promise<boolean> {
    try {
      await this.#chat.send(text);
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.warn(`<agent-chat>: ${message}`);
      this.dispatchEvent(new AgentChatErrorEvent({ kind: 'protocol', message, retryable: false, cause: error }));
      return false;
    }
  }

  readonly #loadParts = (): void => {
    loadParts().then(
      (parts) => {
        if (this.#announcer) return;
        this.#announcer = new parts.Announcer(this.#region, () => this.localize);
        this.#announcer.skip(this.messages);
      },
      // Without its parts the transcript shows plain words; sending says what is missing.
      () => undefined,
    );
  };

  readonly #typed = (event: Event): void => {
    this.dispatchEvent(new AgentChatDraftEvent((event.currentTarget as AgentChatComposer).text));
  };

  readonly #toEnd = (): void => {
    this.#list.scrollToEnd();
  };

  readonly #launch = (): void => {
    if (this.open) this.#leave();
    else {
      this.show();
      this.focus();
    }
  };

  /** Closed by the reader: the focus goes back to where they came from. */
  readonly #leave = (): void => {
    this.hide();
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector<HTMLElement>('.launcher')?.focus();
    });
  };

  readonly #renew = (): void => {
    this.clear();
    this.focus();
  };

  #setOpen(open: boolean): void {
    if (this.open === open) return;
    this.writeAs('attribute', () => {
      this.open = open;
    });
    if (open) this.#seen = this.messages.length;
    this.dispatchEvent(new AgentChatToggleEvent(open));
  }

  /** The panel lives in the top layer, above whatever the page has. */
  #showPanel(): void {
    const panel = this.renderRoot.querySelector<HTMLElement>('.panel');
    if (!panel?.hasAttribute('popover') || !panel.isConnected) return;
    panel.togglePopover(this.open);
    if (this.open) this.#internals.states.add('open');
    else this.#internals.states.delete('open');
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const running = this.status !== 'idle' && this.status !== 'error';
    if (running) this.stop();
    else if (this.open && this.mode !== 'inline') this.#leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Links of the transcript: the page hears of each, and hosts that it has not listed are asked about. */
  #clicked(event: MouseEvent): void {
    const anchor = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (!anchor) return;
    const message = anchor.closest('agent-chat-message')?.message;
    if (!this.dispatchEvent(new AgentChatLinkEvent(anchor.href, message))) {
      event.preventDefault();
      return;
    }
    const url = new URL(anchor.href);
    const web = url.protocol === 'http:' || url.protocol === 'https:';
    if (!web || isListed(url, this.linkHosts ?? '*', location.origin)) return;
    event.preventDefault();
    askBeforeLeaving(this.renderRoot, url, this.localize);
  }

  /** `<button data-agent-chat="toggle">` anywhere in the page. */
  readonly #pageClicked = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest('[data-agent-chat]') : null;
    switch (target?.getAttribute('data-agent-chat')) {
      case 'toggle':
        this.toggle();
        break;
      case 'show':
        this.show();
        break;
      case 'hide':
        this.hide();
        break;
    }
  };

  async #loadLocale(): Promise<void> {
    const nearest = this.closest('[lang]')?.getAttribute('lang');
    const wanted = [this.locale ?? '', nearest ?? '', ...navigator.languages].filter((tag) => tag !== '');
    const locale = locales.match(wanted);
    const source = locales.get(locale) ?? en;
    try {
      const catalogue = typeof source === 'function' ? await source() : source;
      this.localize = createLocalize(locale, catalogue, this.strings ?? {});
    } catch {
      this.localize = createLocalize('en', en, this.strings ?? {});
    }
    this.requestUpdate();
  }

  async #whenDrawn(): Promise<AgentChatComposer> {
    await this.updateComplete;
    const composer = this.renderRoot.querySelector('agent-chat-composer');
    if (!composer) throw new Error('The composer is drawn with the element.');
    await composer.updateComplete;
    return composer;
  }
}

/** The runner of turns and the elements of the transcript; once there, whoever waits for them draws again. */
let parts: Promise<typeof Parts> | undefined;

function loadParts(): Promise<typeof Parts> {
  parts ??= import('./parts.ts').catch((error: unknown) => {
    // The next need tries again.
    parts = undefined;
    throw error;
  });
  return parts;
}

/** What the words look like depends on these. */
const VIEW_PROPERTIES = [
  'showReasoning',
  'showTools',
  'imageHosts',
  'artifacts',
  'limits',
  'renderers',
  'without',
  'agents',
  'participants',
  'localize',
] as const;

const DECISIONS: ReadonlySet<string> = new Set<Answer['decision']>(['granted', 'denied', 'answered', 'dismissed']);

const ignore = (): void => undefined;

/** What is typed here is not a shortcut of the page. */
function keepKeys(event: Event): void {
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
