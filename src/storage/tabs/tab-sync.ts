/** Synchronizes a conversation between tabs: one tab runs the reply, the others follow it. */
import type { RemoteReply } from '../../runtime/chat/chat.ts';
import { nothingReported } from '../threads/reported-state.ts';
import { mergeAsBranches, applyReport, createReport } from './thread-reports.ts';
import type { OpenThread } from '../threads/open-thread.ts';
import { TabChannel, type ThreadReport, type TabMessage } from './tab-channel.ts';

export interface TabSyncHost {
  /** All open conversations. */
  all(): readonly OpenThread[];
  thread(id: string): OpenThread | undefined;
  /** Reads a conversation again, because the tab with the reply is gone, or its report refers to missing messages. */
  reload(live: OpenThread): Promise<void>;
  removed(id: string): void;
  forgotten(): void;
}

/** Milliseconds between two reports while a reply is streaming. */
const REPORT_MS = 100;

export class TabSync {
  readonly #host: TabSyncHost;
  readonly #written = new WeakSet<OpenThread>();
  readonly #timers = new Map<OpenThread, ReturnType<typeof setTimeout>>();
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
    this.#tabs = new TabChannel(where.scope, (message) => {
      this.#receive(message);
    });
    if (where.shared) this.#tabs.post({ type: 'hello' });
  }

  /** Sends pending reports, because the page is being left. */
  flushReports(lives: Iterable<OpenThread>): void {
    for (const live of lives) if (this.#timers.has(live)) this.#report(live);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#tabs?.close();
    this.#tabs = undefined;
  }

  /** Acquires a conversation unless another tab has its running reply. */
  async take(live: OpenThread): Promise<boolean> {
    return !this.#tabs || !this.#shared || (await this.#tabs.take(live.id, { wait: false }));
  }

  /** Resolves when no other tab has a running reply in the conversation; undefined if no other tab can. */
  acquireWhenFree(live: OpenThread): Promise<unknown> | undefined {
    if (!this.#tabs || !this.#shared || this.#tabs.holds(live.id)) return undefined;
    return this.#tabs.take(live.id, { wait: true }).then((isAcquired) => {
      // The other tab may be gone without notice.
      if (isAcquired) live.move('take-over');
    });
  }

  release(live: OpenThread): void {
    this.#tabs?.release(live.id);
    if (!live.isElsewhere) this.#tabs?.stopWaiting(live.id);
  }

  /** Releases a conversation that no longer runs, so that waiting tabs can continue. */
  giveUp(id: string): void {
    this.#tabs?.release(id);
    this.#tabs?.stopWaiting(id);
  }

  /** Asks the tab with the running reply for a report. */
  ask(live: OpenThread): void {
    this.#await(live);
    this.#tabs?.post({ type: 'ask', thread: live.id });
  }

  /**
   * Reports a change in this tab.
   *
   * @param atOnce - the reply has ended
   */
  changed(live: OpenThread, atOnce: boolean): void {
    if (!this.#tabs || !this.#shared || !this.#others || live.isElsewhere || !live.isActive) return;
    if (atOnce) this.#report(live);
    else if (!this.#timers.has(live)) {
      this.#timers.set(
        live,
        setTimeout(() => {
          this.#report(live);
        }, REPORT_MS),
      );
    }
  }

  /**
   * Sends a complete report after a save: a tab that was opened between the last report and the save knows nothing of
   * the conversation.
   */
  written(live: OpenThread): void {
    if (!this.#tabs || !this.#shared || !this.#others || live.isElsewhere || !live.running || this.#written.has(live))
      return;
    this.#written.add(live);
    live.reported = nothingReported;
    this.#report(live);
  }

  removed(thread: string): void {
    if (this.#shared) this.#tabs?.post({ type: 'removed', thread });
  }

  allDeleted(): void {
    this.#tabs?.post({ type: 'forgotten' });
  }

  #report(live: OpenThread): void {
    clearTimeout(this.#timers.get(live));
    this.#timers.delete(live);
    const { report, told } = createReport(live.chat.store.state, live.summary, live.reported);
    live.reported = told;
    this.#tabs?.post(report);
  }

  #receive(message: TabMessage): void {
    this.#others = true;
    switch (message.type) {
      case 'forgotten':
        this.#host.forgotten();
        break;
      case 'hello':
        this.#answerHello();
        break;
      case 'here':
        break;
      default:
        this.#receiveReport(message);
    }
  }

  #receiveReport(message: Exclude<TabMessage, { readonly type: 'hello' | 'here' | 'forgotten' }>): void {
    const live = this.#host.thread(message.thread);
    if (!live) return;
    switch (message.type) {
      case 'messages':
        this.#follow(live, message);
        break;
      case 'ask':
        this.#reportAll(live);
        break;
      case 'stop':
        if (!live.isElsewhere) live.chat.stop();
        break;
      case 'respond':
        if (!live.isElsewhere) void live.chat.respond(message.block, message.decision, message.options);
        break;
      case 'removed':
        this.#host.removed(message.thread);
    }
  }

  /** Answers a newly opened tab, which knows nothing yet. */
  #answerHello(): void {
    if (!this.#shared) return;
    this.#tabs?.post({ type: 'here' });
    for (const live of this.#host.all()) this.#reportAll(live);
  }

  /** Sends a complete report of a reply that runs in this tab. */
  #reportAll(live: OpenThread): void {
    if (!live.running || !live.isActive || live.isElsewhere) return;
    live.reported = nothingReported;
    this.#report(live);
  }

  #follow(live: OpenThread, report: ThreadReport): void {
    const { state } = live.chat.store;
    const known = [...state.thread.path, ...state.thread.hidden, ...(state.run?.messages ?? [])];
    const heard = applyReport(known, report, live.reported);
    if (!heard) {
      // A report was missed. The tab with the reply sends a complete one.
      if (report.stage !== 'none') this.#tabs?.post({ type: 'ask', thread: live.id });
      else if (!live.chat.busy) void this.#host.reload(live);
      return;
    }
    const running = report.stage !== 'none';
    if (!running) this.#endElsewhere(live);
    if (live.chat.busy) {
      const other = { ...heard.thread, path: [...heard.thread.path, ...heard.running] };
      live.apply(() => {
        live.chat.store.set({ ...state, thread: mergeAsBranches(state.thread, other) });
      });
    } else {
      if (running) this.#await(live);
      const elsewhere = running ? this.#elsewhere(live) : undefined;
      live.apply(() => {
        live.chat.followRemote(heard.thread, heard.running, report.stage, elsewhere);
      });
    }
    live.takeTitle(report.title);
    live.reported = heard.told;
    live.updated = Date.now();
    if (report.order) live.backend?.store.addSeenMessages(live.id, [...report.order.path, ...report.order.hidden]);
  }

  /** Takes the conversation over if the tab with the running reply is closed. */
  #await(live: OpenThread): void {
    const isElsewhere = (): boolean => live.isElsewhere;
    if (isElsewhere()) return;
    live.move('run-elsewhere');
    if (!isElsewhere()) return;
    void this.#tabs?.take(live.id, { wait: true }).then((isAcquired) => {
      if (!isAcquired || !live.isElsewhere) return;
      live.move('take-over');
      void this.#host.reload(live);
    });
  }

  #endElsewhere(live: OpenThread): void {
    const waited = live.isElsewhere;
    live.move('end-elsewhere');
    if (!waited) return;
    // A turn of this tab may wait for the same lock.
    if (!live.chat.busy) this.#tabs?.stopWaiting(live.id);
  }

  #elsewhere(live: OpenThread): RemoteReply {
    return {
      stop: () => {
        this.#tabs?.post({ type: 'stop', thread: live.id });
      },
      respond: (block, decision, options) => {
        this.#tabs?.post({ type: 'respond', thread: live.id, block, decision, options });
      },
    };
  }
}
