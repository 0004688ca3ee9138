import type { LLMAgentEventData, McpContent } from '../model/agent-events.ts';
import type { BlockOf, ToolCall } from '../model/blocks.ts';
import { canonicalArguments } from '../model/canonical-arguments.ts';
import type { ChatMessage } from '../model/message.ts';
import { append, findLast, replaceAt, type ReduceContext } from './blocks.ts';

type ToolBlock = BlockOf<'tool_call'>;
type ActionBlock = BlockOf<'action'>;

/**
 * The tool call rows: one block a call, `loading → success | error` and never back.
 * Source: DeepChat strong-typed events, section 5 and 6.2.
 */
export function toolCall(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  switch (data.tool_call) {
    case 'start':
    case 'running':
    case 'update':
      return goOn(message, data, context);
    case 'end':
    case 'error':
      return finish(message, data, context);
    case 'permission-required':
      return ask(message, data, context);
    case 'permission-granted':
      return decide(message, data, 'granted', context);
    case 'permission-denied':
      return decide(message, data, 'denied', context);
    default:
      return message;
  }
}

function goOn(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  const same = findTool(message, data.tool_call_id);
  const anew =
    data.tool_call === 'start' &&
    // Servers count from `call_0` in every round.
    (data.tool_call_id === undefined || (same !== undefined && context.endedBefore?.has(same.block.id) === true));
  const known = anew ? undefined : same;
  if (!known) {
    const call = withParts(
      data,
      {},
      data.tool_call_params ?? '',
      data.tool_call_response_complete ?? data.tool_call_response,
    );
    return append(message, { type: 'tool_call', status: 'loading', tool_call: call, ...detailsOf(data) }, context);
  }
  const { index, block } = known;
  if (block.status !== 'loading') {
    context.report?.(`The tool call "${data.tool_call_id ?? ''}" has ended; "${data.tool_call ?? ''}" is ignored.`);
    return message;
  }
  const before = block.tool_call.params ?? '';
  const piece = data.tool_call_params ?? '';
  // A second `start` says the arguments anew; the other states go on with them.
  const params = data.tool_call === 'start' ? piece || before : before + piece;
  const response =
    data.tool_call_response_complete ??
    (data.tool_call_response === undefined
      ? undefined
      : (block.tool_call.response ?? '') + asText(data.tool_call_response));
  return replaceAt(message, index, {
    ...block,
    tool_call: withParts(data, block.tool_call, params, response),
    ...detailsOf(data, block),
  });
}

function finish(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  const failed = data.tool_call === 'error';
  const status = failed ? 'error' : 'success';
  const response =
    data.tool_call_response_complete ??
    data.tool_call_response ??
    (failed ? (data.tool_call_error?.message ?? data.error) : undefined);
  const known = findTool(message, data.tool_call_id);
  if (!known) {
    // A result whose call was never announced.
    const call = withParts(data, {}, data.tool_call_params ?? '', response);
    return append(message, { type: 'tool_call', status, tool_call: call, ...detailsOf(data) }, context);
  }
  const { index, block } = known;
  if (block.status !== 'loading') {
    context.report?.(`The tool call "${data.tool_call_id ?? ''}" has ended already.`);
    return message;
  }
  const took = context.now - block.timestamp;
  const { progress: _done, ...rest } = block;
  return replaceAt(message, index, {
    ...rest,
    status,
    tool_call: withParts(
      data,
      block.tool_call,
      (block.tool_call.params ?? '') + (data.tool_call_params ?? ''),
      response,
    ),
    ...(took > 0 && { duration: took }),
    ...detailsOf(data, block),
  });
}

/** The block of a call, by its id; one without an id goes on with the last open one. */
const findTool = (message: ChatMessage, id: string | undefined) =>
  findLast(message, 'tool_call', (block) =>
    id === undefined ? block.status === 'loading' : block.tool_call.id === id,
  );

function withParts(
  data: LLMAgentEventData,
  before: ToolCall,
  params: string,
  response: LLMAgentEventData['tool_call_response'],
): ToolCall {
  const complete = data.tool_call_params_complete ?? params;
  return {
    ...before,
    ...(data.tool_call_id !== undefined && { id: data.tool_call_id }),
    ...(data.tool_call_name && { name: data.tool_call_name }),
    ...(complete && { params: complete }),
    ...(response !== undefined && { response: asText(response) }),
    ...(data.tool_call_server_name && { server_name: data.tool_call_server_name }),
    ...(data.tool_call_server_icons && { server_icons: data.tool_call_server_icons }),
    ...(data.tool_call_server_description && { server_description: data.tool_call_server_description }),
  };
}

const detailsOf = (
  data: LLMAgentEventData,
  before?: ToolBlock,
): Pick<ToolBlock, 'description' | 'progress' | 'duration' | 'summary' | 'error' | 'extra'> => ({
  ...(data.tool_call_remote && { extra: { ...before?.extra, remote: true } }),
  ...(data.tool_call_description && { description: data.tool_call_description }),
  ...(data.tool_call_progress && { progress: data.tool_call_progress }),
  ...(data.tool_call_duration !== undefined && { duration: data.tool_call_duration }),
  ...(data.tool_call_summary && { summary: data.tool_call_summary }),
  ...(data.tool_call_error && { error: data.tool_call_error }),
});

/** An MCP content list becomes text: its texts joined, anything else as JSON. Source: section 3. */
function asText(response: string | readonly McpContent[]): string {
  if (typeof response === 'string') return response;
  return response.map((item) => (item.type === 'text' ? (item.text ?? '') : JSON.stringify(item))).join('');
}

/** A permission is always an `action`; asked again with other arguments, it is another question. */
function ask(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  const request = data.permission_request;
  const known = findAction(message, data.tool_call_id);
  const named = request ? { name: request.toolName } : {};
  const call = withParts(data, named, data.tool_call_params ?? '', undefined);
  const draft = {
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'pending',
    tool_call: call,
    ...(request?.description && { content: request.description }),
    extra: {
      ...data.request?.extra,
      ...(data.request?.id && { requestId: data.request.id }),
      ...(request && {
        permissionType: request.permissionType,
        serverName: request.serverName,
        toolName: request.toolName,
      }),
    },
  } as const;
  // Answered, and then a call of that id: that was about another one.
  const old = known && known.block.status !== 'pending' && known.index < (findTool(message, call.id)?.index ?? -1);
  if (!known || old) return append(message, draft, context);
  const { index, block } = known;
  if (isSameArguments(block.tool_call?.params, call.params)) {
    return block.status === 'pending' ? replaceAt(message, index, { ...block, ...draft }) : message;
  }
  // Another block with another id, so that an answer to the first can't be taken for one to this.
  const before = block.status === 'pending' ? replaceAt(message, index, { ...block, status: 'cancel' }) : message;
  return append(before, draft, context);
}

/** Spelled otherwise, they are the same question. */
const isSameArguments = (shown: string | undefined, asked: string | undefined): boolean =>
  shown === asked ||
  (shown !== undefined && asked !== undefined && canonicalArguments(shown) === canonicalArguments(asked));

function decide(
  message: ChatMessage,
  data: LLMAgentEventData,
  status: 'granted' | 'denied',
  { report }: ReduceContext,
): ChatMessage {
  const known = findAction(message, data.tool_call_id);
  if (known?.block.status === 'pending') return replaceAt(message, known.index, { ...known.block, status });
  report?.(`No permission is waiting for "${data.tool_call_id ?? ''}".`);
  return message;
}

const findAction = (
  message: ChatMessage,
  id: string | undefined,
): { readonly index: number; readonly block: ActionBlock } | undefined =>
  findLast(message, 'action', (block) => block.action_type === 'tool_call_permission' && block.tool_call?.id === id);
