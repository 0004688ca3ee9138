/**
 * Message fields over SSE (`message-field`). Source: the "agent conversation UI data structures" document; its page is
 * `seed-message-field.md`.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { BlockOf, Suggestion } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { z } from '../model/schema.ts';
import { detectMessageField } from './detect/own.ts';
import { changeAt, parsePath } from './shared/field-path.ts';
import { sentHistory } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { fit, readJsonFrames } from './shared/read-frames.ts';
import { snapshotEvents, type Part } from './shared/snapshot.ts';
import type { Frame } from '../transport/frame.ts';
import type { ToolSpec } from '../model/agent.ts';
import type { Adapter, DecodeContext } from './adapter.ts';

const optional = z.exactOptional;
const nullish = z.nullish(z.string());
const id = { message_id: z.string() };
const wire = z.discriminatedUnion('type', [
  z.object({ ...id, type: z.literal('message_start'), role: z.string(), tool_call_id: nullish, project_id: nullish }),
  z.object({ ...id, type: z.literal('message_field'), field_name: z.string(), field_value: z.unknown() }),
  z.object({ ...id, type: z.literal('message_field_delta'), field_name: z.string(), delta: z.string() }),
  z.object({ ...id, type: z.literal('message_result'), message: z.record(z.string(), z.unknown()) }),
]);
type Wire = z.infer<typeof wire>;

/** What we read of a message; the rest is kept and sent back as it came. */
const knownMessage = z.object({
  role: z.catch(z.string(), 'assistant'),
  content: z.catch(z.string(), ''),
  thinking: z.catch(z.boolean(), false),
  tool_call_id: z.catch(nullish, undefined),
  tool_calls: z.catch(
    z.array(
      z.nullable(
        z.object({
          id: z.catch(z.string(), ''),
          function: z.object({ name: z.catch(z.string(), ''), arguments: z.catch(z.string(), '') }),
        }),
      ),
    ),
    [],
  ),
  thinking_blocks: optional(z.unknown()),
  recommend_actions: optional(z.unknown()),
});

/** The fields of a Message that we write ourselves. A server may need the others again. */
const OWN_FIELDS = new Set(['id', 'role', 'content', 'thinking', 'tool_call_id', 'project_id']);
/** Section 3: the tool whose arguments are a thought. */
const THINK_TOOL = 'think';

type WireMessage = Record<string, unknown>;

/** Fields of the wire in an object where no name means anything else. */
const withoutPrototype = (fields: WireMessage): WireMessage =>
  Object.assign(Object.create(null) as WireMessage, fields);

export const messageField: Adapter = {
  id: 'message-field',
  label: 'Message fields',
  kind: 'agent',
  detect: detectMessageField,

  request(turn, { url, headers = {}, model, tools = [] }) {
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          models: model === undefined ? [] : [model],
          type: 'agent',
          project_id: projectOf(turn.messages) ?? turn.threadId,
          run_with_another_model: false,
          request_web_knowledge: false,
          speed_mode: false,
          use_webpage_capture_screen: false,
          use_browser_use: false,
          use_python_workspace: false,
          use_browser_use_test_mode: false,
          use_terminal_use: false,
          dataframe_enhanced: false,
          enable_jupyter: false,
          custom_tools: tools.map(toOpenAiTool),
          writingContent: null,
          messages: sentHistory(turn).flatMap(toWireMessages),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** One message of the wire as it has grown so far, and what has been told of it. */
interface Growing {
  readonly message: WireMessage;
  parts: readonly Part[];
  /** It came whole, as a `message_result`. */
  readonly whole: boolean;
}

interface Reply {
  take(event: Wire, frame: Frame): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId, report }: DecodeContext): Reply {
  const growing = new Map<string, Growing>();
  /** The calls of the tool `think`, whose results are nothing to show. */
  const thoughts = new Set<string>();
  const answered = new Set<string>();
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });

  /** Everything that the last change makes to tell. */
  const tell = (messageId: string, entry: Growing): readonly LLMAgentEvent[] => {
    const known = knownMessage.parse(entry.message);
    for (const call of known.tool_calls) if (call?.function.name === THINK_TOOL) thoughts.add(call.id);
    if (known.role === 'tool') return tellResult(known.content, known.tool_call_id, entry);
    if (known.role !== 'assistant') return [];
    const parts = partsOf(known);
    const events = snapshotEvents({ id: messageId }, entry.parts, parts).map(response);
    entry.parts = parts;
    return entry.whole ? [...events, tellWhole(messageId, entry.message, known.recommend_actions)] : events;
  };
  const tellResult = (content: string, callId: string | null | undefined, entry: Growing): readonly LLMAgentEvent[] => {
    if (!callId || thoughts.has(callId)) return [];
    if (entry.whole) {
      answered.add(callId);
      return [response({ tool_call: 'end', tool_call_id: callId, tool_call_response: content })];
    }
    const [told] = entry.parts;
    const known = told?.kind === 'text' && content.startsWith(told.text) ? told.text.length : 0;
    entry.parts = [{ kind: 'text', text: content }];
    const more = content.slice(known);
    return more ? [response({ tool_call: 'running', tool_call_id: callId, tool_call_response: more })] : [];
  };
  const tellWhole = (messageId: string, message: WireMessage, actions: unknown): LLMAgentEvent => {
    const opaque = Object.fromEntries(Object.entries(message).filter(([name]) => !OWN_FIELDS.has(name)));
    const suggestions = toSuggestions(actions);
    return response({
      message: { id: messageId },
      metadata: {
        wireMessage: { ...opaque, ...(message['thinking'] === true && { thinking: true }) },
        ...factsOf(message),
      },
      ...(suggestions.length > 0 && { suggestions }),
    });
  };

  /** Words at the end of what is shown need no look at the whole message, which would cost the square of its length. */
  const tellWords = (messageId: string, entry: Growing, field: string, delta: string): LLMAgentEvent | undefined => {
    const last = entry.parts.at(-1);
    const kind = field === 'content' ? (entry.message['thinking'] === true ? 'reasoning' : 'text') : undefined;
    if (entry.message['role'] !== 'assistant' || last?.kind !== kind || kind === undefined) return undefined;
    entry.parts = entry.parts.with(-1, { kind, text: (last as { text: string }).text + delta });
    return response({
      message: { id: messageId },
      ...(kind === 'text' ? { content: delta } : { reasoning_content: delta }),
    });
  };
  const change = (event: Extract<Wire, { field_name: string }>, frame: Frame): readonly LLMAgentEvent[] => {
    const entry = growing.get(event.message_id);
    if (!entry) return []; // section 3: a field of a message that never started is dropped
    const steps = parsePath(event.field_name);
    const refused =
      typeof steps === 'string'
        ? steps
        : changeAt(entry.message, steps, (before) =>
            event.type === 'message_field'
              ? event.field_value
              : (typeof before === 'string' ? before : '') + event.delta,
          );
    if (refused !== undefined) {
      report({ kind: 'refused', detail: refused, frame });
      return [];
    }
    const words =
      event.type === 'message_field_delta'
        ? tellWords(event.message_id, entry, event.field_name, event.delta)
        : undefined;
    return words ? [words] : tell(event.message_id, entry);
  };
  /** One that starts again is told anew, so that nothing is said twice. */
  const start = ({ message_id, role, tool_call_id, project_id }: Extract<Wire, { type: 'message_start' }>): Growing => {
    const message = withoutPrototype({ id: message_id, role, content: '' });
    if (tool_call_id) message['tool_call_id'] = tool_call_id;
    if (project_id) message['project_id'] = project_id;
    return { message, parts: growing.get(message_id)?.parts ?? [], whole: false };
  };
  const replace = (event: Extract<Wire, { type: 'message_result' }>): Growing => {
    const before = growing.get(event.message_id);
    const message = withoutPrototype(event.message);
    message['project_id'] ??= before?.message['project_id'];
    return { message, parts: before?.parts ?? [], whole: true };
  };

  return {
    take(event, frame) {
      if ('field_name' in event) return change(event, frame);
      const entry = event.type === 'message_start' ? start(event) : replace(event);
      growing.set(event.message_id, entry);
      const events = tell(event.message_id, entry);
      const speaks = entry.message['role'] === 'assistant' && event.type === 'message_start';
      return speaks
        ? [response({ message: { id: event.message_id }, metadata: factsOf(entry.message) }), ...events]
        : events;
    },
    end() {
      const entries = [...growing.values()].filter(({ message }) => message['role'] !== 'user');
      if (entries.length === 0 || !entries.every((entry) => entry.whole)) return [];
      const open = entries.some(({ parts }) => parts.some((part) => part.kind === 'tool' && !answered.has(part.id)));
      if (open) return [response({ finish: 'tool_use' })];
      return [response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }];
    },
  };
}

/** The project is the only thread there is: the next turn needs it, also when this message is cut. */
const factsOf = (message: WireMessage): Readonly<Record<string, unknown>> =>
  message['project_id'] === undefined ? {} : { projectId: message['project_id'] };

function partsOf(message: z.infer<typeof knownMessage>): readonly Part[] {
  const parts: Part[] = [];
  const reasoning = thinkingText(message.thinking_blocks);
  if (reasoning) parts.push({ kind: 'reasoning', text: reasoning });
  if (message.content) parts.push({ kind: message.thinking ? 'reasoning' : 'text', text: message.content });
  for (const call of message.tool_calls) {
    if (!call?.function.name) continue;
    const { name, arguments: params } = call.function;
    if (name === THINK_TOOL) parts.push({ kind: 'reasoning', text: thoughtOf(params) });
    else parts.push({ kind: 'tool', id: call.id, name, params });
  }
  return parts;
}

/** Section 5: a string, or a list of strings or of `{thinking | text | content}`. */
function thinkingText(blocks: unknown): string {
  if (typeof blocks === 'string') return blocks;
  if (!Array.isArray(blocks)) return '';
  return (blocks as unknown[])
    .map((block) => {
      const text = isRecord(block) ? (block['thinking'] ?? block['text'] ?? block['content']) : block;
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** The one string argument of a `think` call, as far as it has come. */
function thoughtOf(params: string): string {
  const [, raw] = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(params) ?? [];
  if (raw === undefined) return '';
  try {
    return JSON.parse(`"${raw.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`) as string;
  } catch {
    return raw;
  }
}

function toSuggestions(actions: unknown): readonly Suggestion[] {
  if (!Array.isArray(actions)) return [];
  return (actions as unknown[]).flatMap((action) => {
    if (typeof action === 'string') return [{ label: action, prompt: action }];
    if (!isRecord(action)) return [];
    const label = action['label'] ?? action['title'];
    const prompt = action['text'] ?? label;
    return typeof label === 'string' && typeof prompt === 'string' ? [{ label, prompt }] : [];
  });
}

const projectOf = (messages: readonly ChatMessage[]): unknown =>
  messages.findLast((message) => message.metadata?.['projectId'])?.metadata?.['projectId'];

/** One message of ours as the wire has it: with what the server gave along, its calls, and their results behind it. */
function toWireMessages(message: ChatMessage): readonly WireMessage[] {
  const kept = message.metadata?.['wireMessage'];
  const opaque = isRecord(kept) ? kept : {};
  const thinking = opaque['thinking'] === true;
  const blocks = message.blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
  const given = wireCalls.safeParse(opaque['tool_calls']);
  const calls = given.success ? given.data : blocks.map(toWireCall);
  const own: WireMessage = {
    ...opaque,
    id: message.metadata?.['messageId'] ?? message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
    content: thinking ? thoughtsOf(message) : textOf(message),
    thinking,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const results = calls.flatMap((call): readonly WireMessage[] => {
    const shown = blocks.find(({ tool_call }) => tool_call.id === call.id);
    // A call of the tool `think` is shown as a thought, and has nothing to answer.
    const content = call.function.name === THINK_TOOL ? '' : shown?.tool_call.response;
    if (content === undefined) return [];
    return [{ id: shown?.id ?? `${call.id}.result`, role: 'tool', content, thinking: false, tool_call_id: call.id }];
  });
  return [own, ...results];
}

const wireCalls = z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) }));

const toWireCall = ({ id, tool_call }: BlockOf<'tool_call'>) => ({
  id: tool_call.id ?? id,
  type: 'function',
  function: { name: tool_call.name ?? '', arguments: tool_call.params ?? '' },
});

const thoughtsOf = (message: ChatMessage): string =>
  message.blocks.map((block) => (block.type === 'reasoning_content' ? block.content : '')).join('');

const toOpenAiTool = (tool: ToolSpec): object => ({ type: 'function', function: tool });
