import type { Run } from '../../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { RespondOptions } from '../chat-hooks.ts';

/**
 * Answers a pending block of the run. Returns undefined if no block with this id is pending.
 *
 * @param approval - id of the permanent approval given with the answer
 */
export function answerBlock(
  run: Run,
  blockId: string,
  decision: Answer['decision'],
  { payload, note, arguments: changed, approval }: RespondOptions & { readonly approval?: string | undefined },
): { readonly run: Run; readonly answer: Answer } | undefined {
  const isPendingBlock = (block: AssistantMessageBlock): block is BlockOf<'action'> =>
    block.id === blockId && block.type === 'action' && block.status === 'pending';
  const block = run.messages.flatMap((message) => message.blocks).find(isPendingBlock);
  // Without a field for other arguments the agent would run the original ones, so that the question stays open.
  if (!block || (changed !== undefined && !mayChange(block, changed))) return undefined;
  const status = decision === 'denied' || decision === 'dismissed' ? 'denied' : 'granted';
  const text = decision === 'answered' ? answerText(payload) : '';
  const extra = {
    ...block.extra,
    decided: Date.now(),
    // The fields before the answer, to which `reopenUnsent()` returns.
    unsent: [block.extra ?? {}],
    ...(note !== undefined && { note }),
    ...(text && { answer: text }),
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
      ...(block.callBlockId !== undefined && { callBlockId: block.callBlockId }),
      ...(payload !== undefined && { payload }),
      ...(note !== undefined && { note }),
      ...(changed !== undefined && { arguments: changed }),
      ...(block.extra && { extra: block.extra }),
    },
  };
}

/** Whether a call takes these arguments. An object can only be replaced by another one, given as such or as JSON. */
function mayChange({ extra, tool_call }: BlockOf<'action'>, changed: unknown): boolean {
  if (extra?.['editable'] !== true) return false;
  const isObject = (value: unknown): boolean => isRecord(typeof value === 'string' ? parseJson(value) : value);
  return isObject(changed) || !isObject(tool_call?.params?.trim() || '{}');
}

/** Maximum length of an answer in the transcript (UTF-16 code units). */
const MAX_LENGTH = 500;

/** The text of an answer. The values of a form are joined into one line. */
function answerText(payload: unknown): string {
  const values = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(values)
      : value === undefined || value === null
        ? []
        : [typeof value === 'string' ? value : JSON.stringify(value)];
  return values(payload).join(' · ').slice(0, MAX_LENGTH);
}
