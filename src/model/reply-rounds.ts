/** A reply as model providers see it: thoughts, words and calls, then the calls' results, again and again. */
import type { AssistantMessageBlock, BlockOf } from './blocks.ts';

export interface ReplyRound {
  readonly thoughts: string;
  readonly text: string;
  /** Those that were answered, well or not: a call without a result can't be told. */
  readonly calls: readonly BlockOf<'tool_call'>[];
}

/** Words or thoughts behind a call, or a call whose id was there before, begin a round. */
export function splitRounds(blocks: readonly AssistantMessageBlock[]): readonly ReplyRound[] {
  const rounds: ReplyRound[] = [];
  let text = '';
  let thoughts = '';
  let calls: BlockOf<'tool_call'>[] = [];
  const flush = (): void => {
    const answered = calls.filter(({ tool_call }) => tool_call.response !== undefined);
    if (text || thoughts || answered.length > 0) rounds.push({ thoughts, text, calls: answered });
    [text, thoughts, calls] = ['', '', []];
  };
  for (const block of blocks) {
    if (block.type === 'tool_call') {
      if (calls.some(({ tool_call }) => tool_call.id !== undefined && tool_call.id === block.tool_call.id)) flush();
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
