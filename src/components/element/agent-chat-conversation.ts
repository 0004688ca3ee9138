import type { PropertyDeclarations, PropertyValues } from 'lit';
import { agents } from '../../agents/registry.ts';
import { savedConfigurations } from '../../agents/saved-configurations.ts';
import type { ExportFormat } from '../../conversation/export/export-conversation.ts';
import type { MessageInput } from '../../conversation/normalize-message.ts';
import type { ImportFormat } from '../../conversation/import.ts';
import { english, type Localize } from '../../locales/localize.ts';
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { UsageStats } from '../../model/usage.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import { approvalId, Approvals, type Approval } from '../../runtime/approvals.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import { phaseOf, usageOf, type ChatStatus } from '../../runtime/chat/chat-state.ts';
import type { ChatHooks, RespondOptions } from '../../runtime/chat-hooks.ts';
import { detailOf, toChatError } from '../../runtime/error-detail.ts';
import type { ThreadInfo } from '../../storage/stores/conversation-store.ts';
import type { ComposerDraft } from '../../storage/settings/manager-host.ts';
import type { StorageProblem } from '../../storage/stores/storage-errors.ts';
import { pageAddress, type PageAddress } from '../../runtime/request/page-address.ts';
import { reportOnce } from '../../safety/blocked.ts';
import type { Guards } from '../../runtime/chat/send-guards.ts';
import type { ConversationManager } from '../../storage/conversation-manager.ts';
import type { PersistenceSettings } from '../../storage/settings/storage-settings.ts';
import { userOf } from '../../storage/settings/user-key.ts';
import type { SendInput } from '../../runtime/chat/user-message.ts';
import { AgentChatSettings } from '../settings/agent-chat-properties.ts';
import {
  AgentChatBlockedEvent,
  AgentChatConsentEvent,
  AgentChatErrorEvent,
  AgentChatThreadChangeEvent,
} from '../shared/events.ts';
import { ConversationsController } from '../shared/conversations-controller.ts';
import { requireInput, requireMessage, requireObject, requireText } from '../settings/validate-arguments.ts';
import { loadConversationChunk, loadTurnChunk } from '../shared/load-chunks.ts';
import { createChatWithEvents } from './chat-with-events.ts';
import { usableMessage, usableMessages } from '../settings/validate-items.ts';
import { throwLoadError } from '../shared/user-actions.ts';
import type { TranscriptController } from '../transcript/transcript-controller.ts';

const loadFileFormats = () => import('../../runtime/export-and-import.ts');

/** Settings that decide where conversations are stored. */
const STORAGE_SETTINGS = ['persist', 'storage', 'endpoint', 'agents', 'demo', 'mode', 'threadId'] as const;

/** Grace period before a reply is aborted after the element was removed (ms). Frameworks move an element by removing and inserting it. */
const REMOVAL_MS = 2000;

/**
 * The conversation API of the element. `AgentChat` renders it and implements the abstract members.
 */
export abstract class AgentChatConversation extends AgentChatSettings {
  static override properties: PropertyDeclarations = {
    localize: { state: true },
  };
  declare protected localize: Localize;
  /** Resolves when `localize` uses the user's language. @internal */
  protected localeLoaded: Promise<void> | undefined;

  /** The visible transcript. @internal */
  protected abstract readonly transcript: TranscriptController;
  /** The composer, which also shows storage errors. @internal */
  protected abstract readonly composerArea: ComposerDraft & {
    showStorageProblem(problem: StorageProblem): void;
  };

  /** Whether the element is assigning an id to its conversation, which changes nothing on screen. @internal */
  declare protected assignsId: boolean | undefined;
  readonly #approvals = new Approvals();
  /** @internal */
  protected readonly conversations: ConversationsController = new ConversationsController({
    approvals: this.#approvals,
    settings: () => this.storageSettings(),
    makeChat: () => this.#makeChat(),
    changed: () => {
      this.conversationChanged();
    },
    conversationShown: (threadId) => {
      this.#conversationShown(threadId);
    },
    idAssigned: (threadId) => {
      this.assignsId = true;
      this.change('threadId', threadId);
      this.assignsId = false;
    },
    continueWith: (agentId) => {
      if (!this.agent && this.offeredAgents?.some(({ id }) => id === agentId)) this.change('agent', agentId);
      return this.agent;
    },
    ownerChanged: () => {
      savedConfigurations.clear();
      this.ownerChanged();
    },
    composer: () => this.composerArea,
    fail: (detail, problem) => {
      this.composerArea.showStorageProblem(problem);
      this.dispatchEvent(new AgentChatErrorEvent(detail));
    },
  });
  /** Reports content that the safety policy blocked, once for each URL. @internal */
  protected readonly report = reportOnce((blocked) => {
    this.dispatchEvent(new AgentChatBlockedEvent(blocked));
  });
  #activeThreadId: string | undefined;
  /**
   * Set when a listener of `agent-chat-send` has changed `endpoint`: the new endpoint, and the one under which the conversation
   * is stored.
   */
  #route: { readonly to: string | undefined; readonly stored: string | undefined } | undefined;
  #removalTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.localize = english;
    this.addController(this.conversations);
  }

  /** The messages of the active branch. Immutable: every change creates a new array. Assigning replaces the conversation. */
  get messages(): readonly ChatMessage[] {
    return this.chat.messages;
  }
  set messages(messages: readonly MessageInput[]) {
    const before = this.messages;
    this.#target.messages = usableMessages(messages);
    this.transcript.markAnnounced(this.messages);
    // The text that waits for its files was written for the conversation that the page has replaced.
    if (this.messages !== before) this.composerArea.cancelSend();
  }

  /** The status of the conversation; also reflected as the attribute `status`. */
  get status(): ChatStatus {
    return this.chat.status;
  }

  /** The current phase of the reply, if the agent reports phases. */
  get phase(): string | undefined {
    return phaseOf(this.chat.store.state);
  }

  /** The id of the adapter in use, whether detected or configured. */
  get detectedProtocol(): string | undefined {
    return this.chat.store.state.protocol;
  }

  /** The token usage of the conversation. */
  get usage(): UsageStats {
    return usageOf(this.messages);
  }

  /** The agent's shared state, if its protocol has one. */
  get agentState(): unknown {
    return this.chat.store.state.agentState;
  }

  /** The number of messages that arrived while the user was not looking. */
  get unread(): number {
    return this.transcript.unseen;
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has ended; its
   * `status` says how. Resolves with the user's message, with the status `failed`, if the message was not sent. That happens when it
   * was removed from the queue, when the user declined `consent`, when the page cancelled `agent-chat-send`, when `storage.user`
   * changed before it was sent, or when a file was refused. A message that was stopped while it waited for `storage` or `consent`
   * resolves with an empty assistant message with the status `cancelled`. If the agent has asked a question, a text is its
   * answer, and becomes no message.
   *
   * @throws ChatError for a caller's mistake: an empty message, a text over the limit, or no endpoint.
   *
   * @example
   * const answer = await element.send('Where is my order?');
   */
  async send(input: SendInput, options: { readonly signal?: AbortSignal } = {}): Promise<ChatMessage> {
    requireInput('send', input);
    requireObject('send', options);
    return this.#target.send(input, { signal: options.signal });
  }

  /**
   * Stops the running reply. The part that has arrived stays, and the next queued message is sent. A reply of this tab ends
   * immediately; one that runs in another tab of the same conversation ends as soon as that tab has reacted. Without a running
   * reply, it cancels the first `send()`, `edit()`, `regenerate()` or `resume()` that still waits.
   */
  stop(): void {
    this.#target.stop();
  }

  /** Regenerates a reply as a new branch; the old branch stays. Default: the last reply. Resolves like `send()`. */
  async regenerate(id?: string): Promise<ChatMessage> {
    if (id !== undefined) requireText('regenerate', id);
    return this.#target.regenerate(id);
  }

  /** Sends an edited user message as a new branch; the old branch stays. Resolves like `send()`. */
  async edit(id: string, text: string): Promise<ChatMessage> {
    requireText('edit', id);
    requireText('edit', text);
    return this.#target.edit(id, text);
  }

  /** Switches to another branch at a message. `index` is zero-based. */
  selectBranch(id: string, index: number): void {
    this.#target.selectBranch(id, index);
  }

  /** Answers a block that the agent waits for; a second answer does nothing. Resolves when the answer has been submitted. */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    return this.#target.respond(blockId, decision, options);
  }

  /** Permanently approved tools (`remember: 'always'`). Each approval applies to one agent and server. */
  get approvals(): readonly Approval[] {
    return this.#approvals.list;
  }

  /** Revokes a permanent approval. @returns whether it was one of `approvals` */
  revokeApproval(approval: Approval): boolean {
    return Boolean(approval) && this.#approvals.revoke(approvalId(approval));
  }

  /** Resumes an interrupted reply, if its protocol supports it. Resolves like `send()`. */
  resume(): Promise<ChatMessage> {
    return this.#target.resume();
  }

  /** Appends a message to the conversation without sending it. @returns the stored message */
  addMessage(message: MessageInput): ChatMessage {
    requireMessage('addMessage', message);
    const added = this.#target.addMessage(usableMessage(message));
    this.transcript.markAnnounced([added]);
    return added;
  }

  /** Updates fields of a message. */
  updateMessage(id: string, patch: Partial<MessageInput>): void {
    requireObject('updateMessage', patch);
    this.#target.updateMessage(id, usableMessage(patch));
  }

  /** Removes a message from the conversation. */
  removeMessage(id: string): void {
    this.#target.removeMessage(id);
  }

  /** Stops a running reply and removes all messages of the conversation, including the stored ones. */
  clear(): void {
    if (this.hasUpdated) this.conversations.update();
    this.conversations.clear();
    this.transcript.markSeen();
  }

  /** Starts an empty conversation. The previous one stays, and its reply continues. Resolves with the new conversation's id. */
  newThread(): Promise<string> {
    return this.#withStorage((manager) => manager.create());
  }

  /**
   * Lists all conversations of this endpoint and user, newest first, with their running and unread state.
   *
   * @throws ChatError of kind `storage` if the storage does not respond within four seconds. The same applies to the methods below.
   */
  listThreads(): Promise<readonly ThreadInfo[]> {
    return this.#withStorage((manager) => manager.list());
  }

  /** Opens another conversation; an unknown id opens an empty one. Running replies continue in the background. */
  openThread(id: string): Promise<void> {
    return this.#withStorage((manager) => manager.open(id));
  }

  /** Renames a stored conversation. */
  renameThread(id: string, title: string): Promise<void> {
    return this.#withStorage((manager) => manager.rename(id, title));
  }

  /** Deletes a conversation in all tabs. */
  async deleteThread(id: string): Promise<void> {
    await this.#withStorage((manager) => manager.remove(id));
  }

  /**
   * Deletes all conversations of this endpoint and user in all tabs, with their drafts, files, permanent approvals and consent, and
   * the settings that the user has saved for agents in the page. It
   * applies to the user at the time of the call, even if `storage` changes before it resolves.
   */
  forget(): Promise<void> {
    const settings = this.storageSettings();
    savedConfigurations.clear();
    return this.#withStorage((manager) => manager.forget(settings));
  }

  /**
   * Exports the conversation as text in the given format. `json` is lossless; the other formats contain what they can represent.
   * In all formats `***` replaces everything that looks like a key.
   */
  async exportConversation(format: ExportFormat): Promise<string> {
    requireText('exportConversation', format);
    const { exportMasked } = await loadFileFormats();
    return exportMasked(this.chat.thread, format, this.chatSettings());
  }

  /**
   * Replaces the conversation with an exported one, given as text or as a parsed value. Imported user messages can't send
   * anything unseen: hidden ones are shown, and their `data` and their content for an agent of the page are dropped.
   *
   * @throws ChatError of kind `protocol` if the data does not match the format.
   */
  async importConversation(data: unknown, format: ImportFormat): Promise<void> {
    requireText('importConversation', format);
    const chat = this.#target;
    const settings = this.chatSettings();
    await chat.import(loadFileFormats().then(({ importHere }) => importHere(data, format, settings)));
    this.composerArea.cancelSend();
    this.transcript.markAnnounced(chat.messages);
  }

  /**
   * Adds the agents of a manifest or an agent card to the agent picker. Without a URL it adds the agents that the shared registry
   * discovers. The page's `endpoint` keeps answering until the user or the page selects another agent. Agents on a server that the
   * page has not named (by `endpoint`, `agents` or `url`) are omitted, with an `agent-chat-blocked` event.
   *
   * @throws ChatError if the URL can't be read, or lists no agent that may be used.
   */
  async discoverAgents(url?: string): Promise<readonly (BaseAgent | AgentDescriptor)[]> {
    if (url !== undefined) requireText('discoverAgents', url);
    const discovered = url === undefined ? await agents.discoverAgents() : await this.#readAgents(pageAddress(url));
    const known = this.offeredAgents ?? [];
    // The registered agents are offered already. Setting `agents` would leave out those that are registered later.
    if (url === undefined && this.agents === undefined && known.length > 0) return discovered;
    this.agents = [...known, ...discovered.filter(({ id }) => !known.some((agent) => agent.id === id))];
    return discovered;
  }

  async #readAgents(url: PageAddress): Promise<readonly AgentDescriptor[]> {
    const { imageHosts, report } = this;
    const settings = { ...this.chatSettings(), imageHosts, report };
    const discovery = await import('../../runtime/tools/discover-agents.ts');
    this.stillNamed = discovery.stillNamed;
    return discovery.discoverAgents(url, settings);
  }

  /** The conversation that a call applies to. A `storage.user` that was set just before the call already counts. */
  get #target(): Chat {
    if (this.hasUpdated) this.conversations.update();
    return this.chat;
  }

  async #withStorage<Result>(operation: (manager: ConversationManager) => Result | Promise<Result>): Promise<Result> {
    if (this.isConnected && !this.hasUpdated) await this.updateComplete;
    return this.conversations.run(operation);
  }

  /** The active conversation. @internal */
  protected get chat(): Chat {
    return this.conversations.chat;
  }

  /** Called when the conversation has changed, or another one is active. @internal */
  protected abstract conversationChanged(): void;

  /** Called when `storage.user` has changed: nothing of the previous user stays visible. @internal */
  protected abstract ownerChanged(): void;

  /** The tracer of a turn; undefined unless `debug` is set. @internal */
  protected abstract trace(...turn: Parameters<Required<ChatHooks>['trace']>): ReturnType<Required<ChatHooks>['trace']>;

  /** Loads the code that `trace` needs; undefined unless `debug` is set. @internal */
  protected abstract loadTracer(): Promise<void> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    clearTimeout(this.#removalTimer);
    agents.addEventListener('change', this.#agentsChanged);
    if (this.hasUpdated) this.#agentsChanged();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    agents.removeEventListener('change', this.#agentsChanged);
    this.#removalTimer = setTimeout(() => {
      if (this.keepAlive) this.conversations.releaseWhenIdle();
      else this.conversations.abortReplies();
    }, REMOVAL_MS);
  }

  /** A page may register agents after the first render, also while the element is removed. */
  readonly #agentsChanged = (): void => {
    if (this.agents === undefined) this.requestUpdate('agents', null);
  };

  /** The conversation gets its id while its first message is sent, whose request must not wait for an update. @internal */
  override requestUpdate(...change: Parameters<AgentChatSettings['requestUpdate']>): void {
    if (!this.assignsId) super.requestUpdate(...change);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (this.#route && this.#route.to !== this.endpoint) this.#route = undefined;
    if (!this.hasUpdated || STORAGE_SETTINGS.some((name) => changes.has(name))) this.conversations.update();
  }

  /** Applies `messages` that were set before the element was defined. Lit does the same for its reactive properties. @internal */
  protected upgradeMessages(): void {
    if (!Object.hasOwn(this, 'messages')) return;
    const { messages } = this;
    Reflect.deleteProperty(this, 'messages');
    this.messages = messages;
  }

  /** Asks the user to accept the text of `consent`; undefined if the page sets none. */
  #consentCheck(): ReturnType<Guards['terms']> {
    // The terms and the storage settings of this moment apply, also if the page changes them while the dialog loads.
    const text = this.consent;
    if (!text) return undefined;
    const scope = this.storageSettings();
    return async (options) => {
      const [{ requestConsent }] = await Promise.all([import('../consent/consent-dialog.ts'), this.localeLoaded]).catch(
        throwLoadError,
      );
      const { renderRoot: root, localize } = this;
      if (!this.consent) return true;
      const report = (accepted: boolean): void => {
        this.dispatchEvent(new AgentChatConsentEvent(accepted));
      };
      const accepted = await requestConsent({ ...scope, ...options, root, localize, text, report });
      // The page has changed the terms in the meantime.
      const next = accepted && this.consent !== text ? this.#consentCheck() : undefined;
      return next ? next(options) : accepted;
    };
  }

  #storageReady(): Promise<unknown> | undefined {
    // The first update applies settings that were made before the element was defined.
    if (!this.isConnected || this.hasUpdated) return this.conversations.ready();
    return this.updateComplete.then(() => this.conversations.ready());
  }

  #restoring(): Promise<unknown> | undefined {
    if (this.storageSettings().persist === 'none') return undefined;
    if (!this.isConnected || this.hasUpdated) return this.conversations.restoring();
    return this.updateComplete.then(() => this.conversations.restoring());
  }

  /** A listener may change the endpoint for a message that is being sent. The conversation stays stored under the previous one. */
  #sending(report: () => boolean): boolean {
    const previousEndpoint = this.endpoint;
    const { endpoint: stored } = this.storageSettings();
    const allowed = report();
    if (this.endpoint !== previousEndpoint) this.#route = { to: this.endpoint, stored };
    return allowed;
  }

  protected override storageSettings(): PersistenceSettings {
    const settings = super.storageSettings();
    const route = this.#route;
    return route && route.to === this.endpoint ? { ...settings, endpoint: route.stored } : settings;
  }

  #makeChat(): Chat {
    const chat: Chat = createChatWithEvents(this, {
      approvals: this.#approvals,
      settings: () => {
        const { persist, endpoint } = this.storageSettings();
        return {
          ...this.chatSettings(),
          report: this.report,
          ...(persist !== 'none' && { storedEndpoint: endpoint }),
        };
      },
      guards: {
        ready: () => this.#storageReady(),
        restoring: () => this.#restoring(),
        terms: () => this.#consentCheck(),
        owner: () => (this.isConnected && !this.hasUpdated ? undefined : userOf(this.storage ?? undefined)),
      },
      prepareTurn: async () => {
        const [{ startTurn }] = await Promise.all([
          loadTurnChunk(),
          this.conversations.acquireReplyLock(chat),
          this.loadTracer(),
        ]);
        return startTurn;
      },
      viewReady: () =>
        loadConversationChunk()
          .catch(throwLoadError)
          .catch((error: unknown) => {
            this.dispatchEvent(new AgentChatErrorEvent(detailOf(toChatError(error))));
          }),
      sending: (report) => this.#sending(report),
      trace: (turn) => this.trace(turn),
    });
    return chat;
  }

  /** Another conversation is active, or the active one was restored. Its messages are not announced. */
  #conversationShown(threadId: string): void {
    this.change('threadId', threadId);
    this.transcript.markAnnounced(this.messages);
    this.transcript.markSeen();
    this.conversationChanged();
    if (threadId === this.#activeThreadId) return;
    this.#activeThreadId = threadId;
    this.dispatchEvent(new AgentChatThreadChangeEvent(threadId));
  }
}
