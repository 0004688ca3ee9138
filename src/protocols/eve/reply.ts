/** Converts the events of an eve session to the events of one reply. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { APPROVES, DENIES } from '../core/decision-words.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { EvePosition } from './request.ts';
import { eveResult, NO_DATA, type EveAction, type EveData, type EveEvent, type EveInputRequest } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';
type Handler = (data: EveData) => readonly Data[];

export function makeEveDecoder({ eventId, report, turn, providerState, ended }: DecodeContext<EvePosition>) {
  const last = turn.messages.at(-1);
  const isContinued = last?.role === 'assistant' && last.blocks.length > 0;
  const displayedCalls = new Set(
    isContinued
      ? last.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : []))
      : [],
  );
  const speaker = { id: eventId };
  let parts: readonly Part[] = [];
  /** Text that is not complete yet, by kind. */
  const open: Record<Kind, string> = { text: '', reasoning: '' };
  let startsNewText = false;
  /** Calls that return a receipt first and their output later. */
  const tasks = new Set<string>();
  /** Questions that the user has to answer here. */
  let questionCount = 0;
  let cursor = providerState?.start ?? 0;
  /** Whether the events belong to this reply. */
  let isOwn = providerState?.deliveryId === undefined;
  const metadata = providerState && {
    sessionId: providerState.sessionId,
    firstEvent: providerState.start,
    // Replaces the id of an earlier round.
    deliveryId: providerState.deliveryId ?? null,
  };
  const tokens = { prompt: 0, completion: 0 };
  let finished = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const finish = (reason: FinishReason): readonly Data[] => {
    if (finished) return [];
    finished = true;
    const { prompt, completion } = tokens;
    const total = prompt + completion;
    return [
      ...(total > 0
        ? [{ totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } }]
        : []),
      { finish: reason },
    ];
  };
  const fail = ({ message, code }: EveData): readonly LLMAgentEvent[] => {
    if (finished) return [];
    const error = message || 'The agent reported an error.';
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, ...finish('error').map(response)];
  };

  const append = (kind: Kind, chunk: string | null | undefined): readonly Data[] => {
    if (!chunk) return [];
    const before = parts.at(-1);
    const begins = kind === 'text' && startsNewText && before?.kind === 'text';
    if (kind === 'text') startsNewText = false;
    open[kind] += chunk;
    parts =
      before?.kind === kind && !begins
        ? [...parts.slice(0, -1), { kind, text: before.text + chunk }]
        : [...parts, { kind, text: chunk }];
    return [
      kind === 'text' ? { content: chunk, ...(begins && { content_begins: true }) } : { reasoning_content: chunk },
    ];
  };
  /** The complete text follows its chunks. It differs where the server has repeated a failed call of the model. */
  const complete = (kind: Kind, text: string | null | undefined): readonly Data[] => {
    const emitted = open[kind];
    open[kind] = '';
    if (kind === 'text') startsNewText = true;
    if (!text || text === emitted) return [];
    if (text.startsWith(emitted)) {
      if (kind === 'text') startsNewText = emitted === '';
      const rest = append(kind, text.slice(emitted.length));
      open[kind] = '';
      if (kind === 'text') startsNewText = true;
      return rest;
    }
    const index = parts.findLastIndex((part) => part.kind === kind);
    const part = parts[index];
    // Otherwise the earlier rounds of this message would be lost.
    if (isContinued || part?.kind !== kind || !part.text.endsWith(emitted)) return [];
    const before = parts;
    parts = parts.with(index, { kind, text: part.text.slice(0, part.text.length - emitted.length) + text });
    return snapshotEvents(speaker, before, parts).map(asRemote);
  };

  const putCall = (id: string, name: string, params: string): void => {
    const index = parts.findIndex((part) => part.kind === 'tool' && part.id === id);
    const part: Part = { kind: 'tool', id, name, params };
    parts = index < 0 ? [...parts, part] : parts.with(index, part);
  };
  const startCall = (action: EveAction, label: string | null | undefined): readonly Data[] => {
    const { callId: id, input } = action;
    const name = action.toolName ?? action.subagentName ?? action.remoteAgentName ?? action.name ?? '';
    const params = JSON.stringify(input ?? {});
    const tool_call = displayedCalls.has(id) ? 'running' : 'start';
    displayedCalls.add(id);
    putCall(id, name, params);
    return [
      {
        tool_call,
        tool_call_id: id,
        tool_call_name: name,
        tool_call_params_complete: params,
        ...(label && { tool_call_description: label }),
        tool_call_remote: true,
      },
    ];
  };
  const endCall = (id: string, output: unknown, error: string | undefined): readonly Data[] => {
    const index = parts.findIndex((part) => part.kind === 'tool' && part.id === id);
    const part = parts[index];
    const text = error ?? asText(output);
    if (part?.kind === 'tool') {
      parts = parts.with(index, { ...part, response: text, ...(error !== undefined && { failed: true }) });
    }
    return [
      {
        tool_call: error === undefined ? 'end' : 'error',
        tool_call_id: id,
        tool_call_response_complete: text,
        tool_call_remote: true,
      },
    ];
  };

  const emitQuestion = (request: EveInputRequest): readonly Data[] => {
    questionCount++;
    const { requestId, kind, prompt, action, options } = request;
    const approval = kind === 'tool-approval' && action ? approvalOptions(options) : undefined;
    const call = kind === 'tool-approval' && action ? startCall(action, undefined) : [];
    if (approval) return [...call, approvalEvent(request, approval)];
    return [
      ...call,
      {
        ask: {
          action_type: 'question',
          content: prompt ?? '',
          ...(options && {
            options: options.map(({ id, label, description }) => ({
              label: label ?? id,
              value: id,
              ...(description && { description }),
            })),
          }),
        },
        request: {
          id: requestId,
          ...(options && {
            extra: {
              optionIds: options.map(({ id }) => id).join('\n'),
              ...(kind === 'tool-approval' && { needsChoice: true }),
            },
          }),
        },
      },
    ];
  };

  const handlers: Readonly<Record<string, Handler>> = {
    'message.appended': ({ messageDelta }) => append('text', messageDelta),
    'message.completed': ({ message }) => complete('text', message),
    'reasoning.appended': ({ reasoningDelta }) => append('reasoning', reasoningDelta),
    'reasoning.completed': ({ reasoning }) => complete('reasoning', reasoning),
    'action.input.appended'({ callId, toolName, inputTextDelta }) {
      if (!callId) return [];
      const known = displayedCalls.has(callId);
      displayedCalls.add(callId);
      if (!known) putCall(callId, toolName ?? '', '');
      return [
        {
          tool_call: known ? 'update' : 'start',
          tool_call_id: callId,
          ...(toolName && { tool_call_name: toolName }),
          ...(inputTextDelta && { tool_call_params: inputTextDelta }),
          tool_call_remote: true,
        },
      ];
    },
    'actions.requested': ({ actions, presentation }) =>
      (actions ?? []).flatMap((action) => (action ? startCall(action, presentation?.[action.callId]?.label) : [])),
    'action.partial'({ result }) {
      const { callId, output } = eveResult.safeParse(result).data ?? {};
      if (callId === undefined) return [];
      return [{ tool_call: 'running', tool_call_id: callId, tool_call_response_complete: asText(output) }];
    },
    'action.result'({ result, status, error }) {
      const { callId, output, isError } = eveResult.safeParse(result).data ?? {};
      if (callId === undefined) return [];
      const failed = isError === true || status === 'failed' || status === 'rejected';
      if (!failed && tasks.has(callId)) return [];
      return endCall(callId, output, failed ? error?.message || asText(output) : undefined);
    },
    'task.started'({ callId }) {
      if (callId) tasks.add(callId);
      return [];
    },
    'task.settled': ({ callId, status, output, error }) =>
      callId ? endCall(callId, output, status === 'completed' ? undefined : (error?.message ?? status ?? '')) : [],
    'input.requested': ({ requests }) => (requests ?? []).flatMap((request) => (request ? emitQuestion(request) : [])),
    // The user signs in elsewhere; the turn then continues automatically.
    'authorization.required': (data) => append('text', signInText(data)),
    'turn.waiting': ({ on }) => (on === 'input' && questionCount > 0 ? finish('tool_use') : []),
    'result.completed': ({ result }) => [{ data: { data_type: 'custom', data: result } }],
    'step.completed'({ usage }) {
      tokens.prompt += usage?.inputTokens ?? 0;
      tokens.completion += usage?.outputTokens ?? 0;
      return [];
    },
    'turn.completed'() {
      ended?.();
      return [];
    },
    'turn.cancelled': () => finish('cancelled'),
    'session.waiting': () => finish('complete'),
    'session.completed': () => finish('complete'),
  };

  /** Whether the event belongs to this reply. Earlier ones belong to a stopped turn. */
  const belongs = ({ type, data, meta }: EveEvent): boolean => {
    const ids = meta?.deliveryIds;
    // Servers before 0.80 do not send the ids, so the message itself marks the start.
    isOwn ||= ids
      ? ids.includes(providerState?.deliveryId ?? '')
      : type === 'message.received' && data?.message === turn.text;
    return isOwn;
  };

  return {
    take(event: EveEvent, frame: Frame): readonly LLMAgentEvent[] {
      cursor++;
      if (finished || !belongs(event)) return [];
      const { type, data } = event;
      if (type === 'turn.failed' || type === 'session.failed') return fail(data ?? NO_DATA);
      if (Object.hasOwn(handlers, type)) return handlers[type]?.(data ?? NO_DATA).map(response) ?? [];
      if (!IGNORED.test(type)) report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame });
      return [];
    },
    /** The position at which the next request continues. */
    position: (): readonly LLMAgentEvent[] =>
      metadata ? [response({ metadata: { ...metadata, nextEvent: cursor } })] : [],
    /** The message gets an id, so that it can be rewritten. */
    start: (): readonly LLMAgentEvent[] => (isContinued ? [] : [response({ message: speaker })]),
  };
}

/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:(?:session|turn|step|agent)\.started|message\.received|step\.failed|input\.resolved|approval\.\w+|authorization\.completed|compaction\.\w+|context\.cleared)$/;

interface ApprovalOptions {
  readonly approve: string;
  readonly deny: string;
}

/** Words that do not change the meaning of an option: `approve_once`. */
const SUFFIX = /[-_](?:now|once|this|it|tool|call|action|run|request)$/i;

/**
 * The ids of the options for "Allow" and "Deny"; undefined if they are ambiguous. The style does not decide, because
 * approving something dangerous is styled as danger too. The user then chooses by the agent's own labels.
 */
function approvalOptions(options: EveInputRequest['options']): ApprovalOptions | undefined {
  if (!options?.length) return { approve: 'approve', deny: 'deny' };
  // Other options may apply to more than this call: `approve-always`.
  const idOf = (pattern: RegExp): string | undefined =>
    options.map(({ id }) => id).find((id) => pattern.test(id.replace(SUFFIX, '')));
  const [approve, deny] = [idOf(APPROVES), idOf(DENIES)];
  return approve === undefined || deny === undefined ? undefined : { approve, deny };
}

function approvalEvent({ requestId, prompt, action }: EveInputRequest, extra: ApprovalOptions): Data {
  const name = action?.toolName ?? '';
  return {
    tool_call: 'permission-required',
    tool_call_id: action?.callId ?? '',
    tool_call_name: name,
    tool_call_params_complete: JSON.stringify(action?.input ?? {}),
    permission_request: { toolName: name, serverName: '', permissionType: 'all', description: prompt ?? '' },
    request: { id: requestId, extra: { ...extra } },
  };
}

/** A text with the URL for the sign-in. */
function signInText({ name, description, authorization }: EveData): string {
  const { url, userCode, instructions } = authorization ?? {};
  const lines = [description || name, url && `<${url}>`, userCode && `\`${userCode}\``, instructions];
  return `${lines.filter(Boolean).join('\n\n')}\n\n`;
}

const asRemote = (data: Data): Data => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true });
