/** Encodes the replies of a test in the format of a protocol. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';

/** A tool call. Without `result` and `error` it is left to the page, whose own tool runs it. */
export interface ScriptedTool {
  readonly name: string;
  readonly arguments?: object;
  readonly result?: unknown;
  readonly error?: string;
  /** Default: `call-1`, `call-2` and so on. */
  readonly id?: string;
}

/** One step of a reply. A string is text, streamed word by word. */
export type ScriptedStep =
  | string
  | { readonly reasoning: string }
  | { readonly tool: ScriptedTool }
  | { readonly error: string }
  /** The data of an agent event, such as a permission or a chart. Only in `deepchat-events`. */
  | { readonly event: Omit<LLMAgentEventData, 'eventId'> };

/** The agent's reply to one request. */
export type ScriptedReply = string | readonly ScriptedStep[];

/** The protocols that a scripted reply can be encoded in. */
export type ScriptedProtocol = 'deepchat-events' | 'openai-chat' | 'ai-sdk' | 'text';

export interface EncodedReply {
  readonly headers: Readonly<Record<string, string>>;
  /** The chunks that a server would send one by one. */
  readonly chunks: readonly string[];
}

/** Encodes the reply to request number `index`. Its tool calls get unique ids. */
export function encodeReply(reply: ScriptedReply, protocol: ScriptedProtocol, index: number): EncodedReply {
  let calls = 0;
  const steps = (typeof reply === 'string' ? [reply] : reply).map((step) =>
    typeof step === 'object' && 'tool' in step
      ? { tool: { ...step.tool, id: step.tool.id ?? `call-${String(index + 1)}-${String(++calls)}` } }
      : step,
  );
  return writers[protocol](steps, `reply-${String(index + 1)}`);
}

type Named =
  Exclude<ScriptedStep, { readonly tool: ScriptedTool }> | { readonly tool: ScriptedTool & { readonly id: string } };
type Writer = (steps: readonly Named[], id: string) => EncodedReply;

const words = (text: string): readonly string[] => text.split(/(?<=\s)(?=\S)/);
const isOpen = ({ result, error }: ScriptedTool): boolean => result === undefined && error === undefined;
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const SSE = { 'content-type': 'text/event-stream' };
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** @throws TypeError because the protocol has no form for this step */
function unsupported(protocol: ScriptedProtocol, what: string): never {
  throw new TypeError(`A reply in "${protocol}" can't have ${what}.`);
}

const writers: Readonly<Record<ScriptedProtocol, Writer>> = {
  'deepchat-events': (steps, eventId) => {
    const event = (more: Omit<LLMAgentEventData, 'eventId'>): object => ({
      type: 'response',
      data: { eventId, ...more },
    });
    const events = steps.flatMap((step): readonly object[] => {
      if (typeof step === 'string') return words(step).map((content) => event({ content }));
      if ('reasoning' in step) return words(step.reasoning).map((reasoning_content) => event({ reasoning_content }));
      if ('event' in step) return [event(step.event)];
      if ('error' in step) return [{ type: 'error', data: { eventId, error: step.error } }];
      const { id, name, result, error, arguments: given = {} } = step.tool;
      const tool = { tool_call_id: id, tool_call_name: name } as const;
      const start = event({ ...tool, tool_call: 'start', tool_call_params: JSON.stringify(given) });
      if (isOpen(step.tool)) return [start];
      return [
        start,
        event({
          ...tool,
          ...(error === undefined
            ? { tool_call: 'end', tool_call_response: asText(result) }
            : { tool_call: 'error', tool_call_response: error }),
        }),
      ];
    });
    const isWaiting = steps.some((step) => typeof step === 'object' && 'tool' in step && isOpen(step.tool));
    // An end event would close the calls that wait for the page.
    const end = isWaiting ? event({ finish: 'tool_use' }) : { type: 'end', data: { eventId, userStop: false } };
    return {
      headers: { 'content-type': 'application/x-ndjson' },
      chunks: [...events, end].map((event) => `${JSON.stringify(event)}\n`),
    };
  },

  'openai-chat': (steps, id) => {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      data({ id, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
    let calls = 0;
    const pieces = steps.flatMap((step): readonly string[] => {
      if (typeof step === 'string') return words(step).map((content) => chunk({ content }));
      if ('reasoning' in step) return words(step.reasoning).map((reasoning_content) => chunk({ reasoning_content }));
      if ('error' in step) return [data({ error: { message: step.error } })];
      if ('event' in step) return unsupported('openai-chat', 'an agent event');
      if (!isOpen(step.tool)) return unsupported('openai-chat', 'the result of a tool');
      const call = { name: step.tool.name, arguments: JSON.stringify(step.tool.arguments ?? {}) };
      return [chunk({ tool_calls: [{ index: calls++, id: step.tool.id, type: 'function', function: call }] })];
    });
    const isFailed = steps.some((step) => typeof step === 'object' && 'error' in step);
    const end = isFailed ? [] : [chunk({}, calls > 0 ? 'tool_calls' : 'stop')];
    return { headers: SSE, chunks: [...pieces, ...end, 'data: [DONE]\n\n'] };
  },

  'ai-sdk': (steps, messageId) => {
    const parts = steps.flatMap((step, index): readonly object[] => {
      const id = `part-${String(index)}`;
      const grow = (type: string, text: string): readonly object[] => [
        { type: `${type}-start`, id },
        ...words(text).map((delta) => ({ type: `${type}-delta`, id, delta })),
        { type: `${type}-end`, id },
      ];
      if (typeof step === 'string') return grow('text', step);
      if ('reasoning' in step) return grow('reasoning', step.reasoning);
      if ('error' in step) return [{ type: 'error', errorText: step.error }];
      if ('event' in step) return unsupported('ai-sdk', 'an agent event');
      const { id: toolCallId, name: toolName, arguments: input = {}, result, error } = step.tool;
      const start = { type: 'tool-input-available', toolCallId, toolName, input };
      if (isOpen(step.tool)) return [start];
      return [
        start,
        error === undefined
          ? { type: 'tool-output-available', toolCallId, output: result }
          : { type: 'tool-output-error', toolCallId, errorText: error },
      ];
    });
    return {
      headers: { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' },
      chunks: [...[{ type: 'start', messageId }, ...parts, { type: 'finish' }].map(data), 'data: [DONE]\n\n'],
    };
  },

  text: (steps) => ({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    chunks: steps.flatMap((step) =>
      typeof step === 'string' ? words(step) : unsupported('text', 'anything but text'),
    ),
  }),
};
