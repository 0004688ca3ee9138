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

/** The images, recordings and files of a result. */
export const mediaOfResult = (result: unknown): readonly Media[] =>
  contentsOf(result).flatMap((item) => mediaOf(item) ?? []);

/** The text of a result: texts are joined, the text of a resource has its own lines, media are left out, the rest is JSON. */
export function textOfResult(result: unknown): string {
  if (typeof result === 'string' && mediaOfResult(result).length === 0) return result;
  return contentsOf(result)
    .map((item) => {
      if (mediaOf(item)) return '';
      const resource = resourceOf(item)?.['text'];
      const text = isRecord(item) && item['type'] === 'text' ? (item['text'] ?? '') : item;
      if (typeof resource === 'string') return `\n${resource}\n`;
      return typeof text === 'string' ? text : JSON.stringify(item);
    })
    .join('')
    .replace(/^\n|\n$/g, '');
}

/** The bytes of a resource are an image or a recording by their type, otherwise a file. */
function mediaOf(item: unknown): Media | undefined {
  const resource = resourceOf(item);
  if (resource) {
    const { blob: data, mimeType, uri } = resource;
    if (typeof data !== 'string') return undefined;
    const type = typeof mimeType === 'string' ? { mimeType } : {};
    const [kind] = /^(?:image|audio|video)(?=\/)/.exec(type.mimeType ?? '') ?? ['file'];
    const name = typeof uri === 'string' && uri.split('/').at(-1);
    return { kind: kind as Media['kind'], data, ...type, ...(name && { name }) };
  }
  if (!isRecord(item)) return undefined;
  const { type, data, mimeType } = item;
  if (type !== 'image' && type !== 'audio') return undefined;
  return typeof data === 'string' && typeof mimeType === 'string' ? { kind: type, data, mimeType } : undefined;
}

export const resourceOf = (item: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(item) && item['type'] === 'resource' && isRecord(item['resource']) ? item['resource'] : undefined;

/** A result without any of these is not parsed: most are plain text. */
const MENTIONS = /ui:\/\/|a2ui|"blob"|"type"\s*:\s*"(?:image|audio)"/;
