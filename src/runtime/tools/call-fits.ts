/** Compares the arguments of a call with what its tool declares, before the page's `needsApproval` judges them. */
import { toToolSpec, type ClientTool } from '../../agents/tools.ts';
import { isRecord } from '../../model/json.ts';

/**
 * Whether the arguments have the types that the tool's `parameters` state at the top level: `type`, `enum`, `const`, `anyOf`, `oneOf`
 * and `required`. Everything else of JSON Schema counts as met. False if the schema can't be read.
 */
export function callFits(tool: ClientTool, args: Readonly<Record<string, unknown>>): boolean {
  const schema = schemaOf(tool);
  if (!schema) return false;
  const { properties, required } = schema;
  const names = Array.isArray(required) ? (required as readonly unknown[]) : [];
  return (
    names.every((name) => typeof name !== 'string' || Object.hasOwn(args, name)) &&
    (!isRecord(properties) ||
      Object.entries(properties).every(([name, property]) => !Object.hasOwn(args, name) || fits(args[name], property)))
  );
}

function schemaOf(tool: ClientTool): Readonly<Record<string, unknown>> | undefined {
  try {
    const { parameters } = toToolSpec(tool);
    return isRecord(parameters) ? parameters : undefined;
  } catch {
    // The method of a schema library may throw on a type without a JSON form.
    return undefined;
  }
}

function fits(value: unknown, schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const { type, nullable, enum: allowed, anyOf, oneOf } = schema;
  // OpenAPI 3.0 writes a type with null in this way.
  if (value === null && nullable === true) return true;
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  return (
    types.some((name) => isOfType(value, name)) &&
    (!Array.isArray(allowed) || allowed.some((one) => isSame(one, value))) &&
    (!('const' in schema) || isSame(schema['const'], value)) &&
    [anyOf, oneOf].every((list) => !Array.isArray(list) || list.some((one) => fits(value, one)))
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** An unknown type, and none at all, excludes nothing. */
function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return true;
  }
}
