/** Dify's app API (`dify`): chat, agent, completion and workflow apps. Source: `dify.md`; any field may be absent or null. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { detectDify } from '../detect/builders.ts';
import { splitDifyThoughts } from './thoughts.ts';
import { difyCancel, difyFeedback, difyRequest } from './request.ts';
import { askHuman, citationOf, mediaOf, usageOf, thoughtCalls } from './things.ts';
import { growingMessage, type GrowingMessage } from '../shared/growing-message.ts';
import { joinBase64 } from '../shared/join-base64.ts';
import { maybe, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import type { ThoughtPiece } from '../shared/think-tags.ts';
import type { Part } from '../shared/snapshot.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';
import type { Frame } from '../../transport/frame.ts';

const wire = z.looseObject({
  event: maybeText,
  task_id: maybeText,
  id: maybeText,
  message_id: maybeText,
  conversation_id: maybeText,
  workflow_run_id: maybeText,
  answer: maybeText,
  audio: maybeText,
  message: maybeText,
  code: maybe(z.coerce.string()),
  status: maybe(z.union([z.string(), z.number()])),
  data: maybeRecord,
  metadata: maybeRecord,
  files: maybe(z.array(z.unknown())),
});
type Wire = z.infer<typeof wire>;

export const dify: Adapter = {
  id: 'dify',
  label: 'Dify',
  kind: 'agent',
  detect: detectDify,
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
interface Reply {
  take(event: Wire, frame: Frame): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId, report, url }: DecodeContext): Reply {
  let message: GrowingMessage | undefined;
  let thoughts = splitDifyThoughts();
  /** All answers as they came: a thought repeats them. */
  let raw = '';
  const facts = new Map<string, string>();
  const shown = new Set<string>();
  /** Calls without a result so far. */
  const open = new Set<string>();
  const sound: string[] = [];
  let failed = false;
  /** A workflow has ended well; in a chat the end of the message is still to come. */
  let waits: Data | undefined;
  let finished = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const fail = (error: string, code?: string | null): readonly LLMAgentEvent[] => {
    // A failed workflow is told twice.
    if (failed) return [];
    failed = true;
    return [
      // What is held back stands in front of it.
      ...thoughts.end().flatMap(say).map(response),
      { type: 'error', data: { eventId, error, ...(code && { code }) } },
      ...finish({ finish: 'error' }),
    ];
  };
  const finish = (data: Data): readonly LLMAgentEvent[] => {
    if (finished) return [];
    finished = true;
    // A tool may have had nothing to say.
    const silent = data.finish === 'complete' ? [...open] : [];
    return [
      ...silent.map((id) => response({ tool_call: 'end', tool_call_id: id, tool_call_remote: true })),
      ...thoughts.end().flatMap(say).map(response),
      response(data),
    ];
  };
  const of = (event: Wire): GrowingMessage => (message ??= growingMessage({ id: idOf(event) ?? eventId }));
  const say = (piece: ThoughtPiece): readonly Data[] => {
    if (piece.kind === 'text-was-reasoning') return [{ content_was_reasoning: true }];
    return message?.say(piece.kind, piece.text) ?? [];
  };
  const write = (event: Wire, text: string): readonly LLMAgentEvent[] => {
    of(event);
    raw += text;
    return thoughts.feed(text).flatMap(say).map(response);
  };
  const rewrite = (event: Wire, text: string): readonly LLMAgentEvent[] => {
    thoughts = splitDifyThoughts();
    raw = text;
    const words = [...thoughts.feed(text), ...thoughts.end()].flatMap((piece): readonly Part[] =>
      piece.kind === 'text-was-reasoning' ? [] : [piece],
    );
    return of(event).rewrite(words).map(response);
  };
  const show = (event: Wire, file: unknown): readonly LLMAgentEvent[] => {
    const media = mediaOf(file, url);
    const key = media && (media.url ?? media.name ?? '');
    if (!media || key === undefined || shown.has(key)) return [];
    shown.add(key);
    return of(event).put({ kind: 'media', media }).map(response);
  };
  /** Whose words these are, and the ids that later requests need, as soon as they are known. */
  const note = (event: Wire): readonly LLMAgentEvent[] => {
    const id = message ? undefined : idOf(event);
    if (id !== undefined) of(event);
    const news = Object.entries({
      conversationId: event.conversation_id,
      taskId: event.task_id,
      workflowRunId: event.workflow_run_id,
    }).filter((entry): entry is [string, string] => !!entry[1] && facts.get(entry[0]) !== entry[1]);
    for (const [name, value] of news) facts.set(name, value);
    if (news.length === 0) return [];
    return [response({ ...(id !== undefined && { message: { id } }), metadata: Object.fromEntries(news) })];
  };
  const step = ({ data }: Wire): readonly LLMAgentEvent[] => {
    const title = data?.['title'] ?? data?.['label'];
    return typeof title === 'string' && title ? [response({ phase: { name: title, message: title } })] : [];
  };
  const thought = (event: Wire): readonly LLMAgentEvent[] => {
    const { thought: text, calls } = thoughtCalls(event);
    const told = shown.has(`thought ${event.id ?? ''}`) || bare(raw).includes(bare(text));
    if (!told) shown.add(`thought ${event.id ?? ''}`);
    for (const { id, response: result } of calls) {
      if (result === undefined) open.add(id);
      else open.delete(id);
    }
    return [...(told ? [] : of(event).say('reasoning', text)), ...calls.flatMap((call) => of(event).put(call))].map(
      response,
    );
  };
  const endMessage = (event: Wire): readonly LLMAgentEvent[] => {
    const { usage, retriever_resources: sources } = event.metadata ?? {};
    const tokens = usageOf(usage);
    const rest = [
      ...(event.files ?? []).flatMap((file) => show(event, file)),
      ...(Array.isArray(sources) ? sources : []).flatMap(citationOf).map((citation) => response({ citation })),
    ];
    const done: Data = { finish: 'complete', ...(tokens && { totalUsage: tokens }) };
    if (sound.length === 0) return [...thoughts.end().flatMap(say).map(response), ...rest, ...finish(done)];
    waits = done;
    return [...thoughts.end().flatMap(say).map(response), ...rest];
  };
  const endWorkflow = (event: Wire): readonly LLMAgentEvent[] => {
    const { status, error, outputs, total_tokens: total, files } = event.data ?? {};
    if (status === 'failed') return fail(typeof error === 'string' && error ? error : 'The workflow has failed.');
    if (status === 'stopped') return finish({ finish: 'cancelled' });
    const done: Data = {
      finish: 'complete',
      ...(typeof total === 'number' && {
        totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: total },
      }),
    };
    const pictures = (Array.isArray(files) ? files : []).flatMap((file) => show(event, file));
    if (event.message_id ?? event.conversation_id) {
      waits = done;
      return pictures;
    }
    return [...(raw === '' ? tellOutputs(event, outputs) : []), ...pictures, ...finish(done)];
  };
  /** What a workflow gives that has streamed nothing: its text, else all of it. */
  const tellOutputs = (event: Wire, outputs: unknown): readonly LLMAgentEvent[] => {
    if (!isRecord(outputs)) return [];
    const texts = Object.values(outputs).filter((value) => typeof value === 'string');
    const text = [outputs['answer'], outputs['text'], ...(texts.length === 1 ? texts : [])].find(
      (value) => typeof value === 'string',
    );
    if (typeof text === 'string') return write(event, text);
    return Object.keys(outputs).length > 0 ? [response({ data: { data_type: 'custom', data: outputs } })] : [];
  };

  const handlers: Readonly<Record<string, (event: Wire) => readonly LLMAgentEvent[]>> = {
    // A reply that was not streamed is one of these, with its end.
    message: (event) => [...write(event, event.answer ?? ''), ...(event.metadata ? endMessage(event) : [])],
    agent_message: (event) => write(event, event.answer ?? ''),
    agent_thought: thought,
    message_file: (event) => (event['belongs_to'] === 'user' ? [] : show(event, event)),
    message_end: endMessage,
    message_replace: (event) => rewrite(event, event.answer ?? ''),
    tts_message: (event) => {
      if (event.audio) sound.push(event.audio);
      return [];
    },
    tts_message_end: () => [...playSound(), ...(waits ? finish(waits) : [])],
    node_started: step,
    agent_log: step,
    text_chunk: (event) => write(event, textIn(event, 'text')),
    text_replace: (event) => rewrite(event, textIn(event, 'text')),
    reasoning_chunk: (event) =>
      of(event)
        .say('reasoning', textIn(event, 'reasoning', 'text'))
        .map(response),
    workflow_finished: endWorkflow,
    workflow_paused: () => finish({ finish: 'tool_use' }),
    human_input_required: (event) => {
      const question = askHuman(event.data ?? {}, event.workflow_run_id ?? '');
      return question ? [response(question)] : [];
    },
    error: (event) => fail(event.message ?? 'The app reports an error.', event.code),
  };
  const playSound = (): readonly LLMAgentEvent[] => {
    const data = joinBase64(sound.splice(0));
    return data === undefined ? [] : [response({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } })];
  };

  return {
    take(event, frame) {
      const kind = event.event ?? kindOf(event);
      if (kind !== undefined && Object.hasOwn(handlers, kind)) {
        return [...note(event), ...(handlers[kind]?.(event) ?? [])];
      }
      if (kind === undefined || !SILENT.test(kind)) {
        report({ kind: 'unknown', detail: `The event "${kind ?? ''}" is new.`, frame });
      }
      return note(event);
    },
    end: () => [...playSound(), ...(waits ? finish(waits) : finished ? [] : thoughts.end().flatMap(say).map(response))],
  };
}

/** Progress inside of what is told anyway, and what has nothing to show. */
const SILENT =
  /^(?:ping|workflow_started|node_(?:finished|retry)|(?:iteration|loop)_(?:started|next|completed)|parallel_branch_(?:started|finished)|human_input_form_(?:filled|timeout)|datasource_(?:processing|completed|error))$/;

/** Some have no name: errors, and a workflow that was not streamed. */
const kindOf = ({ data, message, code, status }: Wire): string | undefined => {
  if (typeof data?.['status'] === 'string') return 'workflow_finished';
  return message && (code || status) ? 'error' : undefined;
};

/** A workflow's reply has no message: its run is the same one behind a pause. */
const idOf = ({ message_id, workflow_run_id, task_id }: Wire): string | undefined =>
  message_id ?? workflow_run_id ?? task_id ?? undefined;

const textIn = ({ data, ...event }: Wire, ...names: readonly string[]): string =>
  names
    .flatMap((name) => [data?.[name], (event as Readonly<Record<string, unknown>>)[name]])
    .find((value) => typeof value === 'string') ?? '';

const bare = (text: string): string => text.replace(/\s+/g, '');
