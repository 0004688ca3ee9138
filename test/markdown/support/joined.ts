/** Tokens with adjacent text tokens joined: the positions of the cuts do not matter. */
export function joined(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value.flatMap(runs).map(joined)) {
      const [one, two] = [asText(items.at(-1)), asText(item)];
      if (one && two) items[items.length - 1] = { ...one, raw: one.raw + two.raw, text: one.text + two.text };
      else items.push(item);
    }
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === 'escaped' ? [] : [[key, joined(item)]])),
  );
}

/** The tokens of an inline run. */
const runs = (value: unknown): readonly unknown[] => {
  // A column without an alignment has `null` for it.
  const { type, tokens = [] } = (value ?? {}) as { readonly type?: string; readonly tokens?: readonly unknown[] };
  return type === 'run' ? tokens : [value];
};

const asText = (value: unknown): { readonly raw: string; readonly text: string } | undefined => {
  const token = value as { type?: string; raw: string; text: string; tokens?: unknown } | null | undefined;
  return token?.type === 'text' && token.tokens === undefined ? token : undefined;
};
