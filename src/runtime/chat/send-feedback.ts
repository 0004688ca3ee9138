/** Sends the user's rating of a message to its server, if the protocol supports that. */
import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { FeedbackInput } from '../../protocols/core/adapter.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import { endpointAddress, entryFor } from '../stream/request-with-retries.ts';
import { sendAdapterRequest } from '../request/send-adapter-request.ts';
import type { Limits } from '../limits.ts';
import { createMessageRedactor, redactText } from '../masking/redact-for-sending.ts';
import { readBodyPrefix } from '../request/read-body-prefix.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { parseJson } from '../../model/json.ts';

export interface FeedbackContext {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  /** Id of the protocol that has read an earlier reply of the endpoint. */
  readonly knownProtocol: string | undefined;
  readonly threadId: string;
  /** The conversation up to and including the message. */
  readonly messages: readonly ChatMessage[];
  /** Whether the user who has rated is still the one of the page. */
  isSameUser(): boolean;
}

/** Time limit for the server's answer (ms). */
const TIMEOUT_MS = 30_000;

/**
 * Sends the feedback. Resolves with the server's id for it, if it returns one. Resolves immediately if the protocol has
 * no feedback request.
 *
 * @throws ChatError for a network failure and for any status other than 2xx.
 */
export async function sendFeedback(context: FeedbackContext, feedback: FeedbackInput): Promise<string | undefined> {
  const { settings, limits, protocols, knownProtocol, threadId, messages, isSameUser } = context;
  if (settings.endpoint === undefined || settings.endpoint === '') return undefined;
  const url = endpointAddress(settings);
  const entry = await entryFor({ settings, protocols, knownProtocol }, url);
  const adapter = await entry?.load();
  if (!adapter?.feedback) return undefined;
  const { comment } = feedback;
  const { redact } = settings;
  const redacted = comment === undefined || !redact ? feedback : { ...feedback, comment: redactText(comment, redact) };
  const turn = { text: '', messages: messages.map(createMessageRedactor(redact)), threadId, answers: [] };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // The last function of the page before each request: its headers may be those of another user by now.
  const transformRequest: ChatSettings['transformRequest'] = async (request) => {
    const transformed = (await settings.transformRequest?.(request)) ?? request;
    if (isSameUser()) return transformed;
    throw new ChatError('network', 'The conversation was left.', { reason: 'left' });
  };
  const answered = await sendAdapterRequest(
    { settings: { ...settings, transformRequest }, limits, turn, url, adapter, signal, isSideRequest: true },
    (options) => adapter.feedback?.(redacted, turn, options),
  );
  if (!answered || !('response' in answered)) return undefined;
  const { text } = await readBodyPrefix(answered.response, limits.eventBytes, limits.idle);
  const json = parseJson(text);
  return isRecord(json) && typeof json['id'] === 'string' ? json['id'] : undefined;
}
