/** The conversations of a widget: the one on show, and what keeps them all, fetched when there is something to keep. */
import type { ReactiveController } from 'lit';
import type { Chat } from '../runtime/chat.ts';
import type { Keeper } from '../runtime/keeping/keeper.ts';
import type { KeeperHost } from '../runtime/keeping/keeper-host.ts';
import { newId } from '../runtime/new-id.ts';
import { storedBefore } from '../runtime/keeping/stored-before.ts';
import { warn } from './attributes.ts';

export interface KeepingHost extends Omit<KeeperHost, 'show'> {
  /** The conversation on show has changed, or has become another one. */
  changed(): void;
  /** Another conversation is on show. */
  shown(threadId: string): void;
}

export class Keeping implements ReactiveController {
  readonly #host: KeepingHost;
  #chat: Chat;
  #unsubscribe: () => void = () => undefined;
  #keeper: Keeper | undefined;
  #loading: Promise<Keeper> | undefined;
  #user: string | undefined;
  /** Answers that were begun before there was anything to keep them. */
  readonly #answers = new Map<string, unknown>();

  constructor(host: KeepingHost) {
    this.#host = host;
    this.#chat = host.makeChat();
    this.#watch(this.#chat);
  }

  /** The conversation on show. */
  get chat(): Chat {
    return this.#chat;
  }

  get #keeps(): boolean {
    return this.#host.settings().persist !== 'none';
  }

  hostConnected(): void {
    addEventListener('pagehide', this.#left);
    addEventListener('pageshow', this.#shownAgain);
    document.addEventListener('visibilitychange', this.#hidden);
    document.addEventListener('freeze', this.#hidden);
    void this.#keeper?.comeBack();
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#left);
    removeEventListener('pageshow', this.#shownAgain);
    document.removeEventListener('visibilitychange', this.#hidden);
    document.removeEventListener('freeze', this.#hidden);
    this.#keeper?.leaving({ mayComeBack: false });
  }

  /** The element is gone for good, as far as anybody knows: replies end. */
  leave(): void {
    this.#keeper?.leaving({ mayComeBack: true });
    this.#chat.interrupt();
  }

  /** Looks at the settings anew: whose conversations these are may have changed. */
  update(): void {
    const { persist, storage } = this.#host.settings();
    const user = JSON.stringify([storage?.user, storage?.key]);
    const another = this.#user !== undefined && user !== this.#user;
    this.#user = user;
    if (this.#keeper) this.#keeper.update();
    else {
      if (another && (this.#chat.busy || this.#chat.messages.length > 0)) this.#begin();
      if (persist === 'local' || (persist === 'session' && (storage?.store || storedBefore())))
        this.#with(() => undefined);
    }
  }

  /** The reader is about to do something: what keeps it is fetched. */
  readonly act = (): void => {
    if (this.#keeps) void this.ready();
  };

  /** Resolves when what was kept is there again; undefined where nothing is. Without its chunk the chat goes on. */
  ready(): Promise<unknown> | undefined {
    this.update();
    if (!this.#keeps) return undefined;
    return this.keeper().then(
      (keeper) => keeper.ready,
      () => undefined,
    );
  }

  /** What keeps the conversations, as soon as it is there. */
  keeper(): Promise<Keeper> {
    this.#loading ??= import('../runtime/keeping/keeper.ts').then(
      ({ Keeper: Made }) => {
        this.#keeper = new Made(
          {
            ...this.#host,
            settings: () => this.#host.settings(),
            show: (chat, threadId) => {
              this.#watch(chat);
              this.#host.shown(threadId);
            },
          },
          this.#chat,
        );
        return this.#keeper;
      },
      (error: unknown) => {
        this.#loading = undefined;
        warn(`what keeps conversations could not be loaded, so nothing is kept: ${String(error)}`);
        throw error;
      },
    );
    return this.#loading;
  }

  /** Resolves when this tab may answer; undefined where no other can. */
  take(chat: Chat): Promise<unknown> | undefined {
    return this.#keeper?.take(chat);
  }

  /** What stands in the composer has changed. */
  type(text: string): void {
    if (!this.#keeps) return;
    this.#with((keeper) => {
      keeper.type(text);
    });
  }

  /** What the reader has begun to answer to a block. */
  answer(blockId: string): unknown {
    return this.#keeper ? this.#keeper.answer(blockId) : this.#answers.get(blockId);
  }

  /** Undefined forgets it. */
  setAnswer(blockId: string, value: unknown): void {
    this.#answers.set(blockId, value);
    if (!this.#keeps && !this.#keeper) return;
    this.#with((keeper) => {
      keeper.setAnswer(blockId, value);
    });
  }

  clear(): void {
    if (this.#keeper) this.#keeper.clear();
    else this.#chat.clear();
  }

  /** Does it with what keeps the conversations; without its chunk it is left undone. */
  #with(act: (keeper: Keeper) => void): void {
    this.keeper().then(act, () => undefined);
  }

  #begin(): void {
    this.#chat.interrupt();
    this.#host.approvals.leave();
    this.#host.composer().dropFiles();
    this.#answers.clear();
    const chat = this.#host.makeChat();
    chat.keptAs = newId();
    this.#watch(chat);
    this.#host.shown(this.#chat.threadId);
  }

  #watch(chat: Chat): void {
    this.#unsubscribe();
    this.#chat = chat;
    this.#unsubscribe = chat.store.subscribe(() => {
      if (!this.#keeper && chat.busy) this.act();
      this.#host.changed();
    });
  }

  readonly #left = ({ persisted }: PageTransitionEvent): void => {
    this.#keeper?.leaving({ mayComeBack: persisted });
  };

  readonly #hidden = (): void => {
    if (document.visibilityState === 'hidden') this.#keeper?.leaving({ mayComeBack: false });
  };

  readonly #shownAgain = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void this.#keeper?.comeBack();
  };
}
