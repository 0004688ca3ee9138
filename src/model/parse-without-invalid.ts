import type { z } from './schema.ts';
import { isRecord } from './json.ts';

type Path = readonly PropertyKey[];

/** How many times invalid parts are removed: the deepest first, then what contains them. */
const ATTEMPTS = 6;

/**
 * Parses a value without its invalid parts, so that an optional field such as `name: null` does not cost the text beside it.
 * Returns undefined if a required part is invalid.
 *
 * @param complete - fills in required fields that were removed
 */
export function parseWithoutInvalid<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  complete: (value: object) => object,
): z.infer<Schema> | undefined {
  let current = value;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = parseSafely(schema, current);
    if (!result?.error) return result?.data;
    const paths = result.error.issues.map(({ path }) => path.slice(0, Math.max(1, path.length - attempt)));
    // Without its type, no block is valid.
    const isLost = paths.some(([name, ...inner]) => name === undefined || (name === 'type' && inner.length === 0));
    if (!isRecord(current) || isLost) return undefined;
    current = complete(without(current, paths) as object);
  }
  return undefined;
}

/** Zod throws if a value has 100,000 invalid parts or is nested too deeply: undefined. */
export function parseSafely<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.util.SafeParseResult<z.infer<Schema>> | undefined {
  try {
    return schema.safeParse(value);
  } catch {
    return undefined;
  }
}

/** Copies a value without the parts at these paths. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner = new Map<string, Path[]>();
  for (const [name, ...rest] of paths) {
    const known = inner.get(String(name));
    if (known) known.push(rest);
    else inner.set(String(name), [rest]);
  }
  const entries = Object.entries(value).flatMap(([name, part]): readonly (readonly [string, unknown])[] => {
    const removed = inner.get(name);
    if (!removed) return [[name, part]];
    return removed.some((path) => path.length === 0) ? [] : [[name, without(part, removed)]];
  });
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
