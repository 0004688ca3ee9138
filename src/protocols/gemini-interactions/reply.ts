/** Converts the events of an interaction to the events of one reply. Source: as in `gemini-interactions.ts`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { errorMessage } from '../shared/error-message.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { SharedStepState, StepReader } from './steps.ts';
import { toUsage, type Interaction, type InteractionEvent, type Step } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The finish of an interaction by its status. A status without an entry means that it still runs. */
const ENDS = new Map<string, FinishReason>([
  ['completed', 'complete'],
  ['requires_action', 'tool_use'],
  ['incomplete', 'max_tokens'],
  ['budget_exceeded', 'max_tokens'],
  ['cancelled', 'cancelled'],
  ['failed', 'error'],
]);

/** The state of one reply, and what an event changes in it. */
export class InteractionReply {
  readonly #context: DecodeContext;
  readonly #shared: SharedStepState;
  readonly #readers = new Map<number, StepReader>();
  #id = '';
  #status = '';
  #isFinished = false;
  /** The error of the last step that failed, and whether no other step has followed it. */
  #stepError: unknown;
  #endsWithError = false;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#shared = new SharedStepState(context.newId);
  }

  take(event: InteractionEvent, frame: Frame): readonly LLMAgentEvent[] {
    const { event_type: type } = event;
    if (type === undefined || type === null) return event.error ? this.fail(event.error) : this.#takeDocument(event);
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, event);
    this.#context.report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame });
    return [];
  }

  /** The last status may already have announced the end. */
  end(): readonly LLMAgentEvent[] {
    return ENDS.has(this.#status) ? this.#finish({}) : [];
  }

  create({ interaction }: InteractionEvent): readonly LLMAgentEvent[] {
    return this.#remember(interaction?.id);
  }

  updateStatus({ status, interaction_id: id }: InteractionEvent): readonly LLMAgentEvent[] {
    this.#status = status ?? this.#status;
    return this.#remember(id);
  }

  complete({ interaction }: InteractionEvent): readonly LLMAgentEvent[] {
    this.#status = interaction?.status ?? this.#status;
    // After a resumption only this event may contain the steps.
    const steps = this.#readers.size === 0 && interaction?.steps ? this.#takeDocument(interaction) : [];
    return [...this.#remember(interaction?.id), ...steps, ...this.#finish(interaction ?? {})];
  }

  startStep({ index, step }: InteractionEvent): readonly LLMAgentEvent[] {
    if (!step) return [];
    this.#readers.delete(index ?? 0);
    this.#takeStepError(step);
    return this.#responses(this.#readerOf(index).start(step));
  }

  #takeStepError({ error }: Step): void {
    this.#endsWithError = Boolean(error);
    if (error) this.#stepError = error;
  }

  addDelta({ index, delta }: InteractionEvent): readonly LLMAgentEvent[] {
    return delta ? this.#responses(this.#readerOf(index).delta(delta)) : [];
  }

  stopStep({ index }: InteractionEvent): readonly LLMAgentEvent[] {
    return this.#responses(this.#readerOf(index).stop());
  }

  fail(cause: unknown): readonly LLMAgentEvent[] {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    const error = errorMessage(cause) ?? 'The model reported an error.';
    const { eventId } = this.#context;
    return [{ type: 'error', data: { eventId, error } }, ...this.#responses([{ finish: 'error' }])];
  }

  #finish(interaction: Interaction): readonly LLMAgentEvent[] {
    if (this.#isFinished) return [];
    const reason = ENDS.get(this.#status);
    // Without an answer after it, an error of a step is that of the reply, whatever the status says.
    if (reason === 'error' || (reason === 'complete' && this.#endsWithError)) {
      return this.fail(interaction.error ?? this.#stepError);
    }
    this.#isFinished = true;
    const usage = toUsage(interaction);
    const waiting = [...this.#shared.openCalls];
    const isContinuable = reason === undefined || reason === 'complete' || reason === 'tool_use';
    return this.#responses([
      ...[...this.#readers.values()].flatMap((reader) => reader.stop()),
      ...(usage ? [{ totalUsage: usage }] : []),
      ...(isContinuable && this.#id ? [{ metadata: { continueFrom: this.#id, ...waitingMetadata(waiting) } }] : []),
      { finish: waiting.length > 0 && isContinuable ? 'tool_use' : (reason ?? 'complete') },
    ]);
  }

  /** A complete interaction, without streaming. */
  #takeDocument(document: Interaction): readonly LLMAgentEvent[] {
    this.#status = document.status ?? '';
    const steps = (document.steps ?? []).flatMap((step, index) => {
      const reader = this.#readerOf(index);
      if (step) this.#takeStepError(step);
      return step ? [...reader.start(step), ...reader.stop()] : [];
    });
    const events = [...this.#remember(document.id), ...this.#responses(steps)];
    // An interaction in the background has no end yet.
    return ENDS.has(this.#status) || this.#status === '' ? [...events, ...this.#finish(document)] : events;
  }

  /** Emits the id of the interaction, once. */
  #remember(id: string | null | undefined): readonly LLMAgentEvent[] {
    if (!id || this.#id) return [];
    this.#id = id;
    return this.#responses([{ metadata: { interactionId: id } }]);
  }

  #readerOf(index: number | null | undefined): StepReader {
    const key = index ?? 0;
    const reader = this.#readers.get(key) ?? new StepReader(this.#shared, key);
    this.#readers.set(key, reader);
    return reader;
  }

  #responses(items: readonly Data[]): readonly LLMAgentEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

/** What each event does. */
const HANDLERS: Readonly<
  Record<string, (reply: InteractionReply, event: InteractionEvent) => readonly LLMAgentEvent[]>
> = {
  'interaction.created': (reply, event) => reply.create(event),
  'interaction.status_update': (reply, event) => reply.updateStatus(event),
  'interaction.completed': (reply, event) => reply.complete(event),
  'step.start': (reply, event) => reply.startStep(event),
  'step.delta': (reply, event) => reply.addDelta(event),
  'step.stop': (reply, event) => reply.stopStep(event),
  error: (reply, { error }) => reply.fail(error),
};
