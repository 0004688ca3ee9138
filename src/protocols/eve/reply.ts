/** Converts the events of an eve session to the events of one reply. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { exactJson } from '../core/exact-json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { asText } from '../shared/as-text.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { EvePosition } from './request.ts';
import {
  eveResult,
  NO_DATA,
  type EveAction,
  type EveData,
  type EveEvent,
  type EveInputRequest,
} from './reply-schema.ts';
import { isApproval, isDenial } from './option-words.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';

/** The state of one reply, and what an event changes in it. */
export class EveReply {
  readonly #context: DecodeContext<EvePosition>;
  /** Whether the message has content from an earlier round. */
  readonly #isContinued: boolean;
  readonly #displayedCalls: Set<string>;
  #parts: readonly Part[] = [];
  /** Text that is not complete yet, by kind. */
  readonly #open: Record<Kind, string> = { text: '', reasoning: '' };
  /** Whether the next text or reasoning is a new one, by kind. */
  readonly #startsNew: Record<Kind, boolean> = { text: false, reasoning: false };
  /** Calls that return a receipt first and their output later. */
  readonly #tasks = new Set<string>();
  /** Whether the agent has asked something that the user has to answer here. */
  #hasQuestion = false;
  /** How many events of the session have been read. */
  #cursor: number;
  /** Whether the first event of this reply has arrived. */
  #isOwn: boolean;
  readonly #tokens = { prompt: 0, completion: 0 };
  #ending: ReplyEnd = 'complete';
  #isFinished = false;

  constructor(context: DecodeContext<EvePosition>) {
    const last = context.turn.messages.at(-1);
    this.#context = context;
    this.#isContinued = last?.role === 'assistant' && last.blocks.length > 0;
    this.#displayedCalls = new Set(
      this.#isContinued
        ? last?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : []))
        : [],
    );
    this.#cursor = context.providerState?.start ?? 0;
    this.#isOwn = context.providerState?.deliveryId === undefined;
  }

  /** The message gets an id, so that it can be rewritten. */
  start(): readonly LLMAgentEvent[] {
    return this.#isContinued ? [] : [this.#response({ message: this.#speaker })];
  }

  /** The position at which the next request continues. */
  position(): readonly LLMAgentEvent[] {
    const { providerState } = this.#context;
    if (!providerState) return [];
    const { sessionId, start, deliveryId } = providerState;
    // Null replaces the id of an earlier round.
    const metadata = { sessionId, firstEvent: start, deliveryId: deliveryId ?? null, nextEvent: this.#cursor };
    return [this.#response({ metadata })];
  }

  /** Takes one event of the session. */
  take(event: EveEvent, frame: Frame): readonly LLMAgentEvent[] {
    this.#cursor++;
    if (this.#isFinished || !this.#belongs(event)) return [];
    const { type, data } = event;
    if (type === 'turn.failed' || type === 'session.failed') return this.#fail(data ?? NO_DATA);
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, data ?? NO_DATA).map((item) => this.#response(item));
    if (!IGNORED.test(type)) {
      this.#context.report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame });
    }
    return [];
  }

  append(kind: Kind, chunk: string | null | undefined): readonly Data[] {
    if (!chunk) return [];
    const before = this.#parts.at(-1);
    const isNew = this.#startsNew[kind] && before?.kind === kind;
    const begins = kind === 'text' && isNew;
    this.#startsNew[kind] = false;
    this.#open[kind] += chunk;
    // Reasoning has no blocks of its own: a blank line separates two of them.
    const added = isNew && !begins ? `\n\n${chunk}` : chunk;
    this.#parts =
      before?.kind === kind && !begins
        ? [...this.#parts.slice(0, -1), { kind, text: before.text + added }]
        : [...this.#parts, { kind, text: added }];
    return [
      kind === 'text' ? { content: added, ...(begins && { content_begins: true }) } : { reasoning_content: added },
    ];
  }

  /** The complete text follows its chunks. It differs where the server has repeated a failed call of the model. */
  complete(kind: Kind, text: string | null | undefined): readonly Data[] {
    const emitted = this.#open[kind];
    this.#close(kind);
    if (!text || text === emitted) return [];
    if (text.startsWith(emitted)) {
      this.#startsNew[kind] = emitted === '';
      const rest = this.append(kind, text.slice(emitted.length));
      this.#close(kind);
      return rest;
    }
    const index = this.#parts.findLastIndex((part) => part.kind === kind);
    const part = this.#parts[index];
    // A continued message is not rewritten, because it would lose its earlier rounds.
    if (this.#isContinued || part?.kind !== kind || !part.text.endsWith(emitted)) return [];
    const before = this.#parts;
    this.#parts = before.with(index, { kind, text: part.text.slice(0, part.text.length - emitted.length) + text });
    return snapshotEvents(this.#speaker, before, this.#parts).map(asRemote);
  }

  appendArguments({ callId, toolName, inputTextDelta }: EveData): readonly Data[] {
    if (!callId) return [];
    const known = this.#displayedCalls.has(callId);
    this.#displayedCalls.add(callId);
    if (!known) this.#putCall(callId, toolName ?? '', '');
    return [
      {
        tool_call: known ? 'update' : 'start',
        tool_call_id: callId,
        ...(toolName && { tool_call_name: toolName }),
        ...(inputTextDelta && { tool_call_params: inputTextDelta }),
        tool_call_remote: true,
      },
    ];
  }

  startCall(action: EveAction, label: string | null | undefined): readonly Data[] {
    const { callId: id, input } = action;
    const name = action.toolName ?? action.subagentName ?? action.remoteAgentName ?? action.name ?? '';
    const params = exactJson(input ?? {});
    const tool_call = this.#displayedCalls.has(id) ? 'running' : 'start';
    this.#displayedCalls.add(id);
    this.#putCall(id, name, params);
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
  }

  endCall(id: string, output: unknown, error: string | undefined): readonly Data[] {
    const index = this.#parts.findIndex((part) => part.kind === 'tool' && part.id === id);
    const part = this.#parts[index];
    const text = error ?? asText(output);
    if (part?.kind === 'tool') {
      this.#parts = this.#parts.with(index, { ...part, response: text, ...(error !== undefined && { failed: true }) });
    }
    return [
      {
        tool_call: error === undefined ? 'end' : 'error',
        tool_call_id: id,
        tool_call_response_complete: text,
        tool_call_remote: true,
      },
    ];
  }

  /** The result of a call. That of a task is only a receipt, unless it has failed. */
  takeResult({ result, status, error }: EveData): readonly Data[] {
    const { callId, output, isError } = eveResult.safeParse(result).data ?? {};
    if (callId === undefined) return [];
    const failed = isError === true || status === 'failed' || status === 'rejected';
    if (!failed && this.#tasks.has(callId)) return [];
    return this.endCall(callId, output, failed ? error?.message || asText(output) : undefined);
  }

  startTask({ callId }: EveData): readonly Data[] {
    if (callId) this.#tasks.add(callId);
    return [];
  }

  ask(request: EveInputRequest): readonly Data[] {
    this.#hasQuestion = true;
    const { kind, action, options } = request;
    if (kind !== 'tool-approval' || !action) return [questionEvent(request)];
    const approval = approvalOptions(options);
    return [...this.startCall(action, undefined), approval ? approvalEvent(request, approval) : questionEvent(request)];
  }

  /** The turn waits. If it does not wait for an answer that the user can give here, it continues automatically. */
  wait({ on }: EveData): readonly Data[] {
    return on === 'input' && this.#hasQuestion ? this.finish('tool_use') : [];
  }

  /** The end of a model call. That of the last one is the end of the reply. */
  endStep({ usage, finishReason }: EveData): readonly Data[] {
    const end = replyEnd(finishReason);
    this.#ending = end === 'max_tokens' || end === 'filtered' ? end : 'complete';
    this.#tokens.prompt += usage?.inputTokens ?? 0;
    this.#tokens.completion += usage?.outputTokens ?? 0;
    return [];
  }

  /** The end of the turn is announced; the event that ends the reply follows. */
  announceEnd(): readonly Data[] {
    this.#context.reportEnd?.();
    return [];
  }

  /** The end of the turn, which does not say whether its answer was cut. */
  finishTurn(): readonly Data[] {
    return this.finish(this.#ending);
  }

  finish(reason: ReplyEnd): readonly Data[] {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    const { prompt, completion } = this.#tokens;
    const total = prompt + completion;
    return [
      ...(total > 0
        ? [{ totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } }]
        : []),
      endData(reason),
    ];
  }

  get #speaker(): { readonly id: string } {
    return { id: this.#context.eventId };
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  #fail({ message, code }: EveData): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    const error = message || 'The agent reported an error.';
    return [
      { type: 'error', data: { eventId, error, ...(code && { code }) } },
      ...this.finish('error').map((data) => this.#response(data)),
    ];
  }

  /** Whether the event belongs to this reply. Earlier ones belong to a stopped turn. */
  #belongs({ type, data, meta }: EveEvent): boolean {
    const { providerState, turn } = this.#context;
    const ids = meta?.deliveryIds;
    // Servers before 0.80 do not send the ids, so the message itself marks the start.
    this.#isOwn ||= ids
      ? ids.includes(providerState?.deliveryId ?? '')
      : type === 'message.received' && data?.message === turn.text;
    return this.#isOwn;
  }

  #close(kind: Kind): void {
    this.#open[kind] = '';
    this.#startsNew[kind] = true;
  }

  #putCall(id: string, name: string, params: string): void {
    const index = this.#parts.findIndex((part) => part.kind === 'tool' && part.id === id);
    const part: Part = { kind: 'tool', id, name, params };
    this.#parts = index < 0 ? [...this.#parts, part] : this.#parts.with(index, part);
  }
}

/** What each type of event does. */
const HANDLERS: Readonly<Record<string, (reply: EveReply, data: EveData) => readonly Data[]>> = {
  'message.appended': (reply, { messageDelta }) => reply.append('text', messageDelta),
  'message.completed': (reply, { message }) => reply.complete('text', message),
  'reasoning.appended': (reply, { reasoningDelta }) => reply.append('reasoning', reasoningDelta),
  'reasoning.completed': (reply, { reasoning }) => reply.complete('reasoning', reasoning),
  'action.input.appended': (reply, data) => reply.appendArguments(data),
  'actions.requested': (reply, { actions, presentation }) =>
    (actions ?? []).flatMap((action) => (action ? reply.startCall(action, presentation?.[action.callId]?.label) : [])),
  'action.partial'(_, { result }) {
    const { callId, output } = eveResult.safeParse(result).data ?? {};
    if (callId === undefined) return [];
    return [{ tool_call: 'running', tool_call_id: callId, tool_call_response_complete: asText(output) }];
  },
  'action.result': (reply, data) => reply.takeResult(data),
  'task.started': (reply, data) => reply.startTask(data),
  'task.settled': (reply, { callId, status, output, error }) =>
    callId ? reply.endCall(callId, output, status === 'completed' ? undefined : (error?.message ?? status ?? '')) : [],
  'input.requested': (reply, { requests }) =>
    (requests ?? []).flatMap((request) => (request ? reply.ask(request) : [])),
  // The user signs in elsewhere; the turn then continues automatically.
  'authorization.required': (reply, data) => reply.append('text', signInText(data)),
  'turn.waiting': (reply, data) => reply.wait(data),
  'result.completed': (_, { result }) => [{ data: { data_type: 'custom', data: result } }],
  'step.completed': (reply, data) => reply.endStep(data),
  'turn.completed': (reply) => reply.announceEnd(),
  'turn.cancelled': (reply) => reply.finish('cancelled'),
  'session.waiting': (reply) => reply.finishTurn(),
  'session.completed': (reply) => reply.finishTurn(),
};

/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:(?:session|turn|step|agent)\.started|message\.received|step\.failed|input\.resolved|approval\.\w+|authorization\.completed|compaction\.\w+|context\.cleared)$/;

interface ApprovalOptions {
  readonly approve: string;
  readonly deny: string;
}

/**
 * The ids of the options for "Allow" and "Deny"; undefined if they are ambiguous. The style does not decide, because
 * approving something dangerous is styled as danger too. The user then chooses by the agent's own labels.
 */
function approvalOptions(options: EveInputRequest['options']): ApprovalOptions | undefined {
  if (!options?.length) return { approve: 'approve', deny: 'deny' };
  // Other options may apply to more than this call: `approve-always`.
  const ids = options.map(({ id }) => id);
  const [approve, deny] = [ids.find(isApproval), ids.find(isDenial)];
  return approve === undefined || deny === undefined ? undefined : { approve, deny };
}

function approvalEvent({ requestId, prompt, action }: EveInputRequest, extra: ApprovalOptions): Data {
  const name = action?.toolName ?? '';
  return {
    tool_call: 'permission-required',
    tool_call_id: action?.callId ?? '',
    tool_call_name: name,
    tool_call_params_complete: exactJson(action?.input ?? {}),
    permission_request: { toolName: name, serverName: '', permissionType: 'all', description: prompt ?? '' },
    request: { id: requestId, extra: { ...extra } },
  };
}

function questionEvent({ requestId, kind, prompt, action, options }: EveInputRequest): Data {
  // The agent's own labels decide about a call whose options are ambiguous.
  const needsChoice = kind === 'tool-approval' && action;
  return {
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
        extra: { optionIds: options.map(({ id }) => id).join('\n'), ...(needsChoice && { needsChoice: true }) },
      }),
    },
  };
}

/** A text with the URL for the sign-in. */
function signInText({ name, description, authorization }: EveData): string {
  const { url, userCode, instructions } = authorization ?? {};
  const lines = [description || name, url && `<${url}>`, userCode && `\`${userCode}\``, instructions];
  return `${lines.filter(Boolean).join('\n\n')}\n\n`;
}

const asRemote = (data: Data): Data => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true });
