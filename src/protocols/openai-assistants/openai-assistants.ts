/** OpenAI's Assistants API, version 2 (`openai-assistants`). Source: `other.md`, "OpenAI Assistants v2". */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { assistantsCancel, assistantsRequest, filesUrl } from './request.ts';
import { gatherSteps, stepDetails } from './steps.ts';
import { detectOpenAiAssistants } from '../detect/servers.ts';
import { growingMessage, type GrowingMessage } from '../shared/growing-message.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { toldWaiting } from '../shared/waiting-calls.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';

const problem = maybe(z.looseObject({ code: maybe(z.coerce.string()), message: maybeText }));
const annotation = z.object({
  text: maybeText,
  file_citation: maybe(z.object({ file_id: maybeText, quote: maybeText })),
});
const content = maybe(
  z.array(
    z.object({
      type: maybeText,
      text: maybe(z.object({ value: maybeText, annotations: maybe(z.array(annotation)) })),
      refusal: maybeText,
      image_file: maybe(z.object({ file_id: maybeText })),
      image_url: maybe(z.object({ url: maybeText })),
    }),
  ),
);
type Content = z.infer<typeof content>;
/** Threads, runs, steps, messages and their deltas, which have no field in common that means two things. */
const wire = z.looseObject({
  id: maybeText,
  object: maybeText,
  thread_id: maybeText,
  role: maybeText,
  content,
  delta: maybe(z.object({ content, step_details: stepDetails })),
  step_details: stepDetails,
  required_action: maybe(z.object({ submit_tool_outputs: stepDetails })),
  last_error: problem,
  error: problem,
  message: maybeText,
  code: maybe(z.coerce.string()),
  incomplete_details: maybe(z.object({ reason: maybeText })),
  usage: maybe(z.object({ prompt_tokens: maybeNumber, completion_tokens: maybeNumber, total_tokens: maybeNumber })),
});
type Wire = z.infer<typeof wire>;

export const openAiAssistants: Adapter = {
  id: 'openai-assistants',
  label: 'OpenAI Assistants',
  kind: 'agent',
  detect: detectOpenAiAssistants,
  request: assistantsRequest,
  cancel: assistantsCancel,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(wire, json, frame, context.report);
        if (data) events.push(...reply(data, frame));
      }
      yield events;
    }
  },
};

type Data = Omit<LLMAgentEventData, 'eventId'>;

function makeReply({ eventId, newId, report, url }: DecodeContext) {
  const fileUrl = (id: string): string =>
    url === undefined ? '' : filesUrl(url, `/${encodeURIComponent(id)}/content`);
  const steps = gatherSteps(newId, fileUrl);
  const messages = new Map<string, GrowingMessage>();
  const cited = new Set<string>();
  let refused = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const of = (id: string): GrowingMessage => {
    const known = messages.get(id) ?? growingMessage({ id });
    messages.set(id, known);
    return known;
  };
  const fail = (error: string | null | undefined, code?: string | null): readonly LLMAgentEvent[] => [
    { type: 'error', data: { eventId, error: error || 'The run has failed.', ...(code && { code }) } },
    response({ finish: 'error' }),
  ];

  /** Its words, without the marks of its citations. */
  const wordsOf = (parts: Content): string =>
    (parts ?? [])
      .map(({ text, refusal }) => {
        const marks = (text?.annotations ?? []).flatMap((item) => (item.file_citation && item.text ? [item.text] : []));
        return marks.reduce((words, mark) => words.replaceAll(mark, ''), text?.value ?? '') + (refusal ?? '');
      })
      .join('');
  const tellParts = (id: string, parts: Content): readonly Data[] =>
    (parts ?? []).flatMap(({ text, refusal, image_file, image_url }) => {
      if (refusal) refused = true;
      const address = image_file?.file_id ? fileUrl(image_file.file_id) : image_url?.url;
      const key = `${id} ${address ?? ''}`;
      const media =
        address && !cited.has(key) ? of(id).put({ kind: 'media', media: { kind: 'image', url: address } }) : [];
      if (address) cited.add(key);
      return [...media, ...(text?.annotations ?? []).flatMap((item) => cite(id, item))];
    });
  const cite = (id: string, { text, file_citation }: z.infer<typeof annotation>): readonly Data[] => {
    const file = file_citation?.file_id;
    const key = `${id} ${file ?? ''} ${text ?? ''}`;
    if (!file || cited.has(key)) return [];
    cited.add(key);
    const quote = file_citation.quote;
    return [{ message: { id }, citation: { id: file, anchor: 'end', ...(quote && { quote }) } }];
  };
  const messageEvent = (kind: string, data: Wire): readonly LLMAgentEvent[] => {
    const id = data.id ?? '';
    if (data.role === 'user') return [];
    if (kind === 'delta') {
      const parts = data.delta?.content;
      return [...of(id).say('text', wordsOf(parts)), ...tellParts(id, parts)].map(response);
    }
    if (kind !== 'completed') return [];
    const words = wordsOf(data.content);
    const same = words === of(id).text();
    const anew = same ? [] : of(id).rewrite(words ? [{ kind: 'text', text: words }] : []);
    return [...anew, ...tellParts(id, data.content)].map(response);
  };
  const stepEvent = (kind: string, data: Wire): readonly LLMAgentEvent[] => {
    const id = data.id ?? '';
    if (kind === 'delta') return steps.delta(id, data.delta?.step_details?.tool_calls ?? []).map(response);
    const calls = data.step_details?.tool_calls ?? [];
    if (kind === 'completed') return steps.ended(id, calls).map(response);
    const failed = kind === 'failed' || kind === 'cancelled' || kind === 'expired';
    return failed ? steps.ended(id, calls, data.last_error?.message ?? kind).map(response) : [];
  };
  const runEvent = (kind: string, data: Wire): readonly LLMAgentEvent[] => {
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = data.usage ?? {};
    const totalUsage = {
      prompt_tokens: prompt ?? 0,
      completion_tokens: completion ?? 0,
      total_tokens: total ?? (prompt ?? 0) + (completion ?? 0),
    };
    const counted = totalUsage.total_tokens > 0 ? [response({ totalUsage })] : [];
    const ids = { ...(data.id && { openAiRun: data.id }), ...(data.thread_id && { openAiThread: data.thread_id }) };
    switch (kind) {
      case 'created':
        return [response({ metadata: ids })];
      case 'requires_action': {
        const { ids: waiting, events } = steps.required(data.required_action?.submit_tool_outputs?.tool_calls ?? []);
        const metadata = { ...ids, ...toldWaiting(waiting) };
        return [...events.map(response), response({ metadata, finish: 'tool_use' })];
      }
      case 'completed':
        return [...counted, response({ finish: refused ? 'error' : 'complete' })];
      case 'incomplete':
        return [
          ...counted,
          response({ finish: data.incomplete_details?.reason === 'content_filter' ? 'error' : 'max_tokens' }),
        ];
      case 'cancelled':
        return [response({ finish: 'cancelled' })];
      case 'failed':
        return [...counted, ...fail(data.last_error?.message, data.last_error?.code)];
      case 'expired':
        return fail('The run has expired.', 'expired');
      default:
        return [];
    }
  };

  return (data: Wire, frame: Frame): readonly LLMAgentEvent[] => {
    const name = frame.event ?? data.object ?? '';
    if (name === 'error' || (frame.event === undefined && data.error)) {
      return fail(data.error?.message ?? data.message, data.error?.code ?? data.code);
    }
    const [, place = '', kind = ''] = /^thread\.(run\.step|run|message)\.(\w+)$/.exec(name) ?? [];
    if (place === 'message') return messageEvent(kind, data);
    if (place === 'run.step') return stepEvent(kind, data);
    if (place === 'run') return runEvent(kind, data);
    if (name === 'thread.created') return data.id ? [response({ metadata: { openAiThread: data.id } })] : [];
    report({ kind: 'unknown', detail: `The event "${name}" is new.`, frame });
    return [];
  };
}
