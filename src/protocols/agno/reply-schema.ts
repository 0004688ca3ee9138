/** Schemas of Agno's run events. Source: `agno-agi/agno`, `run/agent.py`, `run/team.py`, `run/workflow.py`. */
import { z } from '../../model/schema.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import type { UsageStats } from '../../model/usage.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const maybeBoolean = lenient(z.boolean());

/** A tool call. A paused call is sent back whole, so all of its fields are kept. */
const tool = z.looseObject({
  tool_call_id: lenientString,
  tool_name: lenientString,
  tool_args: lenientRecord,
  tool_call_error: maybeBoolean,
  result: lenient(z.unknown()),
  requires_confirmation: maybeBoolean,
  confirmed: maybeBoolean,
  requires_user_input: maybeBoolean,
  answered: maybeBoolean,
  external_execution_required: maybeBoolean,
  user_input_schema: lenient(
    z.array(z.looseObject({ name: z.string(), field_type: lenientString, description: lenientString })),
  ),
  user_feedback_schema: lenient(
    z.array(
      z.looseObject({
        question: z.string(),
        header: lenientString,
        multi_select: maybeBoolean,
        options: lenient(z.array(z.looseObject({ label: z.string(), description: lenientString }))),
      }),
    ),
  ),
});
export type AgnoTool = z.infer<typeof tool>;

/** A requirement of a paused team: a call of one of its members. */
const requirement = z.looseObject({ id: lenientString, tool_execution: lenient(tool) });
export type AgnoRequirement = z.infer<typeof requirement>;

const file = z.looseObject({
  id: lenientString,
  url: lenientString,
  content: lenientString,
  mime_type: lenientString,
  format: lenientString,
  filename: lenientString,
  name: lenientString,
  transcript: lenientString,
});
type AgnoFile = z.infer<typeof file>;
const files = lenient(z.array(lenient(file)));

const citations = z.looseObject({
  urls: lenient(z.array(z.looseObject({ url: lenientString, title: lenientString }))),
  documents: lenient(
    z.array(z.looseObject({ document_title: lenientString, cited_text: lenientString, file_name: lenientString })),
  ),
});

const task = z.looseObject({ title: lenientString, status: lenientString });
export type AgnoTask = z.infer<typeof task>;

export const agnoEvent = z.looseObject({
  event: lenientString,
  run_id: lenientString,
  parent_run_id: lenientString,
  workflow_run_id: lenientString,
  session_id: lenientString,
  agent_id: lenientString,
  agent_name: lenientString,
  team_name: lenientString,
  event_index: lenientNumber,
  content: lenient(z.unknown()),
  content_type: lenientString,
  reasoning_content: lenientString,
  tool: lenient(tool),
  tools: lenient(z.array(tool)),
  requirements: lenient(z.array(requirement)),
  error: lenient(z.unknown()),
  error_type: lenientString,
  error_id: lenientString,
  step_id: lenientString,
  step_name: lenientString,
  citations: lenient(citations),
  references: lenient(z.array(z.looseObject({ references: lenient(z.array(z.unknown())) }))),
  image: lenient(file),
  images: files,
  videos: files,
  audio: files,
  files,
  response_audio: lenient(file),
  metrics: lenient(
    z.looseObject({ input_tokens: lenientNumber, output_tokens: lenientNumber, total_tokens: lenientNumber }),
  ),
  session_state: lenientRecord,
  followups: lenient(z.array(z.string())),
  tasks: lenient(z.array(task)),
  /** Only in a complete response without streaming. */
  status: lenientString,
});
export type AgnoEvent = z.infer<typeof agnoEvent>;

export function agnoUsage({ metrics }: AgnoEvent): UsageStats | undefined {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = metrics ?? {};
  if (typeof input !== 'number' && typeof output !== 'number' && typeof total !== 'number') return undefined;
  const [promptTokens, completionTokens] = [input ?? 0, output ?? 0];
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: total ?? promptTokens + completionTokens,
  };
}

/** The media of an event, each with the id that it has in all events. */
export function agnoMedia(event: AgnoEvent): readonly { readonly key: string; readonly media: Media }[] {
  const groups: readonly (readonly [Media['kind'], readonly (AgnoFile | null | undefined)[]])[] = [
    ['image', [event.image, ...(event.images ?? [])]],
    ['video', event.videos ?? []],
    ['audio', event.audio ?? []],
    ['file', event.files ?? []],
  ];
  return groups.flatMap(([kind, list]) => list.flatMap((item) => (item ? toMedia(kind, item) : [])));
}

function toMedia(
  kind: Media['kind'],
  { id, url, content, mime_type: mimeType, format, filename, name }: AgnoFile,
): readonly { readonly key: string; readonly media: Media }[] {
  if (!url && !content) return [];
  const type = mimeType || (format && kind !== 'file' ? `${kind}/${format}` : '');
  const title = filename ?? name;
  const media = {
    kind,
    ...(url ? { url } : { data: content ?? '' }),
    ...(type && { mimeType: type }),
    ...(title && { name: title }),
  };
  return [{ key: id ?? url ?? content ?? '', media }];
}

/** The sources of an event: of the model, and of the agent's knowledge. */
export function agnoCitations({ citations: cited, references }: AgnoEvent): readonly NonNullable<Data['citation']>[] {
  return [
    ...(cited?.urls ?? []).flatMap(({ url, title }) => (url ? [{ id: url, url, ...(title && { title }) }] : [])),
    ...(cited?.documents ?? []).flatMap(({ document_title: title, file_name: name, cited_text: quote }) => {
      const shown = title ?? name;
      return shown ? [{ id: shown, title: shown, ...(quote && { quote }) }] : [];
    }),
    ...(references ?? []).flatMap((query) => query.references ?? []).flatMap(toReference),
  ];
}

const reference = z.object({
  name: lenientString,
  content: lenientString,
  meta_data: lenient(z.object({ url: lenientString, title: lenientString })),
});

function toReference(value: unknown): readonly NonNullable<Data['citation']>[] {
  const { name, content, meta_data: details } = reference.safeParse(value).data ?? {};
  const title = details?.title ?? name;
  const id = details?.url ?? title;
  if (!id) return [];
  return [
    { id, ...(details?.url && { url: details.url }), ...(title && { title }), ...(content && { quote: content }) },
  ];
}
