/** The tool calls of a Mastra stream: server calls, which come with results, and client calls, which wait for one. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson, keepExactNumbers } from '../core/exact-json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import type { Payload } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export class MastraCalls {
  /** The names of the displayed calls by their ids. */
  readonly #displayed: Map<string, string>;
  /** Calls that wait for a result, except those that the provider executes. */
  readonly #waiting = new Set<string>();

  /** @param reply - the reply that continues; its calls are already rendered */
  constructor(reply: ChatMessage | undefined) {
    this.#displayed = new Map(
      reply?.blocks.flatMap((block) =>
        block.type === 'tool_call' ? [[block.tool_call.id ?? block.id, block.tool_call.name ?? '']] : [],
      ),
    );
  }

  /** Whether a call waits for a result. */
  isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Whether a question is about a tool that a sub-agent wants to use. Mastra sends such a question with the id of the call of the
   * sub-agent, but with the name and the arguments of the sub-agent's tool.
   */
  isNested({ toolCallId, toolName }: Payload): boolean {
    const name = this.#displayed.get(toolCallId ?? '');
    return Boolean(name) && Boolean(toolName) && name !== toolName;
  }

  start({ toolCallId, toolName, title, providerExecuted, args }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    const tool_call = this.#displayed.has(id) ? 'running' : 'start';
    this.#displayed.set(id, toolName ?? '');
    if (!providerExecuted) this.#waiting.add(id);
    return [
      {
        tool_call,
        tool_call_id: id,
        ...(toolName && { tool_call_name: toolName }),
        ...(title && { tool_call_description: title }),
        ...(args && { tool_call_params_complete: exactJson(withoutMastraMetadata(args)) }),
        ...(providerExecuted && { tool_call_remote: true }),
      },
    ];
  }

  end({ toolCallId, result, isError, error }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    this.#waiting.delete(id);
    const failed = isError === true || error !== undefined || isRejection(result);
    const text = failed ? failureText(error ?? result) : asText(result);
    return [{ tool_call: failed ? 'error' : 'end', tool_call_id: id, tool_call_response_complete: text }];
  }

  deny({ toolCallId, approval }: Payload): readonly Data[] {
    const id = toolCallId ?? '';
    this.#waiting.delete(id);
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

/** Whether a tool did not run because its arguments do not match its schema. Mastra sends that as a result. */
const isRejection = (result: unknown): boolean =>
  isRecord(result) && result['error'] === true && isRecord(result['validationErrors']);

/** Some of Mastra's errors have only a name: their message is not part of their JSON. */
function failureText(failure: unknown): string {
  const name = isRecord(failure) ? failure['name'] : undefined;
  return errorMessage(failure) ?? (typeof name === 'string' ? name : asText(failure));
}

/**
 * Returns the arguments without the metadata that Mastra adds. An argument of that name with any other content was written by the
 * model, so it is kept.
 */
export function withoutMastraMetadata(args: NonNullable<Payload['args']>): object {
  const { __mastraMetadata: mastraMetadata, ...rest } = args;
  const isAddedByMastra =
    isRecord(mastraMetadata) &&
    Object.entries(mastraMetadata).every(([name, value]) => name === 'isStreaming' && value === true);
  return isAddedByMastra ? keepExactNumbers(args, rest) : args;
}
