import { ChatError } from '../errors.ts';
import { httpError } from './http-error.ts';
import type { Poll, RequestContext } from './settings.ts';
import { sleep } from './within.ts';

/**
 * For servers whose stream cannot get through: asks for the reply so far, again and again. Each answer says all of it; a 204
 * says that there is nothing yet.
 */
export async function* pollReply(
  { source, interval }: Poll,
  { context, signal, send = fetch }: { context: RequestContext; signal: AbortSignal; send?: typeof fetch | undefined },
): AsyncGenerator<Response> {
  for (;;) {
    await sleep(interval, signal);
    const response =
      typeof source === 'string'
        ? await send(new URL(source, location.href).href, {
            signal,
            cache: 'no-store',
            referrerPolicy: 'no-referrer',
          }).catch((cause: unknown) => {
            throw new ChatError('network', `The reply can't be read from ${source}.`, {
              reason: 'dropped',
              retryable: true,
              cause,
            });
          })
        : await source(context);
    if (!response.ok) throw await httpError(response, []);
    if (response.status !== 204) yield response;
  }
}
