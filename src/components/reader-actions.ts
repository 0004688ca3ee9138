import { siblingsOf } from '../conversation/thread.ts';
import { ChatError } from '../errors.ts';
import type { Localize } from '../locales/localize.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { AnswerDraft, DecisionDetails } from '../renderers/renderer.ts';
import type { Chat } from '../runtime/chat.ts';
import type { SendInput } from '../runtime/user-message.ts';
import type { Actions } from './contexts.ts';
import { loadParts } from './load-parts.ts';
import type { MessageAction } from './message-actions.ts';
import { AgentChatActionEvent, AgentChatFeedbackEvent } from './events.ts';

export interface ReaderActionsHost {
  localize(): Localize;
  /** Tells the page; false when it does not want it done. */
  tell(event: Event): boolean;
  /** Something is to be drawn. */
  changed(): void;
  /** Puts words into the composer. */
  write(text: string): void;
  /** Says it aloud. */
  say(words: string): void;
  /** Where a word about what was done is shown. */
  box(): Element | null;
  /** Whether the reader has accepted what the page asks for; undefined where it asks nothing. */
  consented(): Promise<boolean> | undefined;
  /** Resolves when what was kept is there again; undefined where nothing is. */
  ready(): Promise<unknown> | undefined;
  /** Answers that the reader has begun, by the blocks' ids. */
  readonly answers: {
    answer(blockId: string): unknown;
    setAnswer(blockId: string, value: unknown): void;
  };
  /** Shows the sources of an answer, one of them first. */
  showSources(message: ChatMessage, citation: unknown): void;
}

/** What the reader does in the transcript and the composer: the page hears of it, then it is done, or they are told why not. */
export class ReaderActions implements Actions {
  /** Why what the reader wanted last can't be done. */
  problem: string | undefined;
  readonly #host: ReaderActionsHost;
  readonly #current: () => Chat;

  /** @param current - the conversation on show */
  constructor(host: ReaderActionsHost, current: () => Chat) {
    this.#host = host;
    this.#current = current;
  }

  get #chat(): Chat {
    return this.#current();
  }

  act(
    action: string,
    message: ChatMessage,
    block?: AssistantMessageBlock,
    payload?: unknown,
    details: DecisionDetails = {},
  ): void {
    if (!this.#host.tell(new AgentChatActionEvent({ action, message, block, payload, ...details }))) return;
    const waits = block?.type === 'action' && block.status === 'pending';
    if (action === 'citation' || action === 'sources') this.#host.showSources(message, payload);
    else if (action === 'retry') void this.#send(() => this.#chat.regenerate(message.id));
    else if (waits && action === 'always') {
      void this.#chat.respond(block.id, 'granted', { remember: 'always' });
    } else if (waits && isDecision(action)) {
      void this.#chat.respond(block.id, action, { ...details, ...(payload !== undefined && { payload }) });
    } else if (block && action === 'ask-again') this.#askAgain(block);
    else if (typeof payload === 'string') {
      if (action === 'suggestion') {
        this.#chat.updateMessage(message.id, { metadata: { ...message.metadata, answered: true } });
      }
      void this.send(payload);
    } else if (block?.type === 'ui') this.#sendChoice(payload);
  }

  #askAgain(block: AssistantMessageBlock): void {
    const chat = this.#chat;
    void this.#try(async () => {
      const { askAgain } = await loadParts().catch(notLoaded);
      askAgain(chat, block);
    });
  }

  draftOf(blockId: string): AnswerDraft {
    return {
      read: () => this.#host.answers.answer(blockId),
      write: (value) => {
        this.#host.answers.setAnswer(blockId, value);
      },
    };
  }

  /** What was pressed in a surface of the agent's: in words, which go out with what they stand for. */
  #sendChoice(payload: unknown): void {
    const { text, ...data } = (payload ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof text === 'string') void this.#send(() => this.#chat.send({ text, data }));
  }

  /** Whether it went out. */
  send(input: SendInput): Promise<boolean> {
    return this.#send(async () => {
      const ready = this.#host.ready();
      if (ready) await ready;
      return this.#chat.send(input);
    });
  }

  edit(message: ChatMessage, text: string): void {
    void this.#send(() => this.#chat.edit(message.id, text));
  }

  selectBranch(message: ChatMessage, index: number): void {
    this.#chat.selectBranch(message.id, index);
  }

  rate(message: ChatMessage, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): void {
    this.#host.tell(new AgentChatFeedbackEvent(message, feedback?.value ?? null, feedback?.comment));
    void this.#try(() => this.#chat.rate(message.id, feedback));
  }

  remove(message: ChatMessage): void {
    const chat = this.#chat;
    void this.#try(async () => {
      const { deleteMessage } = await import('./delete-message.ts').catch(notLoaded);
      const box = this.#host.box();
      if (box) deleteMessage(chat, message, { box, localize: this.#host.localize(), say: this.#host.say });
    });
  }

  run(action: MessageAction, message: ChatMessage): void {
    if (this.#host.tell(new AgentChatActionEvent({ action: action.id, message, block: undefined, payload: undefined })))
      action.run?.(message);
  }

  write(text: string): void {
    this.#host.write(text);
  }

  branches(message: ChatMessage): { readonly index: number; readonly count: number } {
    const siblings = siblingsOf(this.#chat.store.state.thread, message);
    return { index: siblings.findIndex(({ id }) => id === message.id), count: siblings.length };
  }

  forgetProblem(): void {
    this.#say(undefined);
  }

  /** Whether the reader has accepted what the page asks for. */
  agreed(): Promise<boolean> {
    return this.#try(async () => (await this.#host.consented()) ?? true);
  }

  /** What goes to the agent goes when the reader has accepted what the page asks for. */
  #send(action: () => Promise<unknown>): Promise<boolean> {
    return this.#try(async () => {
      const consented = this.#host.consented();
      if (consented && !(await consented)) return false;
      await action();
      return true;
    });
  }

  async #try(action: () => Promise<unknown>): Promise<boolean> {
    this.forgetProblem();
    try {
      return (await action()) !== false;
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      const localize = this.#host.localize();
      const key = `error.${error.reason}`;
      this.#say(localize.has(key) ? localize(key, error.values) : error.message);
      return false;
    }
  }

  #say(problem: string | undefined): void {
    if (problem === this.problem) return;
    this.problem = problem;
    this.#host.changed();
  }
}

/** A part of the widget can't be had: what it would have done is not done. */
export function notLoaded(cause: unknown): never {
  throw new ChatError('load', 'A part of the widget can’t be loaded.', { reason: 'load', cause });
}

const isDecision = (action: string): action is Answer['decision'] =>
  ['granted', 'denied', 'answered', 'dismissed'].includes(action);
