/** Finds HTML resources of an MCP server in a tool's result. Source: SEP-1865 (MCP Apps), and MCP-UI before it. */
import { isRecord } from '../model/json.ts';

export interface UiResource {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** `result` is a list of contents, or the result of a `tools/call` that has one. */
export function uiResources(result: unknown): readonly UiResource[] {
  const list = isRecord(result) && !Array.isArray(result) ? result['content'] : result;
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const resource = isRecord(item) && item['type'] === 'resource' ? item['resource'] : undefined;
    if (!isRecord(resource)) return [];
    const { uri, mimeType, text } = resource;
    if (typeof uri !== 'string' || !uri.startsWith('ui://') || typeof text !== 'string') return [];
    return typeof mimeType === 'string' && mimeType.startsWith('text/html') ? [{ uri, mimeType, text }] : [];
  });
}
