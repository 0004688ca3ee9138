/**
 * Events of an agent's stream, between a protocol and the message blocks. Adapters of agent protocols emit them
 * directly; core events of model protocols are converted to them.
 * Source: `docs/protocols/deepchat-events.md`, with additional optional fields for other protocols.
 */
import { agentResponse } from '../agent-message.ts';
import { citation, dataPayload, media, planEntry, suggestion } from '../blocks.ts';
import { imageData } from '../image-data.ts';
import { finishReason } from '../message.ts';
import type { Immutable } from '../immutable.ts';
import { recordOf, z } from '../schema.ts';
import { rateLimitInfo, usageStats } from '../usage.ts';

/** One item of an MCP tool result: text, or another type that is stored unchanged. */
export const mcpContent = z.looseObject({ type: z.string(), text: z.exactOptional(z.string()) });
/** One part of the result of an MCP tool: text, an image, audio or a resource. */
export type McpContent = Immutable<z.infer<typeof mcpContent>>;
/** The result of an MCP tool. */
export interface MCPToolResponse {
  readonly content: readonly McpContent[];
}

/** The schema of {@link PermissionRequest}. */
export const permissionRequest = z.object({
  toolName: z.string(),
  serverName: z.string(),
  /** `command` comes from newer servers. Unknown values become `all`, the widest, so that no question looks less serious. */
  permissionType: z.catch(z.enum(['read', 'write', 'all', 'command']), 'all'),
  description: z.string(),
});
/** A question for the user's permission before a tool runs. */
export type PermissionRequest = Immutable<z.infer<typeof permissionRequest>>;

/** The state of a tool call. Only newer servers of the source document send `update` and the permissions. */
export const toolCallState = z.enum([
  'start',
  'running',
  'end',
  'error',
  'update',
  'permission-required',
  'permission-granted',
  'permission-denied',
  // Of the widget: the question is no longer open, and the server does not say how it was decided.
  'permission-closed',
]);

const optional = z.exactOptional;

/** The schema of {@link LLMAgentEventData}. Any of its fields may be combined. */
export const llmAgentEventData = z.object({
  /** Id of the assistant message being built, not of the frame. */
  eventId: z.string(),
  /** Set by a sub-agent: the tool call that started it, and its name. Its output is shown inside that call. */
  parent: optional(z.object({ tool_call_id: z.string(), name: optional(z.string()) })),
  content: optional(z.string()),
  reasoning_content: optional(z.string()),
  tool_call_id: optional(z.string()),
  tool_call_name: optional(z.string()),
  /** A chunk of the arguments, to be appended. */
  tool_call_params: optional(z.string()),
  /** The complete arguments; replaces the chunks. */
  tool_call_params_complete: optional(z.string()),
  tool_call_response: optional(z.union([z.string(), z.array(mcpContent)])),
  /** The complete result so far; replaces the previous one. For tools that report interim results. */
  tool_call_response_complete: optional(z.string()),
  /** The server runs this call itself; the page never does, whatever the name. */
  tool_call_remote: optional(z.boolean()),
  maximum_tool_calls_reached: optional(z.boolean()),
  tool_call_server_name: optional(z.string()),
  tool_call_server_icons: optional(z.string()),
  tool_call_server_description: optional(z.string()),
  tool_call_response_raw: optional(z.unknown()),
  tool_call: optional(toolCallState),
  permission_request: optional(permissionRequest),
  /** The server's id of a `permission_request` or an `ask`; stored in the block's `extra`. */
  request: optional(
    z.object({ id: z.string(), extra: optional(recordOf(z.union([z.string(), z.number(), z.boolean()]))) }),
  ),
  /** Any other question for the user. It stays pending as an `action` block until it is answered. */
  ask: optional(
    z.object({
      action_type: z.enum(['confirmation', 'question', 'interrupt']),
      content: optional(z.string()),
      options: optional(
        z.array(z.object({ label: z.string(), value: optional(z.string()), description: optional(z.string()) })),
      ),
      /** A JSON Schema of the answer. */
      schema: optional(z.unknown()),
    }),
  ),
  totalUsage: optional(usageStats),
  image_data: optional(imageData),
  rate_limit: optional(rateLimitInfo),
  error: optional(z.string()),
  userStop: optional(z.boolean()),

  /**
   * The message that the following content belongs to. A new `id` starts a message, a known one continues it. `replace`
   * empties it first, for protocols that send complete messages again.
   */
  message: optional(
    z.object({
      id: z.string(),
      role: optional(z.enum(['assistant', 'system'])),
      name: optional(z.string()),
      agentId: optional(z.string()),
      replace: optional(z.boolean()),
    }),
  ),
  /** Text sent as `content` was reasoning: a closing think tag came without its opening tag. */
  content_was_reasoning: optional(z.boolean()),
  phase: optional(z.object({ name: z.string(), message: optional(z.string()) })),
  /**
   * The `content` of this event starts a new text block, even directly after another one; its `reasoning_content` starts a
   * paragraph.
   */
  content_begins: optional(z.boolean()),
  /** Reasoning that only the server can read. The user sees that it exists. */
  reasoning_hidden: optional(z.boolean()),
  /** Markup format of `content`. */
  format: optional(z.enum(['markdown', 'text', 'html'])),
  /** Kind of reasoning in `reasoning_content`, such as `planning`. */
  stage: optional(z.string()),
  /** A source. With `anchor: 'quote'` its mark goes after the last uncited occurrence of the quote, otherwise to the end. */
  citation: optional(z.object({ ...citation.shape, anchor: optional(z.enum(['quote', 'end'])) })),
  data: optional(dataPayload),
  /** A `data`, `ui` or `media` with an id that exists replaces that block. */
  data_id: optional(z.string()),
  /** Agent UI in its own format (`a2ui`, `mcp-app`, …). */
  ui: optional(z.looseObject({ kind: z.string() })),
  /** The agent's complete shared state. It is not shown as a block. */
  state: optional(z.object({ value: z.unknown() })),
  tool_call_description: optional(z.string()),
  tool_call_progress: optional(z.object({ value: optional(z.number()), message: optional(z.string()) })),
  /** Milliseconds. */
  tool_call_duration: optional(z.number()),
  tool_call_summary: optional(z.string()),
  tool_call_error: optional(z.object({ message: z.string(), code: optional(z.string()) })),
  media: optional(media),
  plan: optional(z.array(planEntry)),
  /**
   * A response of an agent for which no other field exists here. A `progress` with a known id updates that block, and so does any
   * other response after a `streaming` one of its id.
   */
  agent_response: optional(
    z.object({
      id: agentResponse.shape.id,
      type: agentResponse.shape.type,
      status: optional(agentResponse.shape.status),
      content: agentResponse.shape.content,
    }),
  ),
  suggestions: optional(z.array(suggestion)),
  finish: optional(finishReason),
  /** The server paused to be called again: the reply continues with another request, without a new user message. */
  paused: optional(z.boolean()),
  /** Metadata of the message (ids, times, a summary), merged into its `metadata`. */
  metadata: optional(recordOf(z.unknown())),
});
/** The data of a `response`. Several fields may be set at once; each has its own reducer. */
export type LLMAgentEventData = Immutable<z.infer<typeof llmAgentEventData>>;

/**
 * The schema of {@link LLMAgentEvent}: `{ type: 'response' | 'error' | 'end', data }`. Source:
 * `docs/protocols/deepchat-events.md`.
 */
export const llmAgentEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response'), data: llmAgentEventData }),
  z.object({
    type: z.literal('error'),
    data: z.object({
      eventId: z.string(),
      error: z.string(),
      code: optional(z.string()),
      error_type: optional(z.string()),
      recoverable: optional(z.boolean()),
      /** Locale key of the widget's own text, for errors that the widget detected itself. */
      reason: optional(z.string()),
      /** Placeholder values of that text. */
      values: optional(recordOf(z.union([z.string(), z.number()]))),
      /** For debugging; never in the transcript. */
      details: optional(z.unknown()),
    }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ eventId: z.string(), userStop: optional(z.boolean()) }) }),
]);
/** One event of an agent's stream: a `response`, an `error` or the `end`. */
export type LLMAgentEvent = Immutable<z.infer<typeof llmAgentEvent>>;

/** The event type with the given `type`. */
export type AgentEventOf<T extends LLMAgentEvent['type']> = Extract<LLMAgentEvent, { readonly type: T }>;
