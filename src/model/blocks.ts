/**
 * The parts of a message: a message is a list of blocks.
 * Source: `docs/protocols/deepchat-events.md`, with additional block types for other protocols.
 */
import { imageData } from './image-data.ts';
import type { Immutable } from './immutable.ts';
import { recordOf, z } from './schema.ts';

const optional = z.exactOptional;

const blockStatus = z.enum([
  'success',
  'loading',
  'cancel',
  'error',
  'reading',
  'optimizing',
  'pending',
  'granted',
  'denied',
]);
/**
 * The state of a block. `reading` and `optimizing` are states of a search, `granted` and `denied` of an action; `pending` is
 * waiting for the user, or after a rate limit for the provider.
 */
export type BlockStatus = z.infer<typeof blockStatus>;

/**
 * A cited source. `end` is the offset of the citation mark in the block's `content`, in UTF-16 code units; without it
 * the mark belongs to the whole block. `start` is the offset of the cited words. Citations of one source share the `id`.
 */
export const citation = z.object({
  id: z.string(),
  url: optional(z.string()),
  title: optional(z.string()),
  quote: optional(z.string()),
  start: optional(z.number()),
  end: optional(z.number()),
  extra: optional(recordOf(z.unknown())),
});
/** A cited source and its position in the answer. */
export type Citation = Immutable<z.infer<typeof citation>>;

export const dataPayload = z.object({
  data_type: z.enum(['dataframe', 'chart', 'image', 'custom']),
  data: z.optional(z.unknown()),
  metadata: optional(recordOf(z.unknown())),
});
/** Structured data. A dataframe is `{name, columns, rows}`; a row is a list in column order or an object by column name. */
export type DataPayload = Immutable<z.infer<typeof dataPayload>>;

export const media = z.object({
  kind: z.enum(['image', 'audio', 'video', 'file']),
  url: optional(z.string()),
  /** Base64 without a prefix. */
  data: optional(z.string()),
  mimeType: optional(z.string()),
  name: optional(z.string()),
  /** In bytes. */
  size: optional(z.number()),
});
/** An image, audio, video or file, by `url` or inline. */
export type Media = Immutable<z.infer<typeof media>>;

export const planEntry = z.object({
  title: z.string(),
  state: z.enum(['pending', 'active', 'done', 'failed']),
});
/** One step of a plan. */
export type PlanEntry = Immutable<z.infer<typeof planEntry>>;

export const suggestion = z.object({
  label: z.string(),
  prompt: z.string(),
  description: optional(z.string()),
  icon: optional(z.string()),
});
/** A follow-up message that the user can send with one click. */
export type Suggestion = Immutable<z.infer<typeof suggestion>>;

const artifact = z.object({
  identifier: z.string(),
  title: z.string(),
  type: z.enum([
    'application/vnd.ant.code',
    'text/markdown',
    'text/html',
    'image/svg+xml',
    'application/vnd.ant.mermaid',
    'application/vnd.ant.react',
  ]),
  language: optional(z.string()),
});
/** Generated content outside of the text: a page, a drawing, a document, code. Artifacts with the same `identifier` are versions. */
export type Artifact = Immutable<z.infer<typeof artifact>>;

const toolCall = z.object({
  id: optional(z.string()),
  name: optional(z.string()),
  /** JSON text, or plain text if the server sends none; incomplete while streaming. */
  params: optional(z.string()),
  response: optional(z.string()),
  server_name: optional(z.string()),
  server_icons: optional(z.string()),
  server_description: optional(z.string()),
});
/** A tool call: its id and name, its arguments as text, its result. */
export type ToolCall = Immutable<z.infer<typeof toolCall>>;

const actionType = z.enum([
  'tool_call_permission',
  'maximum_tool_calls_reached',
  'rate_limit',
  'confirmation',
  'question',
  'interrupt',
]);
/** The kind of question that an action block asks. */
export type ActionType = z.infer<typeof actionType>;

const base = {
  id: z.string(),
  status: blockStatus,
  /** Milliseconds since the epoch; never smaller than that of the previous block of the message. */
  timestamp: z.number(),
  extra: optional(recordOf(z.union([z.string(), z.number(), z.boolean(), z.array(recordOf(z.unknown()))]))),
  /** The id of the block that this one belongs to: of a sub-agent's block, the tool call that started it. */
  parentId: optional(z.string()),
};
const text = { content: z.string() };
const artifactOf = { artifact: optional(artifact) };
const source = {
  url: optional(z.string()),
  data: optional(z.string()),
  mimeType: optional(z.string()),
  name: optional(z.string()),
  size: optional(z.number()),
};

/** The schema of {@link AssistantMessageBlock}, by `type`. Source: `docs/protocols/deepchat-events.md`. */
export const assistantMessageBlock = z.discriminatedUnion('type', [
  z.object({
    ...base,
    ...text,
    ...artifactOf,
    type: z.literal('content'),
    format: optional(z.enum(['markdown', 'text', 'html'])),
    citations: optional(z.array(citation)),
  }),
  z.object({
    ...base,
    ...text,
    type: z.literal('reasoning_content'),
    /** Milliseconds since the epoch. */
    reasoning_time: optional(z.object({ start: z.number(), end: z.number() })),
  }),
  z.object({ ...base, ...text, type: z.literal('error') }),
  z.object({ ...base, content: optional(z.string()), type: z.literal('search') }),
  z.object({ ...base, ...text, ...artifactOf, type: z.literal('artifact-thinking') }),
  z.object({
    ...base,
    type: z.literal('tool_call'),
    tool_call: toolCall,
    content: optional(z.string()),
    description: optional(z.string()),
    /** Milliseconds. */
    duration: optional(z.number()),
    progress: optional(z.object({ value: optional(z.number()), message: optional(z.string()) })),
    summary: optional(z.string()),
    error: optional(z.object({ message: z.string(), code: optional(z.string()) })),
  }),
  z.object({
    ...base,
    type: z.literal('action'),
    action_type: actionType,
    content: optional(z.string()),
    tool_call: optional(toolCall),
    /** The `id` of the `tool_call` block that the widget asks permission for, because the call runs in the page. */
    callBlockId: optional(z.string()),
  }),
  z.object({
    ...base,
    type: z.literal('image'),
    content: optional(z.string()),
    image_data: optional(imageData),
    url: optional(z.string()),
    name: optional(z.string()),
    size: optional(z.number()),
  }),
  z.object({ ...base, type: z.literal('data'), data: dataPayload, content: optional(z.string()) }),
  z.object({ ...base, ...source, type: z.literal('audio'), content: optional(z.string()) }),
  z.object({ ...base, ...source, type: z.literal('video'), content: optional(z.string()) }),
  z.object({
    ...base,
    ...source,
    type: z.literal('file'),
    content: optional(z.string()),
    file: optional(z.object({ name: z.string(), content: z.string(), mimeType: z.string() })),
  }),
  z.object({
    ...base,
    ...artifactOf,
    type: z.literal('code'),
    content: optional(z.string()),
    code: z.object({
      language: z.string(),
      content: z.string(),
      filename: optional(z.string()),
      output: optional(z.string()),
      error: optional(z.string()),
    }),
  }),
  z.object({
    ...base,
    type: z.literal('command_result'),
    content: optional(z.string()),
    commandResult: z.object({
      success: z.boolean(),
      output: z.string(),
      error: optional(z.string()),
      exitCode: optional(z.number()),
    }),
  }),
  z.object({
    ...base,
    type: z.literal('progress'),
    content: optional(z.string()),
    progress: z.object({ current: z.number(), total: z.number(), message: z.string() }),
  }),
  z.object({ ...base, type: z.literal('plan'), content: optional(z.string()), plan: z.array(planEntry) }),
  z.object({ ...base, type: z.literal('ui'), content: optional(z.string()), ui: z.unknown() }),
  z.object({
    ...base,
    type: z.literal('status'),
    content: optional(z.string()),
    phase: z.string(),
    message: optional(z.string()),
  }),
]);

/** One part of a message. Its `type` selects the renderer. */
export type AssistantMessageBlock = Immutable<z.infer<typeof assistantMessageBlock>>;
/** The names of the block types. */
export type BlockType = AssistantMessageBlock['type'];
/** The block type with the given `type`. */
export type BlockOf<T extends BlockType> = Extract<AssistantMessageBlock, { readonly type: T }>;
