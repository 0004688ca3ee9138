/** Reads the parts of a JSON Schema: its references and lists. */
import { isRecord } from '../../model/json.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Characters of a reference that take as long as a name. */
export const CHARACTERS_PER_NAME = 100;

/** Only references inside the document are resolved. */
export function targetOf(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), root);
  return isRecord(target) ? target : undefined;
}

export const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);
