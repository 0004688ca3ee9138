/** The turn under way, from the reader's message to the end of its reply. */
import { chosenAgent } from '../agents/chosen-agent.ts';
import { isPageAgent } from '../agents/page-agent.ts';
import type { Outcome } from '../conversation/run.ts';
import { restoredRun } from '../conversation/restored-run.ts';
import { addMessages, changeMessage } from '../conversation/thread.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { Approvals } from './approvals.ts';
import type { ChatState } from './chat-state.ts';
import type { ChatHooks, RespondOptions } from './hooks.ts';
import type { Job, JobOptions, Restored } from './job.ts';
import type { Limits } from './limits.ts';
import { offline, untilOnline } from './online.ts';
import type { ChatSettings } from './settings.ts';
import type { FeedbackWay } from './send-feedback.ts';
import type { Store } from './store.ts';
import { fill } from './user-message.ts';

export interface ChatOptions {
  /** The settings as they are now. */
  settings(): ChatSettings;
  readonly hooks: ChatHooks;
  readonly protocols: ProtocolRegistry;
  /** What runs a turn: fetched when the first one begins. */
  loadRunner(): Promise<(options: JobOptions) => Job>;
  /** What the reader has allowed for good, where several conversations share it. */
  readonly approvals?: Approvals;
}

export interface TurnsOptions extends ChatOptions {
  readonly store: Store<ChatState>;
  limits(): Limits;
  threadId(): string;
  /** A reply has ended, and nobody has begun another in its place. */
  ended(outcome: Outcome): void;
}

interface Starting {
  readonly turnId: string;
  readonly done: Promise<ChatMessage>;
  /** What runs it is there, or can't be had. */
  readonly loaded: Promise<unknown>;
  stop(outcome?: Outcome): void;
}

export class Turns {
  /** What the reader has allowed for good. */
  readonly approvals: Approvals;
  readonly #options: TurnsOptions;
  /** What was found for each endpoint. */
  readonly #found = new Map<string, string>();
  #job: Job | undefined;
  /** A turn that waits for its runner. */
  #starting: Starting | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.approvals = options.approvals ?? new Approvals();
  }

  get busy(): boolean {
    return this.#job !== undefined || this.#starting !== undefined;
  }

  /** What was found for the endpoint of now, another time. */
  recall(protocol: string): void {
    this.#found.set(this.#settingsNow().endpoint ?? '', protocol);
  }

  /** The id of the reader's message that is being answered. */
  get turnId(): string | undefined {
    return (this.#job ?? this.#starting)?.turnId;
  }

  /** The reply to come. */
  get done(): Promise<ChatMessage> | undefined {
    return (this.#job ?? this.#starting)?.done;
  }

  /** Ends it at once; without an outcome it is the reader's own stop. */
  stop(outcome?: Outcome): void {
    (this.#job ?? this.#starting)?.stop(outcome);
  }

  /** An answer to what is asked; one that comes before its runner is loaded waits for it. */
  async respond(blockId: string, decision: Answer['decision'], options: RespondOptions): Promise<void> {
    if (!this.#job) await this.#starting?.loaded;
    this.#job?.respond(blockId, decision, options);
  }

  /** Changes a message of the reply under way. */
  change(id: string, change: (message: ChatMessage) => ChatMessage): void {
    this.#job?.change(id, change);
  }

  /** How the server of the agent that has said a message is told something beside a turn. */
  wayTo(message: ChatMessage): Pick<FeedbackWay, 'settings' | 'limits' | 'protocols' | 'known' | 'threadId'> {
    const settings = this.#settingsNow(message.agentId);
    return {
      settings,
      limits: this.#options.limits(),
      protocols: this.#options.protocols,
      known: this.#found.get(settings.endpoint ?? ''),
      threadId: this.#options.threadId(),
    };
  }

  /** Goes on with a reply that had begun before: it waits for the reader, or is picked up. */
  restore(turn: ChatMessage, restored: Restored): Promise<ChatMessage> {
    const { store } = this.#options;
    if (restored.messages.length > 0) store.set({ ...store.state, run: restoredRun(restored.messages) });
    return this.begin(turn, { restored });
  }

  /** Begins a turn: on screen at once, on the wire as soon as what runs it is there. */
  begin(turn: ChatMessage, given: Pick<JobOptions, 'restored' | 'fork'> = {}): Promise<ChatMessage> {
    const { store, hooks } = this.#options;
    const done = Promise.withResolvers<ChatMessage>();
    const stopped = new AbortController();
    const loading = this.#loadRunner(stopped.signal);
    const starting: Starting = {
      loaded: loading.catch(() => undefined),
      turnId: turn.id,
      done: done.promise,
      stop: (outcome = { status: 'cancelled', finish: 'cancelled' }) => {
        stopped.abort();
        done.resolve(this.#giveUp(turn, outcome));
      },
    };
    this.#starting = starting;
    store.set({ ...store.state, stage: given.restored?.begin === 'wait' ? 'parked' : 'connecting', since: Date.now() });
    loading.then(
      (startJob) => {
        if (this.#starting !== starting) return;
        this.#starting = undefined;
        this.#job = startJob({ ...this.#jobOptions(turn), ...given });
        void this.#job.done.then(done.resolve);
      },
      (cause: unknown) => {
        if (this.#starting !== starting) return;
        const message = 'A part of the widget can’t be loaded.';
        const problem = {
          type: 'error',
          status: 'error',
          content: message,
          extra: { reason: 'load', error_type: 'load', recoverable: true },
        } as const;
        done.resolve(this.#giveUp(turn, { status: 'error', finish: 'error' }, [problem]));
        hooks.error({ kind: 'load', message, retryable: true, cause });
      },
    );
    return done.promise;
  }

  /** What runs a turn; without a network it is waited for, as the turn itself would wait. */
  async #loadRunner(signal: AbortSignal): ReturnType<ChatOptions['loadRunner']> {
    const { store, loadRunner } = this.#options;
    for (;;) {
      try {
        return await loadRunner();
      } catch (cause) {
        if (navigator.onLine || signal.aborted) throw cause;
        const skip = new AbortController();
        const now = (): void => {
          skip.abort();
        };
        store.set({ ...store.state, wait: { attempt: 1, error: offline(cause), now } });
        await untilOnline(AbortSignal.any([signal, skip.signal])).catch(() => undefined);
        signal.throwIfAborted();
        store.set({ ...store.state, wait: undefined });
      }
    }
  }

  /** Ends a turn that nothing has run yet. @returns the reply */
  #giveUp(turn: ChatMessage, outcome: Outcome, blocks: NonNullable<MessageInput['blocks']> = []): ChatMessage {
    const { store, hooks } = this.#options;
    this.#starting = undefined;
    const sent = changeMessage(store.state.thread, turn.id, (message) =>
      message.status === 'sending' ? { ...message, status: 'failed' } : message,
    );
    const begun = store.state.run?.messages.map((message) => ({ ...message, ...outcome }));
    const thread = addMessages(sent, begun ?? [fill({ role: 'assistant', ...outcome, blocks })]);
    store.set({ ...store.state, stage: 'none', run: undefined, wait: undefined, thread });
    const replies = thread.path.slice(sent.path.length);
    this.#ended(outcome);
    for (const message of [...sent.path.filter(({ id }) => id === turn.id), ...replies]) hooks.message(message);
    return replies[0] ?? turn;
  }

  #jobOptions(turn: ChatMessage): JobOptions {
    const { store, hooks, protocols } = this.#options;
    const settings = this.#settingsNow();
    const endpoint = settings.endpoint ?? '';
    return {
      settings,
      limits: this.#options.limits(),
      protocols,
      threadId: this.#options.threadId(),
      known: this.#found.get(endpoint),
      turn,
      store,
      hooks,
      approvals: this.approvals,
      found: (id) => this.#found.set(endpoint, id),
      ended: (outcome) => {
        this.#job = undefined;
        this.#ended(outcome);
      },
    };
  }

  #ended(outcome: Outcome): void {
    // Whoever has ended it may begin another turn in its place, such as the same one anew.
    queueMicrotask(() => {
      if (!this.busy) this.#options.ended(outcome);
    });
  }

  /** The settings, with those of the chosen agent in front where it has an endpoint of its own. */
  #settingsNow(agent?: string): ChatSettings {
    const settings = this.#options.settings();
    const chosen = chosenAgent(settings.agents, agent ?? settings.agent);
    if (!chosen || isPageAgent(chosen)) return settings;
    const { endpoint, protocol = 'auto' } = chosen;
    return { ...settings, endpoint, protocol };
  }
}
