/** Images, recordings and files of a message: the agent's own, and those in the result of a tool. */
import type { LLMAgentEventData } from '../model/events/agent-events.ts';
import type { Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { isSameId } from '../model/same-id.ts';
import { appendBlock, findLastBlock, upsertBlock, type BlockDraft, type ReduceContext } from './block-list.ts';
import { mediaOfResult } from './mcp-contents.ts';

export const image = (message: ChatMessage, { image_data }: LLMAgentEventData, context: ReduceContext): ChatMessage =>
  image_data ? appendBlock(message, mediaBlock({ kind: 'image', ...image_data }, context), context) : message;

export const media = (
  message: ChatMessage,
  { media: item, data_id: id }: LLMAgentEventData,
  context: ReduceContext,
): ChatMessage => (item ? upsertBlock(message, id, mediaBlock(item, context), context) : message);

/** Media that the policy refuses stay as a block with the reason, but without their bytes. */
function mediaBlock(item: Media, { refuseMedia }: ReduceContext): BlockDraft {
  const { kind, url, data, mimeType, name, size } = item;
  const reason = refuseMedia?.(item);
  const fileFields = { ...(name !== undefined && { name }), ...(size !== undefined && { size }) };
  if (reason !== undefined) {
    return {
      type: kind,
      status: 'error',
      ...fileFields,
      extra: { reason, ...(mimeType && { mimeType }), ...(url && { url }) },
    };
  }
  if (kind === 'image') {
    const inline = data === undefined ? {} : { image_data: { data, mimeType: mimeType ?? '' } };
    return { type: 'image', status: 'success', ...inline, ...(url !== undefined && { url }), ...fileFields };
  }
  return {
    type: kind,
    status: 'success',
    ...fileFields,
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** The images and recordings of a tool's result, after its call. A repeated result replaces them. */
export const mediaOfTool = (
  message: ChatMessage,
  { tool_call_id: callId, tool_call_response, tool_call_response_raw }: LLMAgentEventData,
  context: ReduceContext,
): ChatMessage => {
  const items = [tool_call_response_raw, tool_call_response].map(mediaOfResult).find(({ length }) => length > 0);
  // Nearly every event has none, and then the call is not searched.
  if (!items) return message;
  const call = findLastBlock(message, 'tool_call', ({ tool_call }) => isSameId(tool_call.id, callId))?.block;
  return items.reduce(
    (next, item, index) => upsertBlock(next, call && `${call.id} ${String(index)}`, mediaBlock(item, context), context),
    message,
  );
};
