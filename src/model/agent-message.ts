/**
 * Messages to an agent that runs in the page, and its responses.
 * Source: `docs/protocols/deepchat-events.md`. `metadata`, `ResponseStatus`, `ImageMetadata` and `DataVisualization`
 * are named there but not defined; here they are open records.
 */
import type { Immutable } from './immutable.ts';
import { recordOf, z } from './schema.ts';

const optional = z.exactOptional;
const record = recordOf(z.unknown());

/** The schema of {@link MessageType}. */
export const messageType = z.enum(['text', 'code', 'data', 'command', 'file', 'image', 'structured_data']);
/** The kinds of content that a message to an agent may have. */
export type MessageType = z.infer<typeof messageType>;

/** The schema of {@link AgentMessageContent}. */
export const agentMessageContent = z.object({
  text: optional(z.string()),
  code: optional(z.object({ language: z.string(), content: z.string(), filename: optional(z.string()) })),
  data: optional(
    z.object({ format: z.enum(['json', 'csv', 'xml', 'yaml']), schema: optional(z.unknown()), content: z.unknown() }),
  ),
  command: optional(z.object({ type: z.string(), parameters: record })),
  file: optional(z.object({ name: z.string(), content: z.string(), mimeType: z.string() })),
  image: optional(z.object({ data: z.string(), mimeType: z.string(), metadata: optional(record) })),
  structured: optional(z.object({ type: z.string(), data: z.unknown() })),
});
/** Content of a message to an agent: text, code, data, a command, a file or an image. */
export type AgentMessageContent = Immutable<z.infer<typeof agentMessageContent>>;

/** The schema of {@link AgentMessage}. */
export const agentMessage = z.object({
  id: z.string(),
  type: messageType,
  role: z.enum(['user', 'assistant', 'system', 'agent']),
  agentId: optional(z.string()),
  content: agentMessageContent,
  metadata: record,
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
});
/** A message to an agent. */
export type AgentMessage = Immutable<z.infer<typeof agentMessage>>;
/** Any data about a message. */
export type AgentMessageMetadata = AgentMessage['metadata'];
/** Any data about an image. */
export type ImageMetadata = Immutable<z.infer<typeof record>>;

/** Returns the message type that matches the content. */
export function messageTypeOf(content: AgentMessageContent): MessageType {
  if (content.structured) return 'structured_data';
  for (const type of ['code', 'data', 'command', 'file', 'image'] as const) if (content[type]) return type;
  return 'text';
}

/** The schema of {@link ResponseType}. */
export const responseType = z.enum([
  'text',
  'code',
  'data',
  'command_result',
  'file',
  'image',
  'error',
  'progress',
  'confirmation',
]);
/** The kinds of content that a response may have. */
export type ResponseType = z.infer<typeof responseType>;

/** The schema of {@link AgentResponseContent}. */
export const agentResponseContent = z.object({
  text: optional(z.string()),
  code: optional(
    z.object({
      language: z.string(),
      content: z.string(),
      filename: optional(z.string()),
      output: optional(z.string()),
      error: optional(z.string()),
    }),
  ),
  data: optional(
    z.object({
      /** `json`, `csv`, `xml`, `yaml`, or any other name. */
      format: z.string(),
      /** Text in that format, or the data itself. */
      content: z.unknown(),
      visualization: optional(record),
    }),
  ),
  commandResult: optional(
    z.object({
      success: z.boolean(),
      output: z.string(),
      error: optional(z.string()),
      exitCode: optional(z.number()),
    }),
  ),
  file: optional(z.object({ name: z.string(), content: z.string(), mimeType: z.string() })),
  image: optional(z.object({ data: z.string(), mimeType: z.string(), metadata: optional(record) })),
  error: optional(z.object({ code: z.string(), message: z.string(), details: optional(z.unknown()) })),
  progress: optional(z.object({ current: z.number(), total: z.number(), message: z.string() })),
  /** Data of a kind of its own. Its `type` is the `dataType` of the renderer that shows it. */
  structured: optional(z.object({ type: z.string(), data: z.unknown() })),
  confirmation: optional(
    z.object({
      type: z.enum(['permission', 'action', 'data']),
      message: z.string(),
      options: optional(z.array(z.string())),
    }),
  ),
});
/** Content of a page agent's response: text, code, a chart, an image, a command result and so on. */
export type AgentResponseContent = Immutable<z.infer<typeof agentResponseContent>>;

const responseStatus = z.enum(['pending', 'streaming', 'complete', 'error']);
/** The progress of a response. */
export type ResponseStatus = z.infer<typeof responseStatus>;

/** The schema of {@link AgentResponse}. */
export const agentResponse = z.object({
  id: z.string(),
  messageId: z.string(),
  agentId: z.string(),
  type: responseType,
  content: agentResponseContent,
  metadata: record,
  status: responseStatus,
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
});
/** One part of an agent's answer. */
export type AgentResponse = Immutable<z.infer<typeof agentResponse>>;
/** Any data about a response. */
export type AgentResponseMetadata = AgentResponse['metadata'];
/** How an agent suggests to show its data. */
export type DataVisualization = Immutable<z.infer<typeof record>>;
