/** Converts the events of a Dify app. Source: `docs/protocols/dify.md`; langgenius/dify. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { occurrencesOf } from '../../model/text/find-quote.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import type { Part } from '../shared/snapshot.ts';
import type { ThinkTagChunk } from '../shared/think-tags.ts';
import { splitDifyReasoning } from './split-reasoning.ts';
import {
  type Wire,
  formQuestion,
  parseAgentThought,
  toDifyCitations,
  toDifyMedia,
  toDifyUsage,
} from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Events = readonly LLMAgentEvent[];

/** The state of one reply, and what an event changes in it. */
export class DifyReply {
  readonly #context: DecodeContext;
  #message: IncrementalMessage | undefined;
  #splitter = splitDifyReasoning();
  /** All answer text without white space, because an agent thought repeats it. */
  #raw = '';
  /** The ids that later requests need. */
  readonly #ids = new Map<string, string>();
  readonly #shownKeys = new Set<string>();
  /** Calls without a result. */
  readonly #openCalls = new Set<string>();
  readonly #audioChunks: string[] = [];
  #hasFailed = false;
  #hasQuestion = false;
  /** The finish of a workflow whose message has not ended yet, or of a message whose audio has not ended yet. */
  #pendingFinish: Data | undefined;
  #isFinished = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(event: Wire, frame: Frame): Events {
    const kind = event.event ?? kindOf(event) ?? '';
    const handler = Object.hasOwn(HANDLERS, kind) ? HANDLERS[kind] : undefined;
    if (handler) return [...this.#shareIds(event), ...handler(this, event)];
    if (!IGNORED.test(kind)) {
      this.#context.report({ kind: 'unknown', detail: `Unknown event "${kind}".`, frame });
    }
    return this.#shareIds(event);
  }

  end(): Events {
    const audio = this.#showAudio();
    if (this.#pendingFinish) return [...audio, ...this.finish(this.#pendingFinish)];
    return this.#isFinished ? audio : [...audio, ...this.#flush()];
  }

  show(items: readonly Data[]): Events {
    const { eventId } = this.#context;
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  appendText(event: Wire, text: string): Events {
    this.#messageOf(event);
    this.#raw += withoutSpaces(text);
    return this.#showChunks(this.#splitter.feed(text));
  }

  replaceText(event: Wire, text: string): Events {
    this.#splitter = splitDifyReasoning();
    this.#raw = withoutSpaces(text);
    const parts = [...this.#splitter.feed(text), ...this.#splitter.end()].flatMap((chunk): readonly Part[] =>
      chunk.kind === 'text-was-reasoning' ? [] : [chunk],
    );
    return this.show(this.#messageOf(event).rewrite(parts));
  }

  appendReasoning(event: Wire, text: string): Events {
    return this.show(this.#messageOf(event).append('reasoning', text));
  }

  showThought(event: Wire): Events {
    const { thought, calls } = parseAgentThought(event);
    const key = `thought ${event.id ?? ''}`;
    const isShown = this.#shownKeys.has(key) || repeats(this.#raw, withoutSpaces(thought));
    if (!isShown) this.#shownKeys.add(key);
    for (const { id, response } of calls) {
      if (response === undefined) this.#openCalls.add(id);
      else this.#openCalls.delete(id);
    }
    return [
      ...(isShown ? [] : this.appendReasoning(event, thought)),
      ...this.show(calls.flatMap((call) => this.#messageOf(event).put(call))),
    ];
  }

  showMedia(event: Wire, file: unknown): Events {
    const media = toDifyMedia(file, this.#context.url);
    const key = media && (media.url ?? media.name ?? '');
    if (!media || key === undefined || this.#shownKeys.has(key)) return [];
    this.#shownKeys.add(key);
    return this.show(this.#messageOf(event).put({ kind: 'media', media }));
  }

  addAudio({ audio }: Wire): Events {
    if (audio) this.#audioChunks.push(audio);
    return [];
  }

  endAudio(): Events {
    return [...this.#showAudio(), ...(this.#pendingFinish ? this.finish(this.#pendingFinish) : [])];
  }

  endMessage(event: Wire): Events {
    const { usage, retriever_resources: sources } = event.metadata ?? {};
    const totalUsage = toDifyUsage(usage);
    const citations = (Array.isArray(sources) ? sources : []).flatMap(toDifyCitations);
    const items = [
      ...this.#flush(),
      ...(event.files ?? []).flatMap((file) => this.showMedia(event, file)),
      ...this.show(citations.map((citation) => ({ citation }))),
    ];
    const end: Data = { finish: 'complete', ...(totalUsage && { totalUsage }) };
    if (this.#audioChunks.length === 0) return [...items, ...this.finish(end)];
    this.#pendingFinish = end;
    return items;
  }

  endWorkflow(event: Wire): Events {
    const { status, error, outputs, total_tokens: total, files } = event.data ?? {};
    if (status === 'failed') return this.fail(typeof error === 'string' && error ? error : 'The workflow failed.');
    if (status === 'stopped') return this.finish({ finish: 'cancelled' });
    const end: Data = {
      finish: 'complete',
      ...(typeof total === 'number' && {
        totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: total },
      }),
    };
    const media = (Array.isArray(files) ? files : []).flatMap((file) => this.showMedia(event, file));
    if (event.message_id ?? event.conversation_id) {
      this.#pendingFinish = end;
      // The answer node of some chats streams nothing.
      const answer = this.#raw === '' && !this.#isFinished && isRecord(outputs) ? outputs['answer'] : undefined;
      return [...(typeof answer === 'string' && answer ? this.appendText(event, answer) : []), ...media];
    }
    return [...(this.#raw === '' ? this.#showOutputs(event, outputs) : []), ...media, ...this.finish(end)];
  }

  ask(question: Data): Events {
    this.#hasQuestion = true;
    return this.show([question]);
  }

  /** The workflow waits, perhaps for a form that is submitted elsewhere. Without any text, the reply would be empty. */
  pause(): Events {
    if (this.#hasQuestion || this.#raw !== '') return this.finish({ finish: 'tool_use' });
    return this.fail('The workflow waits for an answer that is given outside of this chat.');
  }

  finish(data: Data): Events {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    // A tool may have no result.
    const unanswered = data.finish === 'complete' ? [...this.#openCalls] : [];
    return [
      ...this.show(unanswered.map((id) => ({ tool_call: 'end', tool_call_id: id, tool_call_remote: true }))),
      ...this.#flush(),
      ...this.show([data]),
    ];
  }

  /** Emits only the first error: a failed workflow is reported twice. */
  fail(error: string, code?: string | null): Events {
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    return [
      // The buffered text comes before the error.
      ...this.#flush(),
      { type: 'error', data: { eventId: this.#context.eventId, error, ...(code && { code }) } },
      ...this.finish({ finish: 'error' }),
    ];
  }

  #messageOf(event: Wire): IncrementalMessage {
    return (this.#message ??= makeIncrementalMessage({ id: idOf(event) ?? this.#context.eventId }));
  }

  #showChunks(chunks: readonly ThinkTagChunk[]): Events {
    return this.show(
      chunks.flatMap((chunk): readonly Data[] =>
        chunk.kind === 'text-was-reasoning'
          ? [{ content_was_reasoning: true }]
          : (this.#message?.append(chunk.kind, chunk.text) ?? []),
      ),
    );
  }

  /** Emits the text that may have been the start of a tag. */
  #flush(): Events {
    return this.#showChunks(this.#splitter.end());
  }

  /** Emits the id of the message, and the ids that later requests need, as soon as they are known. */
  #shareIds(event: Wire): Events {
    const id = this.#message ? undefined : idOf(event);
    if (id !== undefined) this.#messageOf(event);
    const newIds = Object.entries({
      conversationId: event.conversation_id,
      taskId: event.task_id,
      workflowRunId: event.workflow_run_id,
    }).filter((entry): entry is [string, string] => !!entry[1] && this.#ids.get(entry[0]) !== entry[1]);
    for (const [name, value] of newIds) this.#ids.set(name, value);
    if (newIds.length === 0) return [];
    return this.show([{ ...(id !== undefined && { message: { id } }), metadata: Object.fromEntries(newIds) }]);
  }

  #showAudio(): Events {
    const data = joinBase64(this.#audioChunks.splice(0));
    return data === undefined ? [] : this.show([{ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } }]);
  }

  /** The output of a workflow that has streamed nothing: its text, otherwise all of it. */
  #showOutputs(event: Wire, outputs: unknown): Events {
    if (!isRecord(outputs)) return [];
    const texts = Object.values(outputs).filter((value) => typeof value === 'string');
    const text = [outputs['answer'], outputs['text'], ...(texts.length === 1 ? texts : [])].find(
      (value) => typeof value === 'string',
    );
    if (typeof text === 'string') return this.appendText(event, text);
    return Object.keys(outputs).length > 0 ? this.show([{ data: { data_type: 'custom', data: outputs } }]) : [];
  }
}

type Handler = (reply: DifyReply, event: Wire) => Events;

const showPhase: Handler = (reply, { data }) => {
  const title = data?.['title'] ?? data?.['label'];
  return typeof title === 'string' && title ? reply.show([{ phase: { name: title, message: title } }]) : [];
};

/** What each type of event does. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  // A reply without streaming is one of these events, including its end.
  message: (reply, event) => [
    ...reply.appendText(event, event.answer ?? ''),
    ...(event.metadata ? reply.endMessage(event) : []),
  ],
  agent_message: (reply, event) => reply.appendText(event, event.answer ?? ''),
  agent_thought: (reply, event) => reply.showThought(event),
  message_file: (reply, event) => (event['belongs_to'] === 'user' ? [] : reply.showMedia(event, event)),
  message_end: (reply, event) => reply.endMessage(event),
  message_replace: (reply, event) => reply.replaceText(event, event.answer ?? ''),
  tts_message: (reply, event) => reply.addAudio(event),
  tts_message_end: (reply) => reply.endAudio(),
  node_started: showPhase,
  agent_log: showPhase,
  text_chunk: (reply, event) => reply.appendText(event, textIn(event, 'text')),
  text_replace: (reply, event) => reply.replaceText(event, textIn(event, 'text')),
  reasoning_chunk: (reply, event) => reply.appendReasoning(event, textIn(event, 'reasoning', 'text')),
  workflow_finished: (reply, event) => reply.endWorkflow(event),
  workflow_paused: (reply) => reply.pause(),
  human_input_required: (reply, event) => {
    const question = formQuestion(event.data ?? {}, event.workflow_run_id ?? '');
    return question ? reply.ask(question) : [];
  },
  error: (reply, { message, code }) => reply.fail(message ?? 'The app reports an error.', code),
};

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

/** Number of characters of a thought that are searched first. */
const SEARCHED_LENGTH = 4000;
const MAX_TRIES = 16;

/** Whether an answer contains a thought. Not with `includes`, which takes quadratic time for some texts. */
function repeats(answer: string, thought: string): boolean {
  if (answer.endsWith(thought)) return true;
  let tries = 0;
  for (const index of occurrencesOf(thought.slice(0, SEARCHED_LENGTH), answer)) {
    if (answer.startsWith(thought, index)) return true;
    if (++tries === MAX_TRIES) return false;
  }
  return false;
}
