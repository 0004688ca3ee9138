/** What a place is asked to do may fail; the page and the reader are told once. */
import type { ErrorDetail } from '../hooks.ts';
import { detailOf } from '../problems.ts';
import { problemOf, storageError, type StorageProblem } from './trouble.ts';

export interface AttemptsHost {
  /** The place is the page's own. */
  isOwn(): boolean;
  fail(detail: ErrorDetail, problem: StorageProblem): void;
}

export interface Attempt {
  /** Before the reader has done anything, a browser without storage is no news. */
  readonly reading?: boolean;
  /** Nobody is told. */
  readonly silent?: boolean;
}

export class Attempts {
  readonly #host: AttemptsHost;
  #failed = false;

  constructor(host: AttemptsHost) {
    this.#host = host;
  }

  /** Something could not be kept. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Another place may do better. */
  beginAnew(): void {
    this.#failed = false;
  }

  /** Resolves with undefined where it went wrong. */
  async run<Result>(
    act: () => Result | Promise<Result>,
    { reading = false, silent = false }: Attempt = {},
  ): Promise<Result | undefined> {
    try {
      return await act();
    } catch (cause) {
      const own = this.#host.isOwn();
      if (!silent && !this.#failed && (own || !reading)) {
        this.#failed = true;
        const error = storageError(cause, own);
        this.#host.fail(detailOf(error), problemOf(error));
      }
      return undefined;
    }
  }
}
