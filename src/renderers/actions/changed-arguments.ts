import type { BlockOf } from '../../model/blocks.ts';
import { isSameArguments } from '../../model/canonical-arguments.ts';
import type { ChatMessage } from '../../model/message.ts';
import { isSameId } from '../../model/same-id.ts';

/** Whether the agent has changed the arguments of a call since it asked for permission. The user has answered for the arguments in the question. */
export function hasChangedArguments(question: BlockOf<'action'>, { blocks }: ChatMessage): boolean {
  const asked = question.tool_call;
  if (asked?.params === undefined || question.extra?.['edited'] === true) return false;
  const isAsked = (block: (typeof blocks)[number]): block is BlockOf<'tool_call'> =>
    block.type === 'tool_call' && isSameId(block.tool_call.id, asked.id);
  // A later call may have the same id: the question is about the last call before it.
  const call = blocks.slice(0, blocks.indexOf(question)).findLast(isAsked) ?? blocks.find(isAsked);
  return call?.tool_call.params !== undefined && !isSameArguments(call.tool_call.params, asked.params);
}
