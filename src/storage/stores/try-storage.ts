/** Runs storage operations and reports the first failure to the page and the user. */
import { detailOf, type ErrorDetail } from '../../runtime/error-detail.ts';
import { problemOf, storageError, type StorageProblem } from './storage-errors.ts';

export interface StorageRunnerHost {
  /** Whether the store is the page's own. */
  isOwn(): boolean;
  fail(detail: ErrorDetail, problem: StorageProblem): void;
}

export interface StorageRunOptions {
  /** The operation only reads. Until the user does something, a browser without storage is not reported. */
  readonly reading?: boolean;
  /** Failures are not reported. */
  readonly silent?: boolean;
}

export class StorageRunner {
  readonly #host: StorageRunnerHost;
  #failed = false;

  constructor(host: StorageRunnerHost) {
    this.#host = host;
  }

  /** Whether an operation has failed and was reported. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Resets the state, because another store may work. */
  reset(): void {
    this.#failed = false;
  }

  /** Runs an operation. Resolves with undefined if it fails. */
  async run<Result>(
    act: () => Result | Promise<Result>,
    { reading = false, silent = false }: StorageRunOptions = {},
  ): Promise<Result | undefined> {
    try {
      return await act();
    } catch (cause) {
      const own = this.#host.isOwn();
      const error = storageError(cause, own);
      // Data that exists but can't be read is reported immediately.
      const isReportable = own || !reading || error.reason === 'storage-newer';
      if (!silent && !this.#failed && isReportable) {
        this.#failed = true;
        this.#host.fail(detailOf(error), problemOf(error));
      }
      return undefined;
    }
  }
}
