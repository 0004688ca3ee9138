import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { isId } from '../model/same-id.ts';

type Block = Partial<AssistantMessageBlock>;
/** The block of a call, in a list that is still being made. */
interface WaitingCall<Draft> {
  readonly draft: Draft;
  readonly block: Block;
}

/** The calls in a file that have no result yet. They are found by their id, because a file may have thousands of calls and results. */
export class WaitingCalls<Draft> {
  readonly #calls = new Map<string | number, WaitingCall<Draft>[]>();

  /** Notes the calls among the blocks of a message. */
  add(draft: Draft, blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.type !== 'tool_call' || block.status !== 'loading' || !isId(block.tool_call?.id)) continue;
      const { id } = block.tool_call;
      const calls = this.#calls.get(id);
      if (calls) calls.push({ draft, block });
      else this.#calls.set(id, [{ draft, block }]);
    }
  }

  /**
   * Writes a result into the calls with this id. A later result with the same id belongs to a later call.
   *
   * @returns the calls that were answered
   */
  answer(id: unknown, status: BlockOf<'tool_call'>['status'], response: string): readonly WaitingCall<Draft>[] {
    if (!isId(id)) return [];
    const calls = this.#calls.get(id) ?? [];
    this.#calls.delete(id);
    for (const { block } of calls) {
      const { tool_call: call } = block as Partial<BlockOf<'tool_call'>>;
      Object.assign(block, { status, tool_call: { ...call, response } });
    }
    return calls;
  }
}
