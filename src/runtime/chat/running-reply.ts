/** The running reply of a conversation: in this tab, or in another one that this tab follows. */
import { continueRun } from '../../conversation/continue-run.ts';
import type { DeletedMessage } from '../../conversation/delete-message.ts';
import { appendMessages, type Thread } from '../../conversation/thread.ts';
import type { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { RespondOptions } from '../chat-hooks.ts';
import type { ChatState, Store } from './chat-state.ts';
import type { TurnController } from './turn-controller.ts';

/** A reply that is running in another tab. */
export interface RemoteReply {
  stop(): void;
  /** Resolves with the reply when it has ended: in that tab, or in this one that continues it because that tab is gone. */
  done(): Promise<ChatMessage>;
  /** Called when the reply has ended in that tab, or when this tab does not follow it any more. */
  ended(): void;
  /** Removes messages from the conversation in that tab, whose reports would bring them back here. */
  remove(ids: readonly string[]): void;
  /** Undoes a removal in that tab. */
  putBack(deleted: readonly DeletedMessage[]): void;
  /** @param refused - called with the error if that tab can't send the answer */
  respond(
    blockId: string,
    decision: Answer['decision'],
    options: RespondOptions,
    refused?: (error: ChatError) => void,
  ): void;
}

/** The state of a conversation, shared by its parts. */
export interface ConversationState {
  readonly store: Store<ChatState>;
  /** Changes the state. Intents that were carried out no longer count as pending. */
  set(change: Partial<ChatState>): void;
}

export class RunningReply {
  /** The tab with the reply, if it is another one. */
  elsewhere: RemoteReply | undefined;
  readonly #parts: ConversationState;
  readonly #turns: TurnController;

  constructor(parts: ConversationState, turns: TurnController) {
    this.#parts = parts;
    this.#turns = turns;
  }

  /** Whether a reply is running, or about to start in this tab. */
  get busy(): boolean {
    return this.#turns.busy || this.elsewhere !== undefined;
  }

  /**
   * Resolves with the reply when it has ended. Another tab's reply that this tab has to continue, because that tab is gone, ends here.
   * Undefined without a reply.
   */
  get done(): Promise<ChatMessage> | undefined {
    return this.#turns.done ?? this.elsewhere?.done();
  }

  /** Id of the user message that is being answered: in another tab, the last one that is not queued. */
  get turnId(): string | undefined {
    return this.elsewhere ? this.#parts.store.state.thread.path.findLast(isOfUser)?.id : this.#turns.turnId;
  }

  /**
   * Answers a pending action.
   *
   * @param refused - called if the tab with the reply can't send the answer: the promise has resolved before
   */
  respond(
    blockId: string,
    decision: Answer['decision'],
    options: RespondOptions,
    refused?: (error: ChatError) => void,
  ): Promise<void> {
    if (!this.#turns.busy) this.elsewhere?.respond(blockId, decision, options, refused);
    return this.#turns.respond(blockId, decision, options);
  }

  stop(): void {
    this.elsewhere?.stop();
    this.#turns.stop();
  }

  /** Shows the state of another tab's conversation and its running reply. Without `elsewhere`, that reply has ended. */
  follow(
    thread: Thread,
    running: readonly ChatMessage[],
    stage: ChatState['stage'],
    elsewhere: RemoteReply | undefined,
  ): void {
    const before = this.elsewhere;
    this.elsewhere = elsewhere;
    const run = running.length > 0 ? continueRun(running) : undefined;
    this.#parts.set({
      thread,
      run,
      stage: elsewhere ? stage : 'none',
      ...(elsewhere && !before && { since: Date.now() }),
    });
    if (!elsewhere) before?.ended();
  }

  /**
   * Detaches the conversation from the other tab. Its part of the reply stays as the end of the current branch.
   * @param mayContinue - the reply may continue here: `RemoteReply.ended()` is not called
   */
  leave({ mayContinue = false } = {}): void {
    const { elsewhere } = this;
    if (!elsewhere) return;
    this.elsewhere = undefined;
    const { thread, run } = this.#parts.store.state;
    this.#parts.set({ thread: appendMessages(thread, run?.messages ?? []), run: undefined, stage: 'none' });
    if (!mayContinue) elsewhere.ended();
  }
}

export const isOfUser = ({ role }: ChatMessage): boolean => role === 'user';

export const STOPPED_REPLY = { status: 'cancelled', finish: 'cancelled' } as const;
