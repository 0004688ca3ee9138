/** The tool calls of a Mastra stream: server calls, which come with results, and client calls, which wait for one. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import type { Payload } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Handler = (payload: Payload) => readonly Data[];

/** @param reply - the reply that continues; its calls are already rendered */
export function makeMastraCalls(reply: ChatMessage | undefined): {
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Whether a call has no result yet. */
  isOpen(): boolean;
} {
  const displayedIds = new Set(
    reply?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : [])),
  );
  const open = new Set<string>();

  const start = ({ toolCallId, toolName, title, providerExecuted, args }: Payload): readonly Data[] => {
    const id = toolCallId ?? '';
    const state = displayedIds.has(id) ? 'running' : 'start';
    displayedIds.add(id);
    if (!providerExecuted) open.add(id);
    return [
      {
        tool_call: state,
        tool_call_id: id,
        ...(toolName && { tool_call_name: toolName }),
        ...(title && { tool_call_description: title }),
        ...(args && { tool_call_params_complete: JSON.stringify(withoutMastraMetadata(args)) }),
        ...(providerExecuted && { tool_call_remote: true }),
      },
    ];
  };
  const answer = ({ toolCallId, result, isError, error }: Payload): readonly Data[] => {
    const id = toolCallId ?? '';
    open.delete(id);
    const failed = isError === true || error !== undefined;
    const text = failed ? (errorMessage(error ?? result) ?? asText(result)) : asText(result);
    return [{ tool_call: failed ? 'error' : 'end', tool_call_id: id, tool_call_response_complete: text }];
  };

  return {
    isOpen: () => open.size > 0,
    handlers: {
      'tool-call': start,
      'tool-call-input-streaming-start': start,
      'tool-call-delta': ({ toolCallId, argsTextDelta }) =>
        argsTextDelta ? [{ tool_call: 'update', tool_call_id: toolCallId ?? '', tool_call_params: argsTextDelta }] : [],
      'tool-result': answer,
      'tool-error': answer,
      'tool-output-denied': ({ toolCallId, approval }) => {
        const id = toolCallId ?? '';
        open.delete(id);
        const reason = approval?.['reason'];
        const message = typeof reason === 'string' && reason ? reason : 'The call was denied.';
        return [
          {
            tool_call: 'error',
            tool_call_id: id,
            tool_call_response_complete: message,
            tool_call_error: { message, code: 'denied' },
          },
        ];
      },
    },
  };
}

/** Returns the arguments without the metadata that Mastra adds. */
export function withoutMastraMetadata(args: NonNullable<Payload['args']>): object {
  const { __mastraMetadata: _notes, ...rest } = args;
  return rest;
}
