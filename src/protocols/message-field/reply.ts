/** Converts the fields of messages to the events of one reply. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endWithOpenCalls } from '../core/own-calls.ts';
import { errorMessage } from '../shared/error-message.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';
import { parseFieldPath, setAtPath } from '../shared/field-path.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import { partsOf, suggestionsOf } from './parts.ts';
import {
  knownMessage,
  opaqueFields,
  QUESTION_KEY,
  resultKey,
  THINK_TOOL,
  withoutPrototype,
  type FieldEvent,
  type KnownMessage,
  type WireMessage,
} from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Event<Type extends FieldEvent['type']> = EventOf<FieldEvent, Type>;
type Change = Event<'message_field' | 'message_field_delta'>;

/** The fields whose content is rendered. */
const SHOWN_FIELD = /^(?:content|tool_calls|thinking_blocks|reasoning_content|recommend_actions)(?![^.[])/;
type Result = Pick<Extract<Part, { kind: 'tool' }>, 'response' | 'failed'>;

/** A message so far, and the parts emitted for it. */
interface StreamingMessage {
  readonly message: WireMessage;
  parts: readonly Part[];
  /** Whether a `message_result` has completed it. */
  readonly isComplete: boolean;
}

/** The state of one reply, and what each event does. */
export class MessageFieldReply {
  readonly #context: DecodeContext;
  readonly #streaming = new Map<string, StreamingMessage>();
  /** The id of the message of each call of the tool `think`, by call id. The results of these calls are not rendered. */
  readonly #thinkCalls = new Map<string, string>();
  /** The complete results by call id. */
  readonly #results = new Map<string, Result>();
  /** Ids of the messages with complete results whose call has not arrived yet. */
  readonly #earlyResults = new Set<string>();
  /** The frame of the first dropped field of each message that has not begun, by message id. */
  readonly #dropped = new Map<string, Frame>();
  /** The ids of the messages that had begun when the server reported a failure, until a later answer is complete. */
  #failed: Set<string> | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(event: FieldEvent, frame: Frame): readonly LLMAgentEvent[] {
    // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    return HANDLERS[event.type](this, event as never, frame);
  }

  /** Shows a failure. */
  fail(json: unknown): readonly LLMAgentEvent[] {
    this.#failed ??= new Set(this.#streaming.keys());
    const error = errorMessage(json) ?? 'The agent reported an error.';
    return [{ type: 'error', data: { eventId: this.#context.eventId, error } }];
  }

  end(): readonly LLMAgentEvent[] {
    return [...this.#takeEarlyResults(true), ...this.#end()];
  }

  #end(): readonly LLMAgentEvent[] {
    for (const [id, frame] of this.#dropped) this.#refuse(`The message "${id}" has not started.`, frame);
    if (this.#failed) {
      const { eventId } = this.#context;
      return [this.#response({ finish: 'error' }), { type: 'end', data: { eventId, userStop: false } }];
    }
    const entries = [...this.#streaming.values()].filter(({ message }) => message['role'] !== 'user');
    // A complete answer ends the reply, even if an earlier tool result was never completed.
    const answerIndex = entries.findLastIndex(({ message }) => message['role'] === 'assistant');
    const rest = entries.slice(Math.max(answerIndex, 0));
    if (rest.length === 0 || !rest.every((entry) => entry.isComplete)) return [];
    const last = entries[answerIndex];
    const open = entries.flatMap((entry) =>
      entry.parts.flatMap((part) =>
        part.kind === 'tool' && !this.#results.has(part.id)
          ? [{ id: part.id, name: part.name, isLast: entry === last }]
          : [],
      ),
    );
    return [...this.#lateSuggestions(entries), ...endWithOpenCalls(open, this.#context)];
  }

  /** Emits the suggestions of an earlier message for the last one, because only those of the last message are shown. */
  #lateSuggestions(entries: readonly StreamingMessage[]): readonly LLMAgentEvent[] {
    const known = entries.map(({ message }) => knownMessage.parse(message));
    const last = known.findLast(({ role }) => role === 'assistant');
    const source = known.findLast((message) => suggestionsOf(message).length > 0);
    const id = last && entries[known.indexOf(last)]?.message['id'];
    if (!source || source === last || typeof id !== 'string') return [];
    return [this.#response({ message: { id }, suggestions: suggestionsOf(source) })];
  }

  /** A repeated start replaces the earlier message, so that no text is repeated. */
  start({ message_id: id, role, tool_call_id, project_id }: Event<'message_start'>): readonly LLMAgentEvent[] {
    const message = withoutPrototype({ id, role, content: '' });
    if (tool_call_id) message['tool_call_id'] = tool_call_id;
    if (project_id) message['project_id'] = project_id;
    this.#failed?.delete(id);
    const entry: StreamingMessage = { message, parts: this.#streaming.get(id)?.parts ?? [], isComplete: false };
    this.#streaming.set(id, entry);
    const events = this.#emitChanges(id, entry);
    if (role === 'user') return [...this.#describeQuestion(message), ...events];
    if (role !== 'assistant') return events;
    return [this.#response({ message: { id }, metadata: projectMetadata(message) }), ...events];
  }

  complete({ message_id: id, project_id, message: fields }: Event<'message_result'>): readonly LLMAgentEvent[] {
    const previous = this.#streaming.get(id);
    const message = withoutPrototype(fields);
    // The message may omit fields that its start contains.
    for (const name of ['role', 'tool_call_id', 'project_id']) message[name] ??= previous?.message[name];
    message['project_id'] ??= project_id ?? undefined;
    message['id'] ??= id;
    // What a server completes after a failure may be the part that it has.
    if (message['role'] !== 'user' && message['role'] !== 'tool' && !this.#failed?.has(id)) this.#failed = undefined;
    const entry: StreamingMessage = { message, parts: previous?.parts ?? [], isComplete: true };
    this.#streaming.set(id, entry);
    // The complete message contains the values of its dropped fields.
    this.#dropped.delete(id);
    if (message['role'] === 'user') return this.#describeQuestion(message);
    return this.#emitChanges(id, entry);
  }

  change(event: Change, frame: Frame): readonly LLMAgentEvent[] {
    const { message_id: id, field_name: name, project_id } = event;
    const entry = this.#streaming.get(id);
    if (!entry) {
      this.#drop(id, name, frame);
      return [];
    }
    const steps = parseFieldPath(name);
    const refusal =
      typeof steps === 'string'
        ? steps
        : setAtPath(entry.message, steps, (before) =>
            event.type === 'message_field'
              ? event.field_value
              : (typeof before === 'string' ? before : '') + event.delta,
          );
    if (refusal !== undefined) {
      this.#refuse(refusal, frame);
      return [];
    }
    const appended = event.type === 'message_field_delta' ? this.#appendText(id, entry, name, event.delta) : undefined;
    const events = appended ? [appended] : this.#emitChanges(id, entry);
    if (!project_id || entry.message['project_id'] !== undefined) return events;
    entry.message['project_id'] = project_id;
    if (entry.message['role'] !== 'assistant') return events;
    return [...events, this.#response({ message: { id }, metadata: projectMetadata(entry.message) })];
  }

  /**
   * Drops a field of a message that has not begun. If its content would be rendered, it is reported at the end as refused,
   * because the answer is then incomplete. Most others are fields of the project, such as its name. `_updatetime`, the
   * time of the last change, occurs in every stream and is not reported.
   */
  #drop(id: string, name: string, frame: Frame): void {
    if (SHOWN_FIELD.test(name)) {
      if (!this.#dropped.has(id)) this.#dropped.set(id, frame);
    } else if (name !== '_updatetime') {
      this.#context.report({ kind: 'unknown', detail: `The message "${id}" has not started.`, frame });
    }
  }

  /** Returns the events for what has changed in a message. */
  #emitChanges(id: string, entry: StreamingMessage): readonly LLMAgentEvent[] {
    const parsed = knownMessage.parse(entry.message);
    for (const call of parsed.tool_calls) if (call?.function.name === THINK_TOOL) this.#thinkCalls.set(call.id, id);
    if (parsed.role === 'tool') return this.#emitResult(id, parsed, entry);
    if (parsed.role !== 'assistant') return [];
    const parts = partsOf(parsed);
    // An emitted result counts too: a replaced message repeats the results of its calls.
    const events = snapshotEvents({ id }, this.#withResults(entry.parts), this.#withResults(parts)).map((data) =>
      this.#response(data),
    );
    entry.parts = parts;
    const completed = entry.isComplete ? [this.#completeEvent(id, entry.message, parsed)] : [];
    return [...events, ...completed, ...this.#takeEarlyResults()];
  }

  /**
   * Emits the results that arrived before their call.
   *
   * @param all - also those whose call never arrived
   */
  #takeEarlyResults(all = false): readonly LLMAgentEvent[] {
    return [...this.#earlyResults].flatMap((id) => {
      const entry = this.#streaming.get(id);
      if (!entry) return [];
      const parsed = knownMessage.parse(entry.message);
      if (!all && !this.#isKnownCall(parsed.tool_call_id || '')) return [];
      this.#earlyResults.delete(id);
      return this.#emitResult(id, parsed, entry, all);
    });
  }

  /**
   * Emits the result of a call, or its progress while the tool's message is not complete.
   *
   * @param hasEnded - whether the reply has ended, so that no call can arrive any more
   */
  #emitResult(id: string, parsed: KnownMessage, entry: StreamingMessage, hasEnded = false): readonly LLMAgentEvent[] {
    const { content } = parsed;
    const callId = parsed.tool_call_id || this.#onlyOpenCall();
    if (!callId) return [];
    const stored = { ...opaqueFields(entry.message), id: entry.message['id'] };
    const thinkMessage = this.#thinkCalls.get(callId);
    if (thinkMessage !== undefined) {
      // The result is not shown, but sent back.
      const metadata = { [resultKey(callId)]: { ...stored, content } };
      return entry.isComplete ? [this.#response({ message: { id: thinkMessage }, metadata })] : [];
    }
    if (entry.isComplete) {
      if (!hasEnded && !this.#isKnownCall(callId)) {
        this.#earlyResults.add(id);
        return [];
      }
      const failed = isToolFailure(parsed, content);
      const metadata = { [resultKey(callId)]: stored };
      const changed = this.#changeResult(callId, { response: content, failed }, metadata);
      if (changed) return changed;
      const call = { tool_call_id: callId, tool_call_response: content } as const;
      return [this.#response({ ...call, tool_call: failed ? 'error' : 'end', metadata })];
    }
    const [emitted] = entry.parts;
    const before = emitted?.kind === 'text' ? emitted.text : '';
    entry.parts = [{ kind: 'text', text: content }];
    if (content === before) return [];
    const output = content.startsWith(before)
      ? { tool_call_response: content.slice(before.length) }
      : { tool_call_response_complete: content };
    return [this.#response({ tool_call: 'running', tool_call_id: callId, ...output })];
  }

  /**
   * Stores a result. If the call already had one, returns the events that replace it: those of the complete message, because
   * a call that has ended accepts no other result.
   */
  #changeResult(
    callId: string,
    result: Result,
    metadata: NonNullable<Data['metadata']>,
  ): readonly LLMAgentEvent[] | undefined {
    const caller = this.#results.has(callId) ? this.#callerOf(callId) : undefined;
    const before = caller && this.#withResults(caller[1].parts);
    this.#results.set(callId, result);
    if (!caller || !before) return undefined;
    const [id, { parts }] = caller;
    const changes = snapshotEvents({ id }, before, this.#withResults(parts));
    return [...changes, { message: { id }, metadata }].map((data) => this.#response(data));
  }

  #callerOf(callId: string): [string, StreamingMessage] | undefined {
    return [...this.#streaming].find(([, { parts }]) =>
      parts.some((part) => part.kind === 'tool' && part.id === callId),
    );
  }

  /** Whether the message of a call has arrived: in this reply or in an earlier one. */
  #isKnownCall(callId: string): boolean {
    return (
      this.#thinkCalls.has(callId) ||
      this.#callerOf(callId) !== undefined ||
      this.#context.turn.messages.some(({ blocks }) =>
        blocks.some((block) => block.type === 'tool_call' && block.tool_call.id === callId),
      )
    );
  }

  /**
   * Appends text to the last part without comparing the complete message, which would take quadratic time. Returns
   * undefined if the change is not just that.
   */
  #appendText(id: string, entry: StreamingMessage, field: string, delta: string): LLMAgentEvent | undefined {
    const last = entry.parts.at(-1);
    const kind = field === 'content' ? (entry.message['thinking'] === true ? 'reasoning' : 'text') : undefined;
    if (entry.message['role'] !== 'assistant' || last?.kind !== kind || kind === undefined) return undefined;
    // The first text of a field is not appended: after another thought it begins a paragraph.
    if (entry.message[field] === delta) return undefined;
    entry.parts = entry.parts.with(-1, { kind, text: (last as { text: string }).text + delta });
    return this.#response({
      message: { id },
      ...(kind === 'text' ? { content: delta } : { reasoning_content: delta }),
    });
  }

  #completeEvent(id: string, message: WireMessage, parsed: KnownMessage): LLMAgentEvent {
    const suggestions = suggestionsOf(parsed);
    return this.#response({
      message: { id },
      metadata: {
        wireMessage: { ...opaqueFields(message), ...(message['thinking'] === true && { thinking: true }) },
        ...projectMetadata(message),
      },
      ...(suggestions.length > 0 && { suggestions }),
    });
  }

  /** Stores the fields and the id that the server gives to the user's message, if it sends that message back. */
  #describeQuestion(message: WireMessage): readonly LLMAgentEvent[] {
    const { id, project_id: project, ...fields } = message;
    const isKnown = this.#context.turn.messages.some((known) => known.id === id);
    const question = { ...opaqueFields(fields), ...(project !== undefined && { project_id: project }) };
    if (isKnown && Object.keys(question).length === 0) return [];
    return [this.#response({ metadata: { [QUESTION_KEY]: { ...question, ...(!isKnown && { id }) } } })];
  }

  /** The call of a result without an id, if it is the only open one. */
  #onlyOpenCall(): string | undefined {
    const calls = [...this.#streaming.values()].flatMap(({ message }) => knownMessage.parse(message).tool_calls);
    const [only, ...others] = calls.flatMap((call) => (call?.id && !this.#results.has(call.id) ? [call.id] : []));
    return others.length === 0 ? only : undefined;
  }

  #withResults(parts: readonly Part[]): readonly Part[] {
    return parts.map((part) => (part.kind === 'tool' ? { ...part, ...this.#results.get(part.id) } : part));
  }

  #refuse(detail: string, frame: Frame): void {
    this.#context.report({ kind: 'refused', detail, frame });
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

/** What each event does. */
const HANDLERS: Handlers<MessageFieldReply, FieldEvent, readonly LLMAgentEvent[]> = {
  message_start: (reply, event) => reply.start(event),
  message_field: (reply, event, frame) => reply.change(event, frame),
  message_field_delta: (reply, event, frame) => reply.change(event, frame),
  message_result: (reply, event) => reply.complete(event),
};

/**
 * The project id, which identifies the thread. It is emitted early, because the next turn needs it even if this reply
 * is cut off.
 */
const projectMetadata = (message: WireMessage): Readonly<Record<string, unknown>> =>
  message['project_id'] === undefined ? {} : { projectId: message['project_id'] };

/** Whether a frame reports a failure. The protocol has no error event, but servers send one before they close the stream. */
export function isFailure(json: unknown, frame: Frame): boolean {
  if (!isRecord(json)) return false;
  const { type, error, detail } = json;
  if (typeof type === 'string') return /(?:^|[_-])error$/i.test(type);
  return frame.event === 'error' || [error, detail].some(Boolean);
}
