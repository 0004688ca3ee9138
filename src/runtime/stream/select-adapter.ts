/** Selects the adapter that decodes a reply after detection. */
import type { Adapter } from '../../protocols/core/adapter.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DetectedProtocol } from './detect-protocol.ts';
import type { TrialContext } from './trial-decode.ts';

interface SelectedAdapter {
  readonly adapter: Adapter;
  readonly batches: AsyncIterable<readonly Frame[]>;
}

/** Returns the adapter of the detected protocol, or the fallback if that finds no content in the body. */
export async function selectAdapter(
  { entry, fallback: instead, batches }: DetectedProtocol,
  context: TrialContext,
): Promise<SelectedAdapter> {
  const adapter = await entry.load();
  if (!instead) return { adapter, batches };
  const body: (readonly Frame[])[] = [];
  for await (const batch of batches) body.push(batch);
  const { hasContent } = await import('./trial-decode.ts');
  const isDecodable = await hasContent(adapter, replay(body), context);
  return { adapter: isDecodable ? adapter : await instead.load(), batches: replay(body) };
}

async function* replay(body: readonly (readonly Frame[])[]): AsyncGenerator<readonly Frame[]> {
  yield* await Promise.resolve(body);
}
