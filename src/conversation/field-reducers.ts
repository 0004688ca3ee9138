/**
 * The mapping table: one function for each field of a `response`, which changes the message's blocks.
 * Source: `docs/protocols/deepchat-events.md`, with additional fields of our own.
 */
import type { LLMAgentEventData } from '../model/events/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { needsChoice } from '../model/needs-choice.ts';
import { isId, isSameId } from '../model/same-id.ts';
import { placeCitation } from './place-citation.ts';
import {
  appendBlock,
  findLastBlock,
  lastContinuableBlock,
  nextTime,
  replaceBlockAt,
  storedPhases,
  upsertBlock,
  type BlockDraft,
  type ReduceContext,
} from './block-list.ts';
import { reduceToolCall } from './tool-call-reducer.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { image, media, mediaOfTool } from './media-reducers.ts';
import { resultForApp, uiResources } from './mcp-ui-resources.ts';

export type FieldReducer = (message: ChatMessage, data: LLMAgentEventData, context: ReduceContext) => ChatMessage;

/** Beyond this wait (ms), the chat does not retry automatically: see `MAX_RETRY_AFTER_MS` in `runtime/request/retry-backoff.ts`. */
const SEVERE_WAIT_MS = 60_000;

/** Whether a block belongs to the same agent as the event: each sub-agent has its own phases and plan. */
const hasSameParent =
  ({ parentId }: ReduceContext) =>
  (block: AssistantMessageBlock): boolean =>
    block.parentId === parentId;

/**
 * Text continues the last block if that is text of the same format and no artifact. Otherwise, and with `content_begins`, it starts
 * a new block.
 */
const content: FieldReducer = (message, { content: text, format, content_begins: startsBlock }, context) => {
  if (!text) return message;
  const last = lastContinuableBlock(message, context);
  const continues =
    !startsBlock &&
    last?.block.type === 'content' &&
    !last.block.artifact &&
    (last.block.format ?? 'markdown') === (format ?? 'markdown');
  return continues
    ? replaceBlockAt(message, last.index, { ...last.block, content: last.block.content + text })
    : appendBlock(message, { type: 'content', status: 'success', content: text, ...(format && { format }) }, context);
};

const contentWasReasoning: FieldReducer = (message, { content_was_reasoning }, context) => {
  const last = content_was_reasoning ? findLastBlock(message, 'content', hasSameParent(context)) : undefined;
  if (!last) return message;
  const { id, status, timestamp, content: text, parentId } = last.block;
  const reasoning_time = { start: timestamp, end: timestamp };
  return replaceBlockAt(message, last.index, {
    type: 'reasoning_content',
    id,
    status,
    timestamp,
    content: text,
    reasoning_time,
    ...(parentId && { parentId }),
  });
};

const reasoning: FieldReducer = (message, { reasoning_content: text, stage, content_begins: startsBlock }, context) => {
  if (!text) return message;
  const last = lastContinuableBlock(message, context);
  const { now } = context;
  // Each stage has its own block; a text without a stage continues the last one.
  if (
    last?.block.type !== 'reasoning_content' ||
    (stage && last.block.content && last.block.extra?.['stage'] !== stage)
  ) {
    const draft: BlockDraft = {
      type: 'reasoning_content',
      status: 'success',
      content: text,
      reasoning_time: { start: now, end: now },
      ...(stage && { extra: { stage } }),
    };
    return appendBlock(message, draft, context);
  }
  const { block, index } = last;
  const start = block.reasoning_time?.start ?? block.timestamp;
  return replaceBlockAt(message, index, {
    ...block,
    content: block.content + (startsBlock && block.content ? '\n\n' : '') + text,
    reasoning_time: { start, end: Math.max(now, start) },
    ...(stage && { extra: { ...block.extra, stage } }),
  });
};

/** Marks the adjacent reasoning block as hidden, or adds an empty one. */
const reasoningHidden: FieldReducer = (message, { reasoning_hidden }, context) => {
  if (!reasoning_hidden) return message;
  const last = lastContinuableBlock(message, context);
  if (last?.block.type === 'reasoning_content') {
    return replaceBlockAt(message, last.index, { ...last.block, extra: { ...last.block.extra, hidden: true } });
  }
  return appendBlock(
    message,
    { type: 'reasoning_content', status: 'success', content: '', extra: { hidden: true } },
    context,
  );
};

const rateLimit: FieldReducer = (message, { rate_limit }, context) => {
  if (!rate_limit) return message;
  const status = (rate_limit.estimatedWaitTime ?? 0) > SEVERE_WAIT_MS ? 'error' : 'pending';
  const existing = findLastBlock(
    message,
    'action',
    (block) => block.action_type === 'rate_limit' && block.extra?.['providerId'] === rate_limit.providerId,
  );
  const extra = { ...rate_limit };
  return existing
    ? replaceBlockAt(message, existing.index, { ...existing.block, status, extra })
    : appendBlock(message, { type: 'action', action_type: 'rate_limit', status, extra }, context);
};

const maximumToolCalls: FieldReducer = (message, { maximum_tool_calls_reached }, context) => {
  if (!maximum_tool_calls_reached) return message;
  const waiting = findLastBlock(
    message,
    'action',
    (block) => block.action_type === 'maximum_tool_calls_reached' && block.status === 'pending',
  );
  const draft = { type: 'action', action_type: 'maximum_tool_calls_reached', status: 'pending' } as const;
  return waiting ? message : appendBlock(message, draft, context);
};

/** Maximum number of phases stored; the oldest are dropped. */
const MAX_STEPS = 200;

/** All phases of a run share one block, which shows the newest; `extra.steps` lists them in order. */
const phase: FieldReducer = (message, { phase: next }, context) => {
  if (!next) return message;
  const { name, message: text } = next;
  const existing = findLastBlock(message, 'status', hasSameParent(context));
  const steps = [...storedPhases(existing?.block)];
  // It begins after the block before it, even within one millisecond: the transcript orders blocks and phases by time.
  const start = nextTime(message, context.now) + 1;
  const step = { phase: name, ...(text !== undefined && { message: text }), start };
  const same = steps.at(-1)?.['phase'] === name;
  if (same) steps[steps.length - 1] = { ...steps.at(-1), ...(text !== undefined && { message: text }) };
  else steps.push(step);
  // Each new phase copies the list, so its length is limited.
  if (steps.length > MAX_STEPS) steps.shift();
  const status = name === 'completed' ? 'success' : name === 'error' ? 'error' : 'loading';
  const draft: BlockDraft = {
    type: 'status',
    status,
    phase: name,
    ...(text !== undefined && { message: text }),
    extra: { steps },
  };
  if (!existing) return appendBlock(message, draft, context);
  const { id, timestamp, parentId } = existing.block;
  return replaceBlockAt(message, existing.index, { ...draft, id, timestamp, ...(parentId && { parentId }) });
};

const data: FieldReducer = (message, { data: payload, data_id: id }, context) =>
  payload ? upsertBlock(message, id, { type: 'data', status: 'success', data: payload }, context) : message;

const ui: FieldReducer = (message, { ui: agentUi, data_id: id }, context) =>
  agentUi ? upsertBlock(message, id, { type: 'ui', status: 'success', ui: agentUi }, context) : message;

/** The UI of a tool's result; an app in it receives the arguments and the result of the call. */
const agentUiOfTool: FieldReducer = (
  message,
  { tool_call_id: callId, tool_call_response, tool_call_response_complete, tool_call_response_raw },
  context,
) => {
  const results = [tool_call_response_raw, tool_call_response, tool_call_response_complete];
  const result = results.find((value) => uiResources(value).length > 0);
  if (result === undefined) return message;
  const call = findLastBlock(message, 'tool_call', ({ tool_call }) => isSameId(tool_call.id, callId))?.block.tool_call;
  const input = parseJson(call?.params ?? '');
  const inputs = { ...(isRecord(input) && { arguments: input }), result: resultForApp(result) };
  return uiResources(result).reduce((next, { uri, ui: resource }) => {
    const agentUi = { ...resource, ...(resource['kind'] === 'mcp-app' && inputs) };
    const draft = { type: 'ui', status: 'success', ui: agentUi } as const;
    return upsertBlock(next, `${callId ?? ''} ${uri}`, draft, context);
  }, message);
};

/**
 * A question stays pending until it is answered. Repeated unchanged, it is the same question. With other text under the
 * same id it is a new one in its own block: an answer to the first must not count for the second.
 */
const ask: FieldReducer = (message, { ask: question, request }, context) => {
  if (!question) return message;
  const { action_type, content: text, options, schema } = question;
  const draft = {
    type: 'action',
    action_type,
    status: 'pending',
    ...(text !== undefined && { content: text }),
    extra: {
      ...(schema !== undefined && action_type !== 'confirmation' && needsChoice(schema) && { needsChoice: true }),
      ...request?.extra,
      ...(isId(request?.id) && { requestId: request.id }),
      ...(options && { options }),
      ...(schema !== undefined && { schema: JSON.stringify(schema) }),
    },
  } as const;
  const existing =
    request &&
    findLastBlock(
      message,
      'action',
      (block) => block.status === 'pending' && isSameId(block.extra?.['requestId'], request.id),
    );
  if (!existing) return appendBlock(message, draft, context);
  const { block, index } = existing;
  const same =
    block.action_type === action_type &&
    block.content === text &&
    JSON.stringify(block.extra) === JSON.stringify(draft.extra);
  return same ? message : appendBlock(replaceBlockAt(message, index, { ...block, status: 'cancel' }), draft, context);
};

const plan: FieldReducer = (message, { plan: entries }, context) => {
  if (!entries) return message;
  const existing = findLastBlock(message, 'plan', hasSameParent(context));
  return existing
    ? replaceBlockAt(message, existing.index, { ...existing.block, plan: entries })
    : appendBlock(message, { type: 'plan', status: 'success', plan: entries }, context);
};

/** Converts an `AgentResponse` to a block. Source: `docs/protocols/deepchat-events.md`. */
const agentResponse: FieldReducer = (message, { agent_response }, context) => {
  if (!agent_response) return message;
  const draft = responseBlock(agent_response);
  if (!draft) {
    context.report?.(`An agent response of type "${agent_response.type}" has no content to show.`);
    return message;
  }
  // Each question is one of its own, also with the id of another.
  const existing =
    draft.type === 'action'
      ? undefined
      : findLastBlock(message, draft.type, (block) => isSameId(block.extra?.['responseId'], agent_response.id));
  return existing
    ? replaceBlockAt(message, existing.index, { ...existing.block, ...draft } as AssistantMessageBlock)
    : appendBlock(message, draft, context);
};

function responseBlock({
  id,
  status: state,
  content,
}: NonNullable<LLMAgentEventData['agent_response']>): BlockDraft | undefined {
  const { code, commandResult, file, progress, confirmation } = content;
  const open = state === 'streaming' && { extra: { responseId: id } };
  if (code) return { type: 'code', status: code.error === undefined ? 'success' : 'error', code, ...open };
  if (commandResult) {
    return { type: 'command_result', status: commandResult.success ? 'success' : 'error', commandResult, ...open };
  }
  if (file) return { type: 'file', status: 'success', name: file.name, mimeType: file.mimeType, file };
  if (progress) {
    const status = progress.current < progress.total ? 'loading' : 'success';
    return { type: 'progress', status, progress, extra: { responseId: id } };
  }
  if (confirmation) {
    return {
      type: 'action',
      action_type: 'confirmation',
      status: 'pending',
      content: confirmation.message,
      // The agent learns by the id which question an answer is about.
      extra: {
        kind: confirmation.type,
        options: (confirmation.options ?? []).map((label) => ({ label })),
        responseId: id,
      },
    };
  }
  return undefined;
}

const suggestions: FieldReducer = (message, { suggestions: items }) =>
  items ? { ...message, suggestions: items } : message;

/** Maximum number of metadata names, because each event copies them all. Further names are dropped. */
const MAX_METADATA = 256;

function metadata(message: ChatMessage, { metadata: fields }: LLMAgentEventData): ChatMessage {
  if (!fields) return message;
  const before = message.metadata ?? {};
  let remaining = MAX_METADATA - Object.keys(before).length;
  const added = Object.entries(fields).filter(([name]) => Object.hasOwn(before, name) || remaining-- > 0);
  return added.length === 0 && message.metadata
    ? message
    : { ...message, metadata: { ...before, ...Object.fromEntries(added) } };
}

/** Reasoning comes before content: in an event with both, the reasoning happened first. */
export const fieldReducers: readonly FieldReducer[] = [
  contentWasReasoning,
  phase,
  reasoning,
  reasoningHidden,
  content,
  reduceToolCall,
  ask,
  rateLimit,
  maximumToolCalls,
  image,
  media,
  placeCitation,
  data,
  ui,
  agentUiOfTool,
  mediaOfTool,
  plan,
  agentResponse,
  suggestions,
  metadata,
];
