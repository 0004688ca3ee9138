/** The contents of a tool's result in the form of an MCP server. Source: Model Context Protocol, "Tool Result". */
import type { Media } from '../model/blocks.ts';
import { isRecord, parseJson } from '../model/json.ts';

/** The result as data. `result` is a list of contents, the result of a `tools/call` that has one, or either as JSON. */
export const parsedResult = (result: unknown): unknown =>
  typeof result === 'string' && MENTIONS.test(result) ? parseJson(result) : result;

export function contentsOf(result: unknown): readonly unknown[] {
  const parsed = parsedResult(result);
  const list = isRecord(parsed) ? parsed['content'] : parsed;
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** The images and recordings of a result. */
export const mediaOfResult = (result: unknown): readonly Media[] =>
  contentsOf(result).flatMap((item) => mediaOf(item) ?? []);

/** The text of a result: texts are joined, images and recordings are left out, anything else becomes JSON. */
export function textOfResult(result: unknown): string {
  if (typeof result === 'string' && mediaOfResult(result).length === 0) return result;
  return contentsOf(result)
    .map((item) => {
      if (mediaOf(item)) return '';
      const text = isRecord(item) && item['type'] === 'text' ? (item['text'] ?? '') : item;
      return typeof text === 'string' ? text : JSON.stringify(item);
    })
    .join('');
}

function mediaOf(item: unknown): Media | undefined {
  if (!isRecord(item)) return undefined;
  const { type, data, mimeType } = item;
  if (type !== 'image' && type !== 'audio') return undefined;
  return typeof data === 'string' && typeof mimeType === 'string' ? { kind: type, data, mimeType } : undefined;
}

/** Most results are plain text, which is not parsed. */
const MENTIONS = /ui:\/\/|a2ui|"type"\s*:\s*"(?:image|audio)"/;
