/** Selects the adapter that decodes a reply after detection. */
import type { Adapter, DecodeContext } from '../../protocols/core/adapter.ts';
import { toAgentEvent } from '../../protocols/to-agent-event.ts';
import type { Frame } from '../../transport/frame.ts';
import { newId } from '../new-id.ts';
import type { DetectedProtocol } from './detect-protocol.ts';

interface SelectedAdapter {
  readonly adapter: Adapter;
  readonly batches: AsyncIterable<readonly Frame[]>;
}

type Context = Pick<DecodeContext, 'eventId' | 'turn' | 'url'>;

/** Returns the adapter of the detected protocol, or the fallback if that finds no content in the body. */
export async function selectAdapter(
  { entry, fallback: instead, batches }: DetectedProtocol,
  context: Context,
): Promise<SelectedAdapter> {
  const adapter = await entry.load();
  if (!instead) return { adapter, batches };
  const body: (readonly Frame[])[] = [];
  for await (const batch of batches) body.push(batch);
  const isDecodable = await hasContent(adapter, body, context);
  return { adapter: isDecodable ? adapter : await instead.load(), batches: replay(body) };
}

/** Decoding has no side effects, so a complete body can be decoded on trial. */
async function hasContent(adapter: Adapter, body: readonly (readonly Frame[])[], context: Context): Promise<boolean> {
  const decoded = adapter.decode(replay(body), {
    ...context,
    newId,
    report: () => undefined,
    now: Date.now,
    delay: () => new Promise<never>(() => undefined),
  });
  for await (const events of decoded) {
    if (events.some((event) => isContent(toAgentEvent(event, context.eventId)))) return true;
  }
  return false;
}

/** Whether an event carries anything other than its id, metadata or finish reason. */
const isContent = ({ type, data }: ReturnType<typeof toAgentEvent>): boolean =>
  type === 'error' || Object.keys(data).some((name) => name !== 'eventId' && name !== 'metadata' && name !== 'finish');

async function* replay(body: readonly (readonly Frame[])[]): AsyncGenerator<readonly Frame[]> {
  yield* await Promise.resolve(body);
}
