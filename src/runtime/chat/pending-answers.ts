import type { Answer } from '../../protocols/core/adapter.ts';

/** The answers of the user that the agent has not received yet, and the caller that waits for them. */
export class PendingAnswers {
  #answers: readonly Answer[] = [];
  /** All answers, sent or not. */
  readonly given: Answer[] = [];
  #resolve: ((answers: readonly Answer[]) => void) | undefined;

  /** An answer replaces the one to an earlier form of its question: an adapter would send the first that it finds. */
  add(answer: Answer): void {
    const question = questionOf(answer);
    this.given.push(answer);
    this.#answers = [...this.#answers.filter((other) => !question || questionOf(other) !== question), answer];
  }

  has(blockId: string): boolean {
    return this.#answers.some((answer) => answer.blockId === blockId);
  }

  take(): readonly Answer[] {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
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

/** What the server knows a question by; none without an id. Several permissions may share the id of their request. */
export function questionOf({ actionType, toolCallId, callBlockId, extra }: Answer): string | undefined {
  const requestId = extra?.['requestId'];
  const isKnown = toolCallId ?? (actionType !== 'tool_call_permission' && requestId);
  return isKnown ? JSON.stringify([toolCallId, callBlockId, requestId]) : undefined;
}
