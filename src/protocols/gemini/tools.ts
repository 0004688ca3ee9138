import type { ToolSpec } from '../../model/agent.ts';
import { isRecord } from '../../model/json.ts';

/**
 * The page's tools as Gemini's functions. Its own kind of schema is a part of JSON Schema, and anything else in it is refused:
 * what fits goes there, where every version of the API knows it, and the rest where newer ones take JSON Schema.
 */
export const toFunctions = (tools: readonly ToolSpec[]): readonly object[] =>
  tools.map(({ name, description, parameters }) => {
    const own: unknown = JSON.parse(JSON.stringify(parameters, withoutExtras));
    if (!fits(own)) return { name, description, parametersJsonSchema: parameters };
    // An object without any property is refused.
    return { name, description, ...(Object.keys(own['properties'] ?? {}).length > 0 && { parameters: own }) };
  });

/** What says nothing that the model needs. */
const withoutExtras = (keyword: string, value: unknown): unknown =>
  /^\$(?:schema|id)$/.test(keyword) || (keyword === 'additionalProperties' && typeof value === 'boolean')
    ? undefined
    : value;

const KEYWORDS =
  /^(?:(?:min|max)(?:imum|Items|Length|Properties)|title|description|nullable|default|pattern|required)$/;
const FORMATS = /^(?:date-time|enum|float|double|int32|int64)$/;

const fits = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
  isRecord(schema) &&
  Object.entries(schema).every(([keyword, value]) => {
    switch (keyword) {
      case 'type':
        return typeof value === 'string' && value !== 'null';
      case 'format':
        return FORMATS.test(String(value));
      case 'enum':
        return Array.isArray(value) && value.every((item) => typeof item === 'string');
      case 'items':
        return fits(value);
      case 'anyOf':
        return Array.isArray(value) && value.every(fits);
      case 'properties':
        return isRecord(value) && Object.values(value).every(fits);
      default:
        return KEYWORDS.test(keyword);
    }
  });
