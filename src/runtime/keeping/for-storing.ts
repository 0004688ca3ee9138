/**
 * Messages as they are written down: plain JSON, every text in them first the page's to redact, then without keys and without
 * what we sent in headers. Source: `security/README.md`, rule 13.
 */
import type { ChatMessage } from '../../model/message.ts';
import { maskKeys } from '../../safety/secrets.ts';
import type { Redact } from './conversation-store.ts';

/** What is not text but the skeleton of a message. Words that stand under these names are never anybody's. */
const SKELETON = new Set([
  'id',
  'type',
  'role',
  'status',
  'finish',
  'format',
  'parentId',
  'agentId',
  'action_type',
  'data_type',
  'mimeType',
]);

/** Deeper places are left out: nothing that is shown stands there. */
const MAX_DEPTH = 64;

export interface StoringOptions {
  /** The page's own; undefined where it has none. */
  redact(): Redact | undefined;
  /** Values of credentials that were sent. */
  sent(): readonly string[];
}

/** What makes messages ready to be stored. What did not change stays the object that it was, so that it is written once. */
export function createForStoring({ redact, sent }: StoringOptions) {
  const known = new WeakMap<object, object>();
  const text = (value: string): string => maskKeys(redact()?.(value, 'store') ?? value, sent());

  const copy = (value: unknown, name: string, depth: number, beside: object): unknown => {
    if (typeof value === 'string') {
      // (The bytes of a picture are no words, and they are many.)
      return SKELETON.has(name) || (name === 'data' && 'mimeType' in beside) ? value : text(value);
    }
    if (typeof value !== 'object' || value === null) return isPlain(value) ? value : undefined;
    if (depth >= MAX_DEPTH) return undefined;
    if (Array.isArray(value)) return value.map((item) => copy(item, name, depth + 1, beside) ?? null);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return copy((value.toJSON as () => unknown)(), name, depth + 1, beside);
    }
    const fields = Object.entries(value)
      .map(([field, inner]) => [field, copy(inner, field, depth + 1, value)] as const)
      .filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(fields);
  };

  /** The same object for the same one: a reply that grows has one block that does. */
  const kept = <Value extends object>(value: Value, make: () => Value): Value => {
    const before = known.get(value) as Value | undefined;
    if (before) return before;
    const made = make();
    known.set(value, made);
    return made;
  };

  return {
    text,
    message: (message: ChatMessage): ChatMessage =>
      kept(message, () => {
        const { blocks, ...rest } = message;
        return {
          ...(copy(rest, '', 0, rest) as typeof rest),
          blocks: blocks.map((block) => kept(block, () => copy(block, '', 0, block) as typeof block)),
        };
      }),
    value: (value: unknown): unknown => copy(value, '', 0, {}),
  };
}

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
