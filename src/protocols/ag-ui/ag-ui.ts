/**
 * Agent User Interaction Protocol (`ag-ui`). Source: `ag-ui.md`. A run that ends may be followed by another one in the same
 * body, so the end of the reply is told when the body ends, or when nothing has come for a moment.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import { activityData } from './activity.ts';
import { lastFact, PROTOCOL, runsSoFar } from './facts.ts';
import { gatherMessages, type SpeakerId } from './messages.ts';
import { oldQuestion, questionOf, type Question } from './questions.ts';
import { interrupt, wire, wireMessage, type WireEvent, type WireMessage } from './wire.ts';
import { asText } from '../shared/as-text.ts';
import { detectAgUi } from '../detect/servers.ts';
import type { ApplyPatch } from './json-patch.ts';
import { orQuiet } from './or-quiet.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { keepRound, roundsOf } from '../../model/rounds.ts';
import { toldParts } from '../shared/told-parts.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';

/** Behind the end of a run the next one begins at once, or not at all. */
const NEXT_RUN_MS = 500;

/** What needs the library that applies patches. */
const PATCHES: ReadonlySet<string> = new Set(['STATE_DELTA', 'ACTIVITY_DELTA']);

export const agUi: Adapter = {
  id: PROTOCOL,
  label: 'AG-UI',
  kind: 'agent',
  detect: detectAgUi,
  // Apart, so that a page gets its first words sooner.
  request: async (turn, options) => (await import('./request.ts')).agUiRequest(turn, options),

  async *decode(batches, context) {
    let patch: ApplyPatch | undefined;
    const reply = makeReply(context, (document, operations) => patch?.(document, operations));
    const quiet = (): Promise<void> | undefined => (reply.rests() ? context.delay(NEXT_RUN_MS) : undefined);
    for await (const batch of orQuiet(batches, quiet)) {
      if (!batch) yield reply.end();
      else {
        const events: LLMAgentEvent[] = [];
        for (const { json, frame } of readJsonFrames(batch, context.report)) {
          const event = fit(wire, json, frame, context.report);
          if (event && PATCHES.has(event.type)) patch ??= (await import('./json-patch.ts')).applyPatch;
          if (event) events.push(...reply.take(event, frame));
        }
        yield events;
      }
    }
    yield reply.end();
  },
};

interface Reply {
  take(event: WireEvent, frame: Frame): readonly LLMAgentEvent[];
  /** Whether a run has ended and no other has begun. */
  rests(): boolean;
  end(): readonly LLMAgentEvent[];
}

type Data = Omit<LLMAgentEventData, 'eventId'>;
/** Whose words they are: those of another are a message of their own. */
interface Voice {
  readonly role: string;
  readonly name: string | undefined;
}
type Usage = NonNullable<Extract<WireEvent, { type: 'RUN_ERROR' }>['usage']>;

function makeReply({ eventId, turn, report, newId }: DecodeContext, applyPatch: ApplyPatch): Reply {
  const last = turn.messages.at(-1);
  const before = last?.role === 'assistant' ? last : undefined;
  let speaker = before?.metadata?.['messageId'] as SpeakerId | undefined;
  const first = speaker;
  const shown = toldParts(before);
  const messages = gatherMessages({ ids: idsOf(turn.messages), speaker: first, parts: shown.parts });
  /** Activities by the id of their message. */
  const activities = new Map<string, { speaker: SpeakerId; readonly type: string; content: unknown }>();
  let voice: Voice = { role: 'assistant', name: before?.name };
  /** Who was told of last. */
  let told: SpeakerId | undefined;
  /** The text message that was said last, where nothing else has come since. */
  let lastText: string | undefined;
  const openTexts = new Set<string>();
  /** Text that is no answer: the user's own words, a developer's instructions. */
  const hidden = new Set<string>();
  let chunkId: string | undefined;
  let callId: string | undefined;
  /** The old events for thoughts have no ids. */
  let thinkingId: string | undefined;
  let state: unknown = lastFact(turn, 'state');
  let oldQuestions: unknown[] = [];
  let used: NonNullable<Data['totalUsage']> | undefined;
  let finish: FinishReason | undefined;
  let failed = false;
  const runs = runsSoFar(turn) + 1;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const tell = (by: SpeakerId, data: Data): LLMAgentEvent => {
    const same = told === by || data.message !== undefined;
    told = by;
    return response(same ? data : { message: { id: by }, ...data });
  };
  /** What is no text stands with the agent that speaks; where none does, it begins a message. */
  const here = (id: string): SpeakerId => {
    lastText = undefined;
    if (voice.role === 'assistant') return (speaker ??= id);
    voice = { role: 'assistant', name: undefined };
    return (speaker = id);
  };
  const callAt = (id: string): { readonly name: string; readonly params: string } | undefined => {
    const made = messages.callOf(id)?.call.function;
    if (made) return { name: made.name, params: made.arguments };
    const block = before?.blocks.findLast((item) => item.type === 'tool_call' && item.tool_call.id === id);
    const known = block?.type === 'tool_call' ? block.tool_call : undefined;
    return known && { name: known.name ?? '', params: known.params ?? '' };
  };

  const openText = (id: string, role = 'assistant', name?: string | null): readonly LLMAgentEvent[] => {
    if (role === 'user' || role === 'developer') hidden.add(id);
    if (hidden.has(id) || messages.speakerOf(id) !== undefined) return [];
    const next: Voice = { role, name: name ?? undefined };
    // Texts side by side, or one behind the other, would run into one.
    const apart = openTexts.size > 0 || lastText !== undefined || next.role !== voice.role || next.name !== voice.name;
    if (speaker !== undefined && !apart) {
      messages.open(id, role, speaker, name);
      return [];
    }
    voice = next;
    told = speaker = id;
    messages.open(id, role, id, name);
    const as = role === 'system' ? { role: 'system' as const } : {};
    return [response({ message: { id, ...(name && { name }), ...as } })];
  };
  const sayText = (id: string, delta: string): readonly LLMAgentEvent[] => {
    if (hidden.has(id)) return [];
    const opened = openText(id);
    const by = messages.speakerOf(id);
    if (by === undefined || !delta) return opened;
    messages.say(id, delta);
    if (by === speaker) lastText = id;
    return [...opened, tell(by, { content: delta })];
  };
  const think = (id: string, delta: string): readonly LLMAgentEvent[] => {
    if (!delta) return [];
    const by = messages.speakerOf(id, 'reasoning') ?? here(id);
    messages.open(id, 'reasoning', by);
    messages.say(id, delta, 'reasoning');
    lastText = undefined;
    return [tell(by, { reasoning_content: delta })];
  };
  const step = (name: string): LLMAgentEvent => tell((speaker ??= newId()), { phase: { name } });
  const openCall = (id: string, name: string, parent: string | null | undefined): readonly LLMAgentEvent[] => {
    if (messages.callOf(id)) return [];
    const owner = parent ?? id;
    const by = messages.speakerOf(owner) ?? here(owner);
    messages.open(owner, 'assistant', by);
    messages.call(owner, id, name);
    lastText = undefined;
    return [tell(by, { tool_call: 'start', tool_call_id: id, tool_call_name: name })];
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
    const by = activities.get(id)?.speaker ?? here(id);
    activities.set(id, { speaker: by, type, content });
    return tell(by, activityData(id, type, content));
  };
  const replaceMessages = (list: readonly WireMessage[]): readonly LLMAgentEvent[] => {
    const begin = list.findLastIndex(({ role }) => role === 'user') + 1;
    const listed = list.slice(begin).filter(({ role }) => role === 'activity');
    const events = messages.replaceAll(list, speaker ?? list.at(-1)?.id ?? eventId).map((data): LLMAgentEvent => {
      speaker ??= data.message?.id;
      told = data.message?.id ?? told;
      return response(data);
    });
    const emptied = new Set(
      events.flatMap(({ type, data }) => (type === 'response' && data.message?.replace ? [data.message.id] : [])),
    );
    for (const { id, activityType, content } of listed) {
      const known = activities.get(id);
      activities.set(id, { speaker: known?.speaker ?? here(id), type: activityType ?? '', content });
    }
    const ids = new Set(listed.map(({ id }) => id));
    const again = [...activities].filter(([id, { speaker: by }]) => ids.has(id) || (ids.size === 0 && emptied.has(by)));
    const others = first !== undefined && emptied.has(first) ? shown.others : [];
    return [
      ...events,
      ...others.map((data) => tell(first ?? eventId, data)),
      ...again.map(([id, { type, content }]) => showActivity(id, type, content)),
    ];
  };
  const count = (usage: Usage | null | undefined): readonly LLMAgentEvent[] => {
    if (!usage?.length) return [];
    for (const { inputTokens, outputTokens, totalTokens } of usage) {
      const [prompt, completion] = [inputTokens ?? 0, outputTokens ?? 0];
      used = {
        prompt_tokens: (used?.prompt_tokens ?? 0) + prompt,
        completion_tokens: (used?.completion_tokens ?? 0) + completion,
        total_tokens: (used?.total_tokens ?? 0) + (totalTokens ?? prompt + completion),
      };
    }
    return used ? [response({ totalUsage: used })] : [];
  };
  const ask = (questions: readonly Question[]): readonly LLMAgentEvent[] => {
    if (questions.length === 0) return [];
    const by = here(newId());
    return [
      ...questions.map(({ data }) => tell(by, data)),
      response({ metadata: { interrupts: questions.map(({ open }) => open) } }),
    ];
  };
  const endRun = ({
    outcome,
    usage,
    result,
  }: Extract<WireEvent, { type: 'RUN_FINISHED' }>): readonly LLMAgentEvent[] => {
    const asked = (outcome?.interrupts ?? []).flatMap((item) => {
      const known = interrupt.safeParse(item);
      return known.success ? [questionOf(known.data, callAt)] : [];
    });
    const questions =
      asked.length > 0
        ? asked
        : oldQuestions.map((value, index) => oldQuestion(value, `on_interrupt-${String(index)}`, callAt));
    oldQuestions = [];
    // A call that nobody has answered is one of the page's.
    const waits = questions.length > 0 || messages.openCalls().length > 0;
    finish = outcome?.type === 'cancelled' ? 'cancelled' : waits ? 'tool_use' : 'complete';
    const facts = result === undefined || result === null ? [] : [response({ metadata: { result } })];
    return [...count(usage), ...facts, ...ask(questions)];
  };

  const tellEvent = (event: WireEvent, frame: Frame): readonly LLMAgentEvent[] => {
    switch (event.type) {
      case 'RUN_STARTED':
        finish = undefined;
        return [response({ metadata: { interrupts: [], runs, ...(event.runId && { runId: event.runId }) } })];
      case 'RUN_FINISHED':
        return endRun(event);
      case 'RUN_ERROR': {
        failed = true;
        const { message, code } = event;
        const error = message || 'The agent reports an error.';
        return [
          ...count(event.usage),
          { type: 'error', data: { eventId, error, ...(code && { code }) } },
          response({ finish: 'error' }),
        ];
      }
      case 'STEP_STARTED':
        return [step(event.stepName)];
      case 'TEXT_MESSAGE_START': {
        const opened = openText(event.messageId, event.role ?? undefined, event.name);
        openTexts.add(event.messageId);
        return opened;
      }
      case 'TEXT_MESSAGE_CONTENT':
        return sayText(event.messageId, event.delta);
      case 'TEXT_MESSAGE_END':
        openTexts.delete(event.messageId);
        return [];
      case 'TEXT_MESSAGE_CHUNK': {
        const id = (chunkId = event.messageId ?? chunkId ?? newId());
        return [...openText(id, event.role ?? undefined, event.name), ...sayText(id, event.delta ?? '')];
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
      case 'TOOL_CALL_RESULT': {
        const { toolCallId: id, messageId } = event;
        const content = asText(event.content);
        const by = messages.callOf(id)?.entry.speaker ?? here(id);
        messages.answer(messageId ?? `${id}-result`, id, content, by);
        lastText = undefined;
        return [tell(by, { tool_call: 'end', tool_call_id: id, tool_call_response: content })];
      }
      case 'REASONING_MESSAGE_CONTENT':
        return think(event.messageId, event.delta);
      case 'REASONING_MESSAGE_CHUNK':
        return think((chunkId = event.messageId ?? chunkId ?? newId()), event.delta ?? '');
      case 'REASONING_ENCRYPTED_VALUE':
        messages.encrypt(event.entityId, event.encryptedValue, here(event.entityId));
        return [];
      case 'THINKING_START':
        return event.title ? [step(event.title)] : [];
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return think((thinkingId ??= newId()), event.delta);
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
            const known = wireMessage.safeParse(item);
            return known.success ? [known.data] : [];
          }),
        );
      case 'ACTIVITY_SNAPSHOT': {
        const { messageId: id, activityType, content, replace } = event;
        return replace === false && activities.has(id) ? [] : [showActivity(id, activityType, content)];
      }
      case 'ACTIVITY_DELTA': {
        const known = activities.get(event.messageId);
        const content = known && applyPatch(known.content, event.patch);
        if (known && content !== undefined) return [showActivity(event.messageId, known.type, content)];
        report({ kind: 'malformed', detail: 'This patch fits no activity.', frame });
        return [];
      }
      case 'CUSTOM':
        if (event.name === 'on_interrupt') oldQuestions.push(event.value);
        // For the page: nothing of it is shown.
        return [response({ metadata: { custom: { name: event.name, value: event.value } } })];
      default:
        return [];
    }
  };

  const keep = (): readonly LLMAgentEvent[] =>
    [...messages.itemsBySpeaker()].map(([by, items]) => {
      const known = turn.messages.filter(({ metadata }) => metadata?.['messageId'] === by);
      const metadata = keepRound({ ...turn, messages: known }, { protocol: PROTOCOL, items });
      return tell(by, { metadata: { ...metadata } });
    });

  return {
    // Nothing may follow an error.
    take: (event, frame) => (failed ? [] : tellEvent(event, frame)),
    rests: () => finish !== undefined && !failed,
    end: () => [
      ...keep(),
      ...(finish && !failed ? [response({ finish })] : []),
      ...(finish === 'cancelled' && !failed ? [{ type: 'end' as const, data: { eventId, userStop: true } }] : []),
    ],
  };
}

/** The ids of what the replies so far have said. */
const idsOf = (messages: DecodeContext['turn']['messages']): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      roundsOf(message, PROTOCOL).flatMap(({ items }) => (items as readonly WireMessage[]).map(({ id }) => id)),
    ),
  );
