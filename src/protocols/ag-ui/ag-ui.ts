/**
 * Agent User Interaction Protocol (`ag-ui`). Source: `docs/protocols/ag-ui.md`; https://docs.ag-ui.com. A finished run may
 * be followed by another one in the same body. So the reply ends when the body ends, or after a short silence.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import { activityEvent } from './activity.ts';
import { agentActionUrl, isCopilotKit } from './addresses.ts';
import type { AgUiState } from './copilotkit.ts';
import { newestMetadata, AG_UI, countRuns } from './run-metadata.ts';
import { collectAgUiMessages, type MessageId } from './messages.ts';
import { legacyInterruptQuestion, interruptQuestion, isPageToolCall, type InterruptQuestion } from './interrupts.ts';
import { interruptSchema, agUiEventSchema, agUiMessageSchema, type AgUiEvent, type AgUiMessage } from './wire.ts';
import { asText } from '../shared/as-text.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import { pathSegment } from '../shared/sibling-url.ts';
import type { ApplyPatch } from './json-patch.ts';
import { withIdleSignal } from './with-idle-signal.ts';
import { fit, readJsonFrames, type JsonFrame } from '../core/read-frames.ts';
import { isRecord } from '../../model/json.ts';
import { roundsMetadata, providerRounds } from '../../formats/provider-rounds.ts';
import { emittedParts } from '../shared/emitted-parts.ts';
import type { Adapter, DecodeContext, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

/** How long to wait for the next run after a run has ended (ms). A next run starts immediately or not at all. */
const NEXT_RUN_MS = 500;

/** Events that need the library for JSON Patch. */
const PATCH_EVENTS: ReadonlySet<string> = new Set(['STATE_DELTA', 'ACTIVITY_DELTA']);

export const agUi: Adapter<AgUiState> = {
  id: AG_UI,
  label: 'AG-UI',
  kind: 'agent',
  // Imported lazily, so that a page shows its first reply sooner.
  request: async (turn, options) => {
    const run = (await import('./request.ts')).agUiRequest(turn, options);
    if (!isCopilotKit(options.url)) return { ...run, providerState: {} };
    return (await import('./copilotkit.ts')).copilotKitRun(run, turn, options);
  },
  cancel: stopRun,
  loadAppRequests: () => import('./app-requests.ts'),
  resume: async (turn, options) => (await import('./resume-reply.ts')).resumeReply(turn, options),

  async *decode(batches, context) {
    let patch: ApplyPatch | undefined;
    const { eventId, providerState } = context;
    /** A replay of the thread starts with its earlier runs. */
    let skipTo = providerState?.replayedRun;
    if (providerState?.copilotKit) {
      yield [{ type: 'response', data: { eventId, metadata: { copilotKit: providerState.copilotKit } } }];
    }
    const reply = makeReply(context, (document, operations) => patch?.(document, operations));
    const idleTimer = (): Promise<void> | undefined => (reply.isIdle() ? context.delay(NEXT_RUN_MS) : undefined);
    for await (const batch of withIdleSignal(batches, idleTimer)) {
      if (!batch) yield reply.end();
      else {
        const events: LLMAgentEvent[] = [];
        for (const { json, frame } of readJsonFrames(batch, context.report).map(withoutEnvelope)) {
          const event = fit(agUiEventSchema, json, frame, context.report);
          if (skipTo !== undefined) {
            if (event?.type !== 'RUN_STARTED' || event.runId !== skipTo) continue;
            skipTo = undefined;
          }
          if (event && PATCH_EVENTS.has(event.type)) patch ??= (await import('./json-patch.ts')).applyPatch;
          if (event) events.push(...reply.take(event, frame));
        }
        yield events;
      }
    }
    yield reply.end();
  },
};

/**
 * Stops a run. CopilotKit's runtime continues after the connection has closed, and blocks the thread until the run is
 * stopped by its own URL.
 */
async function stopRun(turn: Turn, options: RequestOptions): Promise<WireRequest | undefined> {
  const { url, headers = {} } = options;
  if (isCopilotKit(url)) return (await import('./copilotkit.ts')).copilotKitStop(turn, options);
  const stop = agentActionUrl(url, `stop/${pathSegment(turn.threadId)}`);
  return stop === undefined ? undefined : { url: stop, init: { method: 'POST', headers, body: {} } };
}

/** TanStack AI numbers its lines as `{id, chunk}` if it can resume them. */
function withoutEnvelope({ json, frame }: JsonFrame): JsonFrame {
  if (!isRecord(json) || typeof json['id'] !== 'string' || !isRecord(json['chunk'])) return { json, frame };
  return { json: json['chunk'], frame: { ...frame, id: json['id'] } };
}

interface ReplyDecoder {
  take(event: AgUiEvent, frame: Frame): readonly LLMAgentEvent[];
  /** Whether a run has ended and no other one has started. */
  isIdle(): boolean;
  end(): readonly LLMAgentEvent[];
}

type Data = Omit<LLMAgentEventData, 'eventId'>;
/** Author of a text; the text of another author is a separate message. */
interface Author {
  readonly role: string;
  readonly name: string | undefined;
}
type Usage = NonNullable<Extract<AgUiEvent, { type: 'RUN_ERROR' }>['usage']>;

function makeReply(
  { eventId, turn, report, newId, providerState, url }: DecodeContext<AgUiState>,
  applyPatch: ApplyPatch,
): ReplyDecoder {
  const lastMessage = turn.messages.at(-1);
  const openReply = lastMessage?.role === 'assistant' ? lastMessage : undefined;
  let speaker = openReply?.metadata?.['messageId'] as MessageId | undefined;
  const firstSpeaker = speaker;
  const emitted = emittedParts(openReply);
  const messages = collectAgUiMessages({ ids: idsOf(turn.messages), author: firstSpeaker, parts: emitted.parts });
  /** Activities by message id. */
  const activities = new Map<string, { author: MessageId; readonly type: string; content: unknown }>();
  let author: Author = { role: 'assistant', name: openReply?.name };
  /** Message of the last event. */
  let lastSpeaker: MessageId | undefined;
  /** Id of the last text message; undefined if other content has followed it. */
  let lastText: string | undefined;
  const openTexts = new Set<string>();
  /** Texts that are not part of the reply: the user's own messages and developer instructions. */
  const hidden = new Set<string>();
  let chunkId: string | undefined;
  let callId: string | undefined;
  /** The legacy reasoning events have no ids. */
  let thinkingId: string | undefined;
  let state: unknown = newestMetadata(turn, 'state');
  let oldQuestions: unknown[] = [];
  let totalUsage: NonNullable<Data['totalUsage']> | undefined;
  let finish: FinishReason | undefined;
  /** Whether the run has ended only to run the server's tools. */
  let runsTools = false;
  let hasBegun = false;
  let failed = false;
  const runs = countRuns(turn) + 1;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const emitFor = (by: MessageId, data: Data): LLMAgentEvent => {
    const isCurrent = lastSpeaker === by || data.message !== undefined;
    lastSpeaker = by;
    return response(isCurrent ? data : { message: { id: by }, ...data });
  };
  /** Content other than text joins the message of the current agent; without one it starts a message. */
  const currentSpeaker = (id: string): MessageId => {
    lastText = undefined;
    if (author.role === 'assistant') return (speaker ??= id);
    author = { role: 'assistant', name: undefined };
    return (speaker = id);
  };
  const findCall = (id: string): { readonly name: string; readonly params: string } | undefined => {
    const gathered = messages.callOf(id)?.call.function;
    if (gathered) return { name: gathered.name, params: gathered.arguments };
    const block = openReply?.blocks.findLast((item) => item.type === 'tool_call' && item.tool_call.id === id);
    const shownCall = block?.type === 'tool_call' ? block.tool_call : undefined;
    return shownCall && { name: shownCall.name ?? '', params: shownCall.params ?? '' };
  };

  const openText = (id: string, role = 'assistant', name?: string | null): readonly LLMAgentEvent[] => {
    if (role === 'user' || role === 'developer') hidden.add(id);
    if (hidden.has(id) || messages.speakerOf(id) !== undefined) return [];
    const nextAuthor: Author = { role, name: name ?? undefined };
    // Parallel or consecutive texts would otherwise run together.
    const isSeparate =
      openTexts.size > 0 ||
      lastText !== undefined ||
      nextAuthor.role !== author.role ||
      nextAuthor.name !== author.name;
    if (speaker !== undefined && !isSeparate) {
      messages.open(id, role, speaker, name);
      return [];
    }
    author = nextAuthor;
    lastSpeaker = speaker = id;
    messages.open(id, role, id, name);
    const roleField = role === 'system' ? { role: 'system' as const } : {};
    return [response({ message: { id, ...(name && { name }), ...roleField } })];
  };
  const emitText = (id: string, delta: string): readonly LLMAgentEvent[] => {
    if (hidden.has(id)) return [];
    const opened = openText(id);
    const by = messages.speakerOf(id);
    if (by === undefined || !delta) return opened;
    messages.appendText(id, delta);
    if (by === speaker) lastText = id;
    return [...opened, emitFor(by, { content: delta })];
  };
  const emitReasoning = (id: string, delta: string): readonly LLMAgentEvent[] => {
    if (!delta) return [];
    const by = messages.speakerOf(id, 'reasoning') ?? currentSpeaker(id);
    messages.open(id, 'reasoning', by);
    messages.appendText(id, delta, 'reasoning');
    lastText = undefined;
    return [emitFor(by, { reasoning_content: delta })];
  };
  const emitStep = (name: string): LLMAgentEvent => emitFor((speaker ??= newId()), { phase: { name } });
  /** The calls whose arguments are complete, or that have a result. */
  const endedCalls = new Set<string>();
  const openCall = (id: string, name: string, parent: string | null | undefined): readonly LLMAgentEvent[] => {
    // A start may be repeated; with another name, or after its end, it is another call with the same id.
    if (messages.callOf(id)?.call.function.name === name && !endedCalls.has(id)) return [];
    endedCalls.delete(id);
    const owner = parent ?? id;
    const by = messages.speakerOf(owner) ?? currentSpeaker(owner);
    messages.open(owner, 'assistant', by);
    messages.call(owner, id, name);
    lastText = undefined;
    return [emitFor(by, { tool_call: 'start', tool_call_id: id, tool_call_name: name })];
  };
  const addArguments = (id: string, delta: string): readonly LLMAgentEvent[] => {
    if (!delta) return [];
    messages.addArguments(id, delta);
    return [response({ tool_call: 'update', tool_call_id: id, tool_call_params: delta })];
  };
  const setState = (value: unknown): readonly LLMAgentEvent[] => {
    state = value;
    return [response({ state: { value }, metadata: { state: value } })];
  };
  const showActivity = (id: string, type: string, content: unknown): LLMAgentEvent => {
    const by = activities.get(id)?.author ?? currentSpeaker(id);
    activities.set(id, { author: by, type, content });
    return emitFor(by, activityEvent(id, type, content));
  };
  const replaceMessages = (list: readonly AgUiMessage[]): readonly LLMAgentEvent[] => {
    const start = list.findLastIndex(({ role }) => role === 'user') + 1;
    const listed = list.slice(start).filter(({ role }) => role === 'activity');
    const events = messages.replaceAll(list, speaker ?? list.at(-1)?.id ?? eventId).map((data): LLMAgentEvent => {
      speaker ??= data.message?.id;
      lastSpeaker = data.message?.id ?? lastSpeaker;
      return response(data);
    });
    const emptied = new Set(
      events.flatMap(({ type, data }) => (type === 'response' && data.message?.replace ? [data.message.id] : [])),
    );
    for (const { id, activityType, content } of listed) {
      const existing = activities.get(id);
      activities.set(id, { author: existing?.author ?? currentSpeaker(id), type: activityType ?? '', content });
    }
    const ids = new Set(listed.map(({ id }) => id));
    const repeated = [...activities].filter(
      ([id, { author: by }]) => ids.has(id) || (ids.size === 0 && emptied.has(by)),
    );
    const others = firstSpeaker !== undefined && emptied.has(firstSpeaker) ? emitted.others : [];
    return [
      ...events,
      ...others.map((data) => emitFor(firstSpeaker ?? eventId, data)),
      ...repeated.map(([id, { type, content }]) => showActivity(id, type, content)),
    ];
  };
  const addUsage = (usage: Usage | null | undefined): readonly LLMAgentEvent[] => {
    if (!usage?.length) return [];
    for (const { inputTokens, outputTokens, totalTokens } of usage) {
      const [prompt, completion] = [inputTokens ?? 0, outputTokens ?? 0];
      totalUsage = {
        prompt_tokens: (totalUsage?.prompt_tokens ?? 0) + prompt,
        completion_tokens: (totalUsage?.completion_tokens ?? 0) + completion,
        total_tokens: (totalUsage?.total_tokens ?? 0) + (totalTokens ?? prompt + completion),
      };
    }
    return totalUsage ? [response({ totalUsage })] : [];
  };
  const emitQuestions = (questions: readonly InterruptQuestion[]): readonly LLMAgentEvent[] => {
    if (questions.length === 0) return [];
    const by = currentSpeaker(newId());
    return [
      ...questions.map(({ data }) => emitFor(by, data)),
      response({ metadata: { interrupts: questions.map(({ open }) => open) } }),
    ];
  };
  const endRun = ({
    outcome,
    usage,
    result,
    metadata,
  }: Extract<AgUiEvent, { type: 'RUN_FINISHED' }>): readonly LLMAgentEvent[] => {
    const interrupts = outcome?.interrupts ?? [];
    const questionEvents = interrupts.flatMap((item) => {
      const parsed = interruptSchema.safeParse(item);
      return parsed.success && !isPageToolCall(parsed.data) ? [interruptQuestion(parsed.data, findCall)] : [];
    });
    // TanStack AI ends a run with each request to its model, and then runs the tools, however long they take.
    runsTools = interrupts.length === 0 && metadata?.tanstack?.finishReason === 'tool_calls';
    const questions =
      questionEvents.length > 0
        ? questionEvents
        : oldQuestions.map((value, index) => legacyInterruptQuestion(value, `on_interrupt-${String(index)}`, findCall));
    oldQuestions = [];
    // A call without a result is one of the page's tools.
    const isWaiting = questions.length > 0 || messages.openCalls().length > 0;
    finish = outcome?.type === 'cancelled' ? 'cancelled' : isWaiting ? 'tool_use' : 'complete';
    const resultEvents = result === undefined || result === null ? [] : [response({ metadata: { result } })];
    return [...addUsage(usage), ...resultEvents, ...emitQuestions(questions)];
  };

  /** The ids that resume this stream: those of its first run, on servers that can resume. */
  const resumePoint = (runId: string | null | undefined, { id }: Frame): object => {
    if (hasBegun) return {};
    hasBegun = true;
    const isHosted =
      providerState?.copilotKit !== undefined || (url !== undefined && agentActionUrl(url, '') !== undefined);
    return {
      ...(id !== undefined && { firstEventId: id }),
      ...(isHosted && runId && { copilotKit: { ...providerState?.copilotKit, runId } }),
    };
  };

  const convert = (event: AgUiEvent, frame: Frame): readonly LLMAgentEvent[] => {
    switch (event.type) {
      case 'RUN_STARTED': {
        finish = undefined;
        const { runId, parentRunId } = event;
        const ids = { ...(runId && { runId }), ...(parentRunId && { parentRunId }) };
        return [response({ metadata: { interrupts: [], runs, ...ids, ...resumePoint(runId, frame) } })];
      }
      case 'RUN_FINISHED':
        return endRun(event);
      case 'RUN_ERROR': {
        failed = true;
        const { message, code } = event;
        const error = message || 'The agent reports an error.';
        return [
          ...addUsage(event.usage),
          { type: 'error', data: { eventId, error, ...(code && { code }) } },
          response({ finish: 'error' }),
        ];
      }
      case 'STEP_STARTED':
        return [emitStep(event.stepName)];
      case 'TEXT_MESSAGE_START': {
        const opened = openText(event.messageId, event.role ?? undefined, event.name);
        openTexts.add(event.messageId);
        return opened;
      }
      case 'TEXT_MESSAGE_CONTENT':
        return emitText(event.messageId, event.delta);
      case 'TEXT_MESSAGE_END':
        openTexts.delete(event.messageId);
        return [];
      case 'TEXT_MESSAGE_CHUNK': {
        const id = (chunkId = event.messageId ?? chunkId ?? newId());
        return [...openText(id, event.role ?? undefined, event.name), ...emitText(id, event.delta ?? '')];
      }
      case 'TOOL_CALL_START':
        return openCall(event.toolCallId, event.toolCallName, event.parentMessageId);
      case 'TOOL_CALL_ARGS':
        return addArguments(event.toolCallId, event.delta);
      case 'TOOL_CALL_CHUNK': {
        const id = (callId = event.toolCallId ?? callId ?? newId());
        const opened = event.toolCallName ? openCall(id, event.toolCallName, event.parentMessageId) : [];
        return [...opened, ...addArguments(id, event.delta ?? '')];
      }
      case 'TOOL_CALL_END':
        endedCalls.add(event.toolCallId ?? '');
        return [];
      case 'TOOL_CALL_RESULT': {
        const { toolCallId: id, messageId } = event;
        const content = asText(event.content);
        endedCalls.add(id);
        const by = messages.callOf(id)?.entry.author ?? currentSpeaker(id);
        messages.answer(messageId ?? `${id}-result`, id, content, by);
        lastText = undefined;
        // The protocol has no flag for a failed tool, but TanStack AI adds one.
        const state = isToolFailure({ state: event.metadata?.tanstack?.state }, content) ? 'error' : 'end';
        return [emitFor(by, { tool_call: state, tool_call_id: id, tool_call_response: content })];
      }
      case 'REASONING_MESSAGE_CONTENT':
        return emitReasoning(event.messageId, event.delta);
      case 'REASONING_MESSAGE_CHUNK':
        return emitReasoning((chunkId = event.messageId ?? chunkId ?? newId()), event.delta ?? '');
      case 'REASONING_ENCRYPTED_VALUE':
        messages.encrypt(event.entityId, event.encryptedValue, currentSpeaker(event.entityId));
        return [];
      case 'THINKING_START':
        return event.title ? [emitStep(event.title)] : [];
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return emitReasoning((thinkingId ??= newId()), event.delta);
      case 'STATE_SNAPSHOT':
        return setState(event.snapshot);
      case 'STATE_DELTA': {
        const next = applyPatch(state ?? {}, event.delta);
        if (next !== undefined) return setState(next);
        report({ kind: 'malformed', detail: 'This patch does not fit the state.', frame });
        return [];
      }
      case 'MESSAGES_SNAPSHOT':
        return replaceMessages(
          event.messages.flatMap((item) => {
            const parsed = agUiMessageSchema.safeParse(item);
            return parsed.success ? [parsed.data] : [];
          }),
        );
      case 'ACTIVITY_SNAPSHOT': {
        const { messageId: id, activityType, content, replace } = event;
        return replace === false && activities.has(id) ? [] : [showActivity(id, activityType, content)];
      }
      case 'ACTIVITY_DELTA': {
        const existing = activities.get(event.messageId);
        const content = existing && applyPatch(existing.content, event.patch);
        if (existing && content !== undefined) return [showActivity(event.messageId, existing.type, content)];
        report({ kind: 'malformed', detail: 'This patch fits no activity.', frame });
        return [];
      }
      case 'CUSTOM':
        if (event.name === 'on_interrupt') oldQuestions.push(event.value);
        // Events for the page only; the widget renders none of them.
        return [response({ metadata: { custom: { name: event.name, value: event.value } } })];
      default:
        return [];
    }
  };

  // Reasoning in the older events is not stored: older servers reject messages with the role `reasoning`.
  const storeRounds = (): readonly LLMAgentEvent[] =>
    [...messages.itemsBySpeaker()].map(([by, all]) => {
      const items = all.filter(({ id }) => id !== thinkingId);
      const stored = turn.messages.filter(({ metadata }) => metadata?.['messageId'] === by);
      const metadata = roundsMetadata({ ...turn, messages: stored }, { protocol: AG_UI, items });
      return emitFor(by, { metadata: { ...metadata } });
    });

  return {
    // No event is valid after an error.
    take: (event, frame) => (failed ? [] : convert(event, frame)),
    isIdle: () => finish !== undefined && !failed && !runsTools,
    end: () => [
      ...storeRounds(),
      ...(finish && !failed ? [response({ finish })] : []),
      ...(finish === 'cancelled' && !failed ? [{ type: 'end' as const, data: { eventId, userStop: true } }] : []),
    ],
  };
}

/** The message ids of the replies so far. */
const idsOf = (messages: DecodeContext['turn']['messages']): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      providerRounds(message, AG_UI).flatMap(({ items }) => (items as readonly AgUiMessage[]).map(({ id }) => id)),
    ),
  );
