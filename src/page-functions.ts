/** Calls functions of the page, so that the error of one that fails names its setting. */
import { ChatError, messageOf } from './errors.ts';

/** Calls a function of the page. Its error names the setting. */
export function callPageFunction<Result>(name: string, call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    throw pageFunctionError(name, cause);
  }
}

/** Calls a function of the page that may be async. A `ChatError` is its own. */
export async function awaitPageFunction<Result>(
  name: string,
  call: () => Result | PromiseLike<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw cause instanceof ChatError ? cause : pageFunctionError(name, cause);
  }
}

const pageFunctionError = (name: string, cause: unknown): ChatError =>
  new ChatError('protocol', `The page’s function \`${name}\` failed: ${messageOf(cause)}`, {
    reason: 'page-function',
    values: { name },
    cause,
  });
