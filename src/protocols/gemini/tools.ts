import type { ToolSpec } from '../../model/agent.ts';
import { isRecord } from '../../model/json.ts';

/**
 * Converts client tools to Gemini's functions. Gemini's own schema format is a subset of JSON Schema and refuses
 * everything else. A schema that fits is sent in that format, which every API version supports; others are sent as
 * JSON Schema, which newer versions accept.
 */
export const toFunctions = (tools: readonly ToolSpec[]): readonly object[] =>
  tools.map(({ name, description, parameters }) => {
    const geminiSchema: unknown = JSON.parse(JSON.stringify(parameters, withoutExtras));
    if (!isGeminiSchema(geminiSchema)) return { name, description, parametersJsonSchema: parameters };
    // Gemini refuses an object schema without properties.
    return {
      name,
      description,
      ...(Object.keys(geminiSchema['properties'] ?? {}).length > 0 && { parameters: geminiSchema }),
    };
  });

/** Removes keywords that the model does not need. */
const withoutExtras = (keyword: string, value: unknown): unknown =>
  /^\$(?:schema|id)$/.test(keyword) || (keyword === 'additionalProperties' && typeof value === 'boolean')
    ? undefined
    : value;

const KEYWORDS =
  /^(?:(?:min|max)(?:imum|Items|Length|Properties)|title|description|nullable|default|pattern|required)$/;
const FORMATS = /^(?:date-time|enum|float|double|int32|int64)$/;

const isGeminiSchema = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
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
        return isGeminiSchema(value);
      case 'anyOf':
        return Array.isArray(value) && value.every(isGeminiSchema);
      case 'properties':
        return isRecord(value) && Object.values(value).every(isGeminiSchema);
      default:
        return KEYWORDS.test(keyword);
    }
  });
