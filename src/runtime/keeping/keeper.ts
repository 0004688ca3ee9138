/**
 * Keeps the conversations of a widget: each is a chat of its own, written down as it grows and there again after a reload, in every
 * tab. `docs/decisions/keeping.md` has the whys.
 */
import { sentSecrets } from '../../safety/sent-secrets.ts';
import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import { readApprovals } from './approvals.ts';
import { Attempts } from './attempts.ts';
import { ComingBack } from './coming-back.ts';
import { Company } from './company.ts';
import type { ThreadInfo } from './conversation-store.ts';
import { createForStoring } from './for-storing.ts';
import type { KeeperHost } from './keeper-host.ts';
import { whereabouts, type KeepSettings, type Whereabouts } from './keep-settings.ts';
import type { LiveThread } from './live-thread.ts';
import { LiveThreads } from './live-threads.ts';
import { placeFor, type Place } from './place.ts';
import { lastThread, readThread } from './read-thread.ts';
import { Saver } from './saver.ts';
import { threadInfos } from './thread-infos.ts';
import { Unsent } from './unsent.ts';
import { keptOf, writeThread } from './write-thread.ts';

export class Keeper {
  readonly #host: KeeperHost;
  readonly #live = new LiveThreads((live, before) => {
    this.#changed(live, before);
  });
  readonly #attempts = new Attempts({
    isOwn: () => this.#host.settings().storage?.store !== undefined,
    fail: (detail, problem) => {
      this.#host.fail(detail, problem);
    },
  });
  readonly #unsent = new Unsent({
    attempts: this.#attempts,
    place: () => this.#place,
    forStoring: () => this.#forStoring,
  });
  readonly #saver = new Saver((live) => this.#write(live));
  readonly #company: Company;
  readonly #comingBack: ComingBack;
  #current: LiveThread;
  #place: Place | undefined;
  /** Whose the conversations on show are, and where they are kept. */
  #owner: string;
  #where = '';
  #forStoring: ReturnType<typeof createForStoring>;
  #restoring: Promise<void> = Promise.resolve();
  /** The page is being left, or has been: what happens now is no news. */
  #away = false;

  constructor(host: KeeperHost, chat: Chat) {
    this.#host = host;
    this.#company = new Company({
      thread: (id) => this.#live.get(id) ?? this.#join(id),
      reload: (live) => this.#comingBack.reload(live),
      removed: (id) => {
        this.#drop(id);
      },
      forgotten: () => {
        this.#empty();
      },
    });
    this.#comingBack = new ComingBack({
      attempts: this.#attempts,
      unsent: this.#unsent,
      company: this.#company,
      place: () => this.#place,
      forStoring: () => this.#forStoring,
      composer: () => host.composer(),
      isCurrent: (live) => live === this.#current,
      isThere: (live) => this.#live.has(live),
      settled: (live) => {
        this.#settled(live);
      },
    });
    host.approvals.subscribe((list) => {
      void this.#attempts.run(() => this.#place?.notes.set('approvals', list));
    });
    this.#forStoring = this.#newForStoring();
    this.#owner = this.#settings.owner;
    this.#current = this.#adopt(chat, chat.threadId);
    this.#current.fresh = this.#settings.threadId === undefined;
    this.update();
  }

  /** Resolves when what was kept is there again. */
  get ready(): Promise<void> {
    return this.#restoring;
  }

  /** Looks at the settings anew. */
  update(): void {
    const { owner, where } = this.#settings;
    let { threadId } = this.#settings;
    if (owner !== this.#owner) {
      // That of the conversation that is gone, unless the page has just set another one.
      if (threadId === this.#current.id) threadId = undefined;
      this.#leave();
      this.#owner = owner;
      this.#show(this.#adopt(this.#host.makeChat()), { silent: true });
      this.#current.fresh = threadId === undefined;
    }
    if (where !== this.#where) {
      if (this.#where !== '') this.#host.approvals.leave();
      this.#where = where;
      this.#settle(threadId);
    } else if (threadId !== undefined && threadId !== this.#current.id) void this.open(threadId);
  }

  get #settings(): KeepSettings & Whereabouts {
    const settings = this.#host.settings();
    return { ...settings, ...whereabouts(settings) };
  }

  /** Begins to keep in another place: what is there comes back. */
  #settle(threadId: string | undefined): void {
    const { persist, storage, scope } = this.#settings;
    this.#saver.flush();
    this.#place?.close();
    this.#company.close();
    this.#attempts.beginAnew();
    this.#forStoring = this.#newForStoring();
    const place = placeFor({ persist, storage, scope });
    this.#place = place;
    for (const live of this.#live.all) live.place = place;
    this.#company.open(place ? { scope, shared: place.shared } : undefined);
    if (place) this.#restoring = this.#restore(place, threadId).catch(() => undefined);
  }

  async #restore(place: Place, threadId: string | undefined): Promise<void> {
    const live = this.#current;
    const stored = readApprovals(await this.#attempts.run(() => place.notes.get('approvals'), { reading: true }));
    if (place === this.#place) this.#host.approvals.restore(stored);
    const id = threadId ?? (await lastThread(place, this.#attempts));
    if (place !== this.#place || live !== this.#current) return;
    if (id === undefined) {
      this.#host.show(live.chat, live.id);
      return;
    }
    live.fresh = false;
    // What the page has put there, or the reader has said meanwhile, is not replaced.
    if (!live.isEmpty || live.chat.busy) return;
    this.#live.rename(live, id);
    await this.#comingBack.fill(live, place);
    if (live === this.#current) this.#host.show(live.chat, live.id);
  }

  #adopt(chat: Chat, id?: string): LiveThread {
    return this.#live.adopt(chat, this.#place, id);
  }

  #changed(live: LiveThread, before: ChatState): void {
    const { state } = live.chat.store;
    if (live.following || this.#away) return;
    if (
      state.thread === before.thread &&
      state.run === before.run &&
      state.queue === before.queue &&
      state.stage === before.stage
    )
      return;
    const ended = state.stage !== before.stage && (state.stage === 'none' || state.stage === 'parked');
    live.updated = Date.now();
    live.acted ||= state.stage !== 'none';
    if (ended && state.stage === 'none' && live !== this.#current) live.unread++;
    this.#company.changed(live, ended);
    if (live.acted && live.place) {
      if (!ended) this.#saver.soon(live);
      else {
        void this.#saver.now(live).then(() => {
          this.#settled(live);
        });
      }
    } else if (ended) this.#settled(live);
  }

  /** Its end is written: another tab may begin. */
  #settled(live: LiveThread): void {
    if (!live.running && !live.chat.busy) this.#company.release(live);
  }

  /** Resolves when this tab is the one that answers; undefined where nobody else can be. */
  take(chat: Chat): Promise<unknown> | undefined {
    const live = this.#live.of(chat);
    return live && this.#company.takeSoon(live);
  }

  async #write(live: LiveThread): Promise<void> {
    const { place } = live;
    if (!place || live.deleted) return;
    await this.#attempts.run(async () => {
      // First: the page may be gone before the other is done.
      if (live === this.#current) await place.tab.set('current', live.id);
    });
    await this.#attempts.run(() => writeThread(live, place, this.#forStoring));
    this.#company.written(live);
  }

  #newForStoring(): ReturnType<typeof createForStoring> {
    return createForStoring({ redact: () => this.#host.settings().redact, sent: sentSecrets });
  }

  /** What stands in the composer has changed. */
  type(text: string): void {
    this.#unsent.type(this.#current, text);
  }

  /** What the reader has begun to answer to a block. */
  answer(blockId: string): unknown {
    return this.#current.answers.get(blockId);
  }

  /** Undefined forgets it. */
  setAnswer(blockId: string, value: unknown): void {
    this.#unsent.answer(this.#current, blockId, value);
  }

  async list(): Promise<readonly ThreadInfo[]> {
    const stored = (await this.#attempts.run(() => this.#place?.store.list())) ?? [];
    return threadInfos(stored, { live: this.#live.all, current: this.#current });
  }

  /** An empty conversation. The one before it stays, and so does its reply. */
  create(): string {
    const live = this.#adopt(this.#host.makeChat());
    const { protocol } = this.#current.chat.store.state;
    if (protocol !== undefined) live.chat.recall(protocol);
    this.#show(live);
    return live.id;
  }

  async open(id: string): Promise<void> {
    await this.#restoring;
    if (id === this.#current.id) return;
    const there = this.#live.get(id);
    if (there) {
      this.#show(there);
      return;
    }
    const live = this.#adopt(this.#host.makeChat());
    this.#live.rename(live, id);
    this.#show(live);
    const place = this.#place;
    if (place) await this.#comingBack.fill(live, place);
  }

  async rename(id: string, title: string): Promise<void> {
    const live = this.#live.get(id);
    if (live) live.title = title;
    await this.#attempts.run(() => this.#place?.store.rename(id, this.#forStoring.text(title)));
  }

  /** Deletes a conversation, everywhere. @returns what brings it back, where it was kept */
  async remove(id: string): Promise<() => Promise<void>> {
    const place = this.#place;
    const live = this.#live.get(id);
    const current = live === this.#current;
    const kept = live
      ? keptOf(live, this.#forStoring)
      : place && (await this.#attempts.run(() => readThread(id, place), { reading: true }));
    this.#drop(id);
    this.#company.removed(id);
    await this.#erase(id);
    return async () => {
      // Where another reader is, or another place, it has no business.
      if (!place || !kept || kept.messages.length === 0 || place !== this.#place) return;
      await this.#attempts.run(() => place.store.save(kept));
      if (current) await this.open(id);
    };
  }

  /** Empties the conversation on show: what was kept of it is deleted. */
  clear(): void {
    const live = this.#current;
    const before = live.id;
    this.#saver.cancel(live);
    live.following = true;
    live.chat.clear();
    live.following = false;
    this.#live.rename(live, live.chat.threadId);
    Object.assign(live, { title: '', acted: false, draft: '' });
    live.answers.clear();
    this.#host.show(live.chat, live.id);
    this.#company.removed(before);
    void this.#erase(before);
  }

  /** Deletes all that is kept for this endpoint and user, in all tabs. */
  async forget(): Promise<void> {
    this.#empty();
    this.#company.forgotten();
    const place = this.#place;
    if (!place) return;
    await this.#attempts.run(async () => {
      for (const { id } of await place.store.list()) await place.store.remove(id);
    });
    await this.#attempts.run(() => place.notes.clear());
    await this.#attempts.run(() => place.tab.clear());
  }

  /** The page may be gone in a moment. */
  leaving({ mayComeBack }: { readonly mayComeBack: boolean }): void {
    this.#company.tellAll(this.#live.all);
    const waiting = this.#saver.flush();
    const journal = this.#place?.journal;
    for (const live of waiting) {
      // A database may not be done in time; a full journal is none of the reader's trouble.
      if (journal && !live.isEmpty)
        void this.#attempts.run(() => journal.save(keptOf(live, this.#forStoring)), { reading: true, silent: true });
    }
    if (!mayComeBack) return;
    this.#away = true;
    for (const live of this.#live.all)
      if (live.chat.busy && live.chat.status !== 'awaiting-action') live.chat.interrupt();
    this.#company.close();
    this.#place?.close();
  }

  /** The page was left and is there again, as it was. */
  async comeBack(): Promise<void> {
    if (!this.#away) return;
    this.#away = false;
    const { scope } = this.#settings;
    const place = this.#place;
    this.#company.open(place ? { scope, shared: place.shared } : undefined);
    if (!place) return;
    for (const live of this.#live.all) if (live.acted && !live.chat.busy) await this.#comingBack.reload(live);
  }

  /** A conversation that another tab has: it stands here where nobody has begun one. */
  #join(id: string): LiveThread | undefined {
    const live = this.#current;
    if (!this.#place || !live.fresh || live.acted || !live.isEmpty || live.draft !== '') return undefined;
    if (this.#settings.threadId !== undefined && this.#settings.threadId !== live.id) return undefined;
    this.#live.rename(live, id);
    this.#host.show(live.chat, id);
    return live;
  }

  #show(live: LiveThread, { silent = false } = {}): void {
    const before = this.#current;
    this.#current = live;
    live.unread = 0;
    if (before !== live) this.#letGo(before);
    this.#host.show(live.chat, live.id);
    this.#host.composer().setText(live.draft);
    if (!silent && this.#place && (before.acted || live.acted))
      void this.#attempts.run(() => this.#place?.tab.set('current', live.id));
  }

  /** A conversation that nothing goes on in is in its place; without a place all are here, up to a bound. */
  #letGo(live: LiveThread): void {
    if (live.isEmpty) this.#release(live);
    else if (this.#place && live.acted && !live.running)
      void this.#saver.now(live).then(() => {
        if (live !== this.#current && !live.running && live.unread === 0 && !this.#attempts.failed) this.#release(live);
      });
    const { running, live: idle } = this.#live.tooMany(this.#current);
    for (const other of running) other.chat.interrupt();
    for (const other of idle) this.#release(other);
  }

  #release(live: LiveThread): void {
    this.#saver.cancel(live);
    this.#live.letGo(live);
    this.#company.release(live);
  }

  /** It is deleted: what runs in it ends, and what it was writing is not written. */
  #drop(id: string): void {
    const live = this.#live.get(id);
    if (!live) return;
    live.deleted = true;
    this.#release(live);
    live.chat.interrupt();
    if (live === this.#current) this.#show(this.#adopt(this.#host.makeChat()));
  }

  #empty(): void {
    this.#host.approvals.leave();
    this.#host.composer().dropFiles();
    for (const live of this.#live.all) {
      if (live !== this.#current) this.#drop(live.id);
    }
    this.#drop(this.#current.id);
    void this.#attempts.run(() => this.#place?.tab.clear(), { silent: true });
  }

  /** The reader is another one: replies end, and nothing of theirs stays here. */
  #leave(): void {
    this.#saver.flush();
    this.#host.composer().dropFiles();
    for (const live of this.#live.all) {
      this.#live.letGo(live);
      live.chat.interrupt();
    }
  }

  async #erase(id: string): Promise<void> {
    const place = this.#place;
    if (!place) return;
    await this.#attempts.run(async () => {
      await place.store.remove(id);
      await place.journal?.remove(id);
      await Unsent.erase(id, place);
      await place.tab.set('current', this.#current.id);
    });
  }
}
