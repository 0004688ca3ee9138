import { ChatError } from '../errors.ts';
import { parseJson } from '../model/json.ts';
import type { SideAnswer, WireRequest } from '../protocols/adapter.ts';
import { readStart } from './read-start.ts';
import { sendRequest, type SendOptions } from './send-request.ts';

/**
 * A request beside a reply's own, such as one that makes a thread or reads an agent's card. The page's `body` belongs to the turn
 * and does not go along.
 *
 * @throws ChatError for a network that fails, for any status but 2xx, and for the address of a socket.
 */
export async function askBeside(request: WireRequest, options: Omit<SendOptions, 'build'>): Promise<SideAnswer> {
  const answered = await sendRequest({
    ...options,
    settings: { ...options.settings, body: undefined },
    build: () => Promise.resolve(request),
  });
  if (!answered || 'socket' in answered) {
    throw new ChatError('network', `${request.url} is the address of a socket.`, { reason: 'bad-endpoint' });
  }
  const { response } = answered;
  const { eventBytes, idle } = options.limits;
  const { text, whole } = await readStart(response, eventBytes, idle);
  if (!whole) {
    throw new ChatError(
      'limit',
      `${request.url} answers with more than ${String(eventBytes)} bytes, or not to its end.`,
      {
        reason: 'event-too-long',
        values: { limit: eventBytes },
      },
    );
  }
  return { headers: response.headers, json: parseJson(text) };
}
