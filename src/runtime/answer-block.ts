import type { Run } from '../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { RespondOptions } from './hooks.ts';

/**
 * The run with a waiting block answered; undefined when nothing of that id waits.
 *
 * @param approval - the id of what is allowed for good with it
 */
export function answerBlock(
  run: Run,
  blockId: string,
  decision: Answer['decision'],
  { payload, note, arguments: changed, approval }: RespondOptions & { readonly approval?: string | undefined },
): { readonly run: Run; readonly answer: Answer } | undefined {
  const isIt = (block: AssistantMessageBlock): block is BlockOf<'action'> =>
    block.id === blockId && block.type === 'action' && block.status === 'pending';
  const block = run.messages.flatMap((message) => message.blocks).find(isIt);
  if (!block) return undefined;
  const status = decision === 'denied' || decision === 'dismissed' ? 'denied' : 'granted';
  const answered = decision === 'answered' ? answerText(payload) : '';
  const extra = {
    ...block.extra,
    decided: Date.now(),
    ...(note !== undefined && { note }),
    ...(answered && { answer: answered }),
    ...(changed !== undefined && { edited: true }),
    ...(approval !== undefined && { always: true, approval }),
  };
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

/** Longer answers are not repeated in the transcript. */
const SHOWN_LENGTH = 500;

/** An answer as a line of words: the values of a form one after the other. */
function answerText(payload: unknown): string {
  const values = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(values)
      : value === undefined || value === null
        ? []
        : [typeof value === 'string' ? value : JSON.stringify(value)];
  return values(payload).join(' · ').slice(0, SHOWN_LENGTH);
}
