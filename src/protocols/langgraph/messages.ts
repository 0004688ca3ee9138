/** The messages of LangChain, in all the forms that a LangGraph server sends them. Source: `langgraph.md`, "Message". */
import { maybe } from '../shared/maybe.ts';
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Part } from '../shared/snapshot.ts';

/** A field that may be absent, null or of another type: then it says nothing. */
const string = maybe(z.string());
const number = maybe(z.number());

export const usageMetadata = maybe(z.object({ input_tokens: number, output_tokens: number, total_tokens: number }));

const message = z.object({
  type: z.string(),
  id: string,
  name: string,
  content: maybe(z.union([z.string(), z.array(z.unknown())])),
  tool_calls: maybe(z.array(z.object({ id: string, name: z.string(), args: z.optional(z.unknown()) }))),
  tool_call_chunks: maybe(z.array(z.object({ index: number, id: string, name: string, args: string }))),
  additional_kwargs: maybe(z.record(z.string(), z.unknown())),
  usage_metadata: usageMetadata,
  tool_call_id: string,
  status: string,
  artifact: z.optional(z.unknown()),
});
export type LangMessage = z.infer<typeof message>;

const TYPES: Readonly<Record<string, string>> = {
  assistant: 'ai',
  user: 'human',
  developer: 'system',
  function: 'tool',
};

/** A message as it came: plain, with a class for its type, with a role, or as LangChain's constructor form. */
export function readMessage(json: unknown): LangMessage | undefined {
  if (!isRecord(json)) return undefined;
  const { lc, id, kwargs } = json;
  const made = lc === 1 && Array.isArray(id) && isRecord(kwargs);
  const fields = made ? kwargs : json;
  const kind: unknown = made ? id.at(-1) : (json['type'] ?? json['role']);
  if (typeof kind !== 'string') return undefined;
  const name = kind.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : name;
  const known = message.safeParse({ ...fields, type });
  return known.success ? known.data : undefined;
}

type Piece = Extract<Part, { kind: 'text' | 'reasoning' | 'media' }>;

/** Words, thoughts and pictures, in their order; calls have fields of their own. */
export function piecesOf({ content, additional_kwargs: more }: LangMessage): readonly Piece[] {
  const list = typeof content === 'string' ? [content] : (content ?? []);
  const pieces = list.flatMap((block): readonly Piece[] => {
    if (typeof block === 'string') return block ? [{ kind: 'text', text: block }] : [];
    return isRecord(block) ? pieceOf(block) : [];
  });
  if (pieces.some(({ kind }) => kind === 'reasoning')) return pieces;
  const thought = asWords(more?.['reasoning_content']) || summaryOf(more?.['reasoning']);
  return thought ? [{ kind: 'reasoning', text: thought }, ...pieces] : pieces;
}

function pieceOf(block: Readonly<Record<string, unknown>>): readonly Piece[] {
  const { type } = block;
  if (type === 'text') return wordsAs('text', asWords(block['text']));
  if (type === 'thinking') return wordsAs('reasoning', asWords(block['thinking']));
  if (type === 'reasoning') return wordsAs('reasoning', asWords(block['reasoning']) || summaryOf(block));
  const media = mediaOf(block);
  return media ? [{ kind: 'media', media }] : [];
}

const wordsAs = (kind: 'text' | 'reasoning', text: string): readonly Piece[] => (text ? [{ kind, text }] : []);
const asWords = (value: unknown): string => (typeof value === 'string' ? value : '');
const summaryOf = (reasoning: unknown): string =>
  isRecord(reasoning) && Array.isArray(reasoning['summary'])
    ? reasoning['summary'].map((part) => (isRecord(part) ? asWords(part['text']) : '')).join('')
    : '';

const KINDS: Readonly<Record<string, Media['kind']>> = {
  image: 'image',
  image_url: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
};

function mediaOf(block: Readonly<Record<string, unknown>>): Media | undefined {
  const type = asWords(block['type']);
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return undefined;
  const link = isRecord(block['image_url']) ? block['image_url']['url'] : block['image_url'];
  const url = asWords(link ?? block['url']);
  const inline = parseDataUrl(url);
  if (inline) return { kind, ...inline };
  const data = asWords(block['data'] ?? block['base64']);
  const mimeType = asWords(block['mime_type'] ?? block['mimeType']);
  if (!url && !data) return undefined;
  return { kind, ...(url ? { url } : { data }), ...(mimeType && { mimeType }) };
}

/** A whole message: neighbours of one kind are one. */
export function partsOf(whole: LangMessage): readonly Part[] {
  const parts: Part[] = [];
  for (const piece of piecesOf(whole)) addPart(parts, piece);
  for (const [index, { id, name, args }] of (whole.tool_calls ?? []).entries()) {
    parts.push({
      kind: 'tool',
      id: id || `${whole.id ?? ''}-${String(index)}`,
      name,
      params: args === undefined ? '' : JSON.stringify(args),
    });
  }
  return parts;
}

export function addPart(parts: Part[], piece: Piece): void {
  const last = parts.at(-1);
  if (piece.kind !== 'media' && last?.kind === piece.kind && 'text' in last) {
    parts[parts.length - 1] = { ...piece, text: last.text + piece.text };
  } else parts.push(piece);
}

const wordsOf = (parts: readonly Part[], kind: Part['kind']): string =>
  parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('');

/**
 * What is known of a message once it is told whole. What it has said in pieces stays as it stands where the whole says the
 * same, in whatever order, or nothing of that kind: servers leave thoughts out of what they keep.
 */
export function mergeWhole(told: readonly Part[], whole: readonly Part[]): readonly Part[] {
  const kinds = ['text', 'reasoning'] as const;
  const missing = kinds.filter((kind) => wordsOf(whole, kind) === '');
  const same = kinds.every((kind) => missing.includes(kind) || wordsOf(whole, kind) === wordsOf(told, kind));
  const calls = new Map(whole.flatMap((part) => (part.kind === 'tool' ? [[part.id, part]] : [])));
  const before = new Map(told.flatMap((part) => (part.kind === 'tool' ? [[part.id, part]] : [])));
  // Arguments that mean the same stay as they came.
  const settle = (part: Part): Part => {
    if (part.kind !== 'tool') return part;
    const [old, next] = [before.get(part.id), calls.get(part.id)];
    return { ...part, params: old && next && isSame(old.params, next.params) ? old.params : (next ?? part).params };
  };
  if (same) {
    const known = told.filter((part) => part.kind !== 'tool' || calls.size === 0 || calls.has(part.id));
    return [...known, ...[...calls.values()].filter(({ id }) => !before.has(id))].map(settle);
  }
  const kept = told.filter(({ kind }) => (kind === 'tool' ? calls.size === 0 : missing.some((name) => name === kind)));
  return [...kept, ...whole].map(settle);
}

/** Whether two texts of arguments say the same. */
export const isSame = (left: string, right: string): boolean =>
  left === right || JSON.stringify(sorted(parseJson(left))) === JSON.stringify(sorted(parseJson(right)));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
};

/** What a tool has given, as text: the texts of a list joined, anything else as JSON. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  const words = Array.isArray(value)
    ? value.map((item) => (isRecord(item) && item['type'] === 'text' ? asWords(item['text']) : undefined))
    : [undefined];
  return words.every((text) => text !== undefined) ? words.join('') : JSON.stringify(value);
}

/** A graph inside a tool. */
export const isInTool = (namespace: readonly string[]): boolean => namespace.some((part) => part.startsWith('tools:'));
