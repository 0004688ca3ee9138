/** Applies the events of an agent: as the page's `transformEvent` returns them, and within the limits of a reply. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { callPageFunction } from '../../page-functions.ts';
import type { ReplyContext } from '../reply-context.ts';
import { createReplyLimitChecks, type ReplyLimitChecks } from './reply-limits.ts';

/** Returns a function that applies the events of one stream, up to its `end`, and returns whether that was among them. */
export function dispatcherOf(reply: ReplyContext): (events: readonly LLMAgentEvent[]) => boolean {
  const checks = createReplyLimitChecks(reply.limits);
  const { transformEvent: transform } = reply.settings;
  return (received) => {
    const events = transform ? received.flatMap((event) => transformed(event, transform)) : received;
    const last = events.findIndex(({ type }) => type === 'end');
    dispatchWithin(reply, last < 0 ? events : events.slice(0, last + 1), checks);
    return last >= 0;
  };
}

/**
 * Applies a batch of events. Limits of a single event are checked first: of a batch with an event that exceeds one, only the
 * events before it are applied. Limits of the whole reply are checked after the batch, which is then shown completely
 * before the error.
 */
function dispatchWithin(
  reply: ReplyContext,
  events: readonly LLMAgentEvent[],
  { event: check, run }: ReplyLimitChecks,
): void {
  let accepted = 0;
  try {
    for (const event of events) {
      check(event);
      accepted++;
    }
  } finally {
    reply.dispatch(accepted === events.length ? events : events.slice(0, accepted));
  }
  run(reply.run());
}

type Change = NonNullable<ChatSettings['transformEvent']>;

function transformed(event: LLMAgentEvent, transform: Change): readonly LLMAgentEvent[] {
  return callPageFunction('transformEvent', () => {
    // The page's function is not validated. An async one returns a promise, for example.
    const changed: unknown = transform(event);
    if (changed === null) return [];
    if (Array.isArray(changed)) return changed as readonly LLMAgentEvent[];
    if (isRecord(changed) && 'type' in changed) return [changed as unknown as LLMAgentEvent];
    throw new TypeError('It must return an event, a list of events or null.');
  });
}
