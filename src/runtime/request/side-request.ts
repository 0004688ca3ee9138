import { ChatError } from '../../errors.ts';
import { parseJson } from '../../model/json.ts';
import { withoutQuery } from '../../model/without-query.ts';
import type { SideAnswer, WireRequest } from '../../protocols/core/adapter.ts';
import { parseUrl } from '../../parse-url.ts';
import { pageBase } from '../page-base.ts';
import { readBodyPrefix } from './read-body-prefix.ts';
import { sendRequest, type SendRequestOptions } from './send-request.ts';

/**
 * Sends a request in addition to a reply's own, such as one that creates a thread or reads an agent card. The page's
 * `body` is not sent, because it belongs to the turn.
 *
 * @throws ChatError for a network failure, for any status other than 2xx, and for a WebSocket URL.
 */
export async function sendSideRequest(
  request: WireRequest,
  options: Omit<SendRequestOptions, 'build'>,
): Promise<SideAnswer> {
  // Before it is opened: the browser would send the cookies of that server with it.
  if (parseUrl(request.url, pageBase())?.protocol.startsWith('ws')) throw socketAddress(request.url);
  const answered = await sendRequest({
    ...options,
    settings: { ...options.settings, body: undefined },
    build: () => Promise.resolve(request),
  });
  if (!answered || 'socket' in answered) throw socketAddress(request.url);
  const { response } = answered;
  const { eventBytes, idle } = options.limits;
  const { text, whole: isComplete } = await readBodyPrefix(response, eventBytes, idle);
  if (!isComplete) {
    throw new ChatError(
      'limit',
      `${withoutQuery(request.url)} sent more than ${String(eventBytes)} bytes, or did not finish in time.`,
      {
        reason: 'event-too-long',
        values: { limit: eventBytes },
      },
    );
  }
  return { headers: response.headers, json: parseJson(text) };
}

const socketAddress = (url: string): ChatError =>
  new ChatError('network', `${withoutQuery(url)} is a WebSocket URL.`, { reason: 'bad-endpoint' });
