/** The tool calls of a Mastra stream: server calls, which come with results, and client calls, which wait for one. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import type { Payload } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export class MastraCalls {
  readonly #displayed: Set<string>;
  /** Calls without a result. */
  readonly #open = new Set<string>();

  /** @param reply - the reply that continues; its calls are already rendered */
  constructor(reply: ChatMessage | undefined) {
    this.#displayed = new Set(
      reply?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : [])),
    );
  }

  /** Whether a call has no result yet. */
  isOpen(): boolean {
    return this.#open.size > 0;
  }

  start({ toolCallId, toolName, title, providerExecuted, args }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    const tool_call = this.#displayed.has(id) ? 'running' : 'start';
    this.#displayed.add(id);
    if (!providerExecuted) this.#open.add(id);
    return [
      {
        tool_call,
        tool_call_id: id,
        ...(toolName && { tool_call_name: toolName }),
        ...(title && { tool_call_description: title }),
        ...(args && { tool_call_params_complete: JSON.stringify(withoutMastraMetadata(args)) }),
        ...(providerExecuted && { tool_call_remote: true }),
      },
    ];
  }

  end({ toolCallId, result, isError, error }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    this.#open.delete(id);
    const failed = isError === true || error !== undefined;
    const text = failed ? (errorMessage(error ?? result) ?? asText(result)) : asText(result);
    return [{ tool_call: failed ? 'error' : 'end', tool_call_id: id, tool_call_response_complete: text }];
  }

  deny({ toolCallId, approval }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    this.#open.delete(id);
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
  }
}

/** Returns the arguments without the metadata that Mastra adds. */
export function withoutMastraMetadata(args: NonNullable<Payload['args']>): object {
  const { __mastraMetadata: _notes, ...rest } = args;
  return rest;
}
