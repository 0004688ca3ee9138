/**
 * Schemas of an A2A agent's results. Both versions and both bindings are normalised to one form. Source: A2A specification,
 * versions 0.3 and 1.0. The 0.3 HTTP binding writes `content` instead of `parts` and wraps files and data once more.
 */
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientRecord, lenientString } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';

export type A2aVersion = '0.3' | '1.0';

const file = z.object({
  uri: lenientString,
  fileWithUri: lenientString,
  bytes: lenientString,
  fileWithBytes: lenientString,
  mimeType: lenientString,
  name: lenientString,
});
const part = z.catch(
  z.object({
    text: lenientString,
    file: lenient(file),
    data: z.exactOptional(z.unknown()),
    url: lenientString,
    raw: lenientString,
    filename: lenientString,
    mediaType: lenientString,
  }),
  {},
);
type WirePart = z.infer<typeof part>;

const parts = lenient(z.array(part));
const id = z.catch(z.string(), '');
const message = z.object({
  messageId: id,
  role: lenientString,
  parts,
  content: parts,
  contextId: lenientString,
  taskId: lenientString,
});
const status = z.catch(z.object({ state: lenientString, message: lenient(message) }), {});
const artifact = z.object({ artifactId: id, name: lenientString, parts });
export type WireMessage = z.infer<typeof message>;
export type WireArtifact = z.infer<typeof artifact>;
export type WireStatus = z.infer<typeof status>;

const rpcError = z.object({
  code: lenient(z.coerce.string()),
  message: lenientString,
  status: lenientString,
  data: z.exactOptional(z.unknown()),
});

export const a2aResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('task'),
    id,
    contextId: lenientString,
    status,
    artifacts: lenient(z.array(artifact)),
    history: lenient(z.array(message)),
  }),
  z.object({ ...message.shape, kind: z.literal('message') }),
  z.object({
    kind: z.literal('status-update'),
    taskId: lenientString,
    contextId: lenientString,
    status,
    final: lenient(z.boolean()),
  }),
  z.object({
    kind: z.literal('artifact-update'),
    taskId: lenientString,
    contextId: lenientString,
    artifact,
    append: lenient(z.boolean()),
    lastChunk: lenient(z.boolean()),
  }),
  z.object({ kind: z.literal('error'), error: z.union([rpcError, z.pipe(z.string(), z.transform(toError))]) }),
]);
export type A2aResult = z.infer<typeof a2aResult>;

function toError(message: string): z.infer<typeof rpcError> {
  return { code: undefined, message, status: undefined };
}

/** The four result types by their names in 1.0. */
const kinds = { task: 'task', message: 'message', statusUpdate: 'status-update', artifactUpdate: 'artifact-update' };

/**
 * Returns the result in a frame, and the version of A2A in which it has this form, if known. A task without a wrapper is
 * the response to a request for a task.
 */
export function unwrapResult(json: unknown): { readonly result: unknown; readonly version?: A2aVersion } {
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

/** The state of a task in the spelling of 0.3. */
export const a2aTaskState = ({ state }: WireStatus): string =>
  (state ?? '')
    .toLowerCase()
    .replace(/^task_state_/, '')
    .replaceAll('_', '-')
    .replace('cancelled', 'canceled');

export const partsOfMessage = ({
  parts: list,
  content,
}: Pick<WireMessage, 'parts'> & { readonly content?: WireMessage['content'] }) => list ?? content ?? [];

export const textOfParts = (list: readonly WirePart[]): string => list.map(({ text }) => text ?? '').join('');

/** Converts a part to text, media or data; undefined if it is empty. */
export function partContent(
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
  // The 0.3 HTTP binding wraps data in an object.
  const wrapped = lenientRecord.parse(item.data);
  const [only, ...others] = Object.keys(wrapped ?? {});
  return {
    data: wrapped && only === 'data' && others.length === 0 && isRecord(wrapped['data']) ? wrapped['data'] : item.data,
  };
}

const kindOf = (mimeType: string): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};
