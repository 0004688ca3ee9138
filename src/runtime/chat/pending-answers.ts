import type { Answer } from '../../protocols/core/adapter.ts';

/** The answers of the user that the agent has not received yet, and the caller that waits for them. */
export class PendingAnswers {
  #answers: readonly Answer[] = [];
  #resolve: ((answers: readonly Answer[]) => void) | undefined;

  add(answer: Answer): void {
    this.#answers = [...this.#answers, answer];
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
