import { nextRound } from '../../src/conversation/run.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { bareMessage, type ExpectedFields } from './bare.ts';
import { chunksOf } from './cuts.ts';
import { conversation, user } from './messages.ts';
import { decodeContext, emptyTurn, playEvents } from './play-body.ts';

/** A stream that continues a reply, such as the one after an answer: the resulting reply. */
export async function goOn(
  adapter: Adapter,
  reply: readonly ChatMessage[],
  body: string,
): Promise<readonly ExpectedFields[]> {
  const text = decodeUtf8(chunksOf([new TextEncoder().encode(body)]), { maxStreamBytes: 1e8 });
  const { batches } = await openFrames(text, { framing: adapter.framing });
  const turn = { ...emptyTurn, messages: [...conversation(user('hi', { id: 'asked' })), ...reply] };
  let run = nextRound({ messages: reply, current: reply.length - 1, failed: false, length: 0 });
  let count = 0;
  const newId = (): string => `next${String(++count)}`;
  for await (const events of adapter.decode(batches, { ...decodeContext(), turn })) {
    run = playEvents(
      events.map((event) => toAgentEvent(event, 'reply')),
      run,
      newId,
    );
  }
  return run.messages.map(bareMessage);
}
