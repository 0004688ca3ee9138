/**
 * Finds agent UI in a tool's result: HTML resources of an MCP server, and A2UI messages. Source: SEP-1865 (MCP Apps),
 * MCP-UI before it; A2UI, "A2UI over MCP".
 */
import { isRecord, parseJson } from '../model/json.ts';
import { contentsOf, parsedResult, resourceOf } from './mcp-contents.ts';

/** The `ui` of a block, and the URI of its resource. */
export interface UiResource {
  readonly uri: string;
  readonly ui: Readonly<Record<string, unknown>>;
}

/** The agent UI in a result, which is a list of contents, the result of a `tools/call` that has one, or either as JSON. */
export const uiResources = (result: unknown): readonly UiResource[] => contentsOf(result).flatMap(uiResource);

/** The result without the resources themselves: an app does not need its own source. */
export function resultForApp(result: unknown): object {
  const parsed = parsedResult(result);
  const content = contentsOf(result).filter((item) => uiResource(item).length === 0);
  return { ...(isRecord(parsed) && parsed), content };
}

function uiResource(item: unknown): readonly UiResource[] {
  const resource = resourceOf(item);
  if (!resource) return [];
  const { uri, mimeType, text } = resource;
  if (typeof uri !== 'string' || typeof text !== 'string' || typeof mimeType !== 'string') return [];
  if (A2UI.test(mimeType)) {
    const messages = parseJson(text);
    return messages === undefined ? [] : [{ uri, ui: { kind: 'a2ui', messages: [messages].flat() } }];
  }
  if (!uri.startsWith('ui://') || !mimeType.startsWith('text/html')) return [];
  return [{ uri, ui: { kind: 'mcp-app', uri, mimeType, text } }];
}

const A2UI = /^application\/.*\ba2ui\b/;
