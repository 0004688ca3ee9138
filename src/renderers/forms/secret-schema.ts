/**
 * Finds secrets in a JSON Schema: a list, an object or a union that may contain one has a plain input in a form, which would
 * show and store it.
 */
import { isRecord } from '../../model/json.ts';
import { isSecret } from '../../model/is-secret.ts';
import { CHARACTERS_PER_NAME, listOf, targetOf, type Schema } from './schema-reference.ts';

/** What all searches of one form share. */
export interface SecretSearch {
  readonly root: Schema;
  /** The remaining number of schemas that may be searched. */
  left: number;
  /** The schemas that are known to contain no secret. */
  readonly plain: Set<Schema>;
}

/** Keywords whose schemas describe the same value. `not` excludes something, and `if` only tests. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', 'dependencies'];
/** Keywords whose schemas describe a part of the value. */
const PARTS = [
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'contentSchema'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
];
const EVERYTHING = [...SAME_VALUE, ...PARTS];
/** Keywords with an object of schemas instead of a schema. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** Whether a secret can be a part of the value. A search that exceeds its budget counts as one that has found a secret. */
export function containsSecret(schema: Schema, search: SecretSearch): boolean {
  const found = new Set([schema]);
  // The loop also visits what it adds.
  for (const one of found) {
    if (search.left < 0 || isSecret(one)) return true;
    for (const inner of schemasIn(one, EVERYTHING, search)) if (!search.plain.has(inner)) found.add(inner);
  }
  for (const one of found) search.plain.add(one);
  return false;
}

/** All schemas that describe the same value, with the given ones. */
export function schemasOfValue(schemas: readonly Schema[], search: SecretSearch): readonly Schema[] {
  const found = new Set(schemas);
  for (const one of found) {
    if (search.left < 0) break;
    for (const inner of schemasIn(one, SAME_VALUE, search)) found.add(inner);
  }
  return [...found];
}

/** What several schemas of an object say about one of its properties. */
export function schemasOfProperty(schemas: readonly Schema[], name: string, search: SecretSearch): readonly Schema[] {
  // From then on, every field counts as a secret.
  if (search.left < 0) return [];
  search.left -= schemas.length;
  return schemas.flatMap(({ properties }) => {
    const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(property) ? [property] : [];
  });
}

function schemasIn(schema: Schema, keywords: readonly string[], search: SecretSearch): readonly Schema[] {
  const reference = typeof schema['$ref'] === 'string' ? schema['$ref'] : '';
  const target = targetOf(search.root, reference);
  const inner = keywords.flatMap((keyword) => {
    const value = schema[keyword];
    if (!isRecord(value)) return listOf(value);
    return MAPS.has(keyword) ? Object.values(value).filter(isRecord) : [value];
  });
  search.left -= 1 + reference.length / CHARACTERS_PER_NAME + inner.length;
  return target ? [target, ...inner] : inner;
}
