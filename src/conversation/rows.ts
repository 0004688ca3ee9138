/**
 * The mapping table, a row a function, in the order of its source document: what one field of a `response` does to the
 * message's blocks. Source: DeepChat strong-typed events, section 5; behind it the rows of the fields that the contract adds.
 */
import type { LLMAgentEventData } from '../model/agent-events.ts';
import type { AgentResponse } from '../model/agent-message.ts';
import type { AssistantMessageBlock, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { anchorCitation } from './anchor.ts';
import { append, findLast, lastBlock, replaceAt, type Draft, type ReduceContext } from './blocks.ts';
import { toolCall } from './tool-call.ts';
import { uiResources } from './ui-resources.ts';

export type Row = (message: ChatMessage, data: LLMAgentEventData, context: ReduceContext) => ChatMessage;

/** Longer than this we don't wait on our own; see the table's note on `rate_limit`. */
const SEVERE_WAIT_MS = 60_000;

/** Whether a block belongs to what an event's words belong to: a sub-agent has its own phases and its own plan. */
const isBeside =
  ({ parentId }: ReduceContext) =>
  (block: AssistantMessageBlock): boolean =>
    block.parentId === parentId;

/** Text goes on with the last block when that is text of the same format, else it begins a block. */
const content: Row = (message, { content: text, format, content_begins: begins }, context) => {
  if (!text) return message;
  const last = lastBlock(message, context);
  const goesOn =
    !begins &&
    last?.block.type === 'content' &&
    !last.block.artifact &&
    (last.block.format ?? 'markdown') === (format ?? 'markdown');
  return goesOn
    ? replaceAt(message, last.index, { ...last.block, content: last.block.content + text })
    : append(message, { type: 'content', status: 'success', content: text, ...(format && { format }) }, context);
};

const contentWasReasoning: Row = (message, { content_was_reasoning }, context) => {
  const last = content_was_reasoning ? findLast(message, 'content', isBeside(context)) : undefined;
  if (!last) return message;
  const { id, status, timestamp, content: text, parentId } = last.block;
  const reasoning_time = { start: timestamp, end: timestamp };
  return replaceAt(message, last.index, {
    type: 'reasoning_content',
    id,
    status,
    timestamp,
    content: text,
    reasoning_time,
    ...(parentId && { parentId }),
  });
};

const reasoning: Row = (message, { reasoning_content: text, stage }, context) => {
  if (!text) return message;
  const last = lastBlock(message, context);
  const { now } = context;
  if (last?.block.type !== 'reasoning_content') {
    const draft: Draft = {
      type: 'reasoning_content',
      status: 'success',
      content: text,
      reasoning_time: { start: now, end: now },
      ...(stage && { extra: { stage } }),
    };
    return append(message, draft, context);
  }
  const { block, index } = last;
  return replaceAt(message, index, {
    ...block,
    content: block.content + text,
    reasoning_time: { start: block.reasoning_time?.start ?? block.timestamp, end: Math.max(now, block.timestamp) },
    ...(stage && { extra: { ...block.extra, stage } }),
  });
};

/** It stands with the thoughts around it, or alone in a block without words. */
const reasoningHidden: Row = (message, { reasoning_hidden }, context) => {
  if (!reasoning_hidden) return message;
  const last = lastBlock(message, context);
  if (last?.block.type === 'reasoning_content') {
    return replaceAt(message, last.index, { ...last.block, extra: { ...last.block.extra, hidden: true } });
  }
  return append(
    message,
    { type: 'reasoning_content', status: 'success', content: '', extra: { hidden: true } },
    context,
  );
};

const rateLimit: Row = (message, { rate_limit }, context) => {
  if (!rate_limit) return message;
  const status = (rate_limit.estimatedWaitTime ?? 0) > SEVERE_WAIT_MS ? 'error' : 'pending';
  const known = findLast(
    message,
    'action',
    (block) => block.action_type === 'rate_limit' && block.extra?.['providerId'] === rate_limit.providerId,
  );
  const extra = { ...rate_limit };
  return known
    ? replaceAt(message, known.index, { ...known.block, status, extra })
    : append(message, { type: 'action', action_type: 'rate_limit', status, extra }, context);
};

const maximumToolCalls: Row = (message, { maximum_tool_calls_reached }, context) => {
  if (!maximum_tool_calls_reached) return message;
  const waiting = findLast(
    message,
    'action',
    (block) => block.action_type === 'maximum_tool_calls_reached' && block.status === 'pending',
  );
  const draft = { type: 'action', action_type: 'maximum_tool_calls_reached', status: 'pending' } as const;
  return waiting ? message : append(message, draft, context);
};

const image: Row = (message, { image_data }, context) =>
  image_data ? append(message, mediaBlock({ kind: 'image', ...image_data }, context), context) : message;

const media: Row = (message, { media: item, data_id: id }, context) =>
  item ? put(message, id, mediaBlock(item, context), context) : message;

/** What the policy refuses stays, says why, and no longer carries its bytes. */
function mediaBlock(item: Media, { refuseMedia }: ReduceContext): Draft {
  const { kind, url, data, mimeType, name, size } = item;
  const reason = refuseMedia?.(item);
  const shown = { ...(name !== undefined && { name }), ...(size !== undefined && { size }) };
  if (reason !== undefined) {
    return {
      type: kind,
      status: 'error',
      ...shown,
      extra: { reason, ...(mimeType && { mimeType }), ...(url && { url }) },
    };
  }
  if (kind === 'image') {
    const inline = data === undefined ? {} : { image_data: { data, mimeType: mimeType ?? '' } };
    return { type: 'image', status: 'success', ...inline, ...(url !== undefined && { url }), ...shown };
  }
  return {
    type: kind,
    status: 'success',
    ...shown,
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** So many phases are kept, the newest. */
const MAX_STEPS = 200;

/** The phases of a run stand in one block that is always the newest phase; its `extra.steps` are all of them in order. */
const phase: Row = (message, { phase: next }, context) => {
  if (!next) return message;
  const { name, message: words } = next;
  const known = findLast(message, 'status', isBeside(context));
  const steps = [...((known?.block.extra?.['steps'] as Record<string, unknown>[] | undefined) ?? [])];
  const step = { phase: name, ...(words !== undefined && { message: words }), start: context.now };
  const same = steps.at(-1)?.['phase'] === name;
  if (same) steps[steps.length - 1] = { ...steps.at(-1), ...(words !== undefined && { message: words }) };
  else steps.push(step);
  // The list is copied with each of them.
  if (steps.length > MAX_STEPS) steps.shift();
  const status = name === 'completed' ? 'success' : name === 'error' ? 'error' : 'loading';
  const draft: Draft = {
    type: 'status',
    status,
    phase: name,
    ...(words !== undefined && { message: words }),
    extra: { steps },
  };
  if (!known) return append(message, draft, context);
  const { id, timestamp, parentId } = known.block;
  return replaceAt(message, known.index, { ...draft, id, timestamp, ...(parentId && { parentId }) });
};

const data: Row = (message, { data: payload, data_id: id }, context) =>
  payload ? put(message, id, { type: 'data', status: 'success', data: payload }, context) : message;

const ui: Row = (message, { ui: surface, data_id: id }, context) =>
  surface ? put(message, id, { type: 'ui', status: 'success', ui: surface }, context) : message;

const mcpApp: Row = (message, { tool_call_id, tool_call_response, tool_call_response_raw }, context) =>
  [tool_call_response_raw, tool_call_response].flatMap(uiResources).reduce((next, app) => {
    const surface = { kind: 'mcp-app', ...app };
    return put(next, `${tool_call_id ?? ''} ${app.uri}`, { type: 'ui', status: 'success', ui: surface }, context);
  }, message);

/** A block by the wire's own id: one that is there already is replaced where it stands. */
function put(message: ChatMessage, dataId: string | undefined, draft: Draft, context: ReduceContext): ChatMessage {
  if (dataId === undefined) return append(message, draft, context);
  const known = message.blocks.findIndex((block) => block.type === draft.type && block.extra?.['dataId'] === dataId);
  const named = { ...draft, extra: { ...draft.extra, dataId } };
  const before = message.blocks[known];
  return before
    ? replaceAt(message, known, {
        ...named,
        id: before.id,
        timestamp: before.timestamp,
        ...(before.parentId && { parentId: before.parentId }),
      })
    : append(message, named, context);
}

/**
 * A question waits until it is answered. Told again it is the same one; told with other words under the same id it is another,
 * in a block of its own, so that an answer to the first can't be taken for one to this.
 */
const ask: Row = (message, { ask: question, request }, context) => {
  if (!question) return message;
  const { action_type, content: words, options, schema } = question;
  const draft = {
    type: 'action',
    action_type,
    status: 'pending',
    ...(words !== undefined && { content: words }),
    extra: {
      ...request?.extra,
      ...(request && { requestId: request.id }),
      ...(options && { options }),
      ...(schema !== undefined && { schema: JSON.stringify(schema) }),
    },
  } as const;
  const known =
    request &&
    findLast(message, 'action', (block) => block.status === 'pending' && block.extra?.['requestId'] === request.id);
  if (!known) return append(message, draft, context);
  const { block, index } = known;
  const same =
    block.action_type === action_type &&
    block.content === words &&
    JSON.stringify(block.extra) === JSON.stringify(draft.extra);
  return same ? message : append(replaceAt(message, index, { ...block, status: 'cancel' }), draft, context);
};

const plan: Row = (message, { plan: entries }, context) => {
  if (!entries) return message;
  const known = findLast(message, 'plan', isBeside(context));
  return known
    ? replaceAt(message, known.index, { ...known.block, plan: entries })
    : append(message, { type: 'plan', status: 'success', plan: entries }, context);
};

/** `AgentResponse` to block. Source: section 8. */
const agentResponse: Row = (message, { agent_response }, context) => {
  if (!agent_response) return message;
  const draft = responseBlock(agent_response);
  if (!draft) {
    context.report?.(`An answer of type "${agent_response.type}" has nothing to show.`);
    return message;
  }
  const known =
    draft.type === 'progress'
      ? findLast(message, 'progress', (block) => block.extra?.['responseId'] === agent_response.id)
      : undefined;
  return known
    ? replaceAt(message, known.index, { ...known.block, ...(draft as typeof known.block) })
    : append(message, draft, context);
};

function responseBlock({ id, content: given }: Pick<AgentResponse, 'id' | 'content'>): Draft | undefined {
  const { code, commandResult, file, progress, confirmation } = given;
  if (code) return { type: 'code', status: code.error === undefined ? 'success' : 'error', code };
  if (commandResult) {
    return { type: 'command_result', status: commandResult.success ? 'success' : 'error', commandResult };
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
      extra: { kind: confirmation.type, options: (confirmation.options ?? []).map((label) => ({ label })) },
    };
  }
  return undefined;
}

const suggestions: Row = (message, { suggestions: offered }) =>
  offered ? { ...message, suggestions: offered } : message;

const metadata: Row = (message, { metadata: facts }) =>
  facts ? { ...message, metadata: { ...message.metadata, ...facts } } : message;

/** Reasoning stands before content: where one event has both, the thought came first. */
export const rows: readonly Row[] = [
  contentWasReasoning,
  phase,
  reasoning,
  reasoningHidden,
  content,
  toolCall,
  ask,
  rateLimit,
  maximumToolCalls,
  image,
  media,
  anchorCitation,
  data,
  ui,
  mcpApp,
  plan,
  agentResponse,
  suggestions,
  metadata,
];
