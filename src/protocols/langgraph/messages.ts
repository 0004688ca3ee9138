/** LangChain messages, in all forms that a LangGraph server sends. Source: `docs/protocols/langgraph.md`. */
import { enumerate } from '../../enumerate.ts';
import { lenient } from '../shared/lenient.ts';
import type { Media } from '../../model/blocks.ts';
import { recordOf, z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { isRecord, parseServerJson } from '../../model/json.ts';
import { exactJson, keepExactNumbers } from '../core/exact-json.ts';
import { isSamePart, type Part } from '../shared/snapshot.ts';

/** Fields that may be missing, null or of another type. */
const string = lenient(z.string());
const number = lenient(z.number());

export const usageMetadata = lenient(z.object({ input_tokens: number, output_tokens: number, total_tokens: number }));

const message = z.object({
  type: z.string(),
  id: string,
  name: string,
  content: lenient(z.union([z.string(), z.array(z.unknown())])),
  tool_calls: lenient(z.array(z.object({ id: string, name: z.string(), args: z.optional(z.unknown()) }))),
  tool_call_chunks: lenient(z.array(z.object({ index: number, id: string, name: string, args: string }))),
  additional_kwargs: lenient(recordOf(z.unknown())),
  response_metadata: lenient(recordOf(z.unknown())),
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

/** Parses a message: plain, with a class name as its type, with a role, or in LangChain's constructor form. */
export function readMessage(json: unknown): LangMessage | undefined {
  if (!isRecord(json)) return undefined;
  const { lc, id, kwargs } = json;
  const isConstructor = lc === 1 && Array.isArray(id) && isRecord(kwargs);
  const fields = isConstructor ? kwargs : json;
  const kind: unknown = isConstructor ? id.at(-1) : (json['type'] ?? json['role']);
  if (typeof kind !== 'string') return undefined;
  const name = kind.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : name;
  const parsed = message.safeParse({ ...fields, type });
  return parsed.success ? parsed.data : undefined;
}

type ContentPart = Extract<Part, { kind: 'text' | 'reasoning' | 'media' }>;

/** The text, reasoning and media of a message in order; tool calls are in separate fields. */
export function messageChunks({ content, additional_kwargs: more }: LangMessage): readonly ContentPart[] {
  const list = typeof content === 'string' ? [content] : (content ?? []);
  const parts = list.flatMap((block): ContentPart[] => {
    if (typeof block === 'string') return block ? [{ kind: 'text', text: block }] : [];
    return isRecord(block) ? toContentPart(block) : [];
  });
  if (parts.length === 0) parts.push(...textPart('text', asString(more?.['refusal'])));
  if (parts.some(({ kind }) => kind === 'reasoning')) return parts;
  const reasoning = asString(more?.['reasoning_content']) || summaryOf(more?.['reasoning']);
  return reasoning ? [{ kind: 'reasoning', text: reasoning }, ...parts] : parts;
}

/** Why the model has ended the message, as it says itself. */
export function endReason({ response_metadata: more }: LangMessage): string | undefined {
  const reason = more?.['finish_reason'] ?? more?.['stop_reason'];
  return typeof reason === 'string' ? reason : undefined;
}

function toContentPart(block: Readonly<Record<string, unknown>>): ContentPart[] {
  const { type } = block;
  if (type === 'text') return textPart('text', asString(block['text']));
  if (type === 'refusal') return textPart('text', asString(block['refusal']));
  if (type === 'thinking') return textPart('reasoning', asString(block['thinking']));
  if (type === 'reasoning') return textPart('reasoning', asString(block['reasoning']) || summaryOf(block));
  const media = mediaOf(block);
  return media ? [{ kind: 'media', media }] : [];
}

const textPart = (kind: 'text' | 'reasoning', text: string): ContentPart[] => (text ? [{ kind, text }] : []);
const asString = (value: unknown): string => (typeof value === 'string' ? value : '');
const summaryOf = (reasoning: unknown): string =>
  isRecord(reasoning) && Array.isArray(reasoning['summary'])
    ? reasoning['summary'].map((part) => (isRecord(part) ? asString(part['text']) : '')).join('')
    : '';

const KINDS: Readonly<Record<string, Media['kind']>> = {
  image: 'image',
  image_url: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
};

/** The image, sound, video or file of a block. */
export function mediaOf(block: Readonly<Record<string, unknown>>): Media | undefined {
  const type = asString(block['type']);
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return undefined;
  const link = isRecord(block['image_url']) ? block['image_url']['url'] : block['image_url'];
  const url = asString(link ?? block['url']);
  const inline = parseDataUrl(url);
  if (inline) return { kind, ...inline };
  const data = asString(block['data'] ?? block['base64']);
  const mimeType = asString(block['mime_type'] ?? block['mimeType']);
  if (!url && !data) return undefined;
  // In the order of an inline file, because parts are compared as JSON.
  return { kind, ...(mimeType && { mimeType }), ...(url ? { url } : { data }) };
}

/** The parts of a complete message; consecutive parts of one kind are joined. */
export function messageParts(complete: LangMessage): readonly Part[] {
  const parts: Part[] = [];
  for (const part of messageChunks(complete)) addPart(parts, part);
  for (const [index, { id, name, args }] of enumerate(complete.tool_calls ?? [])) {
    parts.push({
      kind: 'tool',
      id: id || `${complete.id ?? ''}-${String(index)}`,
      name,
      params: args === undefined ? '' : exactJson(args),
    });
  }
  return parts;
}

export function addPart(parts: Part[], part: ContentPart): void {
  const last = parts.at(-1);
  if (part.kind !== 'media' && last?.kind === part.kind && 'text' in last) {
    parts[parts.length - 1] = { ...part, text: last.text + part.text };
  } else parts.push(part);
}

const joinText = (parts: readonly Part[], kind: Part['kind']): string =>
  parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('');

/**
 * Merges a complete message into its streamed parts. Streamed text stays unchanged if the complete message has the same
 * text in any order, or none of that kind, because servers omit reasoning from stored messages.
 * Media that only the complete message has are added.
 */
export function mergeComplete(streamed: readonly Part[], complete: readonly Part[]): readonly Part[] {
  const kinds = ['text', 'reasoning'] as const;
  const missing = kinds.filter((kind) => joinText(complete, kind) === '');
  const isUnchanged = kinds.every(
    (kind) => missing.includes(kind) || joinText(complete, kind) === joinText(streamed, kind),
  );
  const calls = new Map(complete.flatMap((part) => (part.kind === 'tool' ? [[part.id, part]] : [])));
  const before = new Map(streamed.flatMap((part) => (part.kind === 'tool' ? [[part.id, part]] : [])));
  // Equivalent arguments are not replaced.
  const withFinalArguments = (part: Part): Part => {
    if (part.kind !== 'tool') return part;
    const [old, next] = [before.get(part.id), calls.get(part.id)];
    return {
      ...part,
      params: old && next && sameArguments(old.params, next.params) ? old.params : (next ?? part).params,
    };
  };
  if (isUnchanged) {
    const remaining = streamed.filter((part) => part.kind !== 'tool' || calls.size === 0 || calls.has(part.id));
    const media = complete.filter(
      (part) => part.kind === 'media' && !streamed.some((known) => isSamePart(known, part)),
    );
    const newCalls = [...calls.values()].filter(({ id }) => !before.has(id));
    return [...remaining, ...media, ...newCalls].map(withFinalArguments);
  }
  const remainingParts = streamed.filter(({ kind }) =>
    kind === 'tool' ? calls.size === 0 : missing.some((name) => name === kind),
  );
  return [...remainingParts, ...complete].map(withFinalArguments);
}

/** Whether two JSON texts of arguments are equivalent. */
export const sameArguments = (left: string, right: string): boolean =>
  left === right || exactJson(sorted(parseServerJson(left))) === exactJson(sorted(parseServerJson(right)));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return keepExactNumbers(value, value.map(sorted));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)] as const);
  return keepExactNumbers(value, Object.fromEntries(entries));
};

/** The result of a tool as text: the texts of a list are joined, other values become JSON. */
export function toolResultText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  const texts = Array.isArray(value)
    ? value.map((item) => (isRecord(item) && item['type'] === 'text' ? asString(item['text']) : undefined))
    : [undefined];
  return texts.every((text) => text !== undefined) ? texts.join('') : JSON.stringify(value);
}

/** Whether the namespace belongs to a graph inside a tool. */
export const isInTool = (namespace: readonly string[]): boolean => namespace.some((part) => part.startsWith('tools:'));
