/** What an agent's steps in Langflow contain besides tool calls: code, JSON and media. Source: `docs/protocols/langflow.md`. */
import { enumerate } from '../../enumerate.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** @param id - the block's id: a content that comes again replaces it */
export function contentEvents(id: string, content: Readonly<Record<string, unknown>>): readonly Data[] {
  const { type, code, language, title, data, urls } = content;
  if (type === 'code' && typeof code === 'string') {
    const block = { language: typeof language === 'string' ? language : '', content: code };
    // A response that is still `streaming` can be updated.
    return [{ agent_response: { id, type: 'code', status: 'streaming', content: { code: block } } }];
  }
  if (type === 'json' && data !== undefined && data !== null) {
    const caption = typeof title === 'string' && title ? { metadata: { title } } : {};
    return [{ data: { data_type: 'custom', data, ...caption }, data_id: id }];
  }
  return type === 'media' && Array.isArray(urls) ? mediaEvents(id, urls) : [];
}

/** Files of a message or of a step: addresses, paths on the server, or objects with a path. */
export const mediaEvents = (id: string, files: readonly unknown[]): readonly Data[] =>
  [...enumerate(files)].flatMap(([index, file]) => {
    const path = isRecord(file) ? (file['url'] ?? file['path']) : file;
    return typeof path === 'string' && path ? [{ media: toMedia(path), data_id: `${id}:${String(index)}` }] : [];
  });

/** A file whose path is not an address is shown by its name: loading it needs the key. */
function toMedia(path: string): Media {
  const kind = KINDS.find(([, ends]) => ends.test(path))?.[0] ?? 'file';
  if (/^(?:https?|data):/i.test(path)) return { kind, url: path };
  return { kind: 'file', name: path.slice(path.lastIndexOf('/') + 1) || path };
}

const KINDS = [
  ['image', /^data:image\/|\.(?:png|jpe?g|gif|webp|svg)(?:[?#]|$)/i],
  ['audio', /^data:audio\/|\.(?:mp3|wav|m4a|ogg)(?:[?#]|$)/i],
  ['video', /^data:video\/|\.(?:mp4|webm|mov)(?:[?#]|$)/i],
] as const;
