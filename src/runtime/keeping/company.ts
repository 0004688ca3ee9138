/** The same conversation in several tabs: one has its reply under way, the others follow it. */
import type { Elsewhere } from '../chat.ts';
import { beside, hear, tell } from './follow.ts';
import type { LiveThread } from './live-thread.ts';
import { Tabs, type TabMessage, type Told } from './tabs.ts';

export interface CompanyHost {
  thread(id: string): LiveThread | undefined;
  /** Reads a conversation again: the tab that had it under way is gone, or tells of what is not here. */
  reload(live: LiveThread): Promise<void>;
  removed(id: string): void;
  forgotten(): void;
}

/** Milliseconds between two words to the other tabs while a reply grows. */
const TELL_MS = 100;

export class Company {
  readonly #host: CompanyHost;
  readonly #written = new WeakSet<LiveThread>();
  readonly #timers = new Map<LiveThread, ReturnType<typeof setTimeout>>();
  #tabs: Tabs | undefined;
  /** The tabs have the same conversations; otherwise they only forget together. */
  #shared = false;

  constructor(host: CompanyHost) {
    this.#host = host;
  }

  open(where: { readonly scope: string; readonly shared: boolean } | undefined): void {
    if (!where) return;
    this.#shared = where.shared;
    this.#tabs = new Tabs(where.scope, (message) => {
      this.#hear(message);
    });
  }

  /** The page is being left: what the others do not know yet. */
  tellAll(lives: Iterable<LiveThread>): void {
    for (const live of lives) if (this.#timers.has(live)) this.#tell(live);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#tabs?.close();
    this.#tabs = undefined;
  }

  /** Takes a conversation if no other tab has its reply under way. */
  async take(live: LiveThread): Promise<boolean> {
    return !this.#tabs || !this.#shared || (await this.#tabs.take(live.id, { wait: false }));
  }

  /** Resolves when no other tab has a reply under way in it; undefined where none can have. */
  takeSoon(live: LiveThread): Promise<unknown> | undefined {
    if (!this.#tabs || !this.#shared || this.#tabs.holds(live.id)) return undefined;
    return this.#tabs.take(live.id, { wait: true });
  }

  release(live: LiveThread): void {
    this.#tabs?.release(live.id);
    if (!live.elsewhere) this.#tabs?.stopWaiting(live.id);
  }

  /** Whoever has it under way tells how it stands. */
  ask(live: LiveThread): void {
    this.#await(live);
    this.#tabs?.say({ type: 'ask', thread: live.id });
  }

  /** It has changed here. `atOnce`: its reply has ended. */
  changed(live: LiveThread, atOnce: boolean): void {
    if (!this.#tabs || !this.#shared || live.elsewhere || !live.acted) return;
    if (atOnce) this.#tell(live);
    else if (!this.#timers.has(live)) {
      this.#timers.set(
        live,
        setTimeout(() => {
          this.#tell(live);
        }, TELL_MS),
      );
    }
  }

  /** A tab that was opened before it was written, and after it was told of, knows nothing of it: it is told once more, whole. */
  written(live: LiveThread): void {
    if (!this.#tabs || !this.#shared || live.elsewhere || !live.running || this.#written.has(live)) return;
    this.#written.add(live);
    live.told = new Set();
    this.#tell(live);
  }

  removed(thread: string): void {
    if (this.#shared) this.#tabs?.say({ type: 'removed', thread });
  }

  forgotten(): void {
    this.#tabs?.say({ type: 'forgotten' });
  }

  #tell(live: LiveThread): void {
    clearTimeout(this.#timers.get(live));
    this.#timers.delete(live);
    const { told, all } = tell(live.chat.store.state, live.summary, live.told);
    live.told = all;
    this.#tabs?.say(told);
  }

  #hear(message: TabMessage): void {
    if (message.type === 'forgotten') {
      this.#host.forgotten();
      return;
    }
    const live = this.#host.thread(message.thread);
    if (!live) return;
    switch (message.type) {
      case 'messages':
        this.#follow(live, message);
        break;
      case 'ask':
        if (!live.running || live.elsewhere) return;
        live.told = new Set();
        this.#tell(live);
        break;
      case 'stop':
        if (!live.elsewhere) live.chat.stop();
        break;
      case 'respond':
        if (!live.elsewhere) void live.chat.respond(message.block, message.decision, message.options);
        break;
      case 'removed':
        this.#host.removed(message.thread);
    }
  }

  #follow(live: LiveThread, told: Told): void {
    const { state } = live.chat.store;
    const known = [...state.thread.path, ...state.thread.hidden, ...(state.run?.messages ?? [])];
    const heard = hear(known, told);
    if (!heard) {
      // Something was missed. A tab that has it under way tells all of it.
      if (told.stage !== 'none') this.#tabs?.say({ type: 'ask', thread: live.id });
      else if (!live.chat.busy) void this.#host.reload(live);
      return;
    }
    live.title = told.title;
    live.following = true;
    const running = told.stage !== 'none';
    if (!running) this.#noLonger(live);
    if (live.chat.busy) {
      const other = { ...heard.thread, path: [...heard.thread.path, ...heard.running] };
      live.chat.store.set({ ...state, thread: beside(state.thread, other) });
    } else {
      if (running) this.#await(live);
      live.chat.follow(heard.thread, heard.running, told.stage, running ? this.#elsewhere(live) : undefined);
    }
    live.following = false;
    live.told = new Set([...heard.thread.path, ...heard.thread.hidden, ...heard.running]);
    live.updated = Date.now();
  }

  /** The tab that has its reply under way may go away in the middle: then it is this one's. */
  #await(live: LiveThread): void {
    if (live.elsewhere) return;
    live.elsewhere = true;
    void this.#tabs?.take(live.id, { wait: true }).then((mine) => {
      if (!mine || !live.elsewhere) return;
      live.elsewhere = false;
      void this.#host.reload(live);
    });
  }

  #noLonger(live: LiveThread): void {
    if (!live.elsewhere) return;
    live.elsewhere = false;
    // A turn of this tab's may wait for the same lock.
    if (!live.chat.busy) this.#tabs?.stopWaiting(live.id);
  }

  #elsewhere(live: LiveThread): Elsewhere {
    return {
      stop: () => {
        this.#tabs?.say({ type: 'stop', thread: live.id });
      },
      respond: (block, decision, options) => {
        this.#tabs?.say({ type: 'respond', thread: live.id, block, decision, options });
      },
    };
  }
}
