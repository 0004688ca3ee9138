/**
 * Converts messages to their stored form: plain JSON, redacted by the page, without API keys and sent header values. The patterns of
 * API keys are in `safety/mask-secrets.ts`. See `docs/security.md`.
 */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withRedactedPress } from '../../model/exchange/press-redaction.ts';
import { callPageFunction } from '../../page-functions.ts';
import { maskKeysInProse } from '../../safety/mask-secrets.ts';
import type { Redact } from './redact-for-sending.ts';
import { redactNumber } from './redact-number.ts';
import { withoutSecrets } from './without-secrets.ts';
import { content, dataBlock, mediaBlock, message as messageShape, type Fields, type Shape } from './message-shape.ts';

/** Deeper values are omitted. Nothing at that depth is displayed. */
const MAX_DEPTH = 64;

export interface StorageSerializerOptions {
  /** The page's function; undefined if there is none. */
  redact(): Redact | undefined;
  /** Values of credentials that were sent. */
  sent(): readonly string[];
}

export type StorageSerializer = ReturnType<typeof createStorageSerializer>;

/**
 * Creates functions that prepare messages for storage. Unchanged messages keep their identity, so that they are written
 * once.
 */
export function createStorageSerializer({ redact, sent }: StorageSerializerOptions) {
  const cache = new WeakMap<object, object>();
  const text = (value: string): string => {
    const redactText = redact();
    // If `redact` returns no string, the text is not stored.
    const redacted: unknown = redactText ? callPageFunction('redact', () => redactText(value, 'store')) : value;
    return typeof redacted === 'string' ? maskKeysInProse(redacted, sent()) : '';
  };

  const string = (value: string, shape: Shape): string => {
    if (shape === 'fixed') return value;
    return shape === 'bytes' && BYTES.test(value) ? value : text(value);
  };

  const copy = (value: unknown, shape: Shape, depth = 0): unknown => {
    if (typeof value === 'string') return string(value, shape);
    if (typeof value === 'number' && Number.isFinite(value) && shape !== 'fixed' && shape !== 'number' && redact())
      return redactNumber(value, text);
    if (typeof value !== 'object' || value === null) return isPlain(value) ? value : undefined;
    if (depth >= MAX_DEPTH) return undefined;
    if (Array.isArray(value)) return value.map((item) => copy(item, shape, depth + 1) ?? null);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return copy((value.toJSON as () => unknown)(), shape, depth + 1);
    }
    const fields: [string, unknown][] = [];
    const taken = new Map<string, number>();
    for (const [name, inner] of Object.entries(value)) {
      const copied = copy(inner, shapeOf(shape, name), depth + 1);
      if (copied === undefined) continue;
      const stored = isNameOf(shape, name) ? name : uniqueName(text(name), taken);
      if (!taken.has(stored)) taken.set(stored, 1);
      fields.push([stored, copied]);
    }
    return Object.fromEntries(fields);
  };

  /** Caches the result by object: in a growing reply only one block changes. */
  const memoize = <Value extends object>(value: Value, make: () => Value): Value => {
    const before = cache.get(value) as Value | undefined;
    if (before) return before;
    const created = make();
    cache.set(value, created);
    return created;
  };

  return {
    text,
    message: (message: ChatMessage): ChatMessage =>
      memoize(message, () => {
        const shown = redact() ? withRedactedPress(message, (value) => copy(value, content)) : message;
        const { blocks, ...rest } = withoutSecrets(shown);
        return {
          ...(copy(rest, messageShape) as typeof rest),
          blocks: blocks.map((block) => memoize(block, () => copy(block, shapeOfBlock(block)) as typeof block)),
        };
      }),
    value: (value: unknown): unknown => copy(value, content),
  };
}

/** base64, or a data URL with base64. Any other value of a `bytes` field is text. */
const BYTES = /^(?:data:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*;base64,)?[\w+/\r\n-]*={0,2}$/;

const shapeOfBlock = ({ type }: AssistantMessageBlock): Fields => (type === 'data' ? dataBlock : mediaBlock);

function shapeOf(shape: Shape, name: string): Shape {
  if (typeof shape === 'string') return content;
  const shapes = 'fields' in shape ? shape.fields : shape.numbers;
  return Object.hasOwn(shapes, name) ? (shapes[name] ?? content) : content;
}

/**
 * Whether a field name is one of the types in `model/`. Names in content are content: a table may have a person's name for each
 * column.
 */
function isNameOf(shape: Shape, name: string): boolean {
  if (typeof shape === 'string') return false;
  return 'fields' in shape ? Object.hasOwn(shape.fields, name) : shape.names.has(name);
}

/**
 * Returns a name that no other field has. Two may be redacted to the same text: the second one gets a number, so that no value is lost.
 *
 * @param taken - the names, and the last number of each: counting from the start would take quadratic time
 */
function uniqueName(name: string, taken: Map<string, number>): string {
  let count = taken.get(name);
  if (count === undefined) return name;
  let other = name;
  while (taken.has(other)) other = `${name} ${String(++count)}`;
  taken.set(name, count);
  return other;
}

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
