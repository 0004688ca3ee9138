/**
 * Dify's app API (`dify`): chat, agent, completion and workflow apps. Any field may be absent or null. Source:
 * `docs/protocols/dify.md`; langgenius/dify.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { splitDifyReasoning } from './split-reasoning.ts';
import { difyCancel, difyFeedback, difyRequest } from './request.ts';
import { type Wire, formQuestion, parseAgentThought, toDifyCitations, toDifyMedia, toDifyUsage, wire } from './wire.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import type { ThinkTagChunk } from '../shared/think-tags.ts';
import type { Part } from '../shared/snapshot.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';
import type { Frame } from '../../transport/frame.ts';

export const dify: Adapter = {
  id: 'dify',
  label: 'Dify',
  kind: 'agent',
  request: difyRequest,
  cancel: difyCancel,
  feedback: difyFeedback,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

type Data = Omit<LLMAgentEventData, 'eventId'>;
interface ReplyDecoder {
  take(event: Wire, frame: Frame): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId, report, url }: DecodeContext): ReplyDecoder {
  let message: IncrementalMessage | undefined;
  let splitter = splitDifyReasoning();
  /** All answer text as it arrived, because an agent thought repeats it. */
  let raw = '';
  const ids = new Map<string, string>();
  const shownKeys = new Set<string>();
  /** Calls without a result. */
  const openCalls = new Set<string>();
  const audioChunks: string[] = [];
  let failed = false;
  /** The finish of a successful workflow; in a chat the end of the message is still to come. */
  let pendingFinish: Data | undefined;
  let finished = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const fail = (error: string, code?: string | null): readonly LLMAgentEvent[] => {
    // A failed workflow is reported twice.
    if (failed) return [];
    failed = true;
    return [
      // The buffered text comes before the error.
      ...splitter.end().flatMap(emitPiece).map(response),
      { type: 'error', data: { eventId, error, ...(code && { code }) } },
      ...finish({ finish: 'error' }),
    ];
  };
  const finish = (data: Data): readonly LLMAgentEvent[] => {
    if (finished) return [];
    finished = true;
    // A tool may have no result.
    const unanswered = data.finish === 'complete' ? [...openCalls] : [];
    return [
      ...unanswered.map((id) => response({ tool_call: 'end', tool_call_id: id, tool_call_remote: true })),
      ...splitter.end().flatMap(emitPiece).map(response),
      response(data),
    ];
  };
  const messageOf = (event: Wire): IncrementalMessage =>
    (message ??= makeIncrementalMessage({ id: idOf(event) ?? eventId }));
  const emitPiece = (chunk: ThinkTagChunk): readonly Data[] => {
    if (chunk.kind === 'text-was-reasoning') return [{ content_was_reasoning: true }];
    return message?.append(chunk.kind, chunk.text) ?? [];
  };
  const appendText = (event: Wire, text: string): readonly LLMAgentEvent[] => {
    messageOf(event);
    raw += text;
    return splitter.feed(text).flatMap(emitPiece).map(response);
  };
  const replaceText = (event: Wire, text: string): readonly LLMAgentEvent[] => {
    splitter = splitDifyReasoning();
    raw = text;
    const parts = [...splitter.feed(text), ...splitter.end()].flatMap((chunk): readonly Part[] =>
      chunk.kind === 'text-was-reasoning' ? [] : [chunk],
    );
    return messageOf(event).rewrite(parts).map(response);
  };
  const emitMedia = (event: Wire, file: unknown): readonly LLMAgentEvent[] => {
    const media = toDifyMedia(file, url);
    const key = media && (media.url ?? media.name ?? '');
    if (!media || key === undefined || shownKeys.has(key)) return [];
    shownKeys.add(key);
    return messageOf(event).put({ kind: 'media', media }).map(response);
  };
  /** Emits the id of the message, and the ids that later requests need, as soon as they are known. */
  const emitIds = (event: Wire): readonly LLMAgentEvent[] => {
    const id = message ? undefined : idOf(event);
    if (id !== undefined) messageOf(event);
    const newIds = Object.entries({
      conversationId: event.conversation_id,
      taskId: event.task_id,
      workflowRunId: event.workflow_run_id,
    }).filter((entry): entry is [string, string] => !!entry[1] && ids.get(entry[0]) !== entry[1]);
    for (const [name, value] of newIds) ids.set(name, value);
    if (newIds.length === 0) return [];
    return [response({ ...(id !== undefined && { message: { id } }), metadata: Object.fromEntries(newIds) })];
  };
  const emitPhase = ({ data }: Wire): readonly LLMAgentEvent[] => {
    const title = data?.['title'] ?? data?.['label'];
    return typeof title === 'string' && title ? [response({ phase: { name: title, message: title } })] : [];
  };
  const emitThought = (event: Wire): readonly LLMAgentEvent[] => {
    const { thought: text, calls } = parseAgentThought(event);
    const isShown = shownKeys.has(`thought ${event.id ?? ''}`) || withoutSpaces(raw).includes(withoutSpaces(text));
    if (!isShown) shownKeys.add(`thought ${event.id ?? ''}`);
    for (const { id, response: result } of calls) {
      if (result === undefined) openCalls.add(id);
      else openCalls.delete(id);
    }
    return [
      ...(isShown ? [] : messageOf(event).append('reasoning', text)),
      ...calls.flatMap((call) => messageOf(event).put(call)),
    ].map(response);
  };
  const endMessage = (event: Wire): readonly LLMAgentEvent[] => {
    const { usage, retriever_resources: sources } = event.metadata ?? {};
    const tokens = toDifyUsage(usage);
    const attachments = [
      ...(event.files ?? []).flatMap((file) => emitMedia(event, file)),
      ...(Array.isArray(sources) ? sources : []).flatMap(toDifyCitations).map((citation) => response({ citation })),
    ];
    const done: Data = { finish: 'complete', ...(tokens && { totalUsage: tokens }) };
    if (audioChunks.length === 0)
      return [...splitter.end().flatMap(emitPiece).map(response), ...attachments, ...finish(done)];
    pendingFinish = done;
    return [...splitter.end().flatMap(emitPiece).map(response), ...attachments];
  };
  const endWorkflow = (event: Wire): readonly LLMAgentEvent[] => {
    const { status, error, outputs, total_tokens: total, files } = event.data ?? {};
    if (status === 'failed') return fail(typeof error === 'string' && error ? error : 'The workflow failed.');
    if (status === 'stopped') return finish({ finish: 'cancelled' });
    const done: Data = {
      finish: 'complete',
      ...(typeof total === 'number' && {
        totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: total },
      }),
    };
    const media = (Array.isArray(files) ? files : []).flatMap((file) => emitMedia(event, file));
    if (event.message_id ?? event.conversation_id) {
      pendingFinish = done;
      return media;
    }
    return [...(raw === '' ? emitOutputs(event, outputs) : []), ...media, ...finish(done)];
  };
  /** The output of a workflow that has streamed nothing: its text, otherwise all of it. */
  const emitOutputs = (event: Wire, outputs: unknown): readonly LLMAgentEvent[] => {
    if (!isRecord(outputs)) return [];
    const texts = Object.values(outputs).filter((value) => typeof value === 'string');
    const text = [outputs['answer'], outputs['text'], ...(texts.length === 1 ? texts : [])].find(
      (value) => typeof value === 'string',
    );
    if (typeof text === 'string') return appendText(event, text);
    return Object.keys(outputs).length > 0 ? [response({ data: { data_type: 'custom', data: outputs } })] : [];
  };

  const handlers: Readonly<Record<string, (event: Wire) => readonly LLMAgentEvent[]>> = {
    // A reply without streaming is one of these events, including its end.
    message: (event) => [...appendText(event, event.answer ?? ''), ...(event.metadata ? endMessage(event) : [])],
    agent_message: (event) => appendText(event, event.answer ?? ''),
    agent_thought: emitThought,
    message_file: (event) => (event['belongs_to'] === 'user' ? [] : emitMedia(event, event)),
    message_end: endMessage,
    message_replace: (event) => replaceText(event, event.answer ?? ''),
    tts_message: (event) => {
      if (event.audio) audioChunks.push(event.audio);
      return [];
    },
    tts_message_end: () => [...emitAudio(), ...(pendingFinish ? finish(pendingFinish) : [])],
    node_started: emitPhase,
    agent_log: emitPhase,
    text_chunk: (event) => appendText(event, textIn(event, 'text')),
    text_replace: (event) => replaceText(event, textIn(event, 'text')),
    reasoning_chunk: (event) =>
      messageOf(event)
        .append('reasoning', textIn(event, 'reasoning', 'text'))
        .map(response),
    workflow_finished: endWorkflow,
    workflow_paused: () => finish({ finish: 'tool_use' }),
    human_input_required: (event) => {
      const question = formQuestion(event.data ?? {}, event.workflow_run_id ?? '');
      return question ? [response(question)] : [];
    },
    error: (event) => fail(event.message ?? 'The app reports an error.', event.code),
  };
  const emitAudio = (): readonly LLMAgentEvent[] => {
    const data = joinBase64(audioChunks.splice(0));
    return data === undefined ? [] : [response({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } })];
  };

  return {
    take(event, frame) {
      const kind = event.event ?? kindOf(event);
      if (kind !== undefined && Object.hasOwn(handlers, kind)) {
        return [...emitIds(event), ...(handlers[kind]?.(event) ?? [])];
      }
      if (kind === undefined || !IGNORED.test(kind)) {
        report({ kind: 'unknown', detail: `Unknown event "${kind ?? ''}".`, frame });
      }
      return emitIds(event);
    },
    end: () => [
      ...emitAudio(),
      ...(pendingFinish ? finish(pendingFinish) : finished ? [] : splitter.end().flatMap(emitPiece).map(response)),
    ],
  };
}

/** Ignored events: they have no visible content, or report progress of something that is already visible. */
const IGNORED =
  /^(?:ping|workflow_started|node_(?:finished|retry)|(?:iteration|loop)_(?:started|next|completed)|parallel_branch_(?:started|finished)|human_input_form_(?:filled|timeout)|datasource_(?:processing|completed|error))$/;

/** The kind of an event without a name: an error, or a workflow without streaming. */
const kindOf = ({ data, message, code, status }: Wire): string | undefined => {
  if (typeof data?.['status'] === 'string') return 'workflow_finished';
  return message && (code || status) ? 'error' : undefined;
};

/** The id of the message. A workflow's reply has no message id, but its run id stays the same after a pause. */
const idOf = ({ message_id, workflow_run_id, task_id }: Wire): string | undefined =>
  message_id ?? workflow_run_id ?? task_id ?? undefined;

const textIn = ({ data, ...event }: Wire, ...names: readonly string[]): string =>
  names
    .flatMap((name) => [data?.[name], (event as Readonly<Record<string, unknown>>)[name]])
    .find((value) => typeof value === 'string') ?? '';

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
