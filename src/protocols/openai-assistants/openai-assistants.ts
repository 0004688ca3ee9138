/** OpenAI's Assistants API, version 2 (`openai-assistants`). Source: `docs/protocols/openai-assistants.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { assistantsCancel, assistantsRequest, filesUrl } from './request.ts';
import { makeStepState, stepDetails } from './steps.ts';
import { safePathSegment } from '../shared/sibling-url.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';

const apiError = lenient(z.looseObject({ code: lenient(z.coerce.string()), message: lenientString }));
const annotation = z.object({
  text: lenientString,
  file_citation: lenient(z.object({ file_id: lenientString, quote: lenientString })),
});
const content = lenient(
  z.array(
    z.object({
      type: lenientString,
      text: lenient(z.object({ value: lenientString, annotations: lenient(z.array(annotation)) })),
      refusal: lenientString,
      image_file: lenient(z.object({ file_id: lenientString })),
      image_url: lenient(z.object({ url: lenientString })),
    }),
  ),
);
type Content = z.infer<typeof content>;
/** One schema for threads, runs, steps, messages and their deltas: no shared field name has two meanings. */
const wire = z.looseObject({
  id: lenientString,
  object: lenientString,
  thread_id: lenientString,
  role: lenientString,
  content,
  delta: lenient(z.object({ content, step_details: stepDetails })),
  step_details: stepDetails,
  required_action: lenient(z.object({ submit_tool_outputs: stepDetails })),
  last_error: apiError,
  error: apiError,
  message: lenientString,
  code: lenient(z.coerce.string()),
  incomplete_details: lenient(z.object({ reason: lenientString })),
  usage: lenient(
    z.object({ prompt_tokens: lenientNumber, completion_tokens: lenientNumber, total_tokens: lenientNumber }),
  ),
});
type Wire = z.infer<typeof wire>;

export const openAiAssistants: Adapter = {
  id: 'openai-assistants',
  label: 'OpenAI Assistants',
  kind: 'agent',
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
  const fileUrl = (id: string): string => {
    const name = safePathSegment(id);
    return url === undefined || name === undefined ? '' : filesUrl(url, `/${name}/content`);
  };
  const steps = makeStepState(newId, fileUrl);
  const messages = new Map<string, IncrementalMessage>();
  const emittedSources = new Set<string>();
  let refused = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const messageOf = (id: string): IncrementalMessage => {
    const message = messages.get(id) ?? makeIncrementalMessage({ id });
    messages.set(id, message);
    return message;
  };
  const fail = (error: string | null | undefined, code?: string | null): readonly LLMAgentEvent[] => [
    { type: 'error', data: { eventId, error: error || 'The run failed.', ...(code && { code }) } },
    response({ finish: 'error' }),
  ];

  /** The text of a message, without citation marks. */
  const messageText = (parts: Content): string =>
    (parts ?? [])
      .map(({ text, refusal }) => {
        const citationMarks = (text?.annotations ?? []).flatMap((item) =>
          item.file_citation && item.text ? [item.text] : [],
        );
        return citationMarks.reduce((rest, mark) => rest.replaceAll(mark, ''), text?.value ?? '') + (refusal ?? '');
      })
      .join('');
  const partEvents = (id: string, parts: Content): readonly Data[] =>
    (parts ?? []).flatMap(({ text, refusal, image_file, image_url }) => {
      if (refusal) refused = true;
      const address = image_file?.file_id ? fileUrl(image_file.file_id) : image_url?.url;
      const key = `${id} ${address ?? ''}`;
      const media =
        address && !emittedSources.has(key)
          ? messageOf(id).put({ kind: 'media', media: { kind: 'image', url: address } })
          : [];
      if (address) emittedSources.add(key);
      return [...media, ...(text?.annotations ?? []).flatMap((item) => cite(id, item))];
    });
  const cite = (id: string, { text, file_citation }: z.infer<typeof annotation>): readonly Data[] => {
    const file = file_citation?.file_id;
    const key = `${id} ${file ?? ''} ${text ?? ''}`;
    if (!file || emittedSources.has(key)) return [];
    emittedSources.add(key);
    const quote = file_citation.quote;
    return [{ message: { id }, citation: { id: file, anchor: 'end', ...(quote && { quote }) } }];
  };
  const messageEvent = (kind: string, data: Wire): readonly LLMAgentEvent[] => {
    const id = data.id ?? '';
    if (data.role === 'user') return [];
    if (kind === 'delta') {
      const parts = data.delta?.content;
      return [...messageOf(id).append('text', messageText(parts)), ...partEvents(id, parts)].map(response);
    }
    if (kind !== 'completed') return [];
    const text = messageText(data.content);
    const isUnchanged = text === messageOf(id).text();
    const textEvents = isUnchanged ? [] : messageOf(id).rewrite(text ? [{ kind: 'text', text }] : []);
    return [...textEvents, ...partEvents(id, data.content)].map(response);
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
    const usageEvents = totalUsage.total_tokens > 0 ? [response({ totalUsage })] : [];
    const ids = { ...(data.id && { openAiRun: data.id }), ...(data.thread_id && { openAiThread: data.thread_id }) };
    switch (kind) {
      case 'created':
        return [response({ metadata: ids })];
      case 'requires_action': {
        const { ids: callIds, events } = steps.required(data.required_action?.submit_tool_outputs?.tool_calls ?? []);
        const metadata = { ...ids, ...waitingMetadata(callIds) };
        return [...events.map(response), response({ metadata, finish: 'tool_use' })];
      }
      case 'completed':
        return [...usageEvents, response(endData(refused ? 'filtered' : 'complete'))];
      case 'incomplete':
        return [...usageEvents, response(endData(replyEnd(data.incomplete_details?.reason) ?? 'max_tokens'))];
      case 'cancelled':
        return [response({ finish: 'cancelled' })];
      case 'failed':
        return [...usageEvents, ...fail(data.last_error?.message, data.last_error?.code)];
      case 'expired':
        return fail('The run expired.', 'expired');
      default:
        return [];
    }
  };

  return (data: Wire, frame: Frame): readonly LLMAgentEvent[] => {
    const name = frame.event ?? data.object ?? '';
    if (name === 'error' || (frame.event === undefined && data.error)) {
      return fail(data.error?.message ?? data.message, data.error?.code ?? data.code);
    }
    const [, objectType = '', kind = ''] = /^thread\.(run\.step|run|message)\.(\w+)$/.exec(name) ?? [];
    if (objectType === 'message') return messageEvent(kind, data);
    if (objectType === 'run.step') return stepEvent(kind, data);
    if (objectType === 'run') return runEvent(kind, data);
    if (name === 'thread.created') return data.id ? [response({ metadata: { openAiThread: data.id } })] : [];
    report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
    return [];
  };
}
