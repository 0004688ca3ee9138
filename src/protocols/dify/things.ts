/** The things inside Dify's events, each as we tell it. Source: `dify.md`, the table of events. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Citation, Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import type { UsageStats } from '../../model/usage.ts';
import { asText } from '../shared/as-text.ts';
import { maybe, maybeNumber, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Part } from '../shared/snapshot.ts';

const thought = z.object({
  id: maybeText,
  thought: maybeText,
  tool: maybeText,
  tool_input: maybe(z.union([z.string(), z.record(z.string(), z.unknown())])),
  observation: maybeText,
});

/** A thought and its calls. Several tools at once are named in one string, and their inputs and results stand by name. */
export function thoughtCalls(event: unknown): {
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
      const alone = names.length === 1;
      const response = alone ? observation : asText(fieldOf(results, name) ?? observation);
      return {
        kind: 'tool',
        id: alone ? (id ?? name) : `${id ?? ''}:${name}`,
        name,
        params: alone ? input : asText(fieldOf(inputs, name) ?? inputs),
        ...(response && { response }),
      };
    }),
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const file = z.object({
  type: maybeText,
  url: maybeText,
  remote_url: maybeText,
  filename: maybeText,
  name: maybeText,
  mime_type: maybeText,
  size: maybeNumber,
});

/** A file of the answer. Its address may be relative to the server. */
export function mediaOf(value: unknown, endpoint: string | undefined): Media | undefined {
  const read = file.safeParse(value);
  if (!read.success) return undefined;
  const { type, url, remote_url, filename, name, mime_type, size } = read.data;
  const address = url || remote_url;
  if (!address) return undefined;
  const kind = type === 'image' || type === 'audio' || type === 'video' ? type : 'file';
  const called = filename ?? name;
  return {
    kind,
    url: endpoint !== undefined && URL.canParse(address, endpoint) ? new URL(address, endpoint).href : address,
    ...(called && { name: called }),
    ...(mime_type && { mimeType: mime_type }),
    ...(typeof size === 'number' && { size }),
  };
}

const source = z.looseObject({
  position: maybeNumber,
  document_id: maybeText,
  document_name: maybeText,
  segment_id: maybeText,
  content: maybeText,
});

export function citationOf(value: unknown): readonly Citation[] {
  const read = source.safeParse(value);
  if (!read.success) return [];
  const { document_id, segment_id, document_name, content, ...extra } = read.data;
  const id = document_id ?? segment_id ?? document_name ?? String(extra.position ?? '');
  return [{ id, ...(document_name && { title: document_name }), ...(content && { quote: content }), extra }];
}

const usage = z.object({ prompt_tokens: maybeNumber, completion_tokens: maybeNumber, total_tokens: maybeNumber });

export function usageOf(value: unknown): UsageStats | undefined {
  const read = usage.safeParse(value);
  if (!read.success) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens } = read.data;
  const [prompt, completion] = [prompt_tokens ?? 0, completion_tokens ?? 0];
  const total = total_tokens ?? prompt + completion;
  return total > 0 ? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } : undefined;
}

const form = z.object({
  form_id: maybeText,
  form_token: maybeText,
  node_title: maybeText,
  form_content: maybeText,
  inputs: maybe(z.array(z.looseObject({ type: maybeText, output_variable_name: maybeText }))),
  actions: maybe(z.array(z.object({ id: z.string(), title: maybeText }))),
  display_in_ui: maybe(z.boolean()),
  resolved_default_values: maybeRecord,
});

/** Where the fields of a form stand in its text. */
const FIELD_MARK = /\{\{#\$output\.[^#]*#\}\}/g;

/** A form as a question; undefined when it is handed in somewhere else. Answered by an action, and words where it has a field. */
export function askHuman(data: unknown, runId: string): Omit<LLMAgentEventData, 'eventId'> | undefined {
  const { form_id, form_token, node_title, form_content, inputs, actions, display_in_ui, resolved_default_values } =
    form.parse(data);
  if (!form_token || display_in_ui === false) return undefined;
  const fields = (inputs ?? []).flatMap(({ output_variable_name: name }) => (name ? [name] : []));
  const [field] = fields;
  const content = form_content?.replace(FIELD_MARK, '').trim() || node_title;
  return {
    ask: {
      action_type: field === undefined ? 'confirmation' : 'question',
      ...(content && { content }),
      options: (actions ?? []).map(({ id, title }) => ({ label: title ?? id, value: id })),
      schema: {
        type: 'object',
        properties: {
          inputs: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])) },
          action: { enum: (actions ?? []).map(({ id }) => id) },
        },
      },
    },
    request: {
      id: form_id ?? form_token,
      extra: {
        formToken: form_token,
        runId,
        ...(field !== undefined && { field }),
        ...(resolved_default_values && { defaults: JSON.stringify(resolved_default_values) }),
      },
    },
  };
}
