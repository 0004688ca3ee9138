/** Splits a reply into rounds as model providers see it: reasoning, text and calls, then the calls' results, repeatedly. */
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { isSameId } from '../model/same-id.ts';

export interface ReplyRound {
  readonly reasoning: string;
  readonly text: string;
  /** Calls with a result, successful or not; a call without a result cannot be sent. */
  readonly calls: readonly BlockOf<'tool_call'>[];
}

/** Text or reasoning after a call, or a repeated call id, starts a round. */
export function splitRounds(blocks: readonly AssistantMessageBlock[]): readonly ReplyRound[] {
  const rounds: ReplyRound[] = [];
  let text = '';
  let thoughts = '';
  let calls: BlockOf<'tool_call'>[] = [];
  const flush = (): void => {
    const answered = calls.filter(({ tool_call }) => tool_call.response !== undefined);
    // Whitespace is not a separate message: after a tool's result a server would take it for the answer.
    if (text.trim() === '') text = '';
    if (text || thoughts || answered.length > 0) rounds.push({ reasoning: thoughts, text, calls: answered });
    [text, thoughts, calls] = ['', '', []];
  };
  for (const block of blocks) {
    if (block.type === 'tool_call') {
      if (calls.some(({ tool_call }) => isSameId(tool_call.id, block.tool_call.id))) flush();
      calls.push(block);
    } else if (block.type === 'content' || block.type === 'reasoning_content') {
      if (calls.length > 0) flush();
      if (block.type === 'content') text += block.content;
      else thoughts += block.content;
    }
  }
  flush();
  return rounds;
}
