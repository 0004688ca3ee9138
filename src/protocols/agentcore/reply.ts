/**
 * Converts the stream of a Strands agent to events. Source: strands-agents/sdk-python `strands/types/_events.py`; Amazon
 * Bedrock API reference, "ConverseStream".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import {
  parseConverse,
  EXCEPTIONS,
  parseStrandsMessage,
  strandsEventSchema,
  type Converse,
  type ToolResult,
  type StrandsEvent,
  type StrandsMessage,
} from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export function makeAgentCoreDecoder({ eventId, report, newId }: Pick<DecodeContext, 'eventId' | 'report' | 'newId'>) {
  /**
   * Whether the model's raw events arrive too. Strands derives other events from them, which would duplicate their
   * content.
   */
  let hasRawEvents = false;
  /** Text of the current message; its end event repeats it. */
  let messageText = '';
  /** Whether a message has begun and not stopped. */
  let isOpen = false;
  let failed = false;
  let stopReason = '';
  const tokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  /** The id of the call that a content block belongs to, by block index. */
  const blocks = new Map<number, string>();
  const calls = new Set<string>();
  const answeredIds = new Set<string>();

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const emitText = (text: string | null | undefined): readonly Data[] => {
    if (!text) return [];
    messageText += text;
    return [{ content: text }];
  };
  const startCall = (id: string, name: string | null | undefined): readonly Data[] => {
    if (calls.has(id)) return [];
    calls.add(id);
    return [{ tool_call: 'start', tool_call_id: id, tool_call_name: name ?? '', tool_call_remote: true }];
  };
  const addArguments = (id: string | undefined, chunk: string | null | undefined): readonly Data[] =>
    id !== undefined && chunk ? [{ tool_call: 'update', tool_call_id: id, tool_call_params: chunk }] : [];
  const answer = (result: ToolResult): readonly Data[] => {
    const { toolUseId: id, status, content } = result;
    if (answeredIds.has(id)) return [];
    answeredIds.add(id);
    const response_ = textOfResult(content ?? []);
    return [
      {
        tool_call: status === 'error' ? 'error' : 'end',
        tool_call_id: id,
        tool_call_response_complete: response_,
      },
    ];
  };
  const fail = (error: string, code?: string): readonly LLMAgentEvent[] => {
    if (failed) return [];
    failed = true;
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, response({ finish: 'error' })];
  };

  /** Converts a raw event of the model. */
  const takeConverse = (event: Converse): readonly LLMAgentEvent[] => {
    const { messageStart, contentBlockStart, contentBlockDelta, messageStop, metadata, redactContent } = event;
    for (const name of EXCEPTIONS) {
      const { [name]: problem } = event;
      if (problem) return fail(problem.message || 'The model reports an error.', name);
    }
    const entries: Data[] = [];
    if (messageStart) {
      isOpen = true;
      messageText = '';
      blocks.clear();
    }
    if (contentBlockStart?.start?.toolUse) {
      const { toolUseId, name } = contentBlockStart.start.toolUse;
      blocks.set(contentBlockStart.contentBlockIndex ?? 0, toolUseId);
      entries.push(...startCall(toolUseId, name));
    }
    if (contentBlockDelta) {
      const { delta, contentBlockIndex } = contentBlockDelta;
      entries.push(...emitText(delta?.text), ...reasoningEvents(delta?.reasoningContent?.text));
      entries.push(...addArguments(blocks.get(contentBlockIndex ?? 0), delta?.toolUse?.input));
    }
    if (messageStop) {
      isOpen = false;
      stopReason = messageStop.stopReason ?? '';
    }
    if (metadata?.usage) {
      const { inputTokens, outputTokens, totalTokens } = metadata.usage;
      const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
      // Each request to the model reports its own usage.
      tokens.prompt_tokens += input;
      tokens.completion_tokens += output;
      tokens.total_tokens += totalTokens ?? input + output;
      entries.push({ totalUsage: { ...tokens } });
    }
    // A guardrail of the model replaces the text so far.
    if (redactContent?.redactAssistantContentMessage) {
      const id = newId();
      messageText = '';
      entries.push({ metadata: { messageId: id } }, { message: { id, replace: true } });
      entries.push(...emitText(redactContent.redactAssistantContentMessage));
    }
    return entries.map(response);
  };
  /** Handles a complete message, whose text has usually been streamed before. */
  const takeMessage = ({ role, content }: StrandsMessage): readonly LLMAgentEvent[] => {
    const parts = content ?? [];
    const text = parts.map((part) => part.text ?? '').join('');
    const unsent = role === 'user' || !text.startsWith(messageText) ? '' : text.slice(messageText.length);
    const items = [
      ...emitText(unsent),
      ...parts.flatMap(({ toolUse }) =>
        toolUse
          ? [
              ...startCall(toolUse.toolUseId, toolUse.name),
              {
                tool_call: 'running' as const,
                tool_call_id: toolUse.toolUseId,
                tool_call_params_complete: asText(toolUse.input),
              },
            ]
          : [],
      ),
      ...parts.flatMap(({ toolResult }) => (toolResult ? answer(toolResult) : [])),
    ];
    messageText = '';
    isOpen = false;
    return items.map(response);
  };
  const takeResult = (result: unknown): readonly LLMAgentEvent[] => {
    isOpen = false;
    if (isRecord(result) && typeof result['stop_reason'] === 'string') stopReason = result['stop_reason'];
    const message = isRecord(result) ? parseStrandsMessage(result['message'] ?? result) : undefined;
    // Emitted only if nothing was streamed; otherwise it repeats the last message.
    if (hasContent) return [];
    if (message?.content) return takeMessage(message);
    return typeof result === 'string' ? emitText(result).map(response) : [];
  };
  let hasContent = false;
  const trackContent = (events: readonly LLMAgentEvent[]): readonly LLMAgentEvent[] => {
    hasContent ||= events.some(({ type, data }) => type === 'response' && 'content' in data);
    return events;
  };

  const convert = (event: StrandsEvent, frame: Frame): readonly LLMAgentEvent[] => {
    if (event.multi_agent_node_stream) {
      const inner = strandsEventSchema.safeParse(event.event);
      return inner.success ? convert(inner.data, frame) : [];
    }
    if (event.multi_agent_node_start) {
      const name = event.node_id ?? '';
      return name ? [response({ phase: { name, message: name } })] : [];
    }
    if (event.event || hasConverse(event)) {
      hasRawEvents = true;
      return takeConverse(event.event ? parseConverse(event.event) : event);
    }
    if (event.force_stop) return fail(event.force_stop_reason || 'The agent was stopped.');
    if (event.error !== undefined && event.error !== null) {
      const cause = typeof event.message === 'string' && typeof event.error !== 'string' ? event.message : event.error;
      return fail(errorMessage(cause) ?? 'The agent reports an error.');
    }
    if (event.tool_stream_event) return progressEvents(event.tool_stream_event).map(response);
    if (event.message && typeof event.message !== 'string') return takeMessage(event.message);
    if (event.output?.message) return takeMessage(event.output.message);
    if (event.current_tool_use) {
      if (hasRawEvents) return [];
      const { toolUseId, name } = event.current_tool_use;
      return [...startCall(toolUseId, name), ...addArguments(toolUseId, event.delta?.toolUse?.input)].map(response);
    }
    if (typeof event.reasoningText === 'string')
      return hasRawEvents ? [] : reasoningEvents(event.reasoningText).map(response);
    if (typeof event.data === 'string') return hasRawEvents ? [] : emitText(event.data).map(response);
    if (event.result !== undefined && event.result !== null) return takeResult(event.result);
    if (!Object.keys(event).some((name) => IGNORED.has(name))) {
      report({ kind: 'unknown', detail: 'Unknown kind of event.', frame });
    }
    return [];
  };

  return {
    take: (event: StrandsEvent, frame: Frame): readonly LLMAgentEvent[] =>
      failed ? [] : trackContent(convert(event, frame)),
    /**
     * Handles a plain string from a handler. A value that Python could not serialize as JSON arrives in Python's
     * notation and is skipped.
     */
    takeText: (text: string): readonly LLMAgentEvent[] =>
      failed || hasRawEvents || text.startsWith("{'") ? [] : trackContent(emitText(text).map(response)),
    end(): readonly LLMAgentEvent[] {
      if (failed || isOpen) return [];
      const end = replyEnd(stopReason) ?? 'complete';
      // The agent runs its tools itself.
      return [response(endData(end === 'tool_use' ? 'complete' : end))];
    },
  };
}

const reasoningEvents = (text: string | null | undefined): readonly Data[] =>
  text ? [{ reasoning_content: text }] : [];

const CONVERSE = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'redactContent',
  ...EXCEPTIONS,
];
const hasConverse = (event: StrandsEvent): boolean =>
  CONVERSE.some((name) => isRecord(event[name])) || isRecord(event.metadata?.usage);

/** Events without visible content. */
const IGNORED = new Set([
  'init_event_loop',
  'start',
  'start_event_loop',
  'reasoning',
  'callback',
  'complete',
  'event_loop_throttled_delay',
  'multi_agent_node_complete',
  'multi_agent_handoff',
  'multiagent_result',
]);

/** Progress of a tool. An agent that is called as a tool forwards its own events. */
function progressEvents({ tool_use: use, data }: NonNullable<StrandsEvent['tool_stream_event']>): readonly Data[] {
  if (!use) return [];
  const progress = isRecord(data) ? data['data'] : data;
  if (typeof progress !== 'string' || progress === '') return [];
  const id = use.toolUseId;
  return isRecord(data)
    ? [{ parent: { tool_call_id: id, ...(use.name && { name: use.name }) }, content: progress }]
    : [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message: progress } }];
}

/** Joins the parts of a result: text as it is, anything else as JSON. */
const textOfResult = (content: readonly unknown[]): string =>
  content
    .map((part) => (isRecord(part) ? asText(part['text'] ?? part['json'] ?? part) : asText(part)))
    .filter(Boolean)
    .join('\n');
