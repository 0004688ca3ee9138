import type { Answer } from '../../protocols/core/adapter.ts';

/** The answers of the user that the agent has not received yet, and the caller that waits for them. */
export class PendingAnswers {
  #answers: readonly Answer[] = [];
  /** Answers for a later request: the protocol has no room for them in the next one. */
  #later: readonly Answer[];
  /** All answers, sent or not. */
  readonly given: Answer[];
  #resolve: ((answers: readonly Answer[]) => void) | undefined;

  constructor(later: readonly Answer[] = []) {
    this.#later = later;
    this.given = [...later];
  }

  get later(): readonly Answer[] {
    return this.#later;
  }

  postpone(answers: readonly Answer[]): void {
    this.#later = answers;
  }

  /** An answer replaces the one to an earlier form of its question: an adapter would send the first that it finds. */
  add(answer: Answer): void {
    const question = questionOf(answer);
    this.given.push(answer);
    const isOther = (other: Answer): boolean => !question || questionOf(other) !== question;
    this.#answers = [...this.#answers.filter(isOther), answer];
    this.#later = this.#later.filter(isOther);
  }

  has(blockId: string): boolean {
    return [...this.#later, ...this.#answers].some((answer) => answer.blockId === blockId);
  }

  /** Withdraws the answer to a question that is open again. */
  remove(blockId: string): void {
    const isOther = (other: Answer): boolean => other.blockId !== blockId;
    this.#answers = this.#answers.filter(isOther);
    this.#later = this.#later.filter(isOther);
  }

  take(): readonly Answer[] {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  takeLater(): readonly Answer[] {
    const later = this.#later;
    this.#later = [];
    return later;
  }

  /** Resolves with the answers at the next `release()`. */
  next(): Promise<readonly Answer[]> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  release(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(this.take());
  }
}

/** Identifies a question of the server; undefined if it has no id. Several permissions may share the id of their request. */
export function questionOf({ actionType, toolCallId, callBlockId, extra }: Answer): string | undefined {
  const requestId = extra?.['requestId'];
  const serverId = toolCallId ?? (actionType !== 'tool_call_permission' && requestId);
  return serverId ? JSON.stringify([toolCallId, callBlockId, requestId]) : undefined;
}
