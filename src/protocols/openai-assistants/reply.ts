/** Converts the events of a run to the events of one reply. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { contentUrl, safePathSegment } from '../shared/request-urls.ts';
import { filesUrl } from './request.ts';
import { makeStepState } from './steps.ts';
import type { AssistantsAnnotation, AssistantsContent, AssistantsEvent } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The state of one reply, and what an event changes in it. */
export class AssistantsReply {
  readonly #context: DecodeContext;
  readonly #steps: ReturnType<typeof makeStepState>;
  readonly #messages = new Map<string, IncrementalMessage>();
  /** Keys of the emitted images and sources. */
  readonly #emittedKeys = new Set<string>();
  #isRefused = false;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#steps = makeStepState(context.newId, (id) => this.#fileUrl(id));
  }

  take(data: AssistantsEvent, frame: Frame): readonly LLMAgentEvent[] {
    // Without an event name, `object` identifies the event. Only deltas have one of their own: that of a run is the same in every state.
    const name = frame.event ?? data.object ?? '';
    if (name === 'error' || (frame.event === undefined && data.error)) {
      return this.fail(data.error?.message ?? data.message, data.error?.code ?? data.code);
    }
    const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (handler) return handler(this, data);
    if (!WITHOUT_CONTENT.test(name)) {
      this.#context.report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
    }
    return [];
  }

  setThread(id: string | null | undefined): readonly LLMAgentEvent[] {
    return id ? this.#responses([{ metadata: { openAiThread: id } }]) : [];
  }

  addText({ id, role, delta }: AssistantsEvent): readonly LLMAgentEvent[] {
    if (role === 'user') return [];
    const message = this.#messageOf(id);
    return this.#responses([
      ...message.append('text', this.#textOf(delta?.content)),
      ...this.#partData(id ?? '', delta?.content),
    ]);
  }

  completeText({ id, role, content }: AssistantsEvent): readonly LLMAgentEvent[] {
    if (role === 'user') return [];
    const message = this.#messageOf(id);
    const text = this.#textOf(content);
    const rewritten = text === message.text() ? [] : message.rewrite(text ? [{ kind: 'text', text }] : []);
    return this.#responses([...rewritten, ...this.#partData(id ?? '', content), ...this.#files(id ?? '', content)]);
  }

  addStep({ id, delta }: AssistantsEvent): readonly LLMAgentEvent[] {
    return this.#responses(this.#steps.delta(id ?? '', delta?.step_details?.tool_calls ?? []));
  }

  /** @param failure - why the step has failed */
  endStep({ id, step_details: details }: AssistantsEvent, failure?: string): readonly LLMAgentEvent[] {
    return this.#responses(this.#steps.ended(id ?? '', details?.tool_calls ?? [], failure));
  }

  startRun(run: AssistantsEvent): readonly LLMAgentEvent[] {
    return this.#responses([{ metadata: idsOf(run) }]);
  }

  /** The run waits for the results of functions that the page runs. */
  requireAction(run: AssistantsEvent): readonly LLMAgentEvent[] {
    const calls = run.required_action?.submit_tool_outputs?.tool_calls ?? [];
    const { ids, events } = this.#steps.required(calls);
    return this.#responses([...events, { metadata: { ...idsOf(run), ...waitingMetadata(ids) }, finish: 'tool_use' }]);
  }

  finish({ usage }: AssistantsEvent, end: ReplyEnd): readonly LLMAgentEvent[] {
    return this.#responses([...usageData(usage), endData(end === 'complete' && this.#isRefused ? 'filtered' : end)]);
  }

  /** @param fallback - the error if the run has none */
  failRun(
    { usage, last_error: error }: AssistantsEvent,
    fallback?: AssistantsEvent['last_error'],
  ): readonly LLMAgentEvent[] {
    const { message, code } = error ?? fallback ?? {};
    return [...this.#responses(usageData(usage)), ...this.fail(message, code)];
  }

  fail(message: string | null | undefined, code?: string | null): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    return [
      { type: 'error', data: { eventId, error: message || 'The run failed.', ...(code && { code }) } },
      ...this.#responses([{ finish: 'error' }]),
    ];
  }

  /** Emits the new images and sources of a message, and remembers whether it contains a refusal. */
  #partData(id: string, parts: AssistantsContent): readonly Data[] {
    return (parts ?? []).flatMap(({ text, refusal, image_file, image_url }) => {
      if (refusal) this.#isRefused = true;
      const address = image_file?.file_id ? this.#fileUrl(image_file.file_id) : image_url?.url;
      const isNew = address && this.#isNew(`${id} ${address}`);
      return [
        ...(isNew ? this.#messageOf(id).put({ kind: 'media', media: { kind: 'image', url: address } }) : []),
        ...(text?.annotations ?? []).flatMap((annotation) => this.#cite(id, annotation)),
      ];
    });
  }

  /** The files that the text links to. They come with the complete message, so that they do not divide the text. */
  #files(id: string, parts: AssistantsContent): readonly Data[] {
    const annotations = (parts ?? []).flatMap(({ text }) => text?.annotations ?? []);
    return annotations.flatMap(({ text, file_path: path }) => {
      const url = path?.file_id ? this.#fileUrl(path.file_id) : '';
      if (!url || !this.#isNew(`${id} ${url}`)) return [];
      const name = text?.split('/').at(-1);
      return this.#messageOf(id).put({ kind: 'media', media: { kind: 'file', url, ...(name && { name }) } });
    });
  }

  #cite(id: string, { text, file_citation: citation }: AssistantsAnnotation): readonly Data[] {
    const file = citation?.file_id;
    if (!file || !this.#isNew(`${id} ${file} ${text ?? ''}`)) return [];
    const { quote } = citation;
    return [{ message: { id }, citation: { id: file, anchor: 'end', ...(quote && { quote }) } }];
  }

  /** The text of a message, without citation marks. Its links to files of the sandbox get the addresses of these files. */
  #textOf(parts: AssistantsContent): string {
    let budget = MARK_BUDGET;
    const replaceMarks = (text: string, marks: ReadonlyMap<string, string>): string => {
      let rest = text;
      for (const [mark, replacement] of marks) {
        budget -= rest.length * mark.length;
        if (budget < 0) break;
        rest = rest.replaceAll(mark, () => replacement);
      }
      return rest;
    };
    return (parts ?? [])
      .map(({ text, refusal }) => {
        const marks = (text?.annotations ?? []).flatMap((annotation) => this.#replacementOf(annotation));
        return replaceMarks(text?.value ?? '', new Map(marks)) + (refusal ?? '');
      })
      .join('');
  }

  #replacementOf({
    text: mark,
    file_citation: citation,
    file_path: path,
  }: AssistantsAnnotation): readonly (readonly [mark: string, replacement: string])[] {
    if (!mark) return [];
    if (citation) return [[mark, '']];
    const url = path?.file_id ? this.#fileUrl(path.file_id) : '';
    return url ? [[mark, url]] : [];
  }

  #isNew(key: string): boolean {
    const isNew = !this.#emittedKeys.has(key);
    this.#emittedKeys.add(key);
    return isNew;
  }

  #fileUrl(id: string): string {
    const { url } = this.#context;
    const name = safePathSegment(id);
    return url === undefined || name === undefined ? '' : contentUrl(filesUrl(url, `/${name}/content`));
  }

  #messageOf(messageId: string | null | undefined): IncrementalMessage {
    const id = messageId ?? '';
    const message = this.#messages.get(id) ?? makeIncrementalMessage({ id });
    this.#messages.set(id, message);
    return message;
  }

  #responses(items: readonly Data[]): readonly LLMAgentEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

const failStep =
  (reason: string) =>
  (reply: AssistantsReply, step: AssistantsEvent): readonly LLMAgentEvent[] =>
    reply.endStep(step, step.last_error?.message ?? reason);

/** What each event does. */
const HANDLERS: Readonly<Record<string, (reply: AssistantsReply, data: AssistantsEvent) => readonly LLMAgentEvent[]>> =
  {
    'thread.created': (reply, { id }) => reply.setThread(id),
    'thread.message.delta': (reply, message) => reply.addText(message),
    'thread.message.completed': (reply, message) => reply.completeText(message),
    'thread.run.step.delta': (reply, step) => reply.addStep(step),
    'thread.run.step.completed': (reply, step) => reply.endStep(step),
    'thread.run.step.failed': failStep('failed'),
    'thread.run.step.cancelled': failStep('cancelled'),
    'thread.run.step.expired': failStep('expired'),
    'thread.run.created': (reply, run) => reply.startRun(run),
    'thread.run.requires_action': (reply, run) => reply.requireAction(run),
    'thread.run.completed': (reply, run) => reply.finish(run, 'complete'),
    'thread.run.incomplete': (reply, run) =>
      reply.finish(run, replyEnd(run.incomplete_details?.reason) ?? 'max_tokens'),
    'thread.run.cancelled': (reply, run) => reply.finish(run, 'cancelled'),
    'thread.run.failed': (reply, run) => reply.failRun(run),
    'thread.run.expired': (reply, run) => reply.failRun(run, { message: 'The run expired.', code: 'expired' }),
  };

/** Names of events that only announce a state of a run, a step or a message. Those without a handler are ignored without a report. */
const WITHOUT_CONTENT = /^thread\.(?:run\.step|run|message)\.\w+$/;

const idsOf = ({ id, thread_id: thread }: AssistantsEvent): Readonly<Record<string, string>> => ({
  ...(id && { openAiRun: id }),
  ...(thread && { openAiThread: thread }),
});

function usageData(usage: AssistantsEvent['usage']): readonly Data[] {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage ?? {};
  const totalUsage = {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: total ?? (prompt ?? 0) + (completion ?? 0),
  };
  return totalUsage.total_tokens > 0 ? [{ totalUsage }] : [];
}

/**
 * Limit of the work for the citation marks of one message: characters of a text times those of a mark, because each mark is searched in
 * all of the text. Further marks stay in the text.
 */
const MARK_BUDGET = 100_000_000;
