/** What the reader thinks of an answer, as its server is told, where the protocol can tell it. */
import { isRecord } from '../model/json.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Given } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { endpointOf, entryFor } from './connect.ts';
import { exchange } from './exchange.ts';
import type { Limits } from './limits.ts';
import { readStart } from './read-start.ts';
import type { ChatSettings } from './settings.ts';
import { parseJson } from '../model/json.ts';

export interface FeedbackWay {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  /** What was found for the endpoint before. */
  readonly known: string | undefined;
  readonly threadId: string;
  /** The conversation up to the message. */
  readonly messages: readonly ChatMessage[];
}

/** How long a server may take to hear it. */
const LONGEST_MS = 30_000;

/**
 * Tells the server. Resolves with what it calls this piece of feedback, where it says so; at once where nobody can be told.
 *
 * @throws ChatError for a network that fails, and for any status but 2xx.
 */
export async function sendFeedback(way: FeedbackWay, given: Given): Promise<string | undefined> {
  const { settings, limits, protocols, known, threadId, messages } = way;
  if (settings.endpoint === undefined || settings.endpoint === '') return undefined;
  const url = endpointOf(settings);
  const adapter = await entryFor({ settings, protocols, known }, url)?.load();
  if (!adapter?.feedback) return undefined;
  const { comment } = given;
  const told = comment === undefined ? given : { ...given, comment: settings.redact?.(comment, 'send') ?? comment };
  const turn = { text: '', messages, threadId, answers: [] };
  const signal = AbortSignal.timeout(LONGEST_MS);
  const answered = await exchange({ settings, limits, turn, url, adapter, signal, beside: true }, (options) =>
    adapter.feedback?.(told, turn, options),
  );
  if (!answered || !('response' in answered)) return undefined;
  const { text } = await readStart(answered.response, limits.eventBytes, limits.idle);
  const json = parseJson(text);
  return isRecord(json) && typeof json['id'] === 'string' ? json['id'] : undefined;
}
