/**
 * Converts the events of an Agno run. The run of a team or a workflow contains the runs of its members, whose events
 * name the run that started them.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { PlanEntry } from '../../model/blocks.ts';
import { textValue } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { pausedRun, pauseEvents } from './paused-tools.ts';
import { agnoCitations, agnoMedia, agnoUsage, type AgnoEvent, type AgnoTool } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Handler = (event: AgnoEvent) => readonly Data[];

/** Collects the state of one reply. */
export function makeAgnoDecoder({ eventId, report, turn }: Pick<DecodeContext, 'eventId' | 'report' | 'turn'>) {
  const last = turn.messages.at(-1);
  const continued = last?.role === 'assistant' ? last : undefined;
  const displayedCalls = new Set(
    continued?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.id ?? block.id] : [])),
  );
  /** Open calls that started the runs of members, newest last: the id of the call and the member it names. */
  const delegations = new Map<string, unknown>();
  /** The call that each member run is shown in, by run id. */
  const memberCalls = new Map<string, string | undefined>();
  const media = new Set<string>();
  const cited = new Set<string>();
  let wasPaused = isRecord(continued?.metadata?.['paused']);
  let metadata: Readonly<Record<string, unknown>> | undefined;
  let hasEvents = false;
  /** Whether the server reports the start and end of a run, not only its content. */
  let hasLifecycle = false;
  let hasText = false;
  /** The next text starts a new block, because the workflow has moved to its next step. */
  let startsNewText = false;
  let hasReasoningDeltas = false;
  let failed = false;
  let finished = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const finish = (reason: FinishReason): readonly Data[] => {
    if (finished) return [];
    finished = true;
    return [{ finish: reason }];
  };
  const fail = (event: AgnoEvent): readonly LLMAgentEvent[] => {
    if (failed || finished) return [];
    failed = true;
    const error = errorMessage(event.error ?? event.content) ?? 'The agent reported an error.';
    const code = event.error_id ?? event.error_type;
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, ...finish('error').map(response)];
  };

  const emitText = (content: unknown, isMember: boolean): readonly Data[] => {
    const text = textValue.safeParse(content).data ?? '';
    if (text === '') return [];
    if (isMember) return [{ content: text }];
    const begins = startsNewText && hasText;
    hasText = true;
    startsNewText = false;
    return [{ content: text, ...(begins && { content_begins: true }) }];
  };
  /** The content is text, or output in the agent's schema. */
  const emitContent = ({ content, content_type: type }: AgnoEvent, isMember: boolean): readonly Data[] => {
    if (!isRecord(content) && !Array.isArray(content)) return emitText(content, isMember);
    if (!isMember) hasText = true;
    return [{ data: { data_type: 'custom', data: content, metadata: { dataType: type ?? 'output' } } }];
  };
  const attachments = (event: AgnoEvent): readonly Data[] => [
    ...agnoMedia(event).flatMap(({ key, media: item }) => {
      if (media.has(key)) return [];
      media.add(key);
      return [{ media: item }];
    }),
    ...agnoCitations(event).flatMap((source) => {
      if (cited.has(source.id)) return [];
      cited.add(source.id);
      return [{ citation: source }];
    }),
  ];

  const startCall = ({ tool_call_id: id, tool_name: name, tool_args: args }: AgnoTool): readonly Data[] => {
    if (!id) return [];
    const tool_call = displayedCalls.has(id) ? 'running' : 'start';
    displayedCalls.add(id);
    if (name && DELEGATE.test(name)) delegations.set(id, args?.['member_id']);
    return [
      {
        tool_call,
        tool_call_id: id,
        ...(name && { tool_call_name: name }),
        tool_call_params_complete: JSON.stringify(args ?? {}),
        tool_call_remote: true,
      },
    ];
  };
  const endCall = (tool: AgnoTool, error: unknown): readonly Data[] => {
    const { tool_call_id: id, tool_call_error: isError, result } = tool;
    if (!id) return [];
    delegations.delete(id);
    const hasFailed = isError === true || error != null;
    return [
      ...(displayedCalls.has(id) ? [] : startCall(tool)),
      {
        tool_call: hasFailed ? 'error' : 'end',
        tool_call_id: id,
        tool_call_response_complete: asText(result) || (hasFailed ? (errorMessage(error) ?? '') : ''),
      },
    ];
  };

  /** Handlers of the events that a member of a team sends too. */
  const contentHandlers = (isMember: boolean): Readonly<Record<string, Handler>> => ({
    RunContent: (event) => [
      ...(event.reasoning_content ? [{ reasoning_content: event.reasoning_content }] : []),
      ...emitContent(event, isMember),
      // Speech models send the transcript of their speech here.
      ...(event.content == null ? emitText(event.response_audio?.transcript, isMember) : []),
      ...attachments(event),
    ],
    ReasoningStarted() {
      hasReasoningDeltas = false;
      return [];
    },
    ReasoningContentDelta({ reasoning_content: text }) {
      if (!text) return [];
      hasReasoningDeltas = true;
      return [{ reasoning_content: text }];
    },
    ReasoningStep: ({ content }) => (hasReasoningDeltas ? [] : reasoningStep(content)),
    ToolCallStarted: ({ tool }) => (tool ? startCall(tool) : []),
    ToolCallCompleted: (event) => [...(event.tool ? endCall(event.tool, undefined) : []), ...attachments(event)],
    ToolCallError: ({ tool, error }) => (tool ? endCall(tool, error ?? '') : []),
  });
  const complete = (event: AgnoEvent): readonly Data[] => {
    const usage = agnoUsage(event);
    return [
      // The end repeats the streamed content.
      ...(hasText ? [] : emitContent(event, false)),
      ...attachments(event),
      ...(event.session_state ? [{ state: { value: event.session_state } }] : []),
      ...(usage ? [{ totalUsage: usage }] : []),
      ...finish('complete'),
    ];
  };
  const pause = (event: AgnoEvent): readonly Data[] => {
    const paused = pausedRun(event);
    wasPaused = false;
    return [{ metadata: { paused } }, ...pauseEvents(paused), ...finish('tool_use')];
  };
  const showStep = ({ step_name: name }: AgnoEvent): readonly Data[] => {
    startsNewText = true;
    return name ? [{ phase: { name, message: name } }] : [];
  };
  const showTasks = ({ tasks }: AgnoEvent): readonly Data[] =>
    tasks && tasks.length > 0
      ? [
          {
            plan: tasks.map(({ title, status }) => ({
              title: title ?? '',
              state: taskStates[status ?? ''] ?? 'pending',
            })),
          },
        ]
      : [];

  const ownHandlers: Readonly<Record<string, Handler>> = {
    ...contentHandlers(false),
    RunCompleted: complete,
    RunPaused: pause,
    RunCancelled: () => finish('cancelled'),
    FollowupsCompleted: ({ followups }) =>
      followups && followups.length > 0
        ? [{ suggestions: followups.map((prompt) => ({ label: prompt, prompt })) }]
        : [],
    TaskStateUpdated: showTasks,
    StepStarted: showStep,
    WorkflowCompleted: complete,
    WorkflowCancelled: () => finish('cancelled'),
  };
  const nested = contentHandlers(true);

  /** The run of a member is shown inside the call that started it, or as a separate message. */
  const asMember = (event: AgnoEvent, events: readonly Data[]): readonly Data[] => {
    const { run_id: runId, agent_name: agent, team_name: team, agent_id: agentId } = event;
    const key = runId ?? '';
    if (!memberCalls.has(key)) {
      const calls = [...delegations];
      const named = calls.find(([, member]) => member !== undefined && member === agentId);
      memberCalls.set(key, (named ?? calls.at(-1))?.[0]);
    }
    const callId = memberCalls.get(key);
    const name = agent ?? team ?? '';
    return events.map((data) =>
      callId === undefined
        ? { message: { id: key, ...(name && { name }) }, ...data }
        : { ...data, parent: { tool_call_id: callId, ...(name && { name }) } },
    );
  };

  const runMetadata = (event: AgnoEvent): readonly LLMAgentEvent[] => {
    const resumable = typeof event.event_index === 'number';
    const next = {
      runId: event.workflow_run_id ?? event.parent_run_id ?? event.run_id,
      sessionId: event.session_id,
      ...(resumable && { resumable }),
    };
    if (metadata && (!resumable || metadata['resumable'] === true)) return [];
    if (!next.runId) return [];
    metadata = next;
    return [response({ metadata: { ...next, ...(wasPaused && { paused: null }) } })];
  };

  const convert = (event: AgnoEvent, frame: Frame): readonly LLMAgentEvent[] => {
    const { event: name } = event;
    if (name == null) return fromDocument(event).map(response);
    if (name === 'error') return fail(event);
    if (RESUMPTION.test(name)) return [];
    const kind = name.replace(/^Team(?=[A-Z])/, '');
    hasLifecycle ||= LIFECYCLE.test(kind);
    const isMember = event.parent_run_id != null && event.workflow_run_id == null;
    if (!isMember && (kind === 'RunError' || kind === 'WorkflowError')) return fail(event);
    // A step of a workflow is a run with its own end.
    const isStep = event.workflow_run_id != null && /^Run(?:Completed|Paused|Cancelled)$/.test(kind);
    if (kind === 'CustomEvent') return customEvents(event, isMember ? asMember : undefined).map(response);
    const handlers = isMember ? nested : ownHandlers;
    if (isStep || !Object.hasOwn(handlers, kind)) {
      if (!isStep && !isMember && !IGNORED.test(kind)) {
        report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
      }
      return [];
    }
    const events = handlers[kind]?.(event) ?? [];
    return (isMember ? asMember(event, events) : events).map(response);
  };
  /** A complete response without streaming. */
  const fromDocument = (event: AgnoEvent): readonly Data[] => {
    const reasoning = event.reasoning_content ? [{ reasoning_content: event.reasoning_content }] : [];
    if (event.status === 'PAUSED') {
      return [
        ...reasoning,
        ...emitContent(event, false),
        ...pause({ ...event, event: event.team_name == null ? '' : 'Team' }),
      ];
    }
    return [...reasoning, ...(event.tools ?? []).flatMap((tool) => endCall(tool, undefined)), ...complete(event)];
  };

  return {
    take(event: AgnoEvent, frame: Frame): readonly LLMAgentEvent[] {
      hasEvents = true;
      return [...runMetadata(event), ...convert(event, frame)];
    },
    /** A server that reports only content ends the run with the stream. */
    end: (): readonly LLMAgentEvent[] => (hasEvents && !hasLifecycle ? finish('complete').map(response) : []),
  };
}

const DELEGATE =
  /^(?:delegate_task_to_members?|transfer_task_to_member|forward_task_to_member|execute_tasks?(?:_parallel)?)$/;
/** The server's notices about a resumed stream. */
const RESUMPTION = /^(?:replay|catch_up|subscribed)$/;
const LIFECYCLE = /^(?:Run(?:Started|Continued)|WorkflowStarted)$/;
/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:Run(?:Started|Continued|ContentCompleted|IntermediateContent)|Reasoning(?:Started|Completed)|(?:Pre|Post)Hook|MemoryUpdate|SessionSummary|ParserModelResponse|OutputModelResponse|ModelRequest|Compression|Followups|Workflow|Step|Loop|Parallel|Condition|Router|Task)/;

const taskStates: Readonly<Record<string, PlanEntry['state']>> = {
  pending: 'pending',
  in_progress: 'active',
  completed: 'done',
  failed: 'failed',
  blocked: 'failed',
};

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

function customEvents(
  event: AgnoEvent,
  nest: ((event: AgnoEvent, events: readonly Data[]) => readonly Data[]) | undefined,
): readonly Data[] {
  const fields = Object.entries(event).filter(([name, value]) => !COMMON.test(name) && value != null);
  if (fields.length === 0) return [];
  const events: readonly Data[] = [{ data: { data_type: 'custom', data: Object.fromEntries(fields) } }];
  return nest ? nest(event, events) : events;
}
