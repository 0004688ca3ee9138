import type { PropertyDeclarations, PropertyValues } from 'lit';
import { agents } from '../agents/registry.ts';
import type { ExportFormat } from '../conversation/export.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import type { ImportFormat } from '../conversation/import.ts';
import { english, type Localize } from '../locales/localize.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import type { UsageStats } from '../model/usage.ts';
import type { Answer } from '../protocols/adapter.ts';
import { approvalId, Approvals, type Approval } from '../runtime/approvals.ts';
import type { Chat } from '../runtime/chat.ts';
import { phaseOf, usageOf, type ChatStatus } from '../runtime/chat-state.ts';
import type { ChatHooks, RespondOptions } from '../runtime/hooks.ts';
import type { ThreadInfo } from '../runtime/keeping/conversation-store.ts';
import type { DraftPlace } from '../runtime/keeping/keeper-host.ts';
import type { StorageProblem } from '../runtime/keeping/trouble.ts';
import type { ChatSettings } from '../runtime/settings.ts';
import { toUserMessage, type SendInput } from '../runtime/user-message.ts';
import { AgentChatSettings } from './agent-chat-settings.ts';
import { AgentChatConsentEvent, AgentChatErrorEvent, AgentChatThreadChangeEvent } from './events.ts';
import { Keeping } from './keeping.ts';
import { loadParts } from './load-parts.ts';
import { makeChat } from './make-chat.ts';
import { usableMessage, usableMessages } from './page-input.ts';
import { notLoaded } from './reader-actions.ts';
import type { Transcript } from './transcript.ts';

/** Where conversations are kept depends on these. */
const KEPT = ['persist', 'storage', 'endpoint', 'demo', 'mode', 'threadId'] as const;

/** A removed reply goes on for so long: a framework that moves an element takes it out and puts it in. */
const REMOVAL_MS = 2000;

/**
 * The conversation of the element: what a page can read of it and do to it. How it is drawn is in `AgentChat`, which gives the parts
 * that are asked for here.
 */
export abstract class AgentChatConversation extends AgentChatSettings {
  static override properties: PropertyDeclarations = {
    localize: { state: true },
  };
  declare protected localize: Localize;
  /** Resolves when `localize` speaks the reader's language. @internal */
  protected localised: Promise<void> | undefined;

  /** What the reader sees of the conversation. @internal */
  protected abstract readonly transcript: Transcript;
  /** Where they write, and are told why the conversation can't be kept. @internal */
  protected abstract readonly composerArea: DraftPlace & { tell(problem: StorageProblem): void };

  readonly #approvals = new Approvals();
  /** @internal */
  protected readonly keeping: Keeping = new Keeping({
    approvals: this.#approvals,
    settings: () => this.keepSettings(),
    makeChat: () => this.#makeChat(),
    changed: () => {
      this.conversationChanged();
    },
    shown: (threadId) => {
      this.#shown(threadId);
    },
    composer: () => this.composerArea,
    fail: (detail, problem) => {
      this.composerArea.tell(problem);
      this.dispatchEvent(new AgentChatErrorEvent(detail));
    },
  });
  #threadShown: string | undefined;
  #removal: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.localize = english;
    this.addController(this.keeping);
  }

  /** The conversation, the branch on show: immutable, another array for every change. Assigning replaces it. */
  get messages(): readonly ChatMessage[] {
    return this.chat.messages;
  }
  set messages(messages: readonly MessageInput[]) {
    this.chat.messages = usableMessages(messages);
    this.transcript.keepSilent(this.messages);
  }

  /** Where the conversation stands; also reflected as the attribute `status`. */
  get status(): ChatStatus {
    return this.chat.status;
  }

  /** The phase that the reply is in, where the agent tells. */
  get phase(): string | undefined {
    return phaseOf(this.chat.store.state);
  }

  /** The id of the adapter in use, found or chosen. */
  get detectedProtocol(): string | undefined {
    return this.chat.store.state.protocol;
  }

  /** The tokens of the conversation. */
  get usage(): UsageStats {
    return usageOf(this.messages);
  }

  /** The agent's shared state, where its protocol has one. */
  get agentState(): unknown {
    return this.chat.store.state.agentState;
  }

  /** Messages that came while the reader was not looking. */
  get unread(): number {
    return this.transcript.unseen;
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
    const ready = this.keeping.ready();
    if (ready) await ready;
    const consented = this.consented();
    if (consented && !(await consented)) return { ...toUserMessage(input), status: 'failed' };
    return this.chat.send(input, options);
  }

  /** Ends the running reply at once. What has arrived stays. */
  stop(): void {
    this.chat.stop();
  }

  /** Makes a reply anew, as a branch beside the old one. Without an id it is the last. Resolves as `send()` does. */
  regenerate(id?: string): Promise<ChatMessage> {
    return this.chat.regenerate(id);
  }

  /** Sends a message of the reader's with other words, as a branch beside the old one. Resolves as `send()` does. */
  edit(id: string, text: string): Promise<ChatMessage> {
    return this.chat.edit(id, text);
  }

  /** Shows another of the branches at a message. */
  selectBranch(id: string, index: number): void {
    this.chat.selectBranch(id, index);
  }

  /** Answers what the agent waits for; answering twice does nothing. Resolves when the answer is on its way. */
  async respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    const ready = this.keeping.ready();
    if (ready) await ready;
    await this.chat.respond(blockId, decision, options);
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
    return this.chat.resume();
  }

  /** Adds a message to the end of the conversation, without sending anything. @returns it, as it is kept */
  addMessage(message: MessageInput): ChatMessage {
    const added = this.chat.addMessage(usableMessage(message));
    this.transcript.keepSilent([added]);
    return added;
  }

  /** Changes fields of a message. */
  updateMessage(id: string, patch: Partial<MessageInput>): void {
    this.chat.updateMessage(id, usableMessage(patch));
  }

  /** Takes a message out of the conversation. */
  removeMessage(id: string): void {
    this.chat.removeMessage(id);
  }

  /** Empties the conversation, after stopping a running reply. What was kept of it is deleted. */
  clear(): void {
    this.keeping.clear();
    this.transcript.look();
  }

  /** Begins an empty conversation. The one before it stays, and its reply goes on. Resolves with the new one's id. */
  async newThread(): Promise<string> {
    return (await this.keeping.keeper()).create();
  }

  /** All conversations of this endpoint and user, the newest first: which of them runs, and what is unread. */
  async listThreads(): Promise<readonly ThreadInfo[]> {
    return (await this.keeping.keeper()).list();
  }

  /** Shows another conversation; under an id that nobody knows it is an empty one. Replies go on where they are. */
  async openThread(id: string): Promise<void> {
    await (await this.keeping.keeper()).open(id);
  }

  /** Gives a kept conversation another name. */
  async renameThread(id: string, title: string): Promise<void> {
    await (await this.keeping.keeper()).rename(id, title);
  }

  /** Deletes a conversation, in all tabs. */
  async deleteThread(id: string): Promise<void> {
    await (await this.keeping.keeper()).remove(id);
  }

  /** Deletes all conversations of this endpoint and user, their drafts, files and remembered approvals and consent, in all tabs. */
  async forget(): Promise<void> {
    await (await this.keeping.keeper()).forget();
    if (this.consent) (await import('./consent.ts')).forgetConsent(this);
  }

  /**
   * The conversation as text of one of the forms. `json` keeps everything, the others what they can hold; what looks like a key is
   * `***` in all of them.
   */
  async exportConversation(format: ExportFormat): Promise<string> {
    const { exportMasked } = await import('../runtime/export-masked.ts');
    return exportMasked(this.chat.thread, format);
  }

  /**
   * Replaces the conversation by one of those forms, as text or already parsed.
   *
   * @throws ChatError of kind `protocol` when it is not of that form.
   */
  async importConversation(data: unknown, format: ImportFormat): Promise<void> {
    const { importConversation } = await import('../conversation/import.ts');
    this.chat.replace(importConversation(data, format));
    this.transcript.keepSilent(this.messages);
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

  /** The conversation on show. @internal */
  protected get chat(): Chat {
    return this.keeping.chat;
  }

  /** It has changed, or another one is on show. @internal */
  protected abstract conversationChanged(): void;

  /** Who listens to what passes by; nobody by default. @internal */
  protected abstract trace(): ReturnType<Required<ChatHooks>['trace']>;

  override connectedCallback(): void {
    super.connectedCallback();
    clearTimeout(this.#removal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.keepAlive) return;
    this.#removal = setTimeout(() => {
      this.keeping.leave();
    }, REMOVAL_MS);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!this.hasUpdated || KEPT.some((name) => changes.has(name))) this.keeping.update();
  }

  /** What was set as `messages` before the element was defined. Lit does the same for the properties it knows. @internal */
  protected upgrade(): void {
    if (!Object.hasOwn(this, 'messages')) return;
    const { messages } = this;
    Reflect.deleteProperty(this, 'messages');
    this.messages = messages;
  }

  /** Whether the reader accepts what the page asks for; undefined where it asks for nothing. @internal */
  protected consented(): Promise<boolean> | undefined {
    const { consent: text, endpoint, storage, renderRoot: root } = this;
    if (!text) return undefined;
    const tell = (accepted: boolean): void => {
      this.dispatchEvent(new AgentChatConsentEvent(accepted));
    };
    return Promise.all([import('./consent.ts'), this.localised]).then(
      ([{ consented }]) => consented({ root, localize: this.localize, text, endpoint, storage, tell }),
      notLoaded,
    );
  }

  #makeChat(): Chat {
    const chat: Chat = makeChat(this, {
      approvals: this.#approvals,
      settings: () => this.chatSettings(),
      loadRunner: async () => {
        const free = this.keeping.take(chat);
        if (free) await free;
        return (await loadParts()).startJob;
      },
      trace: () => this.trace(),
    });
    return chat;
  }

  /** Another conversation is on show, or the one on show is there again: it needs no saying. */
  #shown(threadId: string): void {
    this.change('threadId', threadId);
    this.transcript.keepSilent(this.messages);
    this.transcript.look();
    this.conversationChanged();
    if (threadId === this.#threadShown) return;
    this.#threadShown = threadId;
    this.dispatchEvent(new AgentChatThreadChangeEvent(threadId));
  }
}

async function readAgents(url: URL, settings: ChatSettings): Promise<readonly AgentDescriptor[]> {
  return (await import('../runtime/discover-agents.ts')).discoverAgents(url, settings);
}
