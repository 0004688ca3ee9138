/**
 * What an A2A agent sends, of both versions and both bindings, as one form. Source: `a2a.md`, "Results"; the 0.3 binding to
 * HTTP writes `content` for `parts` and wraps files and data once more.
 */
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';

export type A2aVersion = '0.3' | '1.0';

const file = z.object({
  uri: maybeText,
  fileWithUri: maybeText,
  bytes: maybeText,
  fileWithBytes: maybeText,
  mimeType: maybeText,
  name: maybeText,
});
const part = z.catch(
  z.object({
    text: maybeText,
    file: maybe(file),
    data: z.exactOptional(z.unknown()),
    url: maybeText,
    raw: maybeText,
    filename: maybeText,
    mediaType: maybeText,
  }),
  {},
);
type WirePart = z.infer<typeof part>;

const parts = maybe(z.array(part));
const id = z.catch(z.string(), '');
const message = z.object({
  messageId: id,
  role: maybeText,
  parts,
  content: parts,
  contextId: maybeText,
  taskId: maybeText,
});
const status = z.catch(z.object({ state: maybeText, message: maybe(message) }), {});
const artifact = z.object({ artifactId: id, name: maybeText, parts });
export type WireMessage = z.infer<typeof message>;
export type WireArtifact = z.infer<typeof artifact>;
export type WireStatus = z.infer<typeof status>;

const rpcError = z.object({
  code: maybe(z.coerce.string()),
  message: maybeText,
  status: maybeText,
  data: z.exactOptional(z.unknown()),
});

export const a2aResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('task'),
    id,
    contextId: maybeText,
    status,
    artifacts: maybe(z.array(artifact)),
    history: maybe(z.array(message)),
  }),
  z.extend(message, { kind: z.literal('message') }),
  z.object({
    kind: z.literal('status-update'),
    taskId: maybeText,
    contextId: maybeText,
    status,
    final: maybe(z.boolean()),
  }),
  z.object({
    kind: z.literal('artifact-update'),
    taskId: maybeText,
    contextId: maybeText,
    artifact,
    append: maybe(z.boolean()),
    lastChunk: maybe(z.boolean()),
  }),
  z.object({ kind: z.literal('error'), error: z.union([rpcError, z.pipe(z.string(), z.transform(toError))]) }),
]);
export type A2aResult = z.infer<typeof a2aResult>;

function toError(words: string): z.infer<typeof rpcError> {
  return { code: undefined, message: words, status: undefined };
}

/** The four results, by their name in 1.0. */
const kinds = { task: 'task', message: 'message', statusUpdate: 'status-update', artifactUpdate: 'artifact-update' };

/** A frame as a result, and the version that writes it so; undefined: nobody's. A task alone is what asking for one gives. */
export function unwrap(json: unknown): { readonly result: unknown; readonly version?: A2aVersion } {
  if (!isRecord(json)) return { result: json };
  if (json['error'] !== undefined && json['error'] !== null) return { result: { kind: 'error', error: json['error'] } };
  const envelope = json['jsonrpc'] !== undefined;
  const inner = envelope ? json['result'] : json;
  if (!isRecord(inner)) return { result: inner };
  if (typeof inner['kind'] === 'string') return { result: inner, version: '0.3' };
  for (const [name, kind] of Object.entries(kinds)) {
    const value = Object.hasOwn(inner, name) ? inner[name] : undefined;
    if (isRecord(value)) return { result: { ...value, kind }, ...(envelope && { version: '1.0' as const }) };
  }
  const task = typeof inner['id'] === 'string' && isRecord(inner['status']);
  return { result: task ? { ...inner, kind: 'task' } : inner, ...(task && envelope && { version: '1.0' as const }) };
}

/** The states in the spelling of 0.3. */
export const stateOf = ({ state }: WireStatus): string =>
  (state ?? '')
    .toLowerCase()
    .replace(/^task_state_/, '')
    .replaceAll('_', '-')
    .replace('cancelled', 'canceled');

export const partsOf = ({
  parts: list,
  content,
}: Pick<WireMessage, 'parts'> & { readonly content?: WireMessage['content'] }) => list ?? content ?? [];

export const wordsOf = (list: readonly WirePart[]): string => list.map(({ text }) => text ?? '').join('');

/** What a part shows. */
export function contentOf(
  item: WirePart,
): { readonly text: string } | { readonly media: Media } | { readonly data: unknown } | undefined {
  if (typeof item.text === 'string') return { text: item.text };
  const uri = item.url ?? item.file?.uri ?? item.file?.fileWithUri;
  const bytes = item.raw ?? item.file?.bytes ?? item.file?.fileWithBytes;
  if (uri || bytes) {
    const mimeType = item.mediaType ?? item.file?.mimeType;
    const name = item.filename ?? item.file?.name;
    return {
      media: {
        kind: kindOf(mimeType ?? ''),
        ...(bytes ? { data: bytes } : { url: uri ?? '' }),
        ...(mimeType && { mimeType }),
        ...(name && { name }),
      },
    };
  }
  if (item.data === undefined || item.data === null) return undefined;
  // The 0.3 binding to HTTP has the data in an object of their own.
  const wrapped = maybeRecord.parse(item.data);
  const [only, ...others] = Object.keys(wrapped ?? {});
  return {
    data: wrapped && only === 'data' && others.length === 0 && isRecord(wrapped['data']) ? wrapped['data'] : item.data,
  };
}

const kindOf = (mimeType: string): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};
