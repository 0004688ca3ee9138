/** Tool calls that a server waits for: one request to a separate URL sends all their results. */
import type { ChatMessage } from '../../model/message.ts';
import { resultWithEdit } from './edited-arguments.ts';

interface CallResult {
  readonly id: string;
  /** For protocols without a field for failed calls, an error starts with `Error:`. */
  readonly output: string;
  /** The message of a call that failed or was not run. */
  readonly error?: string;
}

/** The metadata that a decoder emits when the server waits for results. */
export const waitingMetadata = (ids: readonly string[]): Readonly<Record<string, unknown>> => ({ waitingCalls: ids });

/** The results of the tool calls that the current reply waits for; empty when it waits for none. */
export function pendingCallResults(messages: readonly ChatMessage[]): readonly CallResult[] {
  const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const waitingIds = reply.findLast(({ metadata }) => metadata?.['waitingCalls'] !== undefined)?.metadata?.[
    'waitingCalls'
  ];
  const ids = Array.isArray(waitingIds) ? (waitingIds as unknown[]).filter((id) => typeof id === 'string') : [];
  const blocks = reply.flatMap((message) => message.blocks);
  const calls = blocks.filter((block) => block.type === 'tool_call');
  return ids.map((id) => {
    const call = calls.findLast(({ tool_call }) => tool_call.id === id);
    const output = (call && resultWithEdit(call, blocks)) ?? 'The tool was not run.';
    return call?.status === 'success' ? { id, output } : { id, output: `Error: ${output}`, error: output };
  });
}
