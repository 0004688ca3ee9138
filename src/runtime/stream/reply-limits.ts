/**
 * Limits on the size of a reply. Beyond them the reply ends with a `limit` error; the content before it stays. `toolBytes` and
 * `citations` count from zero in each stream of the reply.
 */
import type { Run } from '../../conversation/run.ts';
import { ChatError } from '../../errors.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { AssistantMessageBlock, BlockType } from '../../model/blocks.ts';
import type { Limits } from '../limits.ts';

export interface ReplyLimitChecks {
  /** Checks an event before it is applied. @throws ChatError of kind `limit` */
  event(event: LLMAgentEvent): void;
  /** Checks the run after a batch of events was applied, once for the batch. @throws ChatError of kind `limit` */
  run(run: Run): void;
}

export function createReplyLimitChecks(limits: Limits): ReplyLimitChecks {
  const { nameLength, toolBytes } = limits;
  let toolLength = 0;
  let citations = 0;
  let blocks = 0;
  return {
    event(event) {
      if (event.type !== 'response') return;
      const { data } = event;
      for (const name of namesOf(data))
        if (name !== undefined && name.length > nameLength) exceed('of a name', nameLength);
      toolLength += toolText(data);
      if (toolLength > toolBytes) exceed('characters of tools', toolBytes);
      if (data.citation && ++citations > limits.citations) exceed('citations', limits.citations);
    },
    run({ length, messages }) {
      if (length > limits.messageBytes) exceed('characters', limits.messageBytes);
      if (messages.length > limits.messages) exceed('messages', limits.messages);
      const count = messages.reduce((sum, message) => sum + message.blocks.length, 0);
      if (count > limits.blocks) exceed('blocks', limits.blocks);
      // Recount only when blocks were added.
      if (count === blocks) return;
      blocks = count;
      const all = messages.flatMap((message) => message.blocks);
      if (count > limits.toolCalls && ofType(all, 'tool_call') > limits.toolCalls)
        exceed('tool calls', limits.toolCalls);
      if (count > limits.images && ofType(all, 'image') > limits.images) exceed('pictures', limits.images);
    },
  };
}

function exceed(what: string, limit: number): never {
  throw new ChatError('limit', `The answer has more than ${String(limit)} ${what}, see "limits".`, {
    reason: 'answer-too-long',
    values: { limit, what },
  });
}

const ofType = (blocks: readonly AssistantMessageBlock[], type: BlockType): number =>
  blocks.filter((block) => block.type === type).length;

/** Names and ids in an event: they are compared, used as keys and rendered in one line. */
const namesOf = (data: LLMAgentEventData): readonly (string | undefined)[] => [
  data.tool_call_id,
  data.tool_call_name,
  data.tool_call_server_name,
  data.data_id,
  data.stage,
  data.message?.id,
  data.message?.name,
  data.phase?.name,
  data.citation?.id,
  data.request?.id,
  data.permission_request?.toolName,
  data.permission_request?.serverName,
];

function toolText(data: LLMAgentEventData): number {
  if (data.tool_call === undefined) return 0;
  const { tool_call_response: response } = data;
  return (
    (data.tool_call_params?.length ?? 0) +
    (data.tool_call_params_complete?.length ?? 0) +
    (data.tool_call_response_complete?.length ?? 0) +
    (typeof response === 'string' ? response.length : 0)
  );
}
