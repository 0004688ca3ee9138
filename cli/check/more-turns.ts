/** Further turns of `check`: a second message, and one after an aborted reply. */
import { oneLine } from '../mask.ts';
import { askTurn, type Endpoint, type Reply } from '../turn/ask.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

const NEXT_QUESTION = 'Thank you. What did I say first?';

export async function secondTurn(endpoint: Endpoint, first: Reply): Promise<readonly Finding[]> {
  try {
    const second = await askTurn(endpoint, { text: NEXT_QUESTION, history: first.messages });
    if (second.status === 429)
      return [warning('rate-limit', 'The second message is refused with 429: the other checks would be too.')];
    if (second.status >= 300)
      return [
        failure(
          'second-turn',
          `The second message is refused with ${String(second.status)}: ${oneLine(second.refusal ?? '', 160)}`,
        ),
      ];
    if (second.outcome?.status === 'complete' || second.outcome?.status === 'streaming')
      return [ok('second-turn', 'A second message, with the conversation so far, is answered.')];
    return [
      failure(
        'second-turn',
        `The second message has no complete answer: ${oneLine(second.problem?.message ?? 'an error of the agent', 160)}`,
      ),
    ];
  } catch (error) {
    return [failure('second-turn', `The second message is not answered: ${oneLine(String(error))}`)];
  }
}

/** Additional time that a first byte may take after an aborted reply (ms). */
const BUSY_MS = 2000;

/** Statuses of a server that is still at work. */
const BUSY: ReadonlySet<number> = new Set([409, 423, 503]);

/** A client can't see what a server does after the connection was closed, only whether it is still busy. */
export async function leaving(endpoint: Endpoint, first: Reply, question: string): Promise<readonly Finding[]> {
  try {
    await askTurn(endpoint, { text: question, leave: 'first-frame' });
    const next = await askTurn(endpoint, { text: question, leave: 'first-frame' });
    const [before, after] = [first, next].map(({ chunkTimes, end }) => chunkTimes[0] ?? end);
    const isBusy = after !== undefined && before !== undefined && after > before * 2 + BUSY_MS;
    if (next.status >= 300 && !BUSY.has(next.status))
      return [
        ok(
          'disconnect',
          `After an aborted reply the next message is refused with ${String(next.status)}: it says nothing.`,
        ),
      ];
    if (next.status >= 300 || isBusy)
      return [
        warning(
          'disconnect',
          `After an aborted reply the next one took ${String(after ?? 0)} ms to begin (${String(next.status)}): the server seems to continue its work.`,
        ),
      ];
    const how = endpoint.adapter?.cancel
      ? 'its protocol has a request that stops the reply'
      : 'look into its log whether the work ended with the connection';
    return [ok('disconnect', `After an aborted reply the next one starts immediately; ${how}.`)];
  } catch (error) {
    return [warning('disconnect', `After an aborted reply the server can't be reached: ${oneLine(String(error))}`)];
  }
}
