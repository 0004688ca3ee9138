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

/** The text of a result: texts are joined, each text resource has its own lines, media are left out, the rest is JSON. */
export function textOfResult(result: unknown): string {
  if (typeof result === 'string' && mediaOfResult(result).length === 0) return result;
  let text = '';
  let isAfterResource = false;
  for (const item of contentsOf(result)) {
    if (mediaOf(item)) continue;
    const resource = resourceOf(item)?.['text'];
    const own = isRecord(item) && item['type'] === 'text' ? (item['text'] ?? '') : (resource ?? item);
    const isResource = own === resource;
    if (text !== '' && (isResource || isAfterResource)) text += '\n';
    text += typeof own === 'string' ? own : JSON.stringify(item);
    isAfterResource = isResource;
  }
  return text;
}

function mediaOf(item: unknown): Media | undefined {
  if (!isRecord(item)) return undefined;
  const resource = resourceOf(item);
  if (resource) return mediaOfResource(resource);
  const { type, data, mimeType } = item;
  if (type !== 'image' && type !== 'audio') return undefined;
  return typeof data === 'string' && typeof mimeType === 'string' ? { kind: type, data, mimeType } : undefined;
}

/** The bytes of a resource: an image or a recording by its type, otherwise a file with the last part of its address as name. */
function mediaOfResource({ uri, blob, mimeType }: Readonly<Record<string, unknown>>): Media | undefined {
  if (typeof blob !== 'string') return undefined;
  const type = typeof mimeType === 'string' ? { mimeType } : {};
  const kind = /^(?:image|audio|video)(?=\/)/.exec(type.mimeType ?? '')?.[0] as Media['kind'] | undefined;
  const name = typeof uri === 'string' ? uri.split('/').at(-1) : undefined;
  return { kind: kind ?? 'file', data: blob, ...type, ...(name && { name }) };
}

const resourceOf = (item: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(item) && item['type'] === 'resource' && isRecord(item['resource']) ? item['resource'] : undefined;

/** Most results are plain text, which is not parsed. */
const MENTIONS = /ui:\/\/|a2ui|"blob"|"type"\s*:\s*"(?:image|audio)"/;
