import { settleRun } from '../../src/conversation/run.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { selectAdapter } from '../../src/runtime/stream/select-adapter.ts';
import { detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import type { Replay } from '../../src/runtime/trace/replay.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { decode, newId } from '../turn/decode.ts';

/** A placeholder; no request is sent to it. */
const ADDRESS = 'http://recording.invalid/';

/** Parses a recorded reply as a page would. */
export async function playRecording({
  fetch: answer,
  protocol,
}: Replay): Promise<{ readonly protocol: string | undefined; readonly messages: readonly ChatMessage[] }> {
  const { body, headers } = await answer(ADDRESS);
  const adapter = typeof protocol === 'string' ? undefined : protocol;
  const bytes = body ?? new ReadableStream<Uint8Array>();
  const stream = await openFrames(decodeUtf8(bytes, { maxStreamBytes: 64 * 1024 * 1024 }), {
    framing: adapter?.framing,
  });
  const turn = { text: '', messages: [], threadId: '', answers: [] };
  const context = { eventId: newId(), turn, url: ADDRESS };
  const decoded = adapter
    ? { adapter, batches: stream.batches }
    : await selectAdapter(await detectProtocol(stream, { url: new URL(ADDRESS), headers }, protocols.list()), context);
  const { run, outcome } = await decode(decoded, context, { warnings: [] });
  const { messages } = settleRun(run, outcome ?? { status: 'interrupted', finish: 'error' });
  return { protocol: decoded.adapter.id, messages };
}
