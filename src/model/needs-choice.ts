import { isSecret } from './is-secret.ts';
import { isRecord } from './json.ts';

/** Keywords by which a value is a choice, or something other than a text. */
const OTHER = ['enum', 'const', 'oneOf', 'anyOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', 'properties', 'items'];

const isText = (schema: unknown): boolean =>
  isRecord(schema) &&
  // The form does not ask for it. As a message it would be shown and stored.
  !isSecret(schema) &&
  (schema['type'] === undefined || schema['type'] === 'string') &&
  !OTHER.some((keyword) => schema[keyword] !== undefined);

/**
 * Whether a question waits for its form: its answer is not one free text. A message that the user sends meanwhile does not
 * answer it. Most agents would read any text as a yes, or as the value of a field that it was not meant for.
 */
export function needsChoice(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const { properties, required, ...rest } = schema;
  if (!isRecord(properties)) return !isText(schema);
  const [name, ...others] = Object.keys(properties);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return (
    isSecret(schema) ||
    name === undefined ||
    others.length > 0 ||
    !isText(properties[name]) ||
    needed.some((field) => field !== name) ||
    OTHER.some((keyword) => rest[keyword] !== undefined)
  );
}
