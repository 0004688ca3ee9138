/** The events of Dify, and the conversion of their parts. Source: `docs/protocols/dify.md`; langgenius/dify. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Citation, Media } from '../../model/blocks.ts';
import { recordOf, z } from '../../model/schema.ts';
import type { UsageStats } from '../../model/usage.ts';
import { asText } from '../shared/as-text.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Part } from '../shared/snapshot.ts';

/** An event of the stream. Its other fields are read by the functions below. */
export const wire = z.looseObject({
  event: lenientString,
  task_id: lenientString,
  id: lenientString,
  message_id: lenientString,
  conversation_id: lenientString,
  workflow_run_id: lenientString,
  answer: lenientText,
  audio: lenientString,
  message: lenientString,
  code: lenient(z.coerce.string()),
  status: lenient(z.union([z.string(), z.number()])),
  data: lenientRecord,
  metadata: lenientRecord,
  files: lenient(z.array(z.unknown())),
});
export type Wire = z.infer<typeof wire>;

const thought = z.object({
  id: lenientString,
  thought: lenientString,
  tool: lenientString,
  tool_input: lenient(z.union([z.string(), recordOf(z.unknown())])),
  observation: lenientString,
});

/**
 * An agent thought and its calls. The names of parallel tools are in one string, and their inputs and results are keyed by
 * name.
 */
export function parseAgentThought(event: unknown): {
  readonly thought: string;
  readonly calls: readonly Extract<Part, { kind: 'tool' }>[];
} {
  const { id, thought: text, tool, tool_input, observation } = thought.parse(event);
  const names = (tool ?? '').split(';').filter(Boolean);
  const input = typeof tool_input === 'string' ? tool_input : JSON.stringify(tool_input ?? {});
  const [inputs, results] = [input, observation ?? ''].map(parseJson);
  return {
    thought: text ?? '',
    calls: names.map((name) => {
      const isSingle = names.length === 1;
      const response = isSingle ? observation : asText(fieldOf(results, name) ?? observation);
      return {
        kind: 'tool',
        id: isSingle ? (id ?? name) : `${id ?? ''}:${name}`,
        name,
        params: isSingle ? input : asText(fieldOf(inputs, name) ?? inputs),
        ...(response && { response }),
      };
    }),
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const file = z.object({
  type: lenientString,
  url: lenientString,
  remote_url: lenientString,
  filename: lenientString,
  name: lenientString,
  mime_type: lenientString,
  size: lenientNumber,
});

/** A file of the answer. Its URL may be relative to the server. */
export function toDifyMedia(value: unknown, endpoint: string | undefined): Media | undefined {
  const parsed = file.safeParse(value);
  if (!parsed.success) return undefined;
  const { type, url, remote_url, filename, name, mime_type, size } = parsed.data;
  const address = url || remote_url;
  if (!address) return undefined;
  // A relative address that is only a fragment, or blank, would take the query of the endpoint, which may be a key.
  const [base] = endpoint?.split(/[?#]/, 1) ?? [];
  const kind = type === 'image' || type === 'audio' || type === 'video' ? type : 'file';
  const fileName = filename ?? name;
  return {
    kind,
    url: base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : address,
    ...(fileName && { name: fileName }),
    ...(mime_type && { mimeType: mime_type }),
    ...(typeof size === 'number' && { size }),
  };
}

const source = z.looseObject({
  position: lenientNumber,
  document_id: lenientString,
  document_name: lenientString,
  segment_id: lenientString,
  content: lenientString,
});

export function toDifyCitations(value: unknown): readonly Citation[] {
  const parsed = source.safeParse(value);
  if (!parsed.success) return [];
  const { document_id, segment_id, document_name, content, ...extra } = parsed.data;
  const id = document_id ?? segment_id ?? document_name ?? String(extra.position ?? '');
  return [{ id, ...(document_name && { title: document_name }), ...(content && { quote: content }), extra }];
}

const usage = z.object({ prompt_tokens: lenientNumber, completion_tokens: lenientNumber, total_tokens: lenientNumber });

export function toDifyUsage(value: unknown): UsageStats | undefined {
  const parsed = usage.safeParse(value);
  if (!parsed.success) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens } = parsed.data;
  const [prompt, completion] = [prompt_tokens ?? 0, completion_tokens ?? 0];
  const total = total_tokens ?? prompt + completion;
  return total > 0 ? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } : undefined;
}

const form = z.object({
  form_id: lenientString,
  form_token: lenientString,
  node_title: lenientString,
  form_content: lenientString,
  inputs: lenient(z.array(z.looseObject({ type: lenientString, output_variable_name: lenientString }))),
  actions: lenient(z.array(z.object({ id: z.string(), title: lenientString }))),
  display_in_ui: lenient(z.boolean()),
  resolved_default_values: lenientRecord,
});

/** A field of a form, with the default that the card shows. */
export type FormField = readonly [name: string, initial: string | undefined];

/** The schema of a form's answer. The buttons come first, because a form shows a limited number of fields. */
export const formSchema = (actions: readonly unknown[], fields: readonly FormField[]): object => ({
  type: 'object',
  properties: {
    action: { enum: actions },
    inputs: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(([name, initial]) => [name, { type: 'string', ...(initial && { default: initial }) }]),
      ),
    },
  },
});

/** Placeholders of the fields in the text of a form. */
const FIELD_MARK = /\{\{#\$output\.[^#]*#\}\}/g;

/**
 * Converts a form to a question; undefined if it is submitted elsewhere. The answer is an action, and text if the form has a
 * field.
 */
export function formQuestion(data: unknown, runId: string): Omit<LLMAgentEventData, 'eventId'> | undefined {
  const { form_id, form_token, node_title, form_content, inputs, actions, display_in_ui, resolved_default_values } =
    form.parse(data);
  if (!form_token || display_in_ui === false) return undefined;
  const fields = (inputs ?? []).flatMap(({ output_variable_name: name }): FormField[] => {
    const initial = name ? fieldOf(resolved_default_values, name) : undefined;
    return name ? [[name, initial === undefined || initial === null ? undefined : asText(initial)]] : [];
  });
  const content = form_content?.replace(FIELD_MARK, '').trim() || node_title;
  return {
    ask: {
      action_type: fields.length === 0 ? 'confirmation' : 'question',
      ...(content && { content }),
      options: (actions ?? []).map(({ id, title }) => ({ label: title ?? id, value: id })),
      schema: formSchema(
        (actions ?? []).map(({ id }) => id),
        fields,
      ),
    },
    request: {
      id: form_id ?? form_token,
      extra: {
        formToken: form_token,
        runId,
        // With one button and at most one field, text is the value of the field. Otherwise it is no answer.
        needsChoice: (actions ?? []).length > 1 || fields.length > 1,
      },
    },
  };
}
