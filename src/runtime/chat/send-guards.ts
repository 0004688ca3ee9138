/**
 * An intent is what the user or the page wants a conversation to do: send a message, rate a reply, or add messages without a
 * request. Intents pass the same guards and are carried out in the order of the calls. A stop passes no guard, so it is none.
 * `docs/decisions/sending.md` gives the reasons.
 */
import type { ChatMessage } from '../../model/message.ts';
import { toChatError } from '../error-detail.ts';
import type { SendingOptions } from './message-origin.ts';

/** Conditions for sending, supplied by the widget. A condition that returns undefined does not delay anything. */
export interface Guards {
  /**
   * Resolves when the stored conversations were read, or when reading took too long. Also a promise if they were read before.
   * Undefined: the page stores nothing, or reading has taken too long and still runs.
   */
  ready(): Promise<unknown> | undefined;
  /** Like `ready()`, but undefined as soon as the conversation is restored. */
  restoring?(): Promise<unknown> | undefined;
  /** Returns a function that resolves with whether the user consents, now or earlier. Undefined: the host page requires no consent. */
  terms(): ((options: TermsOptions) => Promise<boolean>) | undefined;
  /** Identifies the user who owns the conversations. Undefined until the first update has read the settings. */
  owner(): string | undefined;
}

export interface TermsOptions {
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Only checks whether the user accepted earlier, without asking. */
  readonly quiet: boolean;
}

export const openGuards: Guards = { ready: () => undefined, terms: () => undefined, owner: () => undefined };

interface GuardedBy {
  readonly storage: boolean;
  readonly consent: boolean;
  /** Only checks whether the user accepted earlier. */
  readonly quiet: boolean;
}

/** The user or the page waits for the result. */
const BY_USER: GuardedBy = { storage: true, consent: true, quiet: false };

const GUARDED_BY = {
  send: BY_USER,
  edit: BY_USER,
  regenerate: BY_USER,
  resume: BY_USER,
  respond: BY_USER,
  rate: BY_USER,
  // Requests of an MCP App. `app`: the user has allowed it; `read`: the app makes it when it is shown.
  app: BY_USER,
  read: { storage: true, consent: true, quiet: true },
  queued: { storage: false, consent: true, quiet: false },
  // The automatic resume of a restored reply. Restoring is part of reading the storage, so it must not wait for the storage.
  'auto-resume': { storage: false, consent: true, quiet: true },
  // These send nothing, so they need no consent.
  add: { storage: true, consent: false, quiet: true },
  replace: { storage: true, consent: false, quiet: true },
} as const satisfies Readonly<Record<string, GuardedBy>>;

export type IntentKind = keyof typeof GUARDED_BY;

export type IntentRefusal =
  /** The user has not accepted the terms. */
  | { readonly reason: 'declined' }
  /** `stop()` was called, or the signal of the call was aborted. */
  | { readonly reason: 'stopped' }
  /** The intent was withdrawn, or the page replaced the conversation. */
  | { readonly reason: 'dropped' }
  /** The conversation was deleted in another tab. Messages are sent in its replacement. */
  | { readonly reason: 'moved'; send(message: ChatMessage, options: SendingOptions): Promise<ChatMessage> }
  /** The user changed, or nothing shows the conversation any more. The composer, which may be another user's, gets nothing back. */
  | { readonly reason: 'left' }
  | { readonly reason: 'error'; readonly error: unknown };

export interface Intent<Result> {
  readonly kind: IntentKind;
  /** Messages to show at the end of the conversation while the intent waits. */
  readonly messages?: readonly ChatMessage[];
  /** Something else to wait for, such as a chunk. */
  readonly prepared?: Promise<unknown> | undefined;
  /** @param messages - the messages of the intent, including changes that the page made meanwhile */
  run(messages: readonly ChatMessage[]): Result | Promise<Result>;
  refuse(refusal: IntentRefusal, messages: readonly ChatMessage[]): Result | Promise<Result>;
}

/** An intent whose guards have not passed yet. */
interface Waiting {
  readonly kind: IntentKind;
  readonly owner: string | undefined;
  readonly prepared: Promise<unknown> | undefined;
  readonly abort: AbortController;
  messages: readonly ChatMessage[];
  /** Carries the intent out, or refuses it, and settles its promise. */
  end(refusal: IntentRefusal | undefined): void;
}

export class Intents {
  readonly #guards: Guards;
  readonly #changed: () => void;
  #waiting: readonly Waiting[] = [];
  #messages: readonly ChatMessage[] = [];
  #draining = false;

  /** @param changed - called when `messages` changes */
  constructor(guards: Guards, changed: () => void) {
    this.#guards = guards;
    this.#changed = changed;
  }

  /** The messages of the waiting intents. The same array as long as nothing changed. */
  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether the page requires consent. Whether the user has given it before is only known after `terms()` was called. */
  get needsConsent(): boolean {
    return this.#guards.terms() !== undefined;
  }

  /** Whether an intent of this kind would be carried out synchronously, unless it has something else to wait for (`prepared`). */
  isOpen(kind: IntentKind): boolean {
    const { storage, consent } = GUARDED_BY[kind];
    const waitsForStorage = (): unknown => (kind === 'add' ? this.#guards.restoring?.() : this.#guards.ready());
    return this.isEmpty && !(consent && this.#guards.terms()) && !(storage && waitsForStorage());
  }

  /** Carries an intent out: synchronously if all guards are open, otherwise after the intents that wait already. */
  begin<Result>(intent: Intent<Result>): Promise<Result> {
    const { kind, messages = [], prepared } = intent;
    if (!prepared && this.isOpen(kind)) return callAsPromise(() => intent.run(messages));
    return new Promise<Result>((resolve) => {
      const waiting: Waiting = {
        kind,
        owner: this.#guards.owner(),
        prepared,
        abort: new AbortController(),
        messages,
        end: (refusal) => {
          const act = (): Result | Promise<Result> =>
            refusal ? intent.refuse(refusal, waiting.messages) : intent.run(waiting.messages);
          resolve(callAsPromise(act));
        },
      };
      this.#set(kind === 'auto-resume' ? [waiting, ...this.#waiting] : [...this.#waiting, waiting]);
      void this.#drain();
    });
  }

  /**
   * Cancels the first waiting intent that would start a reply.
   * @returns whether there was one
   */
  stop(): boolean {
    const first = this.#waiting.find(({ kind }) => REPLY_KINDS.has(kind));
    if (first) this.#cancel(first, { reason: 'stopped' });
    return first !== undefined;
  }

  /** Cancels all waiting intents. */
  cancel(refusal: IntentRefusal): void {
    for (const waiting of this.#waiting) this.#cancel(waiting, refusal);
  }

  /**
   * Cancels the intent that holds a message.
   * @returns the message
   */
  takeBack(id: string, refusal: IntentRefusal): ChatMessage | undefined {
    const waiting = this.#holding(id);
    if (waiting) this.#cancel(waiting, refusal);
    return waiting?.messages.find((message) => message.id === id);
  }

  /**
   * Moves the intent that holds a message before the other messages, but not before a change of the conversation that was asked for
   * earlier.
   *
   * @returns whether there is one
   */
  toFront(id: string): boolean {
    const held = this.#holding(id);
    if (!held) return false;
    const before = this.#waiting.slice(0, this.#waiting.indexOf(held));
    const start = before.findLastIndex(({ kind }) => kind !== 'send') + 1;
    this.#set(this.#waiting.filter((other) => other !== held).toSpliced(start, 0, held));
    return true;
  }

  /** Changes a message of a waiting intent. */
  change(id: string, change: (message: ChatMessage) => ChatMessage): void {
    const waiting = this.#holding(id);
    if (!waiting) return;
    waiting.messages = waiting.messages.map((message) => (message.id === id ? change(message) : message));
    this.#set(this.#waiting);
  }

  #holding(id: string): Waiting | undefined {
    return this.#waiting.find(({ messages }) => messages.some((message) => message.id === id));
  }

  /** A user who declines declines for all waiting intents. A quiet check that finds no consent is no refusal. */
  #declineOthers(): void {
    for (const waiting of this.#waiting)
      if (GUARDED_BY[waiting.kind].consent) this.#cancel(waiting, { reason: 'declined' });
  }

  #cancel(waiting: Waiting, refusal: IntentRefusal): void {
    this.#set(this.#waiting.filter((other) => other !== waiting));
    waiting.abort.abort();
    waiting.end(refusal);
    this.showNext(waiting);
  }

  /**
   * Gives the first queued message the status `sending` when nothing precedes it any more, so that the user can stop it.
   *
   * @param before - the intent that preceded it and has ended. Default: a reply has ended
   */
  showNext(before?: Waiting): void {
    if (before?.messages.some(isSending) === false || this.#messages.some(isSending)) return;
    const next = this.#messages.find(({ status }) => status === 'queued');
    if (next) this.change(next.id, (message) => ({ ...message, status: 'sending' }));
  }

  #set(waiting: readonly Waiting[]): void {
    this.#assign(waiting);
    this.#changed();
  }

  #assign(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    this.#messages = waiting.flatMap(({ messages }) => messages);
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const refusal = await this.#waitForGuards(first);
      const isDeclined = refusal?.reason === 'declined' && !GUARDED_BY[first.kind].quiet;
      // The intent was cancelled meanwhile, or a restored reply now precedes it. The user is not asked twice for a refusal.
      if (this.#waiting[0] !== first && !(isDeclined && this.#waiting.includes(first))) continue;
      // The messages move to the conversation in one step, so that no render misses them.
      this.#assign(this.#waiting.filter((other) => other !== first));
      first.end(refusal);
      this.#changed();
      if (refusal) this.showNext(first);
      if (isDeclined) this.#declineOthers();
    }
    this.#draining = false;
  }

  /**
   * Waits for the guards of an intent.
   * @returns the refusal; undefined if the intent may be carried out
   */
  async #waitForGuards({ kind, owner, prepared, abort: { signal } }: Waiting): Promise<IntentRefusal | undefined> {
    const { storage, consent, quiet } = GUARDED_BY[kind];
    const guards = this.#guards;
    const cancelled = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new DOMException('Cancelled', 'AbortError'));
      });
    });
    const unlessCancelled = <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, cancelled]);
    cancelled.catch(() => undefined);
    try {
      const ready = storage ? guards.ready() : undefined;
      if (ready) await unlessCancelled(ready);
      if (prepared) await unlessCancelled(prepared);
      const ownerAtStart = owner ?? guards.owner();
      const terms = consent && guards.owner() === ownerAtStart ? guards.terms() : undefined;
      const accepted = terms ? await unlessCancelled(terms({ signal, quiet })) : true;
      if (guards.owner() !== ownerAtStart) return { reason: 'left' };
      return accepted ? undefined : { reason: 'declined' };
    } catch (error) {
      return { reason: 'error', error };
    }
  }
}

const isSending = ({ status }: ChatMessage): boolean => status === 'sending';

/** The kinds of intent that start a reply, which `stop()` cancels. */
const REPLY_KINDS: ReadonlySet<IntentKind> = new Set<IntentKind>([
  'send',
  'edit',
  'regenerate',
  'resume',
  'auto-resume',
]);

/** The result of an intent that is refused without a message: rejects for an error only. */
export const rejectError = (refusal: IntentRefusal): Promise<void> =>
  refusal.reason === 'error' ? Promise.reject(toChatError(refusal.error)) : Promise.resolve();

/** Calls a function synchronously and returns its result or error as a promise. */
function callAsPromise<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return Promise.resolve(act());
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
