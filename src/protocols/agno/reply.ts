/**
 * Converts the events of an Agno run. The run of a team or a workflow contains the runs of its members, whose events
 * name the run that started them.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { PlanEntry } from '../../model/blocks.ts';
import { textValue } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { replyEnd } from '../core/finish-reasons.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { pausedRun, pauseEvents } from './paused-tools.ts';
import { agnoCitations, agnoMedia, agnoUsage, type AgnoEvent, type AgnoTask, type AgnoTool } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Context = Pick<DecodeContext, 'eventId' | 'report' | 'turn'>;
type Handler = (reply: AgnoReply, event: AgnoEvent, isMember: boolean) => readonly Data[];

/** The state of one reply, and what an event changes in it. */
export class AgnoReply {
  readonly #context: Context;
  readonly #displayedCalls: Set<string>;
  /** Open calls that started the runs of members, newest last: the id of the call and the member it names. */
  readonly #delegations = new Map<string, unknown>();
  /** The call that each member run is shown in, by run id. */
  readonly #memberCalls = new Map<string, string | undefined>();
  readonly #displayedMedia = new Set<string>();
  readonly #displayedSources = new Set<string>();
  /** Whether an earlier request has left a paused run that the user can answer. */
  #wasPaused: boolean;
  #metadata: Readonly<Record<string, unknown>> | undefined;
  #hasEvents = false;
  /** Whether the server reports the start and end of a run, not only its content. */
  #hasLifecycle = false;
  #hasText = false;
  /** Whether the next text starts a new block, because the workflow has moved to its next step. */
  #startsNewText = false;
  /** Steps of a workflow that have not ended, by id or name: whether the step has shown its result. */
  readonly #steps = new Map<string, boolean>();
  /** Whether the step that started last has shown nothing, so that its result is still missing. */
  #isLastStepSilent = false;
  #hasReasoningDeltas = false;
  #isFinished = false;

  constructor(context: Context) {
    const last = context.turn.messages.at(-1);
    const continued = last?.role === 'assistant' ? last : undefined;
    this.#context = context;
    this.#displayedCalls = new Set(
      continued?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : [])),
    );
    this.#wasPaused = isRecord(continued?.metadata?.['paused']);
  }

  /** Takes one event of the run, or the complete run of a response without streaming. */
  take(event: AgnoEvent, frame: Frame): readonly LLMAgentEvent[] {
    this.#hasEvents = true;
    return [...this.#identifyRun(event), ...this.#convert(event, frame)];
  }

  /** A server that reports only content ends the run with the stream. */
  end(): readonly LLMAgentEvent[] {
    return this.#hasEvents && !this.#hasLifecycle ? this.finish('complete').map((data) => this.#response(data)) : [];
  }

  appendText(content: unknown, isMember: boolean): readonly Data[] {
    const text = textValue.safeParse(content).data ?? '';
    if (text === '') return [];
    if (isMember) return [{ content: text }];
    const begins = this.#startsNewText && this.#hasText;
    this.#hasText = true;
    this.#startsNewText = false;
    return [{ content: text, ...(begins && { content_begins: true }) }];
  }

  /** The content is text, or output in the agent's schema. */
  appendContent(event: AgnoEvent, isMember: boolean): readonly Data[] {
    const { content, content_type: type } = event;
    if (!isMember && content != null && content !== '') this.#markStep(event);
    if (!isRecord(content) && !Array.isArray(content)) return this.appendText(content, isMember);
    if (!isMember) this.#hasText = true;
    return [{ data: { data_type: 'custom', data: content, metadata: { dataType: type ?? 'output' } } }];
  }

  /** The media and sources that are not shown yet. */
  attach(event: AgnoEvent): readonly Data[] {
    return [
      ...agnoMedia(event).flatMap(({ key, media }) => (isNew(this.#displayedMedia, key) ? [{ media }] : [])),
      ...agnoCitations(event).flatMap((citation) => (isNew(this.#displayedSources, citation.id) ? [{ citation }] : [])),
    ];
  }

  startReasoning(): readonly Data[] {
    this.#hasReasoningDeltas = false;
    return [];
  }

  appendReasoning({ reasoning_content: text }: AgnoEvent): readonly Data[] {
    if (text) this.#hasReasoningDeltas = true;
    return reasoningEvents(text);
  }

  /** A complete step of the reasoning, which repeats its deltas. */
  addReasoningStep({ content }: AgnoEvent): readonly Data[] {
    return this.#hasReasoningDeltas ? [] : reasoningStep(content);
  }

  startCall({ tool_call_id: id, tool_name: name, tool_args: args }: AgnoTool): readonly Data[] {
    if (!id) return [];
    const tool_call = isNew(this.#displayedCalls, id) ? 'start' : 'running';
    if (name && DELEGATE.test(name)) this.#delegations.set(id, args?.['member_id']);
    return [
      {
        tool_call,
        tool_call_id: id,
        ...(name && { tool_call_name: name }),
        tool_call_params_complete: JSON.stringify(args ?? {}),
        tool_call_remote: true,
      },
    ];
  }

  endCall(tool: AgnoTool, error?: unknown): readonly Data[] {
    const { tool_call_id: id, tool_call_error: isError, result } = tool;
    if (!id) return [];
    const hasFailed = isError === true || error != null;
    const start = this.#displayedCalls.has(id) ? [] : this.startCall(tool);
    this.#delegations.delete(id);
    return [
      ...start,
      {
        tool_call: hasFailed ? 'error' : 'end',
        tool_call_id: id,
        tool_call_response_complete: asText(result) || (hasFailed ? (errorMessage(error) ?? '') : ''),
      },
    ];
  }

  startStep(event: AgnoEvent): readonly Data[] {
    const { step_name: name } = event;
    this.#startsNewText = true;
    this.#isLastStepSilent = true;
    this.#steps.set(stepKey(event), false);
    return name ? [{ phase: { name, message: name } }] : [];
  }

  /** The end of a step repeats what it has streamed. A step that streams nothing has its result only there. */
  endStep(event: AgnoEvent): readonly Data[] {
    const key = stepKey(event);
    const isSilent = this.#steps.get(key) === false;
    const items = isSilent ? this.#appendResult(event) : [];
    this.#steps.delete(key);
    return items;
  }

  pause(event: AgnoEvent): readonly Data[] {
    const paused = pausedRun(event);
    this.#wasPaused = false;
    return [{ metadata: { paused } }, ...pauseEvents(paused), ...this.finish('tool_use')];
  }

  complete(event: AgnoEvent, reason: FinishReason = 'complete'): readonly Data[] {
    const usage = agnoUsage(event);
    return [
      // The end repeats the streamed content.
      ...(this.#hasText && !this.#isLastStepSilent ? [] : this.#appendResult(event)),
      ...this.attach(event),
      ...(event.session_state ? [{ state: { value: event.session_state } }] : []),
      ...(usage ? [{ totalUsage: usage }] : []),
      ...this.finish(reason),
    ];
  }

  finish(reason: FinishReason): readonly Data[] {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    return [{ finish: reason }];
  }

  #appendResult(event: AgnoEvent): readonly Data[] {
    this.#startsNewText = true;
    return this.appendContent(event, false);
  }

  /** Remembers that the step of an event has shown something; without its name, that all open steps have. */
  #markStep(event: AgnoEvent): void {
    this.#isLastStepSilent = false;
    const key = stepKey(event);
    for (const step of this.#steps.keys()) if (step === key || !this.#steps.has(key)) this.#steps.set(step, true);
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  /** The ids that later requests need: with the first event that has them, and again when the run can be resumed. */
  #identifyRun(event: AgnoEvent): readonly LLMAgentEvent[] {
    const resumable = typeof event.event_index === 'number';
    if (this.#metadata && (!resumable || this.#metadata['resumable'] === true)) return [];
    const runId = event.workflow_run_id ?? event.parent_run_id ?? event.run_id;
    if (!runId) return [];
    this.#metadata = { runId, sessionId: event.session_id, ...(resumable && { resumable }) };
    return [this.#response({ metadata: { ...this.#metadata, ...(this.#wasPaused && { paused: null }) } })];
  }

  #convert(event: AgnoEvent, frame: Frame): readonly LLMAgentEvent[] {
    const { event: name } = event;
    if (name == null) {
      if (replyEnd(event.status) === 'error') return this.#fail(event);
      if (event.status === 'PENDING') return this.#fail({ ...event, error: PENDING });
      if (event.status === 'PAUSED' && event['workflow_id'] != null) return this.#failPausedStep(event);
      return this.#takeDocument(event).map((data) => this.#response(data));
    }
    if (RESUMPTION.test(name)) return [];
    const kind = name.replace(/^Team(?=[A-Z])/, '');
    this.#hasLifecycle ||= LIFECYCLE.test(kind);
    const isMember = event.parent_run_id != null && event.workflow_run_id == null;
    if (name === 'error' || (!isMember && RUN_ERROR.test(kind))) return this.#fail(event);
    if (STEP_PAUSED.test(kind) || (event.workflow_run_id != null && kind === 'RunPaused')) {
      return this.#failPausedStep(event);
    }
    // A step of a workflow is a run with its own end.
    if (event.workflow_run_id != null && RUN_END.test(kind)) return [];
    const handlers = isMember ? CONTENT_HANDLERS : HANDLERS;
    const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
    if (handler) {
      const items = handler(this, event, isMember);
      return (isMember ? this.#nest(event, items) : items).map((data) => this.#response(data));
    }
    if (!isMember && !IGNORED.test(kind)) {
      this.#context.report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
    }
    return [];
  }

  /** A complete response without streaming. */
  #takeDocument(event: AgnoEvent): readonly Data[] {
    const isCancelled = replyEnd(event.status) === 'cancelled';
    const reasoning = reasoningEvents(event.reasoning_content);
    if (event.status === 'PAUSED') {
      return [
        ...reasoning,
        ...this.appendContent(event, false),
        ...this.pause({ ...event, event: event.team_name == null ? '' : 'Team' }),
      ];
    }
    return [
      ...reasoning,
      ...(event.tools ?? []).flatMap((tool) => this.endCall(tool)),
      ...this.complete(event, isCancelled ? 'cancelled' : 'complete'),
    ];
  }

  /** The run of a member is shown inside the call that started it, or as a separate message. */
  #nest(event: AgnoEvent, items: readonly Data[]): readonly Data[] {
    const id = event.run_id ?? '';
    const callId = this.#memberCall(id, event.agent_id);
    const name = event.agent_name ?? event.team_name ?? '';
    return items.map((data) =>
      callId === undefined
        ? { message: { id, ...(name && { name }) }, ...data }
        : { ...data, parent: { tool_call_id: callId, ...(name && { name }) } },
    );
  }

  /** The call that started the run of a member: the one that names it, otherwise the newest. */
  #memberCall(runId: string, agentId: string | null | undefined): string | undefined {
    if (!this.#memberCalls.has(runId)) {
      const calls = [...this.#delegations];
      const named = calls.find(([, member]) => member !== undefined && member === agentId);
      this.#memberCalls.set(runId, (named ?? calls.at(-1))?.[0]);
    }
    return this.#memberCalls.get(runId);
  }

  #failPausedStep(event: AgnoEvent): readonly LLMAgentEvent[] {
    const error = 'A step of the workflow waits for an answer, which is not possible in this chat.';
    return this.#fail({ ...event, error });
  }

  #fail(event: AgnoEvent): readonly LLMAgentEvent[] {
    if (this.#isFinished) return [];
    const { eventId } = this.#context;
    const error = errorMessage(event.error ?? event.content) ?? 'The agent reported an error.';
    const code = event.error_id ?? event.error_type;
    return [
      { type: 'error', data: { eventId, error, ...(code && { code }) } },
      ...this.finish('error').map((data) => this.#response(data)),
    ];
  }
}

/** What each type of event does that a member of a team may send too. */
const CONTENT_HANDLERS: Readonly<Record<string, Handler>> = {
  RunContent: (reply, event, isMember) => [
    ...reasoningEvents(event.reasoning_content),
    ...reply.appendContent(event, isMember),
    // Speech models send the transcript of their speech here.
    ...(event.content == null ? reply.appendText(event.response_audio?.transcript, isMember) : []),
    ...reply.attach(event),
  ],
  ReasoningStarted: (reply) => reply.startReasoning(),
  ReasoningContentDelta: (reply, event) => reply.appendReasoning(event),
  ReasoningStep: (reply, event) => reply.addReasoningStep(event),
  ToolCallStarted: (reply, { tool }) => (tool ? reply.startCall(tool) : []),
  ToolCallCompleted: (reply, event) => [...(event.tool ? reply.endCall(event.tool) : []), ...reply.attach(event)],
  ToolCallError: (reply, { tool, error }) => (tool ? reply.endCall(tool, error ?? '') : []),
  CustomEvent: (_, event) => customEvents(event),
};

/** What each type of event does. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  ...CONTENT_HANDLERS,
  RunCompleted: (reply, event) => reply.complete(event),
  RunPaused: (reply, event) => reply.pause(event),
  RunCancelled: (reply) => reply.finish('cancelled'),
  FollowupsCompleted: (_, { followups }) =>
    followups?.length ? [{ suggestions: followups.map((prompt) => ({ label: prompt, prompt })) }] : [],
  TaskStateUpdated: (_, { tasks }) => (tasks?.length ? [{ plan: tasks.map(planEntry) }] : []),
  StepStarted: (reply, event) => reply.startStep(event),
  StepCompleted: (reply, event) => reply.endStep(event),
  WorkflowCompleted: (reply, event) => reply.complete(event),
  WorkflowCancelled: (reply) => reply.finish('cancelled'),
};

/** The tools with which the leader of a team starts the run of a member. */
const DELEGATE =
  /^(?:delegate_task_to_members?|transfer_task_to_member|forward_task_to_member|execute_tasks?(?:_parallel)?)$/;
/** A run in the background without a stream: the response comes before its answer. */
const PENDING = 'The agent runs in the background without a stream: set `stream` to true in `body`.';
/** The server's notices about a resumed stream. */
const RESUMPTION = /^(?:replay|catch_up|subscribed)$/;
const LIFECYCLE = /^(?:Run(?:Started|Continued)|WorkflowStarted)$/;
const RUN_ERROR = /^(?:Run|Workflow)Error$/;
const RUN_END = /^Run(?:Completed|Cancelled)$/;
/** A workflow waits for an answer to one of its steps. */
const STEP_PAUSED = /^(?:Workflow|Step|Router|Condition|Loop)\w*Paused$/;
/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:Run(?:Started|Continued|ContentCompleted|IntermediateContent)|Reasoning(?:Started|Completed)|(?:Pre|Post)Hook|MemoryUpdate|SessionSummary|ParserModelResponse|OutputModelResponse|ModelRequest|Compression|Followups|Workflow|Step|Loop|Parallel|Condition|Router|Task)/;

const stepKey = (event: AgnoEvent): string => event.step_id ?? event.step_name ?? '';

/** Adds the key to the set. Returns whether it is new. */
function isNew(set: Set<string>, key: string): boolean {
  if (set.has(key)) return false;
  set.add(key);
  return true;
}

const TASK_STATES: Readonly<Record<string, PlanEntry['state']>> = {
  pending: 'pending',
  in_progress: 'active',
  completed: 'done',
  failed: 'failed',
  blocked: 'failed',
};

const planEntry = ({ title, status }: AgnoTask): PlanEntry => ({
  title: title ?? '',
  state: TASK_STATES[status ?? ''] ?? 'pending',
});

const reasoningEvents = (text: string | null | undefined): readonly Data[] =>
  text ? [{ reasoning_content: text }] : [];

/** A step of an agent that reasons in steps: title, reasoning and action. */
function reasoningStep(content: unknown): readonly Data[] {
  if (typeof content === 'string') return content ? [{ reasoning_content: content }] : [];
  if (!isRecord(content)) return [];
  const [title, ...rest] = ['title', 'reasoning', 'action', 'result'].map((name) => asText(content[name]));
  const lines = [title && `**${title}**`, ...rest].filter(Boolean);
  return lines.length > 0 ? [{ reasoning_content: `${lines.join('\n\n')}\n\n` }] : [];
}

/** Fields of every event; the remaining fields are the agent's own. */
const COMMON =
  /^(?:event|event_index|created_at|(?:parent_|workflow_)?run_id|session_id|(?:agent|team|workflow)_(?:id|name)|step_(?:id|name|index)|nested_depth)$/;

function customEvents(event: AgnoEvent): readonly Data[] {
  const fields = Object.entries(event).filter(([name, value]) => !COMMON.test(name) && value != null);
  return fields.length === 0 ? [] : [{ data: { data_type: 'custom', data: Object.fromEntries(fields) } }];
}
