/** Sends a request without a message: how the server refuses, and whether a page can read it. */
import { errorMessage } from '../../src/protocols/shared/error-message.ts';
import { missingOrigin, PAGE_ORIGIN } from '../cors.ts';
import { oneLine, type Mask } from '../mask.ts';
import { readStart, send } from '../request.ts';
import type { Reply } from '../turn/ask.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Maximum duration of the refusal (ms). */
const REFUSAL_MS = 10_000;

export async function errorForm({ request, headers }: Reply, mask: Mask): Promise<readonly Finding[]> {
  if (request.method !== 'POST' || request.url.protocol.startsWith('ws')) return [];
  try {
    const signal = AbortSignal.timeout(REFUSAL_MS);
    const answer = await send(request.url, {
      method: 'POST',
      headers: { origin: PAGE_ORIGIN, ...request.headers, 'content-type': 'application/json' },
      body: '{}',
      signal,
    });
    const { status } = answer;
    if (status < 400) {
      answer.body.destroy();
      return [ok('error-form', `A request without a message is answered with ${String(status)}: no error to look at.`)];
    }
    if (status === 429)
      return [ok('error-form', 'The server limits the number of messages (429): no other error to look at.')];
    const message = errorMessage(await readStart(answer.body));
    const isOpen = missingOrigin(headers['access-control-allow-origin']).length === 0;
    const missing = missingOrigin(answer.headers['access-control-allow-origin']);
    return [
      message === undefined
        ? warning('error-form', `A request without a message is refused with ${String(status)}, without a text.`)
        : ok('error-form', `Refused with ${String(status)} and a text: ${mask.text(oneLine(message, 120))}`),
      ...(isOpen && missing.length > 0
        ? [warning('cors-origin', "Pages of another origin can't read errors.", `Missing: ${missing.join('; ')}`)]
        : []),
    ];
  } catch (error) {
    const why = mask.text(oneLine(error instanceof Error ? error.message : String(error)));
    return [warning('error-form', `A request without a message has no answer: ${why}`)];
  }
}
