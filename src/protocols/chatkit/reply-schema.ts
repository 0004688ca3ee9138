/**
 * Schemas of the events and items of a ChatKit stream, limited to the fields that are used. Source: openai/chatkit-python,
 * `chatkit/types.py`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';

const source = z.looseObject({
  type: lenientString,
  title: lenientString,
  url: lenientString,
  filename: lenientString,
  id: lenientString,
});
type Source = z.infer<typeof source>;

const annotation = z.looseObject({ source: lenient(source) });
const content = z.object({ text: z.catch(z.string(), ''), annotations: lenient(z.array(lenient(annotation))) });
export type ChatKitContent = z.infer<typeof content>;

const task = z.looseObject({
  type: lenientString,
  status_indicator: lenientString,
  title: lenientString,
  title_query: lenientString,
  content: lenientString,
  queries: lenient(z.array(z.string())),
  sources: lenient(z.array(lenient(source))),
});
export type ChatKitTask = z.infer<typeof task>;

const structuredInput = z.looseObject({
  id: z.string(),
  type: lenientString,
  question: z.catch(z.string(), ''),
  description: lenientString,
  options: lenient(z.array(z.object({ value: z.string() }))),
  multiple: lenient(z.boolean()),
});
export type StructuredInput = z.infer<typeof structuredInput>;

const image = z.object({ id: lenientString, url: z.string() });

const item = z.looseObject({
  id: z.string(),
  type: z.string(),
  content: lenient(z.array(content)),
  status: lenientString,
  call_id: lenientString,
  name: lenientString,
  arguments: lenientRecord,
  widget: lenientRecord,
  image: lenient(image),
  inputs: lenient(z.array(structuredInput)),
  task: lenient(task),
  workflow: lenient(z.looseObject({ tasks: lenient(z.array(task)), summary: lenientRecord })),
});
export type ChatKitItem = z.infer<typeof item>;

const update = z.looseObject({
  type: z.string(),
  content_index: lenientNumber,
  content: lenient(content),
  delta: lenientString,
  annotation: lenient(annotation),
  component_id: lenientString,
  component: lenientRecord,
  widget: lenientRecord,
  task_index: lenientNumber,
  task: lenient(task),
  image: lenient(image),
});
export type ChatKitUpdate = z.infer<typeof update>;

const thread = z.looseObject({ id: z.string() });

export const chatKitEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['thread.created', 'thread.updated']), thread }),
  z.object({ type: z.enum(['thread.item.added', 'thread.item.done', 'thread.item.replaced']), item }),
  z.object({ type: z.literal('thread.item.updated'), item_id: z.string(), update }),
  z.object({ type: z.literal('thread.item.removed'), item_id: z.string() }),
  z.object({ type: z.literal('stream_options') }),
  z.object({ type: z.literal('progress_update'), text: z.string() }),
  z.object({ type: z.literal('client_effect'), name: z.string(), data: lenientRecord }),
  z.object({ type: z.literal('notice'), message: z.string(), title: lenientString, level: lenientString }),
  z.object({
    type: z.literal('error'),
    message: lenientString,
    code: lenientString,
    allow_retry: lenient(z.boolean()),
  }),
]);
export type ChatKitEvent = z.infer<typeof chatKitEventSchema>;

export function toChatKitCitation(from: Source): NonNullable<LLMAgentEventData['citation']> {
  const { url, title, filename, id } = from;
  const name = title || filename;
  return {
    id: url ?? id ?? filename ?? name ?? '',
    ...(url && { url }),
    ...(name && { title: name }),
    anchor: 'end',
  };
}

/**
 * The name under which a button's event contains its action. The event must contain it, because it may be sent much later, when
 * the widget may have other buttons.
 */
export const ACTION = 'chatkit action';
