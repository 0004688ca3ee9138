/** How much an answer may be. Past it the reply ends with a `limit` error; what came before is kept. */
import type { Run } from '../conversation/run.ts';
import { ChatError } from '../errors.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { AssistantMessageBlock, BlockType } from '../model/blocks.ts';
import type { Limits } from './limits.ts';

export interface AnswerLimits {
  /** Looks at an event before it is let in. @throws ChatError of kind `limit` */
  event(event: LLMAgentEvent): void;
  /** Looks at the run that has grown. @throws ChatError of kind `limit` */
  run(run: Run): void;
}

export function answerLimits(limits: Limits): AnswerLimits {
  const { nameLength, toolBytes } = limits;
  let toolLength = 0;
  let citations = 0;
  let blocks = 0;
  return {
    event(event) {
      if (event.type !== 'response') return;
      const { data } = event;
      for (const name of namesOf(data))
        if (name !== undefined && name.length > nameLength) stop('of a name', nameLength);
      toolLength += toolText(data);
      if (toolLength > toolBytes) stop('characters of tools', toolBytes);
      if (data.citation && ++citations > limits.citations) stop('citations', limits.citations);
    },
    run({ length, messages }) {
      if (length > limits.messageBytes) stop('characters', limits.messageBytes);
      if (messages.length > limits.messages) stop('messages', limits.messages);
      const count = messages.reduce((sum, message) => sum + message.blocks.length, 0);
      if (count > limits.blocks) stop('blocks', limits.blocks);
      // Counted anew only when there are more of them.
      if (count === blocks) return;
      blocks = count;
      const all = messages.flatMap((message) => message.blocks);
      if (count > limits.toolCalls && ofType(all, 'tool_call') > limits.toolCalls) stop('tool calls', limits.toolCalls);
      if (count > limits.images && ofType(all, 'image') > limits.images) stop('pictures', limits.images);
    },
  };
}

function stop(what: string, limit: number): never {
  throw new ChatError('limit', `The answer has more than ${String(limit)} ${what}, which is what "limits" allows.`, {
    reason: 'answer-too-long',
    values: { limit, what },
  });
}

const ofType = (blocks: readonly AssistantMessageBlock[], type: BlockType): number =>
  blocks.filter((block) => block.type === type).length;

/** What calls things by a name: it is compared, kept as a key and drawn in one line. */
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
