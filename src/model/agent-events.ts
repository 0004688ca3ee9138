/**
 * What an agent's stream says: everything between a protocol and the blocks a reader sees. An adapter of an agent's
 * protocol emits these itself, a model's core events are lifted to them.
 * Source: DeepChat strong-typed events, section 3, with the optional fields that the contract adds for other protocols.
 */
import { agentResponse } from './agent-message.ts';
import { citation, dataPayload, media, planEntry, suggestion } from './blocks.ts';
import { imageData } from './core-events.ts';
import { finishReason } from './message.ts';
import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';
import { rateLimitInfo, usageStats } from './usage.ts';

/** One item of an MCP tool result: a text, or something else that is kept as it came. */
const mcpContent = z.looseObject({ type: z.string(), text: z.exactOptional(z.string()) });
/** One part of the result of an MCP tool: a text, a picture, a sound, a resource. */
export type McpContent = Immutable<z.infer<typeof mcpContent>>;

/** The schema of {@link PermissionRequest}. */
export const permissionRequest = z.object({
  toolName: z.string(),
  serverName: z.string(),
  /** `command` comes from newer servers. What we don't know is asked for as the widest, so that no question reads milder. */
  permissionType: z.catch(z.enum(['read', 'write', 'all', 'command']), 'all'),
  description: z.string(),
});
/** What the reader is asked to allow before a tool runs. */
export type PermissionRequest = Immutable<z.infer<typeof permissionRequest>>;

/** The state of a tool call. The last four are what newer servers of the source document send. */
export const toolCallState = z.enum([
  'start',
  'running',
  'end',
  'error',
  'update',
  'permission-required',
  'permission-granted',
  'permission-denied',
]);

const optional = z.exactOptional;

/** The schema of {@link LLMAgentEventData}: any of its fields may stand beside any other. */
export const llmAgentEventData = z.object({
  /** The assistant message being built, not the frame. */
  eventId: z.string(),
  /** A sub-agent says it: the call that has called it, and its name. What it says stands in that call's line. */
  parent: optional(z.object({ tool_call_id: z.string(), name: optional(z.string()) })),
  content: optional(z.string()),
  reasoning_content: optional(z.string()),
  tool_call_id: optional(z.string()),
  tool_call_name: optional(z.string()),
  /** A piece of the arguments, appended. */
  tool_call_params: optional(z.string()),
  /** All of the arguments, replacing the pieces. */
  tool_call_params_complete: optional(z.string()),
  tool_call_response: optional(z.union([z.string(), z.array(mcpContent)])),
  /** All of the result so far, replacing what came before: for tools that tell interim results. */
  tool_call_response_complete: optional(z.string()),
  /** The server runs this call itself: the page never does, whatever its name. */
  tool_call_remote: optional(z.boolean()),
  maximum_tool_calls_reached: optional(z.boolean()),
  tool_call_server_name: optional(z.string()),
  tool_call_server_icons: optional(z.string()),
  tool_call_server_description: optional(z.string()),
  tool_call_response_raw: optional(z.unknown()),
  tool_call: optional(toolCallState),
  permission_request: optional(permissionRequest),
  /** How the server calls what it asks, for a `permission_request` or an `ask`: it stands in the block's `extra`. */
  request: optional(
    z.object({ id: z.string(), extra: optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))) }),
  ),
  /** Anything else that the reader is asked; it waits as an `action` block until they have answered. */
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
   * Who speaks from here on. A new `id` is a new message, a known one is gone on with; `replace` empties it first, for
   * protocols that send whole messages again.
   */
  message: optional(
    z.object({
      id: z.string(),
      role: optional(z.enum(['assistant', 'system'])),
      name: optional(z.string()),
      replace: optional(z.boolean()),
    }),
  ),
  /** What was called `content` turns out to have been a thought: a closing think tag came without its opening one. */
  content_was_reasoning: optional(z.boolean()),
  phase: optional(z.object({ name: z.string(), message: optional(z.string()) })),
  /** What follows as `content` is a text of its own, also right behind another one. */
  content_begins: optional(z.boolean()),
  /** A thought that only the server can read: the reader is told that there is one. */
  reasoning_hidden: optional(z.boolean()),
  /** How `content` is written. */
  format: optional(z.enum(['markdown', 'text', 'html'])),
  /** What kind of thought `reasoning_content` is, such as `planning`. */
  stage: optional(z.string()),
  /** A source; `anchor: 'quote'` puts its mark behind the last free place of the quote in the text, else at its end. */
  citation: optional(z.extend(citation, { anchor: optional(z.enum(['quote', 'end'])) })),
  data: optional(dataPayload),
  /** A `data`, `ui` or `media` of an id that is there already takes its place. */
  data_id: optional(z.string()),
  /** A surface made of components, in the form of its own document (`a2ui`, `mcp-app`, …). */
  ui: optional(z.looseObject({ kind: z.string() })),
  /** The agent's shared state, whole. It is no block. */
  state: optional(z.object({ value: z.unknown() })),
  tool_call_description: optional(z.string()),
  tool_call_progress: optional(z.object({ value: optional(z.number()), message: optional(z.string()) })),
  /** Milliseconds. */
  tool_call_duration: optional(z.number()),
  tool_call_summary: optional(z.string()),
  tool_call_error: optional(z.object({ message: z.string(), code: optional(z.string()) })),
  media: optional(media),
  plan: optional(z.array(planEntry)),
  /** What an agent in the page answers beyond text; a `progress` with a known id is the same one further on. */
  agent_response: optional(z.pick(agentResponse, { id: true, type: true, content: true })),
  suggestions: optional(z.array(suggestion)),
  finish: optional(finishReason),
  /** The server has stopped to be asked again: the reply goes on with another request, without new words. */
  paused: optional(z.boolean()),
  /** Facts about the message (ids, times, a summary), merged into its `metadata`. */
  metadata: optional(z.record(z.string(), z.unknown())),
});
/** The bag of a `response`: several fields may come at once and each has its own row in the mapping table. */
export type LLMAgentEventData = Immutable<z.infer<typeof llmAgentEventData>>;

/** The schema of {@link LLMAgentEvent}: `{ type: 'response' | 'error' | 'end', data }`. Source: DeepChat strong-typed events, section 3. */
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
      /** Which of the widget's own sentences says it, for trouble that the widget found itself. */
      reason: optional(z.string()),
      /** What that sentence names. */
      values: optional(z.record(z.string(), z.union([z.string(), z.number()]))),
      /** For debugging; never in the transcript. */
      details: optional(z.unknown()),
    }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ eventId: z.string(), userStop: z.boolean() }) }),
]);
/** One event of an agent's stream: strictly a `response`, an `error` or the `end`. */
export type LLMAgentEvent = Immutable<z.infer<typeof llmAgentEvent>>;

/** One member by its name. */
export type AgentEventOf<T extends LLMAgentEvent['type']> = Extract<LLMAgentEvent, { readonly type: T }>;
