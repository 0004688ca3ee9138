import type { Run } from '../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { RespondOptions } from './hooks.ts';

/** The run with a waiting block answered; undefined when nothing of that id waits. */
export function answerBlock(
  run: Run,
  blockId: string,
  decision: Answer['decision'],
  { payload, note, arguments: changed }: RespondOptions,
): { readonly run: Run; readonly answer: Answer } | undefined {
  const isIt = (block: AssistantMessageBlock): block is BlockOf<'action'> =>
    block.id === blockId && block.type === 'action' && block.status === 'pending';
  const block = run.messages.flatMap((message) => message.blocks).find(isIt);
  if (!block) return undefined;
  const status = decision === 'denied' || decision === 'dismissed' ? 'denied' : 'granted';
  const extra = { ...block.extra, decided: Date.now(), ...(note !== undefined && { note }) };
  const messages = run.messages.map((message) =>
    message.blocks.includes(block)
      ? {
          ...message,
          blocks: message.blocks.map((other) => (other === block ? ({ ...block, status, extra } as const) : other)),
        }
      : message,
  );
  return {
    run: { ...run, messages },
    answer: {
      decision,
      blockId,
      actionType: block.action_type,
      ...(block.tool_call?.id !== undefined && { toolCallId: block.tool_call.id }),
      ...(payload !== undefined && { payload }),
      ...(note !== undefined && { note }),
      ...(changed !== undefined && { arguments: changed }),
      ...(block.extra && { extra: block.extra }),
    },
  };
}
