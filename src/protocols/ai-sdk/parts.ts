/**
 * The parts of a UIMessage, as AI SDK servers stream them and expect them back. Source: `docs/protocols/ai-sdk.md`; AI SDK
 * documentation, "UIMessage".
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';

const optional = z.exactOptional;

/** Schema of the fields that are used; other fields are preserved. */
export const uiPart = z.looseObject({
  type: z.string(),
  text: optional(z.string()),
  state: optional(z.string()),
  toolCallId: optional(z.string()),
  toolName: optional(z.string()),
  title: optional(z.string()),
  errorText: optional(z.string()),
  providerExecuted: optional(z.boolean()),
  preliminary: optional(z.boolean()),
  approval: optional(
    z.looseObject({
      id: z.string(),
      approved: optional(z.boolean()),
      reason: optional(z.string()),
      isAutomatic: optional(z.boolean()),
      signature: optional(z.string()),
    }),
  ),
  sourceId: optional(z.string()),
  id: optional(z.string()),
  url: optional(z.string()),
  mediaType: optional(z.string()),
  filename: optional(z.string()),
});
export type UiPart = z.infer<typeof uiPart>;

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Static tools have the type `tool-<name>`; the name may contain hyphens. */
export const isToolPart = ({ type }: UiPart): boolean => type === 'dynamic-tool' || type.startsWith('tool-');
export const isFilePart = ({ type }: UiPart): boolean => type === 'file' || type === 'reasoning-file';
export const isDataPart = ({ type }: UiPart): boolean => type.startsWith('data-');
export const dataName = ({ type }: UiPart): string => type.slice('data-'.length);

export const toolName = ({ type, toolName: name = '' }: UiPart): string =>
  type === 'dynamic-tool' ? name : type.slice('tool-'.length);

export const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns all events of a part. */
export function partEvents(part: UiPart): readonly Data[] {
  if (isToolPart(part)) {
    const { state = '' } = part;
    return state.startsWith('output-')
      ? [toolCallEvent(part, 'start'), ...resultEvents(part)]
      : [toolCallEvent(part, 'start')];
  }
  if (isDataPart(part)) return [dataEvent(part)];
  if (isFilePart(part)) return [{ media: mediaOf(part) }];
  switch (part.type) {
    case 'text':
      return part.text ? [{ content: part.text }] : [];
    case 'reasoning':
      return part.text ? [{ reasoning_content: part.text }] : [];
    case 'source-url':
    case 'source-document':
      return [{ citation: citationOf(part) }];
    default:
      return [];
  }
}

export function toolCallEvent(part: UiPart, state: 'start' | 'running'): Data {
  const params = asText(part['input']);
  return {
    tool_call: state,
    tool_call_id: part.toolCallId ?? '',
    tool_call_name: toolName(part),
    ...(params && { tool_call_params_complete: params }),
    ...(part.title && { tool_call_description: part.title }),
    // Calls that need approval first or run at the provider are not run by the page.
    ...((part.providerExecuted || part.approval) && { tool_call_remote: true }),
  };
}

/** The result of a call, and the MCP App of its tool, if it has one. */
export const resultEvents = (part: UiPart): readonly Data[] => [resultEvent(part), ...appEvents(part)];

/**
 * The app of an MCP tool, shown with its result. Source: `@ai-sdk/mcp` 2, `tool/mcp-client.ts` (`metadata.app`), which
 * AI SDK 6 and 7 stream as `toolMetadata`.
 */
function appEvents(part: UiPart): readonly Data[] {
  const { toolMetadata, toolCallId = '', input, output, title: name } = part;
  const app = isRecord(toolMetadata) && isRecord(toolMetadata['app']) ? toolMetadata['app'] : {};
  const { resourceUri: uri } = app;
  if (typeof uri !== 'string' || !uri.startsWith('ui://') || part.state !== 'output-available' || part.preliminary)
    return [];
  const { clientName: id } = toolMetadata as Readonly<Record<string, unknown>>;
  const ui = {
    kind: 'mcp-app',
    uri,
    ...(name && { name }),
    ...(typeof id === 'string' && { server: { id } }),
    ...(isRecord(input) && { arguments: input }),
    result: asToolResult(output),
  };
  return [{ ui, data_id: `${toolCallId} ${uri}` }];
}

/** The result as MCP has it. With an output schema, the SDK streams only its structured content. */
const asToolResult = (output: unknown): object =>
  isRecord(output) && Array.isArray(output['content'])
    ? output
    : {
        content: [{ type: 'text', text: asText(output) }],
        ...(isRecord(output) && { structuredContent: output }),
      };

function resultEvent(part: UiPart): Data {
  const call = { tool_call_id: part.toolCallId ?? '' };
  if (part.state === 'output-available') {
    const response = { tool_call_response_complete: asText(part['output']) };
    // A preliminary result means that the server runs the tool.
    return part.preliminary
      ? { ...call, ...response, tool_call: 'running', tool_call_remote: true }
      : { ...call, ...response, tool_call: 'end' };
  }
  const denied = part.state === 'output-denied';
  const message = denied ? (part.approval?.reason ?? DENIED_MESSAGE) : (part.errorText ?? '');
  return {
    ...call,
    tool_call: 'error',
    tool_call_response_complete: message,
    ...(denied && { tool_call_error: { message, code: 'denied' } }),
  };
}

export const DENIED_MESSAGE = 'The call was denied.';

export const permissionEvent = (part: UiPart): Data => ({
  tool_call: 'permission-required',
  tool_call_id: part.toolCallId ?? '',
  tool_call_name: toolName(part),
  tool_call_params: asText(part['input']),
  permission_request: {
    toolName: toolName(part),
    serverName: '',
    permissionType: 'all',
    description: part.title ?? '',
  },
  request: {
    id: part.approval?.id ?? '',
    // A signature covers the original arguments, so signed calls are not editable.
    extra: part.approval?.signature === undefined ? { editable: true } : { signature: part.approval.signature },
  },
});

/** Data with the same name and id is an update. */
const dataEvent = (part: UiPart): Data => ({
  data: { data_type: 'custom', data: part['data'], metadata: { dataType: dataName(part) } },
  ...(part.id !== undefined && { data_id: `${dataName(part)}:${part.id}` }),
});

function citationOf({ sourceId, url, title, mediaType, filename }: UiPart): NonNullable<Data['citation']> {
  const name = title ?? filename;
  return {
    id: sourceId ?? url ?? '',
    ...(url !== undefined && { url }),
    ...(name !== undefined && { title: name }),
    ...(mediaType !== undefined && { extra: { mediaType, ...(filename !== undefined && { filename }) } }),
  };
}

function mediaOf({ url = '', mediaType = '', filename }: UiPart): Media {
  const [kind = ''] = mediaType.split('/');
  const inline = parseDataUrl(url);
  return {
    kind: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
    ...(inline ? { data: inline.data } : { url }),
    mimeType: mediaType || (inline?.mimeType ?? ''),
    ...(filename !== undefined && { name: filename }),
  };
}
