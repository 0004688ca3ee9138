import type { LLMAgentEventData } from '../model/events/agent-events.ts';
import type { AssistantMessageBlock, BlockOf, ToolCall } from '../model/blocks.ts';
import { appendArguments, isSameArguments } from '../model/canonical-arguments.ts';
import type { ChatMessage } from '../model/message.ts';
import { isId, isSameId } from '../model/same-id.ts';
import { textOfResult } from './mcp-contents.ts';
import { appendBlock, findLastBlock, replaceBlockAt, type ReduceContext } from './block-list.ts';

type ToolBlock = BlockOf<'tool_call'>;
type ActionBlock = BlockOf<'action'>;

/**
 * Applies tool call events: one block per call, `loading → success | error` and never back. Calls that a reply leaves open become
 * `cancel` elsewhere (`reduce.ts`).
 * Source: `docs/protocols/deepchat-events.md`.
 */
export function reduceToolCall(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  switch (data.tool_call) {
    case 'start':
    case 'running':
    case 'update':
      return continueCall(message, data, context);
    case 'end':
    case 'error':
      return finish(message, data, context);
    case 'permission-required':
      return ask(message, data, context);
    case 'permission-granted':
      return decide(message, data, 'granted', context);
    case 'permission-denied':
      return decide(message, data, 'denied', context);
    case 'permission-closed':
      return decide(message, data, 'cancel', context);
    default:
      return message;
  }
}

function continueCall(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  const same = findTool(message, data, context);
  const known = same && startsNewCall(same.block, data, context) ? undefined : same;
  if (!known) {
    const call = withParts(
      data,
      {},
      data.tool_call_params ?? '',
      data.tool_call_response_complete ?? data.tool_call_response,
    );
    return appendBlock(message, { type: 'tool_call', status: 'loading', tool_call: call, ...detailsOf(data) }, context);
  }
  const { index, block } = known;
  const piece = data.tool_call_params ?? '';
  if (block.status !== 'loading') {
    // The start of a call whose result has overtaken it.
    const isLate = data.tool_call === 'start' && block.tool_call.params === undefined;
    if (isLate && (data.tool_call_name || data.tool_call_params_complete || piece)) {
      const call = withParts(data, block.tool_call, piece, undefined);
      return replaceBlockAt(message, index, { ...block, tool_call: call, ...detailsOf(data, block) });
    }
    context.report?.(`The tool call "${data.tool_call_id ?? ''}" has ended; "${data.tool_call ?? ''}" is ignored.`);
    return message;
  }
  const before = block.tool_call.params ?? '';
  // A second `start` replaces the arguments; other events append to them.
  const params = data.tool_call === 'start' ? piece || before : appendArguments(before, piece);
  const response =
    data.tool_call_response_complete ??
    (data.tool_call_response === undefined
      ? undefined
      : (block.tool_call.response ?? '') + textOfResult(data.tool_call_response));
  return replaceBlockAt(message, index, {
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
  const known = findTool(message, data, context);
  if (!known) {
    // A result whose call was never announced.
    const call = withParts(data, {}, data.tool_call_params ?? '', response);
    return appendBlock(message, { type: 'tool_call', status, tool_call: call, ...detailsOf(data) }, context);
  }
  const { index, block } = known;
  if (block.status !== 'loading') {
    context.report?.(`The tool call "${data.tool_call_id ?? ''}" has ended already.`);
    return message;
  }
  const took = context.now - block.timestamp;
  const { progress: _done, ...rest } = block;
  return replaceBlockAt(message, index, {
    ...rest,
    status,
    tool_call: withParts(
      data,
      block.tool_call,
      appendArguments(block.tool_call.params ?? '', data.tool_call_params ?? ''),
      response,
    ),
    ...(took > 0 && { duration: took }),
    ...detailsOf(data, block),
  });
}

/**
 * Whether an event starts a new call although a call was found for it: one with the same id, or without an id the last open one.
 * Servers count from `call_0` in every round, and an agent and its sub-agents count separately. A call never changes its tool.
 */
export function startsNewCall(
  block: AssistantMessageBlock,
  { tool_call: state, tool_call_id: id, tool_call_name: name }: LLMAgentEventData,
  { endedBefore, parentId }: Pick<ReduceContext, 'endedBefore' | 'parentId'>,
): boolean {
  if (state !== 'start' || block.type !== 'tool_call') return false;
  const { name: before } = block.tool_call;
  return (
    !isId(id) ||
    endedBefore?.has(block.id) === true ||
    (before !== undefined && name !== undefined && name !== '' && before !== name) ||
    block.parentId !== parentId
  );
}

/**
 * Finds the block of a call: by our block id for events of the widget's own runtime, otherwise by the server's id. Of several calls
 * with one id, the open one of the same agent is preferred. Without an id, it is the last open call.
 */
function findTool(
  message: ChatMessage,
  { tool_call_id: id }: LLMAgentEventData,
  { callBlockId, parentId }: Pick<ReduceContext, 'callBlockId' | 'parentId'>,
) {
  if (callBlockId !== undefined) return findLastBlock(message, 'tool_call', (block) => isSameId(block.id, callBlockId));
  const isOpen = ({ status }: ToolBlock): boolean => status === 'loading';
  if (!isId(id)) return findLastBlock(message, 'tool_call', isOpen);
  const named = ({ tool_call }: ToolBlock): boolean => isSameId(tool_call.id, id);
  return (
    findLastBlock(message, 'tool_call', (block) => named(block) && isOpen(block) && block.parentId === parentId) ??
    findLastBlock(message, 'tool_call', (block) => named(block) && isOpen(block)) ??
    findLastBlock(message, 'tool_call', named)
  );
}

function withParts(
  data: LLMAgentEventData,
  before: ToolCall,
  params: string,
  response: LLMAgentEventData['tool_call_response'],
): ToolCall {
  const complete = data.tool_call_params_complete ?? params;
  return {
    ...before,
    ...(isId(data.tool_call_id) && { id: data.tool_call_id }),
    ...(data.tool_call_name && { name: data.tool_call_name }),
    ...(complete && { params: complete }),
    ...(response !== undefined && { response: textOfResult(response) }),
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

/** A permission is always an `action`. Asked again with any visible difference, it is a new question. */
function ask(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  const request = data.permission_request;
  const known = findQuestion(message, data, context);
  const named = request ? { name: request.toolName } : {};
  const call = withParts(data, named, data.tool_call_params ?? '', undefined);
  const draft = {
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'pending',
    tool_call: call,
    ...(request?.description && { content: request.description }),
    ...(context.callBlockId !== undefined && { callBlockId: context.callBlockId }),
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
  // If a newer call with that id comes after an answered question, the question was about the call before that one. A server that
  // has the answer, and asks again in a later round, asks another question: an answer counts once.
  const isOutdated =
    known &&
    known.block.status !== 'pending' &&
    (context.endedBefore?.has(known.block.id) || known.index < (findTool(message, data, context)?.index ?? -1));
  if (!known || isOutdated) return appendBlock(message, draft, context);
  const { index, block } = known;
  if (isSameQuestion(block, draft)) {
    return block.status === 'pending' ? replaceBlockAt(message, index, { ...block, ...draft }) : message;
  }
  // A new block with a new id, so that an answer to the first cannot count for the second.
  const before = block.status === 'pending' ? replaceBlockAt(message, index, { ...block, status: 'cancel' }) : message;
  return appendBlock(before, draft, context);
}

/** Whether the user would allow the same action. The arguments may be formatted differently. */
const isSameQuestion = (shown: Question, asked: Question): boolean =>
  shown.tool_call?.name === asked.tool_call?.name &&
  shown.tool_call?.server_name === asked.tool_call?.server_name &&
  shown.content === asked.content &&
  VISIBLE_FIELDS.every((name) => shown.extra?.[name] === asked.extra?.[name]) &&
  isSameArguments(shown.tool_call?.params, asked.tool_call?.params);

type Question = Pick<ActionBlock, 'tool_call' | 'content' | 'extra'>;

/** The fields of `extra` that a permission card shows, or that decide about its buttons. */
const VISIBLE_FIELDS = ['permissionType', 'serverName', 'toolName', 'rememberable', 'editable'] as const;

function decide(
  message: ChatMessage,
  data: LLMAgentEventData,
  status: 'granted' | 'denied' | 'cancel',
  context: ReduceContext,
): ChatMessage {
  const known = findQuestion(message, data, context);
  if (known?.block.status === 'pending') {
    // Decisions of the user do not arrive here (see `runtime/answers/answer-action.ts`), so this one must not look like
    // theirs.
    const extra = { ...known.block.extra, ...(status !== 'cancel' && { decidedBy: 'server' }) };
    return replaceBlockAt(message, known.index, { ...known.block, status, extra });
  }
  context.report?.(`No permission is waiting for "${data.tool_call_id ?? ''}".`);
  return message;
}

/**
 * Finds the permission that an event is about: by our block id for events of the widget's own runtime, by the server's id for those of a
 * server. A server can never answer a question about a function of the page (`byPage`), whatever the id.
 */
function findQuestion(
  message: ChatMessage,
  { tool_call_id: id }: LLMAgentEventData,
  { callBlockId }: ReduceContext,
): { readonly index: number; readonly block: ActionBlock } | undefined {
  const find = (test: (block: ActionBlock) => boolean) =>
    findLastBlock(message, 'action', (block) => block.action_type === 'tool_call_permission' && test(block));
  if (callBlockId !== undefined) {
    return find((block) => isSameId(block.callBlockId, callBlockId) && isOfPage(block) && block.status === 'pending');
  }
  return find((block) => isSameId(block.tool_call?.id, id) && !isOfPage(block));
}

const isOfPage = ({ extra }: ActionBlock): boolean => extra?.['byPage'] === true;
