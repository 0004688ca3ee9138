/** Synchronizes the open conversations between tabs: one tab runs the reply of a conversation, the others follow it. */
import { isOfUser, type RemoteReply } from '../../runtime/chat/running-reply.ts';
import type { Approval } from '../../runtime/approvals.ts';
import { putBackMessages } from '../../conversation/delete-message.ts';
import { appendMessages, replaceMessage } from '../../conversation/thread.ts';
import type { RunOutcome } from '../../conversation/run.ts';
import { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import { answerBlock } from '../../runtime/answers/answer-action.ts';
import type { ChatState } from '../../runtime/chat/chat-state.ts';
import { toChatError } from '../../runtime/error-detail.ts';
import { newId } from '../../runtime/new-id.ts';
import { closeMessage } from '../../conversation/close-run.ts';
import { nothingReported } from '../threads/reported-state.ts';
import { mergeAsBranches, applyReport, createReport, withUpdate } from './thread-reports.ts';
import type { OpenThread } from '../threads/open-thread.ts';
import { TabChannel } from './tab-channel.ts';
import type { ThreadReport, TabMessage } from './tab-message.ts';

export interface TabSyncHost {
  /** All open conversations. */
  all(): readonly OpenThread[];
  thread(id: string): OpenThread | undefined;
  /** Gives a new conversation without messages this id, so that it shows the one that another tab has started. */
  join(id: string): OpenThread | undefined;
  /** Reads a conversation again, because the tab with the reply is gone, or its report refers to missing messages. */
  reload(thread: OpenThread): Promise<void>;
  /** Another tab has taken a conversation with an open question, while this one was too busy to answer it. */
  lost(thread: OpenThread): void;
  /** Another tab has deleted a conversation. */
  deletedElsewhere(id: string): void;
  approvalsChanged(list: unknown): void;
  /** Another tab has deleted all data. */
  allDeletedElsewhere(): void;
  /** Another tab has changed what the list of conversations shows. */
  listChanged(): void;
}

/** Milliseconds between two reports while a reply is streaming. */
const REPORT_MS = 100;

/** Messages that change what the list of conversations shows. */
const CHANGES_LIST: ReadonlySet<TabMessage['type']> = new Set(['renamed', 'removed', 'forgotten', 'approvals']);

export class TabSync {
  readonly #host: TabSyncHost;
  readonly #written = new WeakSet<OpenThread>();
  readonly #timers = new Map<OpenThread, ReturnType<typeof setTimeout>>();
  /** Conversations in which the user has left the other tab's reply for another branch, until that tab reports its end. */
  readonly #left = new Set<OpenThread>();
  /** Called when another tab refuses an answer of this one, by the id of the answer. */
  readonly #refused = new Map<string, ((error: ChatError) => void) | undefined>();
  #tabs: TabChannel | undefined;
  /** Whether the tabs share conversations. If not, they only share "delete everything". */
  #shared = false;
  /** Whether another tab is known. Without one nothing is reported. */
  #others = false;

  constructor(host: TabSyncHost) {
    this.#host = host;
  }

  open(where: { readonly scope: string; readonly shared: boolean } | undefined): void {
    if (!where) return;
    this.#shared = where.shared;
    this.#tabs = new TabChannel(
      where.scope,
      (message) => {
        this.#receive(message);
      },
      (id) => {
        this.#giveWay(id);
      },
    );
    if (where.shared) this.#tabs.post({ type: 'hello' });
  }

  /** Sends pending reports, because the page is being left. */
  flushReports(threads: Iterable<OpenThread>): void {
    for (const thread of threads) if (this.#timers.has(thread)) this.#report(thread);
  }

  /**
   * Closes the channel and releases all locks. Replies of other tabs continue there, but no report comes any more. When
   * the channel is opened again, the conversations are read again.
   */
  close(): void {
    for (const thread of this.#host.all()) if (thread.isElsewhere) this.#stopFollowing(thread);
    this.#left.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#tabs?.close();
    this.#tabs = undefined;
  }

  #stopFollowing(thread: OpenThread): void {
    const before = thread.chat.store.state;
    thread.move('end-elsewhere');
    thread.apply(() => {
      thread.chat.interrupt();
    });
    closeReply(thread, before, { status: 'interrupted', finish: 'error' });
  }

  /**
   * Called when the user has left the reply of another tab for a branch of this one. The other tab was asked to stop, and
   * its last report does not bring its branch back.
   *
   * @param before - the state with the reply
   */
  left(thread: OpenThread, before: ChatState): void {
    this.#left.add(thread);
    closeReply(thread, before, { status: 'cancelled', finish: 'cancelled' });
  }

  /** Acquires a conversation unless another tab has its running reply. */
  async take(thread: OpenThread): Promise<boolean> {
    return !this.#tabs || !this.#shared || (await this.#tabs.take(thread.id, { wait: false }));
  }

  /** Resolves when it is known whether a question is still that of this tab, which comes before its answer. */
  async caughtUp(thread: OpenThread): Promise<void> {
    if (this.#tabs?.holds(thread.id)) await this.#tabs.caughtUp();
  }

  /** A question belongs to the other tab now. A reply that streams goes on in both: each is a branch. */
  #giveWay(id: string): void {
    const thread = this.#host.thread(id);
    if (thread?.chat.status !== 'awaiting-action' || thread.isElsewhere) return;
    this.#tabs?.release(id);
    this.#host.lost(thread);
  }

  /** Resolves when no other tab has a running reply in the conversation. Undefined if there is nothing to wait for. */
  acquireWhenFree(thread: OpenThread): Promise<unknown> | undefined {
    if (!this.#tabs || !this.#shared || this.#tabs.holds(thread.id)) return undefined;
    return this.#tabs.take(thread.id, { wait: true }).then((isAcquired) => {
      // The other tab may be gone without notice.
      if (!isAcquired) return;
      this.#takeOver(thread);
      // The turn was stopped before the lock came. Its end has released nothing.
      if (!thread.chat.busy) this.release(thread);
    });
  }

  release(thread: OpenThread): void {
    const held = this.#tabs?.holds(thread.id);
    this.#tabs?.release(thread.id);
    if (!thread.isElsewhere) this.#tabs?.stopWaiting(thread.id);
    else if (held) this.#takeOverWhenFree(thread);
  }

  /** Releases a conversation that no longer runs, so that waiting tabs can continue. */
  giveUp(id: string): void {
    this.#tabs?.release(id);
    this.#tabs?.stopWaiting(id);
  }

  /** Asks the tab with the running reply for a report. */
  ask(thread: OpenThread): void {
    this.#await(thread);
    this.#tabs?.post({ type: 'ask', thread: thread.id });
  }

  /**
   * Reports a change in this tab.
   *
   * @param immediately - whether to report without the usual delay, because the reply has ended
   */
  changed(thread: OpenThread, immediately: boolean): void {
    if (!this.#tabs || !this.#shared || !this.#others || thread.isElsewhere || !thread.isActive) return;
    // A report of the end makes followers send their own queue. If this tab's queue continues, the end is reported with the next reply.
    const { stage, queue } = thread.chat.store.state;
    const mayContinue = stage === 'none' && queue.length > 0;
    if (immediately && !mayContinue) this.#report(thread);
    else if (!this.#timers.has(thread)) {
      this.#timers.set(
        thread,
        setTimeout(() => {
          this.#report(thread);
        }, REPORT_MS),
      );
    }
  }

  /**
   * Sends the messages that have changed or were added in this tab to the tab with the running reply, which stores and
   * reports them.
   *
   * @param before - the state before the change
   */
  forward(thread: OpenThread, before: ChatState): void {
    const all = [...before.thread.path, ...before.thread.hidden, ...(before.run?.messages ?? [])];
    const former = new Map(all.map((message) => [message.id, message]));
    const { stage, thread: now } = thread.chat.store.state;
    const changed = now.path.filter((message) => hasChanged(former.get(message.id) ?? message, message));
    // New messages of an edit or another branch, which ends the reply, are reported by this tab itself.
    const isFollowing = before.stage !== 'none' && stage !== 'none' && !thread.chat.busy;
    const added = isFollowing ? now.path.filter(({ id }) => !former.has(id)) : [];
    if (changed.length === 0 && added.length === 0) return;
    const start = now.path.findIndex(({ id }) => former.has(id));
    const older = start < 0 ? [] : now.path.slice(0, start).filter((message) => added.includes(message));
    const newer = added.filter((message) => !older.includes(message));
    this.#tabs?.post({ type: 'update', thread: thread.id, changed, older, newer });
  }

  /**
   * Sends a complete report after a save: a tab that was opened between the last report and the save knows nothing of
   * the conversation.
   */
  written(thread: OpenThread): void {
    if (
      !this.#tabs ||
      !this.#shared ||
      !this.#others ||
      thread.isElsewhere ||
      !thread.running ||
      this.#written.has(thread)
    )
      return;
    this.#written.add(thread);
    thread.reported = nothingReported;
    this.#report(thread);
  }

  /** Reports a question that this tab has restored: another one may have asked for it too early. */
  restored(thread: OpenThread): void {
    if (this.#others) this.#reportAll(thread);
  }

  renamed(thread: string, title: string): void {
    if (this.#shared) this.#tabs?.post({ type: 'renamed', thread, title });
  }

  deleted(thread: string): void {
    if (this.#shared) this.#tabs?.post({ type: 'removed', thread });
  }

  allDeleted(): void {
    this.#tabs?.post({ type: 'forgotten' });
  }

  /** Reports the permanent tool approvals after the user has changed them. */
  approvalsChanged(list: readonly Approval[]): void {
    this.#tabs?.post({ type: 'approvals', list });
  }

  /** Returns the reported messages. */
  #report(thread: OpenThread): readonly ChatMessage[] {
    clearTimeout(this.#timers.get(thread));
    this.#timers.delete(thread);
    // A report without the stored messages would remove them in the other tabs.
    if (!thread.isRead) return [];
    const { report, reported } = createReport(thread.chat.store.state, thread.summary, thread.reported);
    thread.reported = reported;
    this.#tabs?.post(report);
    return report.changed;
  }

  #receive(message: TabMessage): void {
    this.#others = true;
    switch (message.type) {
      case 'forgotten':
        this.#host.allDeletedElsewhere();
        break;
      case 'hello':
        this.#answerHello();
        break;
      case 'here':
        break;
      case 'renamed': {
        const renamed = this.#host.all().find(({ id }) => id === message.thread);
        if (renamed) renamed.name = message.title;
        break;
      }
      case 'approvals':
        this.#host.approvalsChanged(message.list);
        break;
      default:
        this.#receiveReport(message);
    }
    if (CHANGES_LIST.has(message.type) || (message.type === 'messages' && message.stage === 'none'))
      this.#host.listChanged();
  }

  #receiveReport(
    message: Exclude<TabMessage, { readonly type: 'hello' | 'here' | 'renamed' | 'forgotten' | 'approvals' }>,
  ): void {
    // Only the messages of a conversation are shown in a new one: nobody has asked for its deletion there, for example.
    const thread =
      this.#host.thread(message.thread) ?? (message.type === 'messages' ? this.#host.join(message.thread) : undefined);
    if (!thread) return;
    switch (message.type) {
      case 'messages':
        this.#follow(thread, message);
        break;
      case 'ask':
        this.#reportAll(thread);
        break;
      case 'stop':
        if (!thread.isElsewhere && isMeant(thread, message.ids)) thread.chat.stop();
        break;
      case 'remove':
        if (!thread.isElsewhere) for (const id of message.ids) thread.chat.removeMessage(id);
        break;
      case 'put-back':
        if (!thread.isElsewhere)
          thread.chat.putBack(message.deleted, (before) => putBackMessages(before, message.deleted));
        break;
      case 'update':
        if (!thread.isElsewhere) {
          const { messages, store } = thread.chat;
          const known = new Set([...messages, ...store.state.thread.hidden].map(({ id }) => id));
          thread.chat.applyUpdate((before) => withUpdate(before, message, known), message.older);
        }
        break;
      case 'respond':
        if (!thread.isElsewhere) void this.#respond(thread, message);
        break;
      case 'responded': {
        const { error, answer } = message;
        if (error && this.#refused.has(answer)) {
          this.#refused.get(answer)?.(new ChatError('protocol', error.message, { reason: error.reason }));
          // This tab shows the question as answered, so it asks for the state of the other tab.
          this.#tabs?.post({ type: 'ask', thread: thread.id });
        }
        this.#refused.delete(answer);
        break;
      }
      case 'removed':
        this.#host.deletedElsewhere(message.thread);
    }
  }

  /** Gives an answer that the user has chosen in another tab. If it can't be sent, the question stays open in both tabs. */
  async #respond(thread: OpenThread, message: Extract<TabMessage, { readonly type: 'respond' }>): Promise<void> {
    const { block, decision, options, answer } = message;
    const isOpen = (): boolean =>
      thread.chat.messages.some(({ blocks }) => blocks.some(({ id, status }) => id === block && status === 'pending'));
    const wasOpen = isOpen();
    const refusal = await thread.chat.respond(block, decision, options).then(
      // Consent may have been refused here.
      () => (wasOpen && !isOpen() ? undefined : new ChatError('protocol', 'The question is no longer open.')),
      toChatError,
    );
    const error = refusal && { message: refusal.message, reason: refusal.reason };
    if (answer !== undefined)
      this.#tabs?.post({ type: 'responded', thread: thread.id, answer, ...(error && { error }) });
  }

  /** Answers a newly opened tab, which knows nothing yet. */
  #answerHello(): void {
    if (!this.#shared) return;
    this.#tabs?.post({ type: 'here' });
    for (const thread of this.#host.all()) this.#reportAll(thread);
  }

  /** Sends a complete report of a reply that runs in this tab. */
  #reportAll(thread: OpenThread): void {
    if (!thread.running || !thread.isActive || thread.isElsewhere) return;
    thread.reported = nothingReported;
    this.#report(thread);
  }

  #follow(thread: OpenThread, report: ThreadReport): void {
    // Changes of this tab that the other one did not know.
    const newer = this.#timers.has(thread) ? this.#report(thread) : [];
    const changed = report.changed.filter(({ id }) => newer.every((message) => message.id !== id));
    const { state } = thread.chat.store;
    const own = [...state.thread.path, ...state.thread.hidden, ...(state.run?.messages ?? [])];
    const known = [...thread.reported.messages, ...own];
    const applied = applyReport(known, { ...report, changed }, thread.reported);
    if (!applied) {
      // A report was missed. The tab with the reply sends a complete one.
      if (report.stage !== 'none') this.#tabs?.post({ type: 'ask', thread: thread.id });
      else if (!thread.chat.busy) void this.#host.reload(thread);
      return;
    }
    const running = report.stage !== 'none';
    if (!running) this.#endElsewhere(thread);
    const isLeft = this.#left.has(thread) && !thread.chat.busy;
    const { agent } = report;
    if (agent && !thread.chat.busy) {
      thread.apply(() => {
        thread.chat.store.set({ ...thread.chat.store.state, ...agent });
      });
    }
    if (!running) this.#left.delete(thread);
    if (thread.chat.busy || isLeft) {
      const other = appendMessages(applied.thread, applied.running);
      const merge = (): void => {
        thread.chat.store.set({
          ...thread.chat.store.state,
          thread: mergeAsBranches(state.thread, other, thread.reported),
        });
      };
      // The branch that the user has chosen here is stored after the other tab's.
      if (isLeft && !running) merge();
      else thread.apply(merge);
    } else {
      if (running) this.#await(thread);
      const elsewhere = running ? this.remote(thread) : undefined;
      thread.apply(() => {
        thread.chat.followRemote(applied.thread, applied.running, report.stage, elsewhere);
      });
    }
    thread.adoptTitle(report.title);
    thread.reported = applied.reported;
    thread.isRead = true;
    thread.updated = Date.now();
    // Immediately: the next report of the other tab would bring its own branch back.
    if (isLeft && !running) this.#report(thread);
    if (report.order) thread.backend?.store.addSeenMessages(thread.id, [...report.order.path, ...report.order.hidden]);
  }

  /** Marks the reply as running in another tab, and takes the conversation over when that tab releases its lock. */
  #await(thread: OpenThread): void {
    const isElsewhere = (): boolean => thread.isElsewhere;
    if (isElsewhere()) return;
    thread.move('run-elsewhere');
    // A lock that this tab still holds for the write of its own reply is released after it, see `release()`.
    if (isElsewhere() && !this.#tabs?.holds(thread.id)) this.#takeOverWhenFree(thread);
  }

  #takeOverWhenFree(thread: OpenThread): void {
    void this.#tabs?.take(thread.id, { wait: true }).then((isAcquired) => {
      if (!isAcquired) return;
      if (!thread.isElsewhere) {
        if (!thread.chat.busy) this.release(thread);
        return;
      }
      this.#takeOver(thread);
      void this.#host.reload(thread);
    });
  }

  #takeOver(thread: OpenThread): void {
    thread.move('take-over');
    this.#left.delete(thread);
  }

  #endElsewhere(thread: OpenThread): void {
    const waited = thread.isElsewhere;
    thread.move('end-elsewhere');
    if (!waited) return;
    // A turn of this tab may wait for the same lock.
    if (!thread.chat.busy) this.#tabs?.stopWaiting(thread.id);
  }

  /** The reply of a conversation in the tab that holds it. */
  remote(thread: OpenThread): RemoteReply {
    return {
      done: () => thread.followed.done,
      ended: () => {
        thread.followed.settle();
      },
      stop: () => {
        const { run, thread: shown } = thread.chat.store.state;
        const ids = (run?.messages ?? shown.path.filter(isOfUser)).map(({ id }) => id);
        this.#tabs?.post({ type: 'stop', thread: thread.id, ids });
      },
      remove: (ids) => {
        this.#tabs?.post({ type: 'remove', thread: thread.id, ids });
      },
      putBack: (deleted) => {
        this.#tabs?.post({ type: 'put-back', thread: thread.id, deleted });
      },
      respond: (block, decision, options, refused) => {
        const { store } = thread.chat;
        const { run } = store.state;
        const isAnswered = run?.messages.some(({ blocks }) =>
          blocks.some(({ id, type, status }) => id === block && type === 'action' && status !== 'pending'),
        );
        // That tab may be too busy to react, and would take the first answer, whatever the user has said since.
        if (isAnswered) return;
        const answer = newId();
        this.#refused.set(answer, refused);
        this.#tabs?.post({ type: 'respond', thread: thread.id, block, decision, options, answer });
        const answered = run && answerBlock(run, block, decision, options);
        thread.apply(() => {
          if (answered) store.set({ ...store.state, run: answered.run });
        });
      },
    };
  }
}

/** Whether another tab wants to stop the reply that runs here: the one that it means may have ended since, and another one begun. */
function isMeant({ chat }: OpenThread, ids: readonly string[] | undefined): boolean {
  const { run } = chat.store.state;
  const here = [chat.parts.turns.turnId, ...(run?.messages ?? []).map(({ id }) => id)];
  return chat.busy && (!ids || here.some((id) => id !== undefined && ids.includes(id)));
}

/** Whether a message has changed itself. Another predecessor comes from another message, which is sent too. */
const hasChanged = (before: ChatMessage, now: ChatMessage): boolean =>
  before !== now &&
  (Object.keys({ ...before, ...now }) as (keyof ChatMessage)[]).some(
    (key) => key !== 'parentId' && before[key] !== now[key],
  );

/** Ends the messages of another tab's reply that this tab no longer follows: here nothing continues them. */
function closeReply(thread: OpenThread, { run }: ChatState, outcome: RunOutcome): void {
  const { store } = thread.chat;
  const close = (message: ChatMessage): ChatMessage => closeMessage(message, outcome, { now: Date.now(), newId });
  thread.apply(() => {
    const closed = (run?.messages ?? []).reduce((rest, { id }) => replaceMessage(rest, id, close), store.state.thread);
    store.set({ ...store.state, thread: closed });
  });
}
