/** Decodes a body or its start on trial, where detection alone does not decide. Loaded when needed. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter, DecodeContext } from '../../protocols/core/adapter.ts';
import { toAgentEvent } from '../../protocols/to-agent-event.ts';
import type { Frame } from '../../transport/frame.ts';
import { newId } from '../new-id.ts';

/** What a decoder needs to know about the reply. */
export type TrialContext = Pick<DecodeContext, 'eventId' | 'turn' | 'url'>;

/**
 * Whether an adapter finds content in a body or in its start. Decoding has no side effects, so it can be tried.
 *
 * @param isEnough - whether an event is content
 */
export async function hasContent(
  adapter: Adapter,
  batches: AsyncIterable<readonly Frame[]>,
  context: TrialContext,
  isEnough: (event: LLMAgentEvent) => boolean = isContent,
): Promise<boolean> {
  const decoded = adapter.decode(batches, {
    ...context,
    newId,
    report: () => undefined,
    now: Date.now,
    delay: () => new Promise<never>(() => undefined),
  });
  for await (const events of decoded) {
    if (events.some((event) => isEnough(toAgentEvent(event, context.eventId)))) return true;
  }
  return false;
}

/** Whether an event carries anything other than its id, metadata or finish reason. */
const isContent = ({ type, data }: LLMAgentEvent): boolean =>
  type === 'error' || Object.keys(data).some((name) => name !== 'eventId' && name !== 'metadata' && name !== 'finish');

/** Whether the start of a reply has text, reasoning or a tool call. An error may be in any format. */
export const startsWithContent = (
  adapter: Adapter,
  frames: readonly Frame[],
  context: TrialContext,
): Promise<boolean> =>
  hasContent(adapter, once(frames), context, ({ type, data }) => type === 'response' && isContent({ type, data }));

async function* once(frames: readonly Frame[]): AsyncGenerator<readonly Frame[]> {
  yield await Promise.resolve(frames);
}
