/** Builds the request of a turn: the history in the protocol's form, with the fields that the server has sent. */
import type { ToolSpec } from '../../model/agent.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { textOf } from '../../model/message-text.ts';
import type { ChatMessage } from '../../model/message.ts';
import { z } from '../../model/schema.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { ranArguments } from '../shared/edited-arguments.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { QUESTION_KEY, resultKey, THINK_TOOL, type WireMessage } from './reply-schema.ts';

/** Builds the request: the complete history, and every option of the server with its default. */
export function messageFieldRequest(turn: Turn, { url, headers = {}, model, tools = [] }: RequestOptions): WireRequest {
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        models: model === undefined ? [] : [model],
        type: 'agent',
        project_id: projectOf(turn) ?? turn.threadId,
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
        messages: sentMessages(turn),
      },
    },
  };
}

/** The project of the conversation. If the first reply is being replaced, also after an edit, the old reply has it. */
const projectOf = ({ messages, fork }: Turn): unknown =>
  [...(fork?.reply ? [fork.reply] : []), ...messages].findLast(({ metadata }) => metadata?.['projectId'])?.metadata?.[
    'projectId'
  ];

function sentMessages(turn: Turn): readonly WireMessage[] {
  const history = sentHistory(turn);
  // The server may still run the calls of an unfinished reply.
  const start = history.findLastIndex(({ role }) => role === 'user');
  return history.flatMap((message, index) => {
    const sent = toWireMessages(message, index > start);
    if (message.role !== 'user') return sent;
    // The server's fields of a user message are stored in its first reply, which is in `fork` while it is regenerated.
    const reply = history[index + 1] ?? (turn.fork?.by === 'regenerate' ? turn.fork.reply : undefined);
    const question = reply?.metadata?.[QUESTION_KEY];
    return isRecord(question) ? sent.map((own) => ({ ...own, ...question })) : sent;
  });
}

/**
 * Converts a message to the protocol's form: with the server's stored fields, its calls, and their results after it.
 * Omits calls without a result, such as stopped ones, because models reject them in every later turn.
 */
function toWireMessages(message: ChatMessage, isRunning: boolean): readonly WireMessage[] {
  const stored = message.metadata?.['wireMessage'];
  const { tool_calls, ...opaque } = isRecord(stored) ? stored : {};
  // An imported thought has no stored fields.
  const isThought =
    !isRecord(stored) && message.status === 'complete' && textOf(message) === '' && reasoningOf(message) !== '';
  const thinking = opaque['thinking'] === true || isThought;
  const projectId = message.metadata?.['projectId'];
  const project = projectId === undefined ? {} : { project_id: projectId };
  const blocks = message.blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
  const storedCalls = wireCalls.safeParse(tool_calls);
  const all = storedCalls.success
    ? storedCalls.data.map((call) => withRunArguments(call, blocks))
    : blocks.map(toWireCall);
  const calls = isRunning ? all : all.filter((call) => resultOf(call, blocks) !== undefined);
  const wireMessage: WireMessage = {
    ...opaque,
    ...project,
    id: message.metadata?.['messageId'] ?? message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
    content: thinking ? reasoningOf(message) : textOf(message),
    thinking,
    ...(calls.length > 0 ? { tool_calls: calls } : all.length === 0 && tool_calls !== undefined && { tool_calls }),
  };
  const results = calls.flatMap((call): readonly WireMessage[] => {
    const content = resultOf(call, blocks);
    if (content === undefined) return [];
    const resultFields = message.metadata?.[resultKey(call.id)];
    const block = blocks.find(({ tool_call }) => tool_call.id === call.id);
    // A content is stored only for a call of `think`. If a function of the page has the same call id, its own result is sent.
    const hasContent = isRecord(resultFields) && typeof resultFields['content'] === 'string';
    const result = {
      id: block?.id ?? `${call.id}.result`,
      thinking: false,
      ...project,
      content,
      ...(isRecord(resultFields) && !(hasContent && block) && resultFields),
      role: 'tool',
      tool_call_id: call.id,
    };
    return [result];
  });
  const isEmpty = wireMessage['role'] === 'assistant' && wireMessage['content'] === '' && calls.length === 0;
  // An empty message is sent back only if the server has completed it like that, without calls.
  return isEmpty && (all.length > 0 || !isRecord(stored)) ? [] : [wireMessage, ...results];
}

/**
 * The result of a call. A streamed call of the tool `think` is rendered as reasoning and has no block; its result may be
 * in the metadata.
 */
const resultOf = (call: WireCall, blocks: readonly BlockOf<'tool_call'>[]): string | undefined =>
  blocks.find(({ tool_call }) => tool_call.id === call.id)?.tool_call.response ??
  (call.function.name === THINK_TOOL ? '' : undefined);

const wireCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) });
const wireCalls = z.array(wireCall);
type WireCall = z.infer<typeof wireCall>;

/** A server call with its executed arguments. */
function withRunArguments(call: WireCall, blocks: readonly BlockOf<'tool_call'>[]): WireCall {
  const sent = call.function['arguments'];
  const block = blocks.find(({ tool_call }) => tool_call.id === call.id);
  return typeof sent === 'string'
    ? { ...call, function: { ...call.function, arguments: ranArguments(sent, block) } }
    : call;
}

const toWireCall = ({ id, tool_call }: BlockOf<'tool_call'>) => ({
  id: tool_call.id ?? id,
  type: 'function',
  function: { name: tool_call.name ?? '', arguments: tool_call.params ?? '' },
});

const reasoningOf = (message: ChatMessage): string =>
  message.blocks.map((block) => (block.type === 'reasoning_content' ? block.content : '')).join('');

const toOpenAiTool = (tool: ToolSpec): object => ({ type: 'function', function: tool });
