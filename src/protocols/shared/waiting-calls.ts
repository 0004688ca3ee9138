/** Calls that a server waits for: their results go to an address of their own, and all of them at once. */
import type { ChatMessage } from '../../model/message.ts';

interface CallResult {
  readonly id: string;
  readonly output: string;
}

/** What a decoder tells when the server waits. */
export const toldWaiting = (ids: readonly string[]): Readonly<Record<string, unknown>> => ({ waitingCalls: ids });

/** The results of the calls that the reply under way waits for; none while it waits for nothing. */
export function waitingResults(messages: readonly ChatMessage[]): readonly CallResult[] {
  const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const told = reply.findLast(({ metadata }) => metadata?.['waitingCalls'] !== undefined)?.metadata?.['waitingCalls'];
  const ids = Array.isArray(told) ? (told as unknown[]).filter((id) => typeof id === 'string') : [];
  const calls = reply.flatMap(({ blocks }) => blocks).filter((block) => block.type === 'tool_call');
  return ids.map((id) => {
    const call = calls.findLast(({ tool_call }) => tool_call.id === id);
    const output = call?.tool_call.response ?? 'The tool was not run.';
    // Neither protocol has a field that says so.
    return { id, output: call?.status === 'success' ? output : `Error: ${output}` };
  });
}
