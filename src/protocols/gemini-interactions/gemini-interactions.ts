/**
 * Gemini's Interactions API (`POST /v1beta/interactions`): models and agents such as Deep Research. Source:
 * ai.google.dev, "Streaming interactions"; `googleapis/js-genai` at 6e9b35c, `src/gaos`, read 2026-11-25.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { errorMessage } from '../shared/error-message.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { interactionsCancel, interactionsRequest, interactionsResume } from './request.ts';
import { makeSteps, type StepReader } from './steps.ts';
import { interactionEvent, toUsage, type Interaction, type InteractionEvent } from './wire.ts';

/** Adapter for Gemini's Interactions API. */
export const geminiInteractions: Adapter = {
  id: 'gemini-interactions',
  label: 'Gemini Interactions',
  kind: 'model',
  request: interactionsRequest,
  cancel: interactionsCancel,
  resume: interactionsResume,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(interactionEvent, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

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

function makeReply({ eventId, report, newId }: DecodeContext) {
  const steps = makeSteps(newId);
  const readers = new Map<number, StepReader>();
  let id = '';
  let status = '';
  let finished = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const open = (index: number | null | undefined): StepReader => {
    const key = index ?? 0;
    const existing = readers.get(key);
    if (existing) return existing;
    const stepReader = steps.makeReader(key);
    readers.set(key, stepReader);
    return stepReader;
  };
  const stopAll = (): readonly Data[] => [...readers.values()].flatMap((stepReader) => stepReader.stop());
  const remember = (given: string | null | undefined): readonly Data[] => {
    if (!given || id) return [];
    id = given;
    return [{ metadata: { interactionId: id } }];
  };
  const fail = (cause: unknown): readonly LLMAgentEvent[] => {
    if (finished) return [];
    finished = true;
    const error = errorMessage(cause) ?? 'The model reported an error.';
    return [{ type: 'error', data: { eventId, error } }, response({ finish: 'error' })];
  };
  const finish = (interaction: Interaction): readonly LLMAgentEvent[] => {
    if (finished) return [];
    const reason = ENDS.get(status);
    if (reason === 'error') return fail(interaction.error);
    finished = true;
    const usage = toUsage(interaction);
    const waiting = steps.openCalls();
    const isContinuable = reason === undefined || reason === 'complete' || reason === 'tool_use';
    return [
      ...stopAll(),
      ...(usage ? [{ totalUsage: usage }] : []),
      ...(isContinuable && id ? [{ metadata: { continueFrom: id, ...waitingMetadata(waiting) } }] : []),
      { finish: waiting.length > 0 && isContinuable ? 'tool_use' : (reason ?? 'complete') } as const,
    ].map(response);
  };
  /** A complete interaction, without streaming. */
  const takeDocument = (document: Interaction): readonly LLMAgentEvent[] => {
    status = document.status ?? '';
    const events = (document.steps ?? []).flatMap((step, index) => {
      const stepReader = open(index);
      return step ? [...stepReader.start(step), ...stepReader.stop()] : [];
    });
    const begins = [...remember(document.id), ...events].map(response);
    // An interaction in the background has no end yet.
    return ENDS.has(status) || status === '' ? [...begins, ...finish(document)] : begins;
  };

  const handlers: Readonly<Record<string, (event: InteractionEvent) => readonly LLMAgentEvent[]>> = {
    'interaction.created': ({ interaction }) => remember(interaction?.id).map(response),
    'interaction.status_update'(event) {
      status = event.status ?? status;
      return remember(event.interaction_id).map(response);
    },
    'interaction.completed'({ interaction }) {
      status = interaction?.status ?? status;
      // After a resumption only this event may contain the steps.
      const begins = readers.size === 0 && interaction?.steps ? takeDocument(interaction) : [];
      return [...remember(interaction?.id).map(response), ...begins, ...finish(interaction ?? {})];
    },
    'step.start': ({ index, step }) => {
      if (!step) return [];
      readers.delete(index ?? 0);
      return open(index).start(step).map(response);
    },
    'step.delta': ({ index, delta }) => (delta ? open(index).delta(delta).map(response) : []),
    'step.stop': ({ index }) => open(index).stop().map(response),
    error: ({ error }) => fail(error),
  };

  return {
    take(event: InteractionEvent, frame: Frame): readonly LLMAgentEvent[] {
      const { event_type: type } = event;
      if (type === undefined || type === null) return event.error ? fail(event.error) : takeDocument(event);
      if (Object.hasOwn(handlers, type)) return handlers[type]?.(event) ?? [];
      report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame });
      return [];
    },
    /** The last status may already have announced the end. */
    end: (): readonly LLMAgentEvent[] => (ENDS.has(status) ? finish({}) : []),
  };
}
