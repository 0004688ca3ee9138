import type { AgentMessage, AgentResponse } from '../model/agent-message.ts';
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { BaseAgent } from '../model/agent.ts';
import { makeResponseEvents } from '../model/exchange/response-events.ts';
import { isRecord } from '../model/json.ts';
import { thrownMessage } from '../model/text/thrown-message.ts';
import { checkResponseTypes } from './check-response-types.ts';

type Speaker = Pick<BaseAgent, 'id' | 'name'>;

/** Returns the message that a response belongs to. */
type SenderOf = (
  response: AgentResponse,
) => NonNullable<Extract<LLMAgentEvent, { type: 'response' }>['data']['message']>;

/**
 * An agent may pass on the responses of another agent of the page. Each change of the speaker starts a message, so that all
 * is shown in its order.
 */
export function makeSenders(agent: Speaker, eventId: string, others: readonly Speaker[] = []): SenderOf {
  let current: Speaker | undefined;
  let changes = -1;
  return ({ agentId }) => {
    const speaker = others.find(({ id }) => id === agentId) ?? agent;
    if (speaker !== current) changes++;
    current = speaker;
    const { id, name } = speaker;
    return { id: [eventId, id, ...(changes > 0 ? [changes] : [])].join(':'), agentId: id, name };
  };
}

interface AskOptions {
  readonly eventId: string;
  readonly signal: AbortSignal;
  /** For several messages in one reply. */
  readonly senderOf?: SenderOf;
}

/**
 * Sends a message to an agent that runs in the page and yields its responses as events.
 * Source: `docs/protocols/deepchat-events.md`.
 */
export async function* askAgent(
  agent: BaseAgent,
  message: AgentMessage,
  { eventId, signal, senderOf = makeSenders(agent, eventId) }: AskOptions,
): AsyncGenerator<readonly LLMAgentEvent[]> {
  const checkType = checkResponseTypes(agent);
  const toEvents = makeResponseEvents(eventId);
  let failed = false;
  try {
    // An `async` method without a star returns a promise of the generator.
    for await (const response of await Promise.resolve(agent.processMessage(message, { signal }))) {
      requireResponse(response);
      checkType(response.type);
      const events = toEvents(response, senderOf(response));
      failed ||= events.some(({ type }) => type === 'error');
      yield events;
    }
  } catch (cause) {
    if (signal.aborted) return;
    failed = true;
    yield [{ type: 'error', data: { eventId, error: thrownMessage(cause) || 'The agent reports an error.' } }];
  }
  yield [
    { type: 'response', data: { eventId, finish: failed ? 'error' : 'complete' } },
    { type: 'end', data: { eventId, userStop: false } },
  ];
}

/**
 * An agent that is not written in TypeScript may yield something else.
 *
 * @throws TypeError which says what is missing.
 */
function requireResponse(response: unknown): void {
  if (!isRecord(response)) throw new TypeError(`The agent must yield responses, not ${kindOf(response)}.`);
  if (!isRecord(response['content']))
    throw new TypeError('The agent must yield responses with `content`, such as `{text: "…"}`.');
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'an array' : value === undefined || value === null ? String(value) : `a ${typeof value}`;
